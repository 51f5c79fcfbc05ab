/** Properties of access frequencies and sequences that hold on every instance. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AccessPages,
  accessPages,
  optimalFrequencies,
  pageStaleness,
  totalCost,
} from '../../src/solvers/access-frequencies/index.ts';
import { findSequence, type SequenceTask, sequencingMethods } from '../../src/solvers/access-sequence/index.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { ConditionNotMet } from '../../src/solvers/condition.ts';
import type { Distribution } from '../../src/solvers/laws/index.ts';
import { certifySequence } from '../solvers/access-sequence/certify.ts';

const exponent = (low: number, high: number): fc.Arbitrary<number> =>
  fc.double({ min: low, max: high, noNaN: true }).map((value) => 10 ** value);
const page = fc.record({ rate: exponent(-3, 2), weight: fc.oneof(fc.constant(0), exponent(-2, 2)) });
const somePages = fc.array(page, { minLength: 1, maxLength: 25 }).filter((list) => list.some((one) => one.weight > 0));
const law: fc.Arbitrary<Distribution> = fc.oneof(
  exponent(-3, 1).map((value): Distribution => ({ type: 'deterministic', value })),
  exponent(-1, 3).map((rate): Distribution => ({ type: 'exponential', rate })),
  fc
    .record({ shape: exponent(-0.5, 1), rate: exponent(-1, 2) })
    .map((gamma): Distribution => ({ type: 'gamma', ...gamma })),
  exponent(-3, 0).map((min): Distribution => ({ type: 'uniform', min, max: 3 * min })),
  fc
    .array(exponent(-3, 1), { minLength: 1, maxLength: 4 })
    .map((values): Distribution => ({ type: 'empirical', values })),
);
type Page = { rate: number; weight: number };
const model = (list: readonly Page[], distribution: Distribution): AccessPages =>
  accessPages(
    distribution,
    Float64Array.from(list, (one) => one.rate),
    Float64Array.from(list, (one) => one.weight),
  );
const policies = ['deterministic', 'randomized'] as const;
const close = (a: number, b: number, scale: number): void => expect(Math.abs(a - b)).toBeLessThanOrEqual(1e-9 * scale);

describe.each(policies)('%s frequencies at magnitudes far apart', (policy) => {
  const solve = (pages: AccessPages, least: number) => optimalFrequencies(pages, policy, least);
  const stale = (pages: AccessPages, frequency: Float64Array) => pageStaleness(pages, policy, frequency);

  it('are finite shares of a finite cost, or the pages are refused', () => {
    const far = fc.record({ rate: exponent(-120, 120), weight: fc.oneof(fc.constant(0), exponent(-120, 120)) });
    fc.assert(
      fc.property(
        fc.array(far, { minLength: 1, maxLength: 12 }),
        exponent(-60, 60),
        fc.boolean(),
        (list, value, random) => {
          const distribution: Distribution = random
            ? { type: 'exponential', rate: 1 / value }
            : { type: 'deterministic', value };
          let pages: AccessPages;
          try {
            pages = model(list, distribution);
          } catch (error) {
            expect(error).toBeInstanceOf(ConditionNotMet);
            return;
          }
          for (const least of [0, 0.3 / list.length]) {
            const { frequency, multiplier } = solve(pages, least);
            close(
              frequency.reduce((a, b) => a + b, 0),
              1,
              1,
            );
            expect(multiplier).toBeGreaterThanOrEqual(0);
            const staleness = stale(pages, frequency);
            for (const share of staleness) {
              expect(share).toBeGreaterThanOrEqual(0);
              expect(share).toBeLessThanOrEqual(1 + 1e-12);
            }
            expect(Number.isFinite(totalCost(pages, staleness))).toBe(true);
          }
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe('access sequences', () => {
  const usual: Omit<SequenceTask, 'pages' | 'method' | 'cycleLength'> = {
    frequency: null,
    minFrequency: 0,
    longestCycle: 1e5,
  };

  it('by every method at every length are consistent and never beat the bound', () => {
    fc.assert(
      fc.property(
        somePages,
        law,
        fc.constantFrom(...sequencingMethods),
        fc.integer({ min: 1, max: 90 }),
        fc.nat({ max: 1000 }),
        (list, distribution, method, cycleLength, seed) => {
          const pages = model(list, distribution);
          const answer = findSequence({ ...usual, pages, method, cycleLength }, unlimitedBudget(seed));
          certifySequence(
            pages,
            list.map((one) => one.rate),
            answer,
          );
          expect(answer.sequence).toHaveLength(cycleLength);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('give every page what a least frequency asks for', () => {
    fc.assert(
      fc.property(
        somePages,
        law,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 120 }),
        fc.constantFrom('auto' as const, 'most-overdue' as const, 'tree' as const),
        (list, distribution, share, cycleLength, method) => {
          const pages = model(list, distribution);
          const least = share / list.length;
          const { counts } = findSequence(
            { ...usual, pages, method, cycleLength, minFrequency: least },
            unlimitedBudget(),
          );
          const fewest = Math.max(Math.floor(least * cycleLength), least > 0 && cycleLength >= list.length ? 1 : 0);
          for (const count of counts) expect(count).toBeGreaterThanOrEqual(fewest);
        },
      ),
      { numRuns: 150 },
    );
  });
});
