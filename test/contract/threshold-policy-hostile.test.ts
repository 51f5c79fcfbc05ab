/**
 * Requests at the edge of the range of doubles, of the memory and of the time: an answer, or a refusal that says why.
 */
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/operations/operation.ts';
import { simulationsQueue } from '../../src/operations/simulations/queue.ts';
import { thresholdPolicy } from '../../src/operations/threshold-policy.ts';
import { deadlineBudget } from '../../src/solvers/budget.ts';
import { now } from '../../src/workers/clock.ts';
import { prepareParsed, run } from '../../src/workers/pipeline.ts';

/** Milliseconds: these requests are refused, or end at their time limit; without either they would run for minutes. */
const ends = { timeout: 60_000 } as const;

const limits = { defaultTimeLimitMs: 20_000, maxTimeLimitMs: 20_000, maxWork: Number.POSITIVE_INFINITY };

function ask(operation: Operation, body: object) {
  const begun = now();
  const ready = prepareParsed(operation, body, limits);
  const outcome =
    ready.kind === 'ready'
      ? run(ready, deadlineBudget({ clock: now, deadline: begun + ready.timeLimitMs, seed: 1 }), now)
      : ready;
  if (outcome.kind === 'answer') return { status: 200, body: JSON.parse(outcome.body) };
  return { status: outcome.problem.status, body: outcome.problem };
}

const exponential = (rate: number) => ({ type: 'exponential', rate });
const hyperexponential = { type: 'hyperexponential', probabilities: [0.5, 0.5], rates: [1, 0.1] };
const costs = { loss: 5, obsolescence: 10, response: 2, crawler: 2, starvation: 30 };
const poisson = (rate: number, factors: readonly number[]) => ({
  model: 'scaled',
  matrices: [[[-rate]], [[rate]]],
  factors,
});
const queue = { capacity: 5, arrivals: poisson(1, [1, 2, 3]), service: exponential(2), obsolescence: exponential(0.1) };
const problem = { ...queue, costs };

/**
 * A phase-type law that cycles through its phases, and leaves from the last at rate `exit`: nearly singular if small.
 */
function cycle(phases: number, rate: number, exit: number) {
  const generator = Array.from({ length: phases }, (_, i) =>
    Array.from({ length: phases }, (_cell, j) => {
      if (j === i) return i === phases - 1 ? -(rate + exit) : -rate;
      return j === (i + 1) % phases ? rate : 0;
    }),
  );
  return { type: 'phase-type', initial: Array.from({ length: phases }, (_, i) => (i === 0 ? 1 : 0)), generator };
}

/** An arrival process that cycles through w phases, with batches of 1 to k pages. */
function process(w: number, k: number): number[][][] {
  return Array.from({ length: k + 1 }, (_, batch) =>
    Array.from({ length: w }, (_row, i) =>
      Array.from({ length: w }, (_cell, j) => {
        if (batch > 0) return i === j ? 0.1 : 0;
        return i === j ? -(w > 1 ? 1 : 0) - 0.1 * k : j === (i + 1) % w ? 1 : 0;
      }),
    ),
  );
}

describe('rates and weights that leave the range of doubles are refused with their place', () => {
  it.each([
    ['a factor that overflows', { arrivals: poisson(1e10, [1, 1e300]) }, '/arrivals/factors/1', 'rate-out-of-range'],
    ['a factor that underflows', { arrivals: poisson(1e-30, [1, 1e-300]) }, '/arrivals/factors/1', 'no-arrivals'],
    ['expiry at once', { obsolescence: exponential(1e300) }, '/obsolescence/rate', 'rate-out-of-range'],
    ['a service that never ends', { service: exponential(1e-300) }, '/service/rate', 'rate-out-of-range'],
    ['a weight of 1e300', { costs: { ...costs, loss: 1e300 } }, '/costs/loss', 'too_big'],
  ])('%s', (_, change, pointer, code) => {
    const { status, body } = ask(thresholdPolicy, { ...problem, ...change });
    expect(status, JSON.stringify(body).slice(0, 500)).toBe(422);
    expect(body.errors[0]).toMatchObject({ pointer, code });
  });
});

