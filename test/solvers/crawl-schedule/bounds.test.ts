/**
 * The bound of a schedule against brute force and random schedules; its value against simulated pages; delays of hosts.
 */
import { describe, expect, it } from 'vitest';
import { crawlAllocation } from '../../../src/operations/crawl-allocation.ts';
import { createLaw } from '../../../src/solvers/laws/index.ts';
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { answerOf } from '../../contract/outcomes.ts';
import { simulatePages } from '../../oracles/simulated-pages.ts';
import { certifiedSchedule } from './certified-schedule.ts';

interface Given {
  readonly rate: readonly number[];
  readonly weight: readonly number[];
  /** NaN: never crawled. */
  readonly age: readonly number[];
  readonly slots: readonly number[];
  readonly crawls?: number;
  /** Shape of Lomax gaps; undefined: Poisson. */
  readonly lomax?: number;
}

function requestOf({ rate, weight, age, slots, crawls, lomax }: Given) {
  const updates =
    lomax === undefined
      ? { changeRate: [...rate] }
      : { process: 'lomax', shape: lomax, scale: rate.map((each) => (lomax - 1) / each) };
  return {
    interval: 1,
    crawls,
    crawlers: slots.map((count) => ({ slots: count })),
    pages: { ...updates, weight: [...weight], lastCrawlAge: [...age] },
  };
}

function randomGiven(random: Random, pages: number, slots: readonly number[]): Given {
  const each = (draw: () => number): number[] => Array.from({ length: pages }, draw);
  return {
    rate: each(() => 6 * random() + 0.05),
    weight: each(() => 2 * random() + 0.05),
    age: each(() => (random() < 0.2 ? Number.NaN : random())),
    slots,
  };
}

/** Σ weight·staleness with a page (−1: none) at each time, in closed form for Poisson pages. */
function costOf({ rate, weight, age }: Given, times: readonly number[], pages: ArrayLike<number>): number {
  const last = age.map((a) => -a);
  let cost = 0;
  const account = (i: number, time: number): void => {
    if (Number.isNaN(last[i])) cost += weight[i] * time;
    else {
      const fresh = (Math.exp(-rate[i] * Math.max(0, -last[i])) - Math.exp(-rate[i] * (time - last[i]))) / rate[i];
      cost += weight[i] * (time - Math.max(0, last[i]) - fresh);
    }
    last[i] = time;
  };
  for (let k = 0; k < times.length; k++) if (pages[k] >= 0) account(pages[k], times[k]);
  for (const i of rate.keys()) account(i, 1);
  return cost;
}

const slotTimes = (slots: readonly number[]): number[] =>
  slots.flatMap((count) => Array.from({ length: count }, (_, l) => l / count)).sort((a, b) => a - b);

describe('the bound of a schedule', () => {
  it('lies between nothing and the best of all schedules, which brute force finds, and the schedule is near it', () => {
    const random = seededRandom(11);
    let optimal = 0;
    for (let round = 0; round < 30; round++) {
      const slots = round % 2 === 0 ? [3, 3] : [5];
      const given = randomGiven(random, 3, slots);
      const times = slotTimes(slots);
      let best = Number.POSITIVE_INFINITY;
      for (let code = 0; code < 3 ** times.length; code++) {
        const pages = times.map((_, k) => Math.floor(code / 3 ** k) % 3);
        best = Math.min(best, costOf(given, times, pages));
      }
      const { objective } = certifiedSchedule(requestOf(given));
      expect(objective.bound).toBeLessThanOrEqual(best * (1 + 1e-9));
      expect(objective.value).toBeGreaterThanOrEqual(best * (1 - 1e-9));
      expect(objective.value).toBeLessThan(best * 1.15);
      if (objective.value < best * (1 + 1e-9)) optimal++;
    }
    expect(optimal).toBeGreaterThan(15);
  });

  it('is the value where all slots are at the start and no copy has changed yet', () => {
    const given = { rate: [3, 1, 0.2, 4, 0.5], weight: [1, 1, 1, 1, 1], age: [0, 0, 0, 0, 0], slots: [1, 1, 1] };
    expect(certifiedSchedule(requestOf(given)).objective.gap).toBeLessThan(1e-9);
  });

  it('is near the value where staleness is next to nothing: half a gap times the rate', () => {
    const { objective } = certifiedSchedule(
      requestOf({ rate: [7e-16], weight: [1], age: [Number.NaN], slots: [5, 5], lomax: 14 }),
    );
    expect(Math.abs(objective.value / 7e-17 - 1)).toBeLessThan(1e-9);
    expect(objective.gap).toBeLessThan(1e-6);
  });

  it.each([1, 10, 100])('of one page of rate %d on 1,100 slots is the cost of using them all', (rate) => {
    const { objective } = certifiedSchedule(requestOf({ rate: [rate], weight: [1], age: [0], slots: [1100] }));
    const gap = rate / 1100;
    expect(objective.bound).toBeLessThanOrEqual((1 + Math.expm1(-gap) / gap) * (1 + 1e-8));
    expect(objective.bound).toBeGreaterThan(0.99 * objective.value);
  });

  it.each([1, 3])('is near the value where few pages take most slots of %d crawlers', (crawlers) => {
    const random = seededRandom(14);
    const rate = Array.from({ length: 30 }, () => Math.exp(5 * (random() + random() - 1)));
    const slots = Array.from({ length: crawlers }, () => 450 / crawlers);
    const { objective } = certifiedSchedule(requestOf({ rate, weight: rate, age: rate.map(() => Number.NaN), slots }));
    expect(objective.gap).toBeLessThan(0.04);
  });

  it('knows that a slot is had once: it is above that of free times where all pages want the same moments', () => {
    const random = seededRandom(13);
    const given: Given = {
      rate: Array.from({ length: 400 }, () => 4 * random() + 0.1),
      weight: Array.from({ length: 400 }, () => 1),
      age: Array.from({ length: 400 }, () => random() / 5),
      slots: [1000, 1000],
    };
    const request = requestOf(given);
    const { objective } = certifiedSchedule(request);
    const free = answerOf(crawlAllocation, { interval: 1, crawls: 2000, pages: request.pages });
    expect(objective.gap).toBeLessThan(0.01);
    expect(objective.bound).toBeGreaterThan(1.02 * free.objective.value);
  });
});

