/** The optimum: against trying every count, and what must hold of the model. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import {
  type CrawlerCountProblem,
  countEvaluator,
  solveCrawlerCount,
} from '../../../src/solvers/crawler-count/index.ts';
import { createLaw } from '../../../src/solvers/laws/index.ts';
import { certifyCrawlerCount } from '../../certificates/queues.ts';
import { anyDistribution } from '../laws/any-distribution.ts';
import { bestOf, closedFormOf } from './best-of.ts';

const budget = unlimitedBudget();
const logUniform = (low: number, high: number) =>
  fc.double({ min: Math.log(low), max: Math.log(high), noNaN: true }).map(Math.exp);

/**
 * Any law, from .02 to 2 of load a crawler, and capacity to 40. Weights go from 1e−4 to 1e4 pages per mean indexing
 * time, crawlers sometimes with a cost.
 */
const anyProblem: fc.Arbitrary<CrawlerCountProblem> = fc
  .tuple(
    anyDistribution,
    logUniform(0.02, 2),
    fc.integer({ min: 1, max: 40 }),
    logUniform(1e-4, 1e4),
    fc.oneof(fc.constant(0), logUniform(1e-4, 1)),
  )
  .map(([service, load, capacity, weight, cost]) => {
    const { mean } = createLaw(service);
    const crawlerRate = load / mean;
    return {
      crawlerRate,
      service,
      capacity,
      costs: { loss: 1, starvation: weight / mean, crawler: cost * crawlerRate },
    };
  });

describe('the optimal number of crawlers', () => {
  it('is the best of all counts up to where even the pages lost alone cost more, for any law', () => {
    fc.assert(
      fc.property(anyProblem, (problem) => {
        const solution = solveCrawlerCount(problem, budget);
        const evaluate = countEvaluator(problem, unlimitedBudget());
        const mean = createLaw(problem.service).mean;
        // C(N) ≥ λN − μ + cN
        const last = Math.ceil((bestOf(solution).cost + 1 / mean) / (problem.crawlerRate + problem.costs.crawler));
        let best = Number.POSITIVE_INFINITY;
        for (let n = 1; n <= Math.min(last, 400); n++) best = Math.min(best, evaluate(n).cost);
        expect(solution.status).toBe('optimal');
        if (last <= 400) expect(bestOf(solution).cost).toBeLessThanOrEqual(best * (1 + 1e-12));
        expect(certifyCrawlerCount(problem, solution)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('rests on costs that are convex in the count, for any law', () => {
    fc.assert(
      fc.property(anyProblem, fc.integer({ min: 2, max: 60 }), (problem, n) => {
        const evaluate = countEvaluator(problem, unlimitedBudget());
        const [previous, current, next] = [evaluate(n - 1), evaluate(n), evaluate(n + 1)];
        expect(previous.cost + next.cost - 2 * current.cost).toBeGreaterThanOrEqual(-1e-11 * current.cost);
        const empty = (at: typeof current) => at.starvationProbability;
        expect(empty(previous) + empty(next) - 2 * empty(current)).toBeGreaterThanOrEqual(
          -1e-11 * empty(current) - 1e-300,
        );
        expect(empty(next)).toBeLessThanOrEqual(empty(current) * (1 + 1e-12));
        expect(next.lossRate).toBeGreaterThanOrEqual(current.lossRate * (1 - 1e-11));
      }),
      { numRuns: 200 },
    );
  });

  it('scales: rates and weights times c, times divided by c, make the cost c times as large', () => {
    for (const capacity of [3, 50]) {
      for (const c of [1e-9, 1e9]) {
        const problems = [
          (k: number): CrawlerCountProblem => ({
            crawlerRate: 0.03 * k,
            service: { type: 'exponential', rate: k },
            capacity,
            costs: { loss: 1, starvation: 0.7 * k, crawler: 1e-3 * k },
          }),
          (k: number): CrawlerCountProblem => ({
            crawlerRate: 0.03 * k,
            service: { type: 'lognormal', mu: -0.5 - Math.log(k), sigma: 1 },
            capacity,
            costs: { loss: 1, starvation: 3 * k, crawler: 0 },
          }),
        ];
        for (const problemAt of problems) {
          const one = bestOf(solveCrawlerCount(problemAt(1), budget));
          const otherCount = bestOf(solveCrawlerCount(problemAt(c), budget));
          expect(otherCount.crawlers).toBe(one.crawlers);
          expect(Math.abs(otherCount.cost / (c * one.cost) - 1)).toBeLessThan(1e-10);
        }
      }
    }
  });

  it('falls as a crawler costs more, down to one when its cost outweighs what it can ever save', () => {
    const at = (crawler: number) =>
      solveCrawlerCount(
        {
          crawlerRate: 0.01,
          service: { type: 'exponential', rate: 1 },
          capacity: 20,
          costs: { loss: 1, starvation: 2, crawler },
        },
        budget,
      );
    let previousCount = Number.POSITIVE_INFINITY;
    for (const cost of [0, 1e-4, 1e-3, 5e-3, 0.01, 0.015, 0.019, 0.0199, 0.02, 0.1]) {
      const best = bestOf(at(cost));
      expect(best.crawlers).toBeLessThanOrEqual(previousCount);
      previousCount = best.crawlers;
    }
    expect(bestOf(at(0.02)).crawlers).toBe(1);
    expect(closedFormOf(at(0.02)).continuous).toEqual({ offeredLoad: 0, crawlers: 0 });
    // at the critical weight the optimal load is 1, also with a cost
    const critical = closedFormOf(at(0.005)).criticalStarvationCost;
    const there = solveCrawlerCount(
      {
        crawlerRate: 0.01,
        service: { type: 'exponential', rate: 1 },
        capacity: 20,
        costs: { loss: 1, starvation: critical, crawler: 0.005 },
      },
      budget,
    );
    expect(closedFormOf(there).continuous.offeredLoad).toBeCloseTo(1, 13);
  });

  it('is proved at K = 1e9 and weights from 1e−12 to 1e12, next to the continuous optimum', () => {
    for (const starvationWeight of [1e-12, 1e-6, 0.5, 1, 1.5, 1e6, 1e12]) {
      for (const crawlerRate of [1e-9, 1e-3, 0.3, 2]) {
        const problem: CrawlerCountProblem = {
          crawlerRate,
          service: { type: 'exponential', rate: 1 },
          capacity: 1e9,
          costs: { loss: 1, starvation: starvationWeight, crawler: 0 },
        };
        const solution = solveCrawlerCount(problem, budget);
        expect(solution.status).toBe('optimal');
        expect(solution.statistics.evaluations).toBeLessThan(10);
        expect(Math.abs(bestOf(solution).crawlers - closedFormOf(solution).continuous.crawlers)).toBeLessThan(1.000001);
        expect(certifyCrawlerCount(problem, solution)).toEqual([]);
      }
    }
  });
});