describe('more numbers than the memory holds are refused before they are made', ends, () => {
  it.each([
    ['modes × batches × phases', { arrivals: { model: 'scaled', matrices: process(64, 128), factors: ones(64) } }],
    ['batches near the capacity', { capacity: 300, arrivals: { ...many(16, 128), factors: ones(20) } }],
    ['ways of four pages in a hundred phases', { capacity: 4, obsolescence: cycle(100, 1, 0.1) }],
    [
      'blocks of service and arrival phases by ordered phases',
      { obsolescence: hyperexponential, service: cycle(100, 9, 9), arrivals: { ...many(64, 1), factors: [1] } },
    ],
  ])('%s', (_, change) => {
    const { status, body } = ask(thresholdPolicy, { ...problem, ...change });
    expect(status, JSON.stringify(body).slice(0, 500)).toBe(422);
    expect(body.errors[0].code).toBe('too-many-states');
  });
});

function ones(length: number): number[] {
  return Array.from({ length }, (_, mode) => (mode + 1) / length);
}

function many(w: number, k: number) {
  return { model: 'scaled', matrices: process(w, k) };
}

describe('a long queue under heavy load, whose passages leave the range of doubles', () => {
  const heavy = { ...problem, capacity: 2000, obsolescence: null, arrivals: poisson(3, [1, 2]) };

  it('is answered without a bound that is not a number', () => {
    const { status, body } = ask(thresholdPolicy, { ...heavy, options: { timeLimitMs: 2000 } });
    expect(status, JSON.stringify(body).slice(0, 500)).toBe(200);
    expect(['optimal', 'feasible']).toContain(body.status);
    const { value, bound, gap } = body.objective;
    expect(value).toBeGreaterThan(0);
    if (bound !== null) expect(bound).toBeLessThanOrEqual(value);
    if (body.status === 'optimal') expect(gap).toBeLessThanOrEqual(1e-6);
  });

  it('is not called infeasible, whose every policy costs the same to look at', () => {
    const constraints = { activeCrawlers: 2 };
    const { body } = ask(thresholdPolicy, { ...heavy, constraints, options: { timeLimitMs: 300 } });
    expect(body.status).not.toBe('infeasible');
  });
});

describe('time limits hold', ends, () => {
  it('where looking at every policy would take minutes: what was found by then is the answer', () => {
    const long = {
      ...problem,
      capacity: 2000,
      obsolescence: null,
      arrivals: { ...many(1, 4), factors: [0.3, 0.6, 1] },
    };
    const { status, body } = ask(thresholdPolicy, { ...long, options: { timeLimitMs: 500 } });
    expect(status, JSON.stringify(body).slice(0, 500)).toBe(200);
    expect(body.solution.crawlersByQueueLength).toHaveLength(2001);
  });

  it('where a service changes its phase a hundred thousand million times before it ends', () => {
    const body = {
      capacity: 2,
      duration: 10,
      replications: 2,
      arrivals: poisson(1, [1]),
      service: cycle(2, 1e9, 0.01),
      obsolescence: null,
      evaluate: { thresholds: [] },
      options: { timeLimitMs: 100 },
    };
    const { status } = ask(simulationsQueue, body);
    expect(status).toBe(504);
  });

  it.each([
    ['as many states as obsolescence phases may have', { obsolescence: hyperexponential, service: cycle(32, 9, 9) }],
    [
      'quantiles far out in a stiff chain',
      { obsolescence: cycle(2, 1e9, 0.01), measures: { response: { quantiles: [0.5, 1 - 1e-16] } } },
    ],
  ])('with %s', (_, change) => {
    const { status, body } = ask(thresholdPolicy, { ...problem, ...change, options: { timeLimitMs: 100 } });
    expect([200, 504], JSON.stringify(body).slice(0, 500)).toContain(status);
  });

  it('with a law that has an unknown property and sizes that do not match, is refused by the property', () => {
    const obsolescence = { ...cycle(2, 1, 0.1), initial: [0.3, 0.4, 0.3], rates: [1] };
    for (const [operation, rest] of [
      [thresholdPolicy, {}],
      [simulationsQueue, { costs: undefined, duration: 10, evaluate: { thresholds: [1, 2] } }],
    ] as const) {
      const { status, body } = ask(operation, JSON.parse(JSON.stringify({ ...problem, ...rest, obsolescence })));
      expect(status).toBe(422);
      expect(body.detail).toContain('unknown property "rates"');
    }
  });
});
