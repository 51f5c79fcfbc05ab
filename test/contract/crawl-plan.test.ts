import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { crawlPlan } from '../../src/operations/crawl-plan.ts';
import { arrivalProcess } from '../../src/operations/estimates/arrival-process.ts';
import { ask } from './outcomes.ts';

const post = (body: object) => ask(crawlPlan, body);

const now = 1_760_000_000;
const day = 86_400;
const request = {
  now,
  interval: day,
  crawls: 12,
  pages: [
    {
      id: 'a',
      lastCrawl: now - 3600,
      checks: [
        [3600, 1],
        [3600, false],
        [3600, 0],
      ],
    },
    {
      id: 'b',
      observations: [
        { time: now - 2 * day, status: 200 },
        { time: now - day, status: 304 },
        { time: now - 60, status: 500 },
      ],
    },
    { id: 'c', checks: [] },
    { id: 'd', changeRate: 1e-5, lastCrawl: now - day, weight: 2 },
  ],
};

describe('crawl-plan', () => {
  it('takes longest and least intervals for all pages, and a page’s own', () => {
    const { body } = post({ ...request, minInterval: 7200, maxInterval: 2 * day });
    for (const { fetchInterval } of body.solution.pages) {
      expect(fetchInterval).toBeGreaterThanOrEqual(7200);
      expect(fetchInterval).toBeLessThanOrEqual(2 * day);
    }
    const clash = post({ ...request, maxInterval: 3600 });
    expect(clash.status).toBe(200);
    expect(clash.body).toMatchObject({
      status: 'infeasible',
      conflict: { detail: expect.stringContaining('maxInterval') },
    });
    expect(clash.body.solution).toBeUndefined();
  });

  it.each([
    [{ ...request, crawls: undefined }, '/crawls'],
    [{ ...request, crawlers: [{ slots: 3 }] }, '/crawls'],
    [{ ...request, pages: [{ id: 'a' }] }, '/pages/0'],
    [{ ...request, pages: [{ checks: [], observations: [] }] }, '/pages/0/observations'],
    [{ ...request, pages: [{ checks: [[1, 2]] }] }, '/pages/0/checks/0/1'],
    [{ ...request, pages: [{ checks: [], minInterval: 10, maxInterval: 5 }] }, '/pages/0/maxInterval'],
    [{ ...request, pages: [{ observations: [{ time: 1, etag: 'x' }] }] }, '/pages/0/observations/0/etag'],
    [{ ...request, evenShare: 2 }, '/evenShare'],
    [{ ...request, now: 86_400 }, '/now'],
    [{ ...request, pages: [{ checks: [], lastCrawl: now + 1 }] }, '/pages/0/lastCrawl'],
    [{ ...request, pages: [{ checks: [], lastCrawl: 86_400 }] }, '/pages/0/lastCrawl'],
    [{ ...request, pages: [{ observations: [{ time: now + 60, changed: 1 }] }] }, '/pages/0/observations'],
    [{ ...request, pages: [{ observations: [{ time: 5, changed: 1 }] }] }, '/pages/0/observations'],
    [{ ...request, pages: { checks: [[[1.3e9, 1]]], lastCrawl: [now] } }, '/pages/checks/0'],
    [{ ...request, pages: [{ changeRate: 5e-324 }] }, '/pages/0/changeRate'],
    [{ ...request, pages: [{ changeRate: 1, weight: 1e-300 }] }, '/pages/0/weight'],
  ])('refuses what it cannot plan, with the place (%#)', (body, pointer) => {
    const { status, body: problem } = post(body);
    expect(status).toBe(422);
    expect(problem.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  });
});

describe('signals of a host', () => {
  it('that find next to no change are worth nothing, down to the least double', () => {
    const request = JSON.parse(readFileSync('test/fixtures/crawl-plan-signals.json', 'utf8'));
    const values: number[] = [];
    for (const recall of [1e-9, 1e-14, 5e-324]) {
      request.hosts[0].recall = recall;
      const { status, body } = post(request);
      expect(status, body.detail).toBe(200);
      values.push(body.longRun.value);
    }
    expect(values[1]).toBeCloseTo(values[0], 9);
    expect(values[2]).toBeCloseTo(values[0], 9);
  });
});

describe('times in milliseconds', () => {
  const stamp = (time: number) => [{ time, status: 200, signature: 'x' }];
  it.each([
    ['now', { ...request, now: 1000 * now }],
    ['a last crawl', { ...request, pages: [{ checks: [], lastCrawl: 1000 * now }] }],
    ['a log', { ...request, pages: [{ observations: stamp(1000 * (now - day)) }] }],
    ['a log in columns', { ...request, pages: { observations: [stamp(1000 * (now - day))] } }],
    ['elapsed times', { ...request, pages: [{ lastCrawl: now - 60, checks: [[1000 * 30 * day, 1]] }] }],
  ])('are refused by name: %s', (_, body) => {
    const { status, body: problem } = post(body);
    expect(status).toBe(422);
    expect(problem.errors[0]).toMatchObject({
      code: 'implausible-time',
      detail: expect.stringContaining('milliseconds'),
    });
  });

  it('are not seen in times that are seconds: a server’s clock ahead, a copy from before 1990', () => {
    const observations = [
      { time: now - day, lastModified: 0 },
      { time: now - 60, lastModified: now + 600 },
    ];
    const { status } = post({ ...request, pages: [{ observations }] });
    expect(status).toBe(200);
  });
});

describe('a page that no share of the crawls goes to', () => {
  it('is named, though it has a fetch now', () => {
    const pages = [
      { id: 'slow', changeRate: 1e-5 },
      { id: 'racing', changeRate: 10 },
    ];
    const { body } = post({ ...request, evenShare: 0, pages });
    expect(body.solution.pages[1].fetchInterval).toBeNull();
    const detail = expect.stringContaining('1 page ("racing") given up:');
    expect(body.warnings).toContainEqual({ code: 'given-up', detail });
  });
});

describe('the estimates', () => {
  it('arrival-process says which gap to change when there is nothing to fit', () => {
    const { status, body } = ask(arrivalProcess, { timestamps: [1, 2, 3, 4], batchGap: 10 });
    expect(status).toBe(422);
    expect(body.detail).toContain('batchGap');
  });
});
