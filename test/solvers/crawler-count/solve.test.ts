/** The optimum: against trying every count, and what must hold of the model. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NothingToReturn, unlimitedBudget } from '../../../src/solvers/budget.ts';
import { minimiseConvex } from '../../../src/solvers/crawler-count/convex-search.ts';
import {
  type CrawlerCountProblem,
  certifyCrawlerCount,
  countEvaluator,
  solveCrawlerCount,
} from '../../../src/solvers/crawler-count/index.ts';
import { createLaw } from '../../../src/solvers/distributions/index.ts';
import { defined } from '../../defined.ts';
import { anyDistribution } from '../distributions/any-distribution.ts';

const budget = unlimitedBudget();
const uncapped = Number.MAX_SAFE_INTEGER;
const between = (low: number, high: number) =>
  fc.double({ min: Math.log(low), max: Math.log(high), noNaN: true }).map(Math.exp);

/**
 * Any law, from .02 to 2 of load a crawler, capacity to 40, weights from 1e−4 to 1e4 pages per mean indexing time,
 * crawlers sometimes with a cost.
 */
const anyProblem: fc.Arbitrary<CrawlerCountProblem> = fc
  .tuple(
    anyDistribution,
    between(0.02, 2),
    fc.integer({ min: 1, max: 40 }),
    between(1e-4, 1e4),
    fc.oneof(fc.constant(0), between(1e-4, 1)),
  )
  .map(([indexing, load, capacity, weight, cost]) => {
    const { mean } = createLaw(indexing);
    const crawlerRate = load / mean;
    return {
      crawlerRate,
      indexing,
      capacity,
      starvationWeight: weight / mean,
      crawlerCost: cost * crawlerRate,
      maxCrawlers: uncapped,
    };
  });

