/** Many targets, each of few pages: the time limit is looked at between them. */
import { expect, it } from 'vitest';
import { deadlineBudget, NothingToReturn } from '../../../src/solvers/budget.ts';
import { neededByTarget } from '../../../src/solvers/crawl-price/needed-by-target.ts';

it('ends in the middle of many small targets, once the time is over', () => {
  const count = 40;
  const column = (of: (i: number) => number): Float64Array => Float64Array.from({ length: count }, (_, i) => of(i));
  const rate = (i: number): number => 1 + i / count;
  const histogram = {
    pages: column(() => 1),
    changeRate: column(rate),
    weight: column((i) => rate(i) ** 2),
    changeRateLogRatio: column((i) => rate(i) * Math.log(rate(i))),
    ratioMin: column(rate),
    ratioMax: column(rate),
  };
  const problem = { objective: 'freshness' as const, rate: 1, histogram, host: null, maxRate: new Float64Array(0) };
  const targets = {
    whole: Infinity,
    own: { of: Int32Array.from({ length: count }, (_, i) => i), limit: column(() => 0.2) },
  };
  const within = (looks: number) => {
    let looked = 0;
    const budget = deadlineBudget({ clock: () => looked, deadline: looks, seed: 0 });
    return neededByTarget(problem, targets, { ...budget, stopRequested: () => ++looked >= looks });
  };
  expect(within(Number.POSITIVE_INFINITY).met).toBe(true);
  expect(() => within(20)).toThrow(NothingToReturn);
});