describe('a schedule beside simulated pages', () => {
  it.each([{ lomax: undefined }, { lomax: 2.5 }])('is as stale as it says ($lomax)', ({ lomax }) => {
    const given = { ...randomGiven(seededRandom(14), 20, [60, 30]), ...(lomax === undefined ? {} : { lomax }) };
    const {
      solution: { schedule },
      objective,
    } = certifiedSchedule(requestOf(given));
    const { embarrassment } = simulatePages({
      updates: given.rate.map((rate) =>
        lomax === undefined
          ? ({ type: 'poisson', rate } as const)
          : ({
              type: 'renewal',
              law: createLaw({ type: 'lomax', shape: lomax, scale: (lomax - 1) / rate }),
            } as const),
      ),
      weight: given.weight,
      lastCrawlAge: given.age,
      policy: { type: 'schedule', times: schedule.time, pages: schedule.page },
      duration: 1,
      replications: 2000,
      seed: 5,
    });
    // twice the half-width of 95%: one seed in ten thousand would fail
    expect(Math.abs(embarrassment.mean - objective.value)).toBeLessThan(2 * embarrassment.half);
  });
});

describe('hosts with a delay', () => {
  const delayed = (minDelay: number, more: object = {}) => {
    const given = randomGiven(seededRandom(15), 12, [20, 20]);
    const request = requestOf({ ...given, age: given.age.map(() => 0.3), crawls: 24 });
    const host = given.rate.map((_, i) => (i < 6 ? 'slow.example' : i < 10 ? 'other.example' : null));
    const hosts = [{ host: 'slow.example', minDelay }, { host: 'other.example' }];
    return { ...request, hosts, pages: { ...request.pages, host, ...more } };
  };

  it('have their crawls apart, whatever else would be better', () => {
    for (const delay of [0.04, 0.1, 0.26, 0.9]) {
      const {
        solution: { schedule },
        objective,
      } = certifiedSchedule(delayed(delay));
      const own = schedule.time.filter((_: number, k: number) => schedule.page[k] < 6);
      for (let k = 1; k < own.length; k++) expect(own[k] - own[k - 1]).toBeGreaterThanOrEqual(delay * (1 - 1e-9));
      expect(own.length).toBeLessThanOrEqual(Math.floor(1 / delay) + 1);
      expect(objective.value).toBeGreaterThanOrEqual((objective.bound ?? Number.NaN) * (1 - 1e-12));
    }
  });

  it('have a bound below the best of all schedules that keep their delays, which brute force finds', () => {
    const random = seededRandom(16);
    for (let round = 0; round < 12; round++) {
      const given = randomGiven(random, 3, round % 2 === 0 ? [3, 3] : [5]);
      const times = slotTimes(given.slots);
      const delay = 0.1 + 0.4 * random();
      const from = Math.max(...given.age.slice(0, 2).map((age) => (Number.isNaN(age) ? 0 : delay - age)));
      let best = Number.POSITIVE_INFINITY;
      for (let code = 0; code < 4 ** times.length; code++) {
        const pages = times.map((_, k) => (Math.floor(code / 4 ** k) % 4) - 1);
        const own = times.filter((_, k) => pages[k] === 0 || pages[k] === 1);
        if (own.some((time, k) => time < (k > 0 ? own[k - 1] + delay : from))) continue;
        best = Math.min(best, costOf(given, times, pages));
      }
      const request = requestOf(given);
      const { objective } = certifiedSchedule({
        ...request,
        hosts: [{ host: 'slow', minDelay: delay }],
        pages: { ...request.pages, host: ['slow', 'slow', null] },
      });
      expect(objective.bound).toBeLessThanOrEqual(best * (1 + 1e-9));
      expect(objective.value).toBeGreaterThanOrEqual(best * (1 - 1e-9));
    }
  });

  it('have a bound near the value where they have fewer crawls than their pages need', () => {
    const given = randomGiven(seededRandom(17), 60, [90, 90]);
    const request = requestOf({ ...given, age: given.age.map(() => Number.NaN) });
    const { objective } = certifiedSchedule({
      ...request,
      hosts: ['a', 'b', 'c'].map((host) => ({ host, minDelay: 1 / 50 })),
      pages: { ...request.pages, host: given.rate.map((_, i) => 'abc'[i % 3]) },
    });
    expect(objective.gap).toBeLessThan(0.02);
  });

  it('get as many crawls as they allow when none are asked for, and a conflict where more are', () => {
    const minCrawls = Array.from({ length: 12 }, (_, i) => (i < 6 ? 1 : 0));
    // at 0.1, 0.5 and 0.9
    expect(certifiedSchedule(delayed(0.4, { minCrawls }))).toMatchObject({
      status: 'infeasible',
      conflict: { hosts: ['slow.example'], least: 6, most: 3 },
    });
    const single = delayed(0.4, { maxCrawls: 2 });
    expect(certifiedSchedule(single)).toMatchObject({ status: 'infeasible', conflict: { most: 15, crawls: 24 } });
    const {
      solution: { schedule },
      warnings,
    } = certifiedSchedule({ ...single, crawls: undefined });
    // the placing is a heuristic: what it does not find it says
    expect(schedule.time.length).toBeGreaterThan(13);
    expect(warnings.map(({ code }: { code: string }) => code)).toEqual(
      schedule.time.length < 15 ? ['crawls-unplaced'] : [],
    );
  });

  /** Pages of which some must be crawled once; the last has a host of its own. */
  const needed = (
    given: { rate: number[]; age: number[]; slots: number[] },
    { minCrawls, delay }: { minCrawls: number[]; delay: readonly [slow: number, other: number] },
  ) => {
    const { pages, ...rest } = requestOf({ ...given, weight: given.rate.map(() => 1) });
    const host = given.rate.map((_, i) => (i < given.rate.length - 1 ? 'slow' : 'other'));
    const hosts = ['slow', 'other'].map((each, h) => ({ host: each, minDelay: delay[h] }));
    return certifiedSchedule({ ...rest, hosts, pages: { ...pages, host, minCrawls } });
  };

  it('give a page without its fewest crawls the slot of one that has more', () => {
    const {
      solution: { pages },
      objective,
      warnings,
    } = needed(
      {
        rate: [14.485, 28.97, 7.2425, 43.455, 14.485, 28.97],
        age: [600, 1200, 1800, 2400, 3000, 900].map((seconds) => seconds / 14_485),
        slots: [5, 5],
      },
      { minCrawls: [1, 1, 1, 1, 1, 0], delay: [107 / 14_485, 0] },
    );
    expect(pages.crawls.slice(0, 5)).toEqual([1, 1, 1, 1, 1]);
    expect(objective.bound).toBeLessThanOrEqual(objective.value);
    expect(JSON.stringify(warnings)).not.toContain('minCrawls');
  });

  it('may leave a page without its fewest crawls; then there is no bound to compare with', () => {
    // three pages of a host need the three moments there are, and the other host's page one of the last two
    const {
      solution: { pages },
      objective,
      warnings,
    } = needed(
      { rate: [22, 6, 14, 34], age: [0.966, 0.561, 0.573, 0.078], slots: [3, 1] },
      { minCrawls: [1, 1, 1, 1], delay: [0.02, 0.288] },
    );
    expect(pages.crawls.includes(0)).toBe(true);
    expect(objective).toMatchObject({ bound: null, gap: null });
    expect(JSON.stringify(warnings)).toContain('fewer than their minCrawls, so that no bound is given');
  });
});
