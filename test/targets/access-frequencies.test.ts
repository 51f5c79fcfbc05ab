/** How few accesses keep a target, against the forward question, brute force and the model's own limits. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accessFrequencies, type RequestOf } from '../../src/index.ts';
import { faultsOf } from '../certificates/faults-of.ts';
import { requireDefined } from '../require-defined.ts';

type Request = RequestOf<typeof accessFrequencies>;
type Page = { changeRate: number; weight: number; class?: string };

const evenSpacing = { policy: 'deterministic' } as const;
const constant = (value: number) => ({ type: 'deterministic', value }) as const;

const pagesOf = fc.array(
  fc.record({
    changeRate: fc.double({ min: 0.01, max: 50, noNaN: true }),
    weight: fc.double({ min: 0.1, max: 10, noNaN: true }),
  }),
  { minLength: 1, maxLength: 12 },
);

const weightOf = (pages: readonly Page[]) => pages.reduce((sum, { weight }) => sum + weight, 0);

/** The least accesses a time unit that keep a freshness. */
function accessesFor(pages: readonly Page[], freshness: number, more: Partial<Request> = {}) {
  const request: Request = {
    pages: [...pages],
    accessTime: constant(1e-3),
    ...evenSpacing,
    target: { freshness },
    ...more,
  };
  const answer = accessFrequencies(request);
  expect(faultsOf('access-frequencies', request, answer)).toEqual([]);
  return answer;
}

const crawlsOf = (answer: ReturnType<typeof accessesFor>): number => answer.solution?.crawls ?? Number.NaN;

describe('the least accesses that keep a target', () => {
  it.each(['deterministic', 'randomized'] as const)(
    'are those that the forward question reaches it with, %s',
    (policy) => {
      fc.assert(
        fc.property(pagesOf, fc.double({ min: 0.01, max: 2, noNaN: true }), (pages, mean) => {
          const accessTime =
            policy === 'deterministic' ? constant(mean) : ({ type: 'exponential', rate: 1 / mean } as const);
          const forward = accessFrequencies({ pages, accessTime, policy });
          const staleness = (forward.objective?.value ?? 0) / weightOf(pages);
          const request: Request = { pages, accessTime, policy, target: { staleness } };
          const answer = accessFrequencies(request);
          expect(answer.status).toBe('optimal');
          expect(Math.abs(crawlsOf(answer) * mean - 1)).toBeLessThan(
            1e-9 * Math.max(1, forward.solution?.starved ? 1e3 : 1),
          );
          expect(faultsOf('access-frequencies', request, answer)).toEqual([]);
        }),
        { numRuns: 60 },
      );
    },
  );

  it.each(['deterministic', 'randomized'] as const)('are the same among very many pages, %s', (policy) => {
    const count = 140_000;
    const changeRate = Array.from({ length: count }, (_, i) => Math.exp(2 * Math.sin(i * 1.7) + Math.cos(i * 0.3)));
    const weight = changeRate.map((rate, i) => rate * (1.2 + Math.sin(i * 0.9)));
    const common = { pages: { changeRate, weight }, accessTime: constant(1e-5), policy };
    const forward = accessFrequencies(common);
    const staleness = (forward.objective?.value ?? 0) / weight.reduce((sum, each) => sum + each, 0);
    const { solution, objective } = accessFrequencies({ ...common, target: { staleness } });
    expect(Math.abs((solution?.crawls ?? 0) * 1e-5 - 1)).toBeLessThan(1e-9);
    expect(objective?.gap).toBeLessThan(1e-9);
    // what each page is told of itself follows from its own accesses
    const columns = solution?.pages;
    if (!columns || !('frequency' in columns)) throw new Error('pages in columns are answered in columns');
    const loose = changeRate.filter((rate, i) => {
      const share = requireDefined(columns.frequency[i]) * (solution?.crawls ?? Number.NaN) * 1e-5;
      const growth = Math.expm1(rate * 1e-5);
      const load = rate * 1e-5;
      const even = 1 - (share / load) * -Math.expm1(-load / share);
      const drawn = 1 - ((share / load) * growth) / (growth + share);
      const expected = share === 0 ? 1 : policy === 'deterministic' ? even : drawn;
      return !(Math.abs(requireDefined(columns.staleness[i]) - expected) < 1e-13 * (1 + share / load));
    });
    expect(loose).toEqual([]);
  });

  it('keep a least share of the accesses', () => {
    const pages = [
      { changeRate: 1, weight: 1 },
      { changeRate: 40, weight: 0.01 },
    ];
    const answer = accessesFor(pages, 0.5, { minFrequency: 0.2 });
    const { pages: rows } = answer.solution ?? {};
    expect(Array.isArray(rows) && rows[1].frequency).toBeCloseTo(0.2, 9);
    expect(crawlsOf(answer)).toBeGreaterThan(crawlsOf(accessesFor(pages, 0.5)));
  });
});

describe('a target at the ends', () => {
  const pages = [
    { changeRate: 1, weight: 1 },
    { changeRate: 2, weight: 3 },
  ];

  it('above what accesses without a pause reach is infeasible, and says what they reach', () => {
    // the last access of a page is over a time E X after it began, in which it may have changed
    const answer = accessFrequencies({ pages, accessTime: constant(0.2), ...evenSpacing, target: { freshness: 0.9 } });
    expect(answer.status).toBe('infeasible');
    const fresh = (y: number): number => -Math.expm1(-y) / y;
    const { measure, target, reachable } = Object(answer.conflict);
    const best = (fresh(0.2) + 3 * fresh(0.4)) / 4;
    expect({ measure, target }).toEqual({ measure: 'freshness', target: 0.9 });
    expect(reachable).toBeCloseTo(best, 9);
  });
});
