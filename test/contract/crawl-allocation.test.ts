/** `crawl-allocation` as callers see it: rows and columns, refusals with their pointers, conflicts, nulls, seeds. */

import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { crawlAllocation } from '../../src/operations/crawl-allocation.ts';
import { requireDefined } from '../require-defined.ts';
import { answerOf, refusalsOf } from './outcomes.ts';

const gains = z.object({ maxNextGain: z.number().nullable(), minLastGain: z.number().nullable() });
const pageRow = z.strictObject({
  id: z.string().optional(),
  crawls: z.number(),
  staleness: z.number(),
  idealTimes: z.array(z.number()).optional(),
});
const pageColumns = z.strictObject({
  id: z.array(z.string().nullable()).optional(),
  crawls: z.array(z.number()),
  staleness: z.array(z.number()),
  idealTimes: z.array(z.array(z.number())).optional(),
});
const answerSchema = z.looseObject({
  status: z.string(),
  objective: z.object({ value: z.number(), bound: z.number(), gap: z.number() }).optional(),
  solution: z
    .looseObject({ pages: z.union([z.array(pageRow), pageColumns]), shadowPrice: z.number(), certificate: gains })
    .optional(),
  conflict: z.looseObject({ detail: z.string() }).optional(),
  baselines: z.object({ uniform: z.number(), proportional: z.number() }).optional(),
});

function answer(body: unknown) {
  const parsed: unknown = answerOf(crawlAllocation, body);
  const result = crawlAllocation.answerSchema.safeParse(parsed);
  if (!result.success) throw new Error(`the answer does not fit its schema: ${z.prettifyError(result.error)}`);
  return answerSchema.parse(parsed);
}

const rows = [
  { id: 'a', changeRate: 2, weight: 2, lastCrawlAge: 0.5 },
  { id: 'b', updates: { type: 'renewal', distribution: { type: 'lomax', shape: 1.5, scale: 0.4 } } },
  { id: 'c', updates: { type: 'renewal', distribution: { type: 'weibull', shape: 0.7, scale: 0.4 } }, lastCrawlAge: 0 },
  { id: 'd', updates: { type: 'renewal', distribution: { type: 'gamma', shape: 2, rate: 4 } }, maxCrawls: 2 },
  { id: 'e', updates: { type: 'renewal', distribution: { type: 'lognormal', mu: -1, sigma: 0.8 } }, minCrawls: 1 },
  { id: 'f', updates: { type: 'renewal', distribution: { type: 'deterministic', value: 0.5 } }, host: 'h' },
  { id: 'g', updates: { type: 'quasi-deterministic', times: [0.2, 0.7], probabilities: [0.5, 1], staleAtStart: 0.3 } },
];
const columns = {
  id: ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
  process: ['poisson', 'lomax', 'weibull', 'gamma', 'lognormal', 'deterministic', 'quasi-deterministic'],
  changeRate: [2, null, null, null, null, null, null],
  rate: [null, null, -7, 4, -1, 0, null],
  shape: [null, 1.5, 0.7, 2, null, null, null],
  scale: [null, 0.4, 0.4, null, null, null, null],
  mu: [null, null, null, null, -1, null, null],
  sigma: [0, 0, 0, 0, 0.8, 0, 0],
  value: [null, null, null, null, null, 0.5, null],
  times: [null, null, null, null, null, null, [0.2, 0.7]],
  probabilities: [null, null, null, null, null, null, [0.5, 1]],
  staleAtStart: 0.3,
  weight: [2, 1, 1, 1, 1, 1, 1],
  minCrawls: [0, 0, 0, 0, 1, 0, 0],
  maxCrawls: [null, null, null, 2, null, null, null],
  lastCrawlAge: [0.5, null, 0, null, null, null, null],
  host: [null, null, null, null, null, 'h', null],
};