describe('the optimal number of crawlers', () => {
  it('is the best of all counts up to where even the pages lost alone cost more, for any law', () => {
    fc.assert(
      fc.property(anyProblem, (problem) => {
        const solution = solveCrawlerCount(problem, budget);
        const evaluate = countEvaluator(problem);
        const mean = createLaw(problem.indexing).mean;
        // C(N) ≥ λN − μ + cN
        const last = Math.ceil((solution.best.cost + 1 / mean) / (problem.crawlerRate + problem.crawlerCost));
        let best = Number.POSITIVE_INFINITY;
        for (let n = 1; n <= Math.min(last, 400); n++) best = Math.min(best, evaluate(n).cost);
        expect(solution.proved).toBe(true);
        if (last <= 400) expect(solution.best.cost).toBeLessThanOrEqual(best * (1 + 1e-12));
        expect(certifyCrawlerCount(problem, solution)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('rests on costs that are convex in the count, for any law', () => {
    fc.assert(
      fc.property(anyProblem, fc.integer({ min: 2, max: 60 }), (problem, n) => {
        const evaluate = countEvaluator(problem);
        const [before, here, after] = [evaluate(n - 1), evaluate(n), evaluate(n + 1)];
        expect(before.cost + after.cost - 2 * here.cost).toBeGreaterThanOrEqual(-1e-11 * here.cost);
        const empty = (at: typeof here) => at.starvationProbability;
        expect(empty(before) + empty(after) - 2 * empty(here)).toBeGreaterThanOrEqual(-1e-11 * empty(here) - 1e-300);
        expect(empty(after)).toBeLessThanOrEqual(empty(here) * (1 + 1e-12));
        expect(after.lossRate).toBeGreaterThanOrEqual(here.lossRate * (1 - 1e-11));
      }),
      { numRuns: 200 },
    );
  });

  it('obeys dC/dγ = P(empty), and costs no more with more room', () => {
    fc.assert(
      fc.property(anyProblem, fc.integer({ min: 1, max: 30 }), (problem, n) => {
        const at = (change: Partial<CrawlerCountProblem>) => countEvaluator({ ...problem, ...change })(n);
        const { starvationWeight } = problem;
        const here = at({});
        const more = at({ starvationWeight: starvationWeight * 2 });
        const slope = (more.cost - here.cost) / starvationWeight;
        const noise = (1e-14 * more.cost) / starvationWeight;
        expect(Math.abs(slope - here.starvationProbability)).toBeLessThanOrEqual(
          1e-10 * here.starvationProbability + noise,
        );
        expect(at({ capacity: problem.capacity + 1 }).cost).toBeLessThanOrEqual(here.cost * (1 + 1e-11));
      }),
      { numRuns: 100 },
    );
  });

  it('scales: rates and weights times c, times divided by c, make the cost c times as large', () => {
    for (const capacity of [3, 50]) {
      for (const c of [1e-9, 1e9]) {
        const problems = [
          (k: number): CrawlerCountProblem => ({
            crawlerRate: 0.03 * k,
            indexing: { type: 'exponential', rate: k },
            capacity,
            starvationWeight: 0.7 * k,
            crawlerCost: 1e-3 * k,
            maxCrawlers: uncapped,
          }),
          (k: number): CrawlerCountProblem => ({
            crawlerRate: 0.03 * k,
            indexing: { type: 'lognormal', mu: -0.5 - Math.log(k), sigma: 1 },
            capacity,
            starvationWeight: 3 * k,
            crawlerCost: 0,
            maxCrawlers: uncapped,
          }),
        ];
        for (const problemAt of problems) {
          const one = solveCrawlerCount(problemAt(1), budget).best;
          const other = solveCrawlerCount(problemAt(c), budget).best;
          expect(other.crawlers).toBe(one.crawlers);
          expect(Math.abs(other.cost / (c * one.cost) - 1)).toBeLessThan(1e-10);
        }
      }
    }
  });

  it('falls as a crawler costs more, down to one when its cost outweighs what it can ever save', () => {
    const at = (crawlerCost: number) =>
      solveCrawlerCount(
        {
          crawlerRate: 0.01,
          indexing: { type: 'exponential', rate: 1 },
          capacity: 20,
          starvationWeight: 2,
          crawlerCost,
          maxCrawlers: uncapped,
        },
        budget,
      );
    let before = Number.POSITIVE_INFINITY;
    for (const cost of [0, 1e-4, 1e-3, 5e-3, 0.01, 0.015, 0.019, 0.0199, 0.02, 0.1]) {
      const { best } = at(cost);
      expect(best.crawlers).toBeLessThanOrEqual(before);
      before = best.crawlers;
    }
    expect(at(0.02).best.crawlers).toBe(1);
    expect(at(0.02).closedForm?.continuous).toEqual({ offeredLoad: 0, crawlers: 0 });
    // at the critical weight the optimal load is 1, also with a cost
    const critical = defined(at(0.005).closedForm?.criticalStarvationWeight);
    const there = solveCrawlerCount(
      {
        crawlerRate: 0.01,
        indexing: { type: 'exponential', rate: 1 },
        capacity: 20,
        starvationWeight: critical,
        crawlerCost: 0.005,
        maxCrawlers: uncapped,
      },
      budget,
    );
    expect(there.closedForm?.continuous.offeredLoad).toBeCloseTo(1, 13);
  });

  it('under a cap is the cap or the uncapped optimum, whichever is less', () => {
    for (const maxCrawlers of [1, 2, 50, 99, 100, 101, 1000]) {
      const problem: CrawlerCountProblem = {
        crawlerRate: 0.01,
        indexing: { type: 'deterministic', value: 1 },
        capacity: 20,
        starvationWeight: 1,
        crawlerCost: 0,
        maxCrawlers,
      };
      const free = solveCrawlerCount({ ...problem, maxCrawlers: uncapped }, budget).best.crawlers;
      expect(solveCrawlerCount(problem, budget).best.crawlers).toBe(Math.min(free, maxCrawlers));
    }
  });

  it('is proved at K = 1e9 and weights from 1e−12 to 1e12, next to the continuous optimum', () => {
    for (const starvationWeight of [1e-12, 1e-6, 0.5, 1, 1.5, 1e6, 1e12]) {
      for (const crawlerRate of [1e-9, 1e-3, 0.3, 2]) {
        const problem: CrawlerCountProblem = {
          crawlerRate,
          indexing: { type: 'exponential', rate: 1 },
          capacity: 1e9,
          starvationWeight,
          crawlerCost: 0,
          maxCrawlers: uncapped,
        };
        const solution = solveCrawlerCount(problem, budget);
        expect(solution.proved).toBe(true);
        expect(solution.evaluations).toBeLessThan(10);
        expect(Math.abs(solution.best.crawlers - defined(solution.closedForm).continuous.crawlers)).toBeLessThan(
          1.000001,
        );
        expect(certifyCrawlerCount(problem, solution)).toEqual([]);
      }
    }
  });

  it('stopped early is the best count so far with a bound that holds; stopped at once it has nothing', () => {
    const problem: CrawlerCountProblem = {
      crawlerRate: 1e-6,
      indexing: { type: 'lomax', shape: 1.6, scale: 0.6 },
      capacity: 300,
      starvationWeight: 2,
      crawlerCost: 0,
      maxCrawlers: uncapped,
    };
    const optimum = solveCrawlerCount(problem, budget);
    for (let polls = 1; polls < 12; polls++) {
      let asked = 0;
      const stopping = { ...budget, stopRequested: () => asked++ >= polls };
      const stopped = solveCrawlerCount(problem, stopping);
      expect(stopped.best.cost).toBeGreaterThanOrEqual(optimum.best.cost);
      expect(stopped.bound).toBeLessThanOrEqual(optimum.best.cost);
      if (stopped.proved) break;
    }
    expect(() => solveCrawlerCount(problem, { ...budget, stopRequested: () => true })).toThrow(NothingToReturn);
  });
});

describe('the convex search', () => {
  it('finds the minimum of any convex function whatever is proposed, in O(log max) evaluations', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 ** 9 }),
        fc.integer({ min: -5, max: 2 * 10 ** 9 }),
        fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
        fc.array(fc.double({ min: -10, max: 3e9, noNaN: true }), { minLength: 1, maxLength: 20 }),
        (max, centre, skew, proposals) => {
          let count = 0;
          // exact in doubles: piecewise linear with integer breakpoint
          const cost = (n: number) => (n < centre ? (centre - n) * 2 : (n - centre) * (1 + Math.floor(skew)));
          const found = minimiseConvex({
            evaluate: (crawlers) => {
              count++;
              return { crawlers, cost: cost(crawlers) };
            },
            propose: () => proposals[count % proposals.length],
            start: proposals[0],
            max,
            stopRequested: () => false,
          });
          expect(found.best.crawlers).toBe(Math.min(max, Math.max(1, centre)));
          expect(found.proved).toBe(true);
          expect(count).toBeLessThan(260);
        },
      ),
      { numRuns: 300 },
    );
  });
});
