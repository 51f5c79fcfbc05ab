/** Small allocations: conflicts, ties, limits, zero gains, budgets. */
import { describe, expect, it } from 'vitest';
import { NothingToReturn, unlimitedBudget } from '../../../src/solvers/budget.ts';
import { allocateCrawls } from '../../../src/solvers/crawl-allocation/index.ts';
import {
  allocationRequest,
  certifiedAllocation,
  certifiedAnswer,
  type Page,
  type Problem,
  poissonPage,
} from './allocation-request.ts';
import { hostProgramme } from './naive-allocation.ts';

const mixed: readonly Page[] = [
  poissonPage(3, { weight: 2, lastCrawlAge: 0.2 }),
  poissonPage(0.4, { lastCrawlAge: 5 }),
  { updates: { type: 'renewal', distribution: { type: 'lomax', shape: 1.4, scale: 0.2 } } },
  { updates: { type: 'renewal', distribution: { type: 'weibull', shape: 0.6, scale: 0.5 } }, lastCrawlAge: 0.1 },
  { updates: { type: 'renewal', distribution: { type: 'deterministic', value: 0.3 } }, lastCrawlAge: 0 },
  { updates: { type: 'renewal', distribution: { type: 'empirical', values: [0.1, 0.5, 2] } }, weight: 0.5 },
  { updates: { type: 'renewal', distribution: { type: 'lognormal', mu: -1, sigma: 1 } }, weight: 1.5 },
  { updates: { type: 'renewal', distribution: { type: 'gamma', shape: 3, rate: 4 } }, lastCrawlAge: 0.4 },
  { updates: { type: 'quasi-deterministic', times: [0, 0.3, 0.6, 0.9], probabilities: [0.1, 0.8, 0.5, 1] } },
  { updates: { type: 'quasi-deterministic', times: [0.5], probabilities: [0.4] }, lastCrawlAge: 1.7 },
];

describe('crawl allocation', () => {
  it('also distributes crawls that save nothing, evenly', () => {
    const pages: Page[] = Array.from({ length: 4 }, () => ({
      updates: { type: 'quasi-deterministic', times: [0.5], probabilities: [1], staleAtStart: 0 },
    }));
    const allocation = certifiedAllocation({ interval: 1, crawls: 12, pages, idealTimes: true });
    expect([...allocation.crawls]).toEqual([3, 3, 3, 3]);
    expect(allocation.objective.value).toBe(0);
    expect(allocation.shadowPrice).toBe(0);
    expect(allocation.certificate).toEqual({ maxNextGain: 0, minLastGain: 0 });
  });

  it('handles rates from 1e-14 to 1e6 per interval side by side', () => {
    const pages = [1e-14, 1e-7, 1e-3, 0.1, 1, 10, 1e3, 1e6].flatMap((rate) => [
      poissonPage(rate, { lastCrawlAge: 0, weight: 1 / rate }),
      {
        updates: { type: 'renewal', distribution: { type: 'lomax', shape: 1.5, scale: 0.5 / rate } },
        lastCrawlAge: 0,
      } as const,
    ]);
    for (const crawls of [3, 40, 400]) {
      const problem = { interval: 1, crawls, pages };
      expect(certifiedAllocation(problem).objective.value / hostProgramme(problem)).toBeCloseTo(1, 9);
    }
    certifiedAllocation({ interval: 1, crawls: 1e6, pages });
  });

  it('gives out a thousand million crawls', () => {
    const allocation = certifiedAllocation({
      interval: 1,
      crawls: 1e9,
      pages: [poissonPage(1), poissonPage(4, { lastCrawlAge: 0.1 }), poissonPage(9)],
    });
    // for large counts x ∝ √rate
    expect(allocation.crawls[1] / allocation.crawls[0]).toBeCloseTo(2, 6);
    expect(allocation.crawls[2] / allocation.crawls[0]).toBeCloseTo(3, 6);
  });

  it('says how far from the exact optimum the greedy rule leaves it', () => {
    // greedy crawls the middle first; the best two crawls are the outer ones
    const updates = {
      type: 'quasi-deterministic',
      times: [0.1, 0.4, 0.7],
      probabilities: [0.5, 0.5, 0.5],
      staleAtStart: 0,
    } as const;
    const problem = { interval: 1, crawls: 2, pages: [{ updates }] };
    const best = certifiedAllocation(problem).objective.value;
    const result = allocateCrawls(allocationRequest({ ...problem, quasiDeterministic: 'greedy' }), unlimitedBudget());
    if (result.status === 'infeasible') throw new Error('feasible');
    expect(result.objective.bound).toBeCloseTo(best, 12);
    expect(result.objective.value).toBeGreaterThanOrEqual(best);
    expect(result.status === 'optimal').toBe(result.objective.value - best <= 1e-12);
  });
});

