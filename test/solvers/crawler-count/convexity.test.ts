/**
 * The steps of the proof that the cost C(N) of an M/G/1/K queue is convex in N for every law, each on its own:
 *
 * 1. λN = loss + μ(1 − P(empty)), so C = (γ + μ)·P(empty) + (λ + c)·N − μ. It is enough that P(empty) is convex in the
 *    arrival rate Λ = λN.
 * 2. Use the clock that runs only while the engine works. Let Y be the number waiting. An arrival makes it
 *    min(Y + 1, K − 1). The end of a service takes one, or is *idle*. Add an arrival x to a set of arrivals. The two
 *    paths differ by at most 1 until one of two events. The larger loses an arrival, and x gains nothing. Or the smaller
 *    is idle, and x saves one idle end. Add another arrival y to both: an idle end comes no earlier and a loss no later.
 *    So savings diminish, and the share q(Λ) of services that leave nothing waiting is convex and falling.
 * 3. A cycle is a service and, with probability q, a wait of 1/Λ, so P(empty) = q/(ρ + q). In ρ, q is convex, q(0) = 1
 *    and q ≥ 1 − ρ, so −1 ≤ q' ≤ 0. The second derivative of q/(ρ + q) has the sign of
 *      2(q − ρq')² + (q + ρ)(ρqq'' + 2q'(q − ρq')) ≥ 2q(q − ρq')(1 + q') ≥ 0. ∎
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

type Event = 'arrival' | 'end';

/** Idle ends of service on the clock that runs while the engine works: room for `room` waiting pages. */
function idleEnds(events: readonly Event[], room: number): number {
  let waiting = 0;
  let idle = 0;
  for (const event of events) {
    if (event === 'arrival') waiting = Math.min(room, waiting + 1);
    else if (waiting > 0) waiting--;
    else idle++;
  }
  return idle;
}

describe('the proof of convexity', () => {
  it('an arrival saves no more idle ends of service when another arrival is there', () => {
    const event = fc.constantFrom<Event>('arrival', 'end');
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 60 }),
        fc.nat(60),
        fc.nat(60),
        fc.integer({ min: 0, max: 6 }),
        (events, a, b, room) => {
          const first = Math.min(a, b, events.length);
          const second = Math.min(Math.max(a, b), events.length);
          const insert = (x: boolean, y: boolean): Event[] => [
            ...events.slice(0, first),
            ...(x ? (['arrival'] as const) : []),
            ...events.slice(first, second),
            ...(y ? (['arrival'] as const) : []),
            ...events.slice(second),
          ];
          const [none, x, y, both] = [
            insert(false, false),
            insert(true, false),
            insert(false, true),
            insert(true, true),
          ].map((list) => idleEnds(list, room));
          expect(y - both).toBeLessThanOrEqual(none - x);
          expect([0, 1]).toContain(none - x);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('q/(ρ + q) is convex in ρ where q is convex and −1 ≤ q′ ≤ 0', () => {
    const unit = fc.double({ min: 1e-3, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        unit,
        unit,
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        (q, fall, bend, load) => {
          const slope = -fall;
          if (q < 1 - load) return;
          // r = ρ/q, P = 1/(1 + r): P'' ≥ 0 iff 2r'² ≥ (1 + r)r''
          const r = load / q;
          const first = (q - load * slope) / q ** 2;
          const second = (-load * q * bend - 2 * slope * (q - load * slope)) / q ** 3;
          expect(2 * first ** 2 - (1 + r) * second).toBeGreaterThanOrEqual(
            -1e-9 * (1 + 2 * first ** 2 + Math.abs((1 + r) * second)),
          );
        },
      ),
      { numRuns: 2000 },
    );
  });
});