describe('crawl-allocation', () => {
  it('gives rows for rows and columns for columns, with the same numbers', () => {
    const ask = { interval: 1, crawls: 15, idealTimes: true, hosts: [{ host: 'h', maxCrawls: 1 }], baselines: true };
    const byRow = answer({ ...ask, pages: rows });
    const byColumn = answer({ ...ask, pages: columns });
    const pages = byRow.solution?.pages;
    const table = byColumn.solution?.pages;
    if (!Array.isArray(pages) || table === undefined || Array.isArray(table)) throw new Error('rows and columns');
    expect(pages.map((page) => page.id)).toEqual(columns.id);
    expect(table.id).toEqual(columns.id);
    expect(pages.map((page) => page.crawls)).toEqual(table.crawls);
    expect(pages.map((page) => page.staleness)).toEqual(table.staleness);
    expect(pages.map((page) => page.idealTimes)).toEqual(table.idealTimes);
    expect(byRow.objective).toEqual(byColumn.objective);
    expect(byRow.status).toBe('optimal');
    expect(table.crawls[5]).toBe(1);
    expect(byRow.objective?.value).toBeLessThanOrEqual(requireDefined(byRow.baselines).uniform);
    for (const page of pages) expect(page.idealTimes).toHaveLength(page.crawls);
  });

  it('leaves ideal times, baselines and hosts out unless asked for', () => {
    const allocation = answer({ interval: 1, crawls: 3, pages: { changeRate: [1, 2] } });
    expect(Object.keys(allocation)).not.toContain('baselines');
    expect(Object.keys(allocation.solution ?? {}).sort()).toEqual(['certificate', 'pages', 'shadowPrice']);
    expect(allocation.solution?.pages).toEqual({ crawls: [1, 2], staleness: expect.any(Array) });
  });

  it('answers the same seed with the same times to the bit, another seed with others', () => {
    const ask = (seed: number) =>
      answer({ interval: 1, crawls: 15, pages: rows, idealTimes: true, options: { seed } }).solution;
    expect(ask(4)).toEqual(ask(4));
    expect(ask(4)).not.toEqual(ask(5));
    expect(ask(4)?.certificate).toEqual(ask(5)?.certificate);
  });

  it('has null for the gain where no crawl can be added or removed', () => {
    const pages = { changeRate: [1, 2], maxCrawls: 2 };
    expect(answer({ interval: 1, crawls: 4, pages }).solution?.certificate.maxNextGain).toBeNull();
    expect(answer({ interval: 1, crawls: 0, pages }).solution?.certificate.minLastGain).toBeNull();
    const fixed = answer({ interval: 1, crawls: 4, pages: { ...pages, minCrawls: 2 } });
    expect(fixed.solution).toMatchObject({ certificate: { maxNextGain: null, minLastGain: null }, shadowPrice: 0 });
  });

  it('takes a page without an age as never crawled, stale until its first crawl', () => {
    const allocation = answer({ interval: 2, crawls: 0, pages: [{ changeRate: 1e-6 }] });
    expect(allocation.objective?.value).toBe(1);
    const quasi = { type: 'quasi-deterministic', times: [1], probabilities: [0.5] };
    expect(answer({ interval: 2, crawls: 0, pages: [{ updates: quasi }] }).objective?.value).toBe(1);
    const crawledPage = answer({ interval: 2, crawls: 0, pages: [{ updates: quasi, lastCrawlAge: 0 }] });
    expect(crawledPage.objective?.value).toBeCloseTo(0.25, 12);
    // crawled 3 ago: the update at 1 in each of the last two intervals may have been missed, −1 and −3 + … only −1
    const older = answer({ interval: 2, crawls: 0, pages: [{ updates: quasi, lastCrawlAge: 2.5 }] });
    expect(older.objective?.value).toBeCloseTo(0.5 * 0.5 + 0.5 * 0.75, 12);
  });
});

describe('refusals of crawl-allocation', () => {
  const base = { interval: 1, crawls: 5 };
  const pages = { process: ['poisson', 'lomax'], changeRate: [1, null], shape: [null, 2], scale: [null, 1] };
  const refusalCases: [string, unknown, string, RegExp][] = [
    [
      'a missing parameter',
      { ...base, pages: { ...pages, scale: null } },
      '/pages/scale/1',
      /required: a finite number.*lomax/,
    ],
    [
      'a Lomax tail without a mean',
      { ...base, pages: { ...pages, shape: [null, 1] } },
      '/pages/shape/1',
      /more than 1; got 1/,
    ],
    [
      'an unknown process',
      { ...base, pages: { process: ['poison'], changeRate: [1] } },
      '/pages/process/0',
      /"poisson"/,
    ],
    ['columns of different lengths', { ...base, pages: { ...pages, weight: [1] } }, '/pages/weight', /length/],
    [
      'an unknown kind of updates',
      { ...base, pages: [{ updates: { type: 'pareto', rate: 1 } }] },
      '/pages/0/updates/type',
      /./,
    ],
    [
      'an update time past the interval',
      { ...base, pages: [{ updates: { type: 'quasi-deterministic', times: [0.5, 1.5], probabilities: [1, 1] } }] },
      '/pages/0/updates/times/1',
      /0 to 1; got 1.5/,
    ],
    [
      'update times that do not increase',
      { ...base, pages: { process: ['quasi-deterministic'], times: [[0.5, 0.5]], probabilities: [[1, 1]] } },
      '/pages/times/0/1',
      /increase/,
    ],
    [
      'times without as many probabilities',
      { ...base, pages: { process: ['quasi-deterministic'], times: [[0.5]], probabilities: [[1, 1]] } },
      '/pages/probabilities/0',
      /2 for 1/,
    ],
    [
      'a minimum above its maximum',
      { ...base, pages: { changeRate: [1], minCrawls: 3, maxCrawls: 2 } },
      '/pages/maxCrawls/0',
      /at least minCrawls, 3; got 2/,
    ],
    [
      'a host limited twice',
      {
        ...base,
        pages,
        hosts: [
          { host: 'a', maxCrawls: 1 },
          { host: 'a', maxCrawls: 2 },
        ],
      },
      '/hosts/1/host',
      /already/,
    ],
    [
      'more ideal times than one answer holds',
      { ...base, crawls: 30_000_000, pages, idealTimes: true },
      '/crawls',
      /20000000/,
    ],
  ];
  it.each(refusalCases)('%s', (_, body, pointer, detail) => {
    const errors = refusalsOf(crawlAllocation, body);
    expect(errors.map((error) => error.pointer)).toContain(pointer);
    expect(errors.find((error) => error.pointer === pointer)?.detail).toMatch(detail);
  });
});

describe('a law too variable for double precision', () => {
  it('is refused where it stands, though each of its parameters is allowed', () => {
    const refusals = refusalsOf(crawlAllocation, {
      interval: 10,
      crawls: 4,
      pages: [
        { changeRate: 1 },
        { updates: { type: 'renewal', distribution: { type: 'lognormal', mu: 5.3, sigma: 18.9 } } },
      ],
    });
    expect(refusals).toMatchObject([{ pointer: '/pages/1', code: 'too-variable' }]);
  });
});
