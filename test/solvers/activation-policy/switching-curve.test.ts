import { describe, expect, it } from 'vitest';
import { switchingCurves } from '../../../src/solvers/activation-policy/index.ts';

describe('the switching curve of given targets', () => {
  it('of Figure 1.6: after an arrival and after a departure, by the crawlers active before the event', () => {
    const { monotone, afterArrival, afterDeparture } = switchingCurves([16, 14, 12, 9, 7, 4], 16);
    expect(monotone).toBe(true);
    // An arrival at (q, r) leaves q + 1 pages (5 at q = 5) and r − 1 active: reactivated iff r − 1 < R[q + 1].
    expect(afterArrival).toEqual([null, 5, 5, 5, 5, 3, 3, 3, 2, 2, 1, 1, 1, 0, 0, -1, -1]);
    // A departure at (q, r) leaves q − 1 pages and r active: one more iff r < R[q − 1]; none is left at r = 16.
    expect(afterDeparture).toEqual([5, 5, 5, 5, 5, 5, 5, 4, 4, 3, 3, 3, 2, 2, 1, 1, -1]);
  });

  it('of R[K] = 0: an arrival that fills the queue never reactivates', () => {
    expect(switchingCurves([2, 1, 0], 2)).toEqual({
      monotone: true,
      afterArrival: [null, 0, -1],
      afterDeparture: [2, 1, -1],
    });
  });

  it('of a queue of one page', () => {
    // Both arrivals leave one page; the only departure leaves none.
    expect(switchingCurves([3, 1], 3)).toEqual({
      monotone: true,
      afterArrival: [null, 1, -1, -1],
      afterDeparture: [1, 1, 1, -1],
    });
  });

  it('of rising targets has the largest queue lengths too, and is not monotone', () => {
    expect(switchingCurves([1, 0, 2, 1], 2)).toEqual({
      monotone: false,
      afterArrival: [null, 3, 1],
      afterDeparture: [3, 3, -1],
    });
  });
});
