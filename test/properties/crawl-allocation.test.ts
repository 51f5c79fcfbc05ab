/**
 * Whatever the pages, limits and ages: the allocation is feasible, certified, and costs what dynamic programming finds.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Distribution } from '../../src/solvers/laws/index.ts';
import { certifiedAnswer, type Page } from '../solvers/crawl-allocation/allocation-request.ts';
import { hostProgramme } from '../solvers/crawl-allocation/naive-allocation.ts';

const positive = fc.double({ min: 0.01, max: 20, noNaN: true });
const share = fc.double({ min: 0, max: 1, noNaN: true });

const distribution: fc.Arbitrary<Distribution> = fc.oneof(
  fc.record({
    type: fc.constant('lomax' as const),
    shape: fc.double({ min: 1.01, max: 9, noNaN: true }),
    scale: positive,
  }),
  fc.record({
    type: fc.constant('weibull' as const),
    shape: fc.double({ min: 0.3, max: 4, noNaN: true }),
    scale: positive,
  }),
  fc.record({
    type: fc.constant('gamma' as const),
    shape: fc.double({ min: 0.3, max: 6, noNaN: true }),
    rate: positive,
  }),
  fc.record({
    type: fc.constant('lognormal' as const),
    mu: fc.double({ min: -2, max: 2, noNaN: true }),
    sigma: fc.double({ min: 0.1, max: 2, noNaN: true }),
  }),
  fc.record({ type: fc.constant('deterministic' as const), value: positive }),
  fc.record({ type: fc.constant('empirical' as const), values: fc.array(positive, { minLength: 1, maxLength: 5 }) }),
  fc.record({
    type: fc.constant('pareto' as const),
    shape: fc.double({ min: 1.05, max: 5, noNaN: true }),
    scale: positive,
  }),
  fc.record({ type: fc.constant('exponential' as const), rate: positive }),
);

const updates: fc.Arbitrary<Page['updates']> = fc.oneof(
  fc.record({ type: fc.constant('poisson' as const), rate: positive }),
  fc.record({ type: fc.constant('renewal' as const), distribution }),
  fc.uniqueArray(fc.double({ min: 0, max: 2, noNaN: true }), { maxLength: 6 }).chain((times) =>
    fc.record({
      type: fc.constant('quasi-deterministic' as const),
      times: fc.constant([...times].sort((a, b) => a - b)),
      probabilities: fc.array(share, { minLength: times.length, maxLength: times.length }),
      staleAtStart: share,
    }),
  ),
);

const page: fc.Arbitrary<Page> = fc
  .record(
    {
      updates,
      weight: fc.oneof(fc.constant(0), fc.constant(1), fc.double({ min: 0.01, max: 10, noNaN: true })),
      lastCrawlAge: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 5, noNaN: true })),
      minCrawls: fc.integer({ min: 0, max: 2 }),
      extra: fc.integer({ min: 0, max: 6 }),
      host: fc.constantFrom('a', 'b', 'c'),
    },
    { requiredKeys: ['updates'] },
  )
  .map(({ extra, minCrawls = 0, ...rest }) => ({
    ...rest,
    minCrawls,
    ...(extra !== undefined && { maxCrawls: minCrawls + extra }),
  }));

const hosts = fc
  .record({ a: fc.integer({ min: 0, max: 12 }), b: fc.integer({ min: 0, max: 12 }) })
  .map((limits) => Object.entries(limits).map(([host, maxCrawls]) => ({ host, maxCrawls })));

describe('crawl allocation, whatever the pages', () => {
  it('is certified and costs the optimum of dynamic programming, or names a conflict where none exists', () => {
    fc.assert(
      fc.property(
        fc.array(page, { minLength: 1, maxLength: 7 }),
        fc.option(hosts, { nil: undefined }),
        fc.integer({ min: 0, max: 25 }),
        (pages, limits, crawls) => {
          const problem = { interval: 2, crawls, pages, ...(limits && { hosts: limits }) };
          const optimum = hostProgramme(problem);
          const result = certifiedAnswer(problem);
          expect(result.status !== 'infeasible').toBe(optimum < Number.POSITIVE_INFINITY);
          if (result.status === 'infeasible') return;
          expect(Math.abs(result.objective.value - optimum)).toBeLessThan(1e-9);
        },
      ),
      { numRuns: 500 },
    );
  });
});