describe('infeasible allocations', () => {
  const limited = (maxCrawls: number, host = 'a') => ({ host, maxCrawls });
  it.each<[string, Problem, object]>([
    [
      'the minima when they exceed the crawls',
      { interval: 1, crawls: 6, pages: [2, 0, 5].map((minCrawls) => poissonPage(1, { minCrawls })) },
      { limits: 'minCrawls', least: 7, crawls: 6, pages: [2, 0] },
    ],
    [
      'the maxima when they fall short of the crawls',
      { interval: 1, crawls: 4, pages: [2, 1].map((maxCrawls) => poissonPage(1, { maxCrawls })) },
      { limits: 'maxCrawls', most: 3, pages: [0, 1] },
    ],
    [
      'the host whose pages ask for more than it may take',
      {
        interval: 1,
        crawls: 9,
        pages: [...[2, 2].map((minCrawls) => poissonPage(1, { host: 'a', minCrawls })), poissonPage(1)],
        hosts: [limited(3)],
      },
      { limits: 'host-minCrawls', hosts: ['a'], least: 4, most: 3, detail: expect.stringContaining('"a"') },
    ],
    [
      'the hosts whose limits leave crawls over',
      {
        interval: 1,
        crawls: 6,
        pages: [poissonPage(1, { host: 'a' }), poissonPage(1, { host: 'b', maxCrawls: 2 })],
        hosts: [limited(3), limited(5, 'b')],
      },
      { limits: 'host-maxCrawls', most: 5, hosts: ['a'] },
    ],
  ])('name %s', (_, problem, conflict) => {
    const answer = certifiedAnswer(problem);
    if (answer.status !== 'infeasible') throw new Error('expected a conflict');
    expect(answer.conflict).toMatchObject(conflict);
  });
});

describe('a budget', () => {
  it('that stops the solve leaves nothing to return', () => {
    const pages = Array.from({ length: 90 }, (_, i) => poissonPage(1 + i, { host: i % 2 === 0 ? 'a' : 'b' }));
    const problem = { interval: 1, crawls: 250, pages, hosts: [{ host: 'a', maxCrawls: 60 }] };
    const budget = { ...unlimitedBudget(), stopRequested: () => true };
    expect(() => allocateCrawls(allocationRequest(problem), budget)).toThrow(NothingToReturn);
  });

  it('that stops the tabulation of quasi-deterministic pages leaves nothing to return', () => {
    const times = Array.from({ length: 900 }, (_, j) => j / 900);
    const updates = { type: 'quasi-deterministic', times, probabilities: times.map(() => 0.5) } as const;
    const pages = Array.from({ length: 20 }, () => ({ updates }));
    const budget = { ...unlimitedBudget(), stopRequested: () => true };
    expect(() => allocateCrawls(allocationRequest({ interval: 1, crawls: 50, pages }), budget)).toThrow(
      NothingToReturn,
    );
  });

  it('gets the progress of the solve', () => {
    const seen: number[] = [];
    const budget = { ...unlimitedBudget(), report: ({ fraction = 0 }) => void seen.push(fraction) };
    allocateCrawls(allocationRequest({ interval: 1, crawls: 5, pages: mixed }), budget);
    expect(seen.length).toBeGreaterThan(2);
    expect([...seen].sort((a, b) => a - b)).toEqual(seen);
  });
});
