import { readFileSync } from 'node:fs';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { listeningService } from '../service/test-service.ts';

let service: App & { url: string };
beforeAll(async () => {
  service = await listeningService();
});
afterAll(() => service.server.close());

const post = (name: string, body: object) => supertest(service.url).post(`/v1/${name}`).send(body);

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

describe('POST /v1/crawl-plan', () => {
  it('answers every field of the contract, by row', async () => {
    const { status, body } = await post('crawl-plan', request);
    expect(status).toBe(200);
    expect(body.status).toBe('feasible');
    expect(body.objective).toMatchObject({ bound: null, gap: null });
    expect(body.longRun.gap).toBeGreaterThanOrEqual(0);
    expect(body.baselines.uniform).toBeGreaterThan(0);
    const { pages, schedule, shadowPrice, withoutCrawl } = body.solution;
    expect(pages.map(({ id }: { id: string }) => id)).toEqual(['a', 'b', 'c', 'd']);
    for (const page of pages) {
      expect(Object.keys(page).sort()).toEqual(
        [
          'id',
          'changeRate',
          'changeRateInterval',
          'crawls',
          'fetchInterval',
          'intervalIfUnchanged',
          'intervalIfChanged',
          'nextFetch',
          'staleness',
        ].sort(),
      );
      expect(page.nextFetch).toBeGreaterThanOrEqual(now);
    }
    expect(schedule).toHaveLength(12);
    expect(schedule[0]).toEqual({ time: now, crawler: 0, page: expect.any(Number) });
    expect(pages.reduce((sum: number, { crawls }: { crawls: number }) => sum + crawls, 0)).toBe(12);
    expect(shadowPrice).toBeGreaterThan(0);
    // b failed once, a minute ago: that delays nothing
    expect(withoutCrawl).toEqual([]);
    expect(body.warnings.map(({ code }: { code: string }) => code)).toEqual(['failed-fetches', 'prior-only']);
  });

  it('answers in columns when asked in columns, the schedule too', async () => {
    const columns = {
      id: ['a', 'b'],
      checks: [
        [
          [day, 1],
          [day, 0],
        ],
        [],
      ],
      lastCrawl: [now - day, null],
    };
    const { body } = await post('crawl-plan', { ...request, pages: columns });
    expect(body.solution.pages.id).toEqual(['a', 'b']);
    expect(body.solution.pages.crawls).toHaveLength(2);
    expect(body.solution.schedule.time).toHaveLength(12);
  });

  it('takes longest and least intervals for all pages, and a page’s own', async () => {
    const { body } = await post('crawl-plan', { ...request, minInterval: 7200, maxInterval: 2 * day });
    for (const { fetchInterval } of body.solution.pages) {
      expect(fetchInterval).toBeGreaterThanOrEqual(7200);
      expect(fetchInterval).toBeLessThanOrEqual(2 * day);
    }
    const clash = await post('crawl-plan', { ...request, maxInterval: 3600 });
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
    [
      {
        ...request,
        hosts: [
          { host: 'a', minDelay: 1 },
          { host: 'a', minDelay: 2 },
        ],
      },
      '/hosts/1/host',
    ],
    [{ ...request, evenShare: 2 }, '/evenShare'],
    [{ ...request, now: 1000 * now }, '/now'],
    [{ ...request, now: 86_400 }, '/now'],
    [{ ...request, pages: [{ checks: [], lastCrawl: now + 1 }] }, '/pages/0/lastCrawl'],
    [{ ...request, pages: [{ checks: [], lastCrawl: 86_400 }] }, '/pages/0/lastCrawl'],
    [{ ...request, pages: [{ observations: [{ time: now + 60, changed: 1 }] }] }, '/pages/0/observations'],
    [{ ...request, pages: [{ observations: [{ time: 5, changed: 1 }] }] }, '/pages/0/observations'],
    [{ ...request, pages: { checks: [[[1.3e9, 1]]], lastCrawl: [now] } }, '/pages/checks/0'],
    [
      {
        ...request,
        pages: [
          { id: 'a', checks: [] },
          { id: 'b', checks: [] },
          { id: 'a', checks: [] },
        ],
      },
      '/pages/2/id',
    ],
    [{ ...request, pages: [{ changeRate: 5e-324 }] }, '/pages/0/changeRate'],
    [{ ...request, pages: [{ changeRate: 1, weight: 1e-300 }] }, '/pages/0/weight'],
  ])('refuses what it cannot plan, with the place (%#)', async (body, pointer) => {
    const { status, body: problem } = await post('crawl-plan', body);
    expect(status).toBe(422);
    expect(problem.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  });
});

describe('signals of a host', () => {
  it('that find next to no change are worth nothing, down to the least double', async () => {
    const signalled = JSON.parse(readFileSync('test/fixtures/crawl-plan-signals.json', 'utf8'));
    const values: number[] = [];
    for (const recall of [1e-9, 1e-14, 5e-324]) {
      signalled.hosts[0].recall = recall;
      const { status, body } = await post('crawl-plan', signalled);
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
  ])('are refused by name: %s', async (_, body) => {
    const { status, body: problem } = await post('crawl-plan', body);
    expect(status).toBe(422);
    expect(problem.errors[0]).toMatchObject({
      code: 'implausible-time',
      detail: expect.stringContaining('milliseconds'),
    });
  });

  it('are not seen in times that are seconds: a server’s clock ahead, a copy from before 1990', async () => {
    const observations = [
      { time: now - day, lastModified: 0 },
      { time: now - 60, lastModified: now + 600 },
    ];
    const { status } = await post('crawl-plan', { ...request, pages: [{ observations }] });
    expect(status).toBe(200);
  });
});

describe('a page that no share of the crawls goes to', () => {
  it('is named, though it has a fetch now', async () => {
    const pages = [
      { id: 'slow', changeRate: 1e-5 },
      { id: 'racing', changeRate: 10 },
    ];
    const { body } = await post('crawl-plan', { ...request, evenShare: 0, pages });
    expect(body.solution.pages[1].fetchInterval).toBeNull();
    const detail = expect.stringContaining('1 page ("racing") given up:');
    expect(body.warnings).toContainEqual({ code: 'given-up', detail });
  });
});

describe('the estimates', () => {
  it('change-rates: rate, interval, counts; low 0 with no change, high null with nothing else', async () => {
    const pages = [
      {
        id: 'some',
        checks: [
          [1, true],
          [1, false],
          [1, 0],
        ],
      },
      {
        id: 'none',
        checks: [
          [1, 0],
          [2, 0],
        ],
      },
      {
        id: 'all',
        checks: [
          [1, 1],
          [1, 1],
        ],
      },
      { id: 'new', checks: [] },
      {
        id: 'back',
        checks: [
          [-3, 1],
          [0, 1],
          [2, 0],
        ],
      },
    ];
    const { status, body } = await post('estimates/change-rates', { pages });
    expect(status).toBe(200);
    expect(body.status).toBe('evaluated');
    expect(body.objective).toBeUndefined();
    const [some, none, all, fresh, back] = body.solution.pages;
    expect(some).toMatchObject({ id: 'some', rate: expect.closeTo(Math.log(1.5), 10), checks: 3, changes: 1 });
    expect(none.interval[0]).toBe(0);
    expect(all.interval[1]).toBeNull();
    expect(fresh).toMatchObject({ checks: 0, changes: 0 });
    expect(fresh.rate).toBeGreaterThan(0);
    expect(back).toMatchObject({ checks: 1, changes: 0 });
    expect(body.warnings.map(({ code }: { code: string }) => code)).toEqual(['clock-backwards', 'no-checks']);
  });

  it('change-rates in columns keeps the form', async () => {
    const { body } = await post('estimates/change-rates', {
      pages: {
        id: ['x'],
        checks: [
          [
            [1, 1],
            [1, 0],
          ],
        ],
      },
      method: 'bias-reduced',
    });
    expect(body.solution.pages).toMatchObject({ id: ['x'], checks: [2], changes: [1] });
    expect(body.solution.pages.rate[0]).toBeCloseTo(-Math.log(1.5 / 2.5), 10);
  });

  it('service-time refuses neither and both of moments and sample, and says which moments are impossible', async () => {
    expect((await post('estimates/service-time', {})).status).toBe(422);
    expect((await post('estimates/service-time', { moments: [1, 3, 20], sample: [1, 2] })).status).toBe(422);
    const { body } = await post('estimates/service-time', { moments: [1, 3, 10] });
    expect(body).toMatchObject({ status: 'infeasible', conflict: { inequality: 'm3·m1 > 1.5·m2²' } });
  });

  it('arrival-process says which gap to change when there is nothing to fit', async () => {
    const { status, body } = await post('estimates/arrival-process', { timestamps: [1, 2, 3, 4], batchGap: 10 });
    expect(status).toBe(422);
    expect(body.detail).toContain('batchGap');
  });

  it('embarrassment-weights checks the shapes', async () => {
    const bad = { clicks: [[1, 1]], pages: [{ impressions: [[1]], errorProbability: 1 }] };
    const { status, body } = await post('estimates/embarrassment-weights', bad);
    expect(status).toBe(422);
    expect(body.errors[0].pointer).toBe('/pages/0/impressions');
  });
});
