/**
 * The bound of a schedule against brute force and random schedules; its value against simulated pages; delays of hosts.
 */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { allocateCrawls, UpdateProcesses } from '../../../src/solvers/crawl-allocation/index.ts';
import { type CrawlScheduleProblem, solveCrawlSchedule } from '../../../src/solvers/crawl-schedule/index.ts';
import { createLaw } from '../../../src/solvers/laws/index.ts';
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { certifySchedule } from '../../certificates/solved-problems.ts';
import { simulatePages } from '../../oracles/simulated-pages.ts';

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

function problemOf({ rate, weight, age, slots, crawls, lomax }: Given): CrawlScheduleProblem {
  const updates = new UpdateProcesses(rate.length);
  for (const [i, lambda] of rate.entries()) {
    if (lomax === undefined) updates.setPoisson(i, lambda, []);
    else updates.setRenewal(i, { type: 'lomax', shape: lomax, scale: (lomax - 1) / lambda }, []);
  }
  return {
    allocation: {
      interval: 1,
      crawls: crawls ?? slots.reduce((sum, count) => sum + count, 0),
      updates,
      weight: Float64Array.from(weight),
      minCrawls: new Int32Array(rate.length),
      maxCrawls: new Int32Array(rate.length).fill(-1),
      lastCrawlAge: Float64Array.from(age),
      hosts: null,
      quasiDeterministic: 'exact',
      idealTimes: true,
      objective: 'freshness',
      baselines: true,
    },
    upTo: false,
    slotCounts: Int32Array.from(slots),
    hostDelays: null,
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

function found(problem: CrawlScheduleProblem) {
  const answer = solveCrawlSchedule(problem, unlimitedBudget(1));
  expect(certifySchedule(problem, answer, 30)).toEqual([]);
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  return answer;
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
      const { objective } = found(problemOf(given));
      expect(objective.bound).toBeLessThanOrEqual(best * (1 + 1e-9));
      expect(objective.value).toBeGreaterThanOrEqual(best * (1 - 1e-9));
      expect(objective.value).toBeLessThan(best * 1.15);
      if (objective.value < best * (1 + 1e-9)) optimal++;
    }
    expect(optimal).toBeGreaterThan(15);
  });

  it('is the value where all slots are at the start and no copy has changed yet', () => {
    const given = { rate: [3, 1, 0.2, 4, 0.5], weight: [1, 1, 1, 1, 1], age: [0, 0, 0, 0, 0], slots: [1, 1, 1] };
    expect(found(problemOf(given)).objective.gap).toBeLessThan(1e-9);
  });

  it('is the value where staleness is lost in rounding', () => {
    const { objective, status } = found(
      problemOf({ rate: [7e-16], weight: [1], age: [Number.NaN], slots: [5, 5], lomax: 14 }),
    );
    expect(status).toBe('optimal');
    expect(objective.gap).toBe(0);
  });

  it.each([1, 10, 100])('of one page of rate %d on 1,100 slots is the cost of using them all', (rate) => {
    const problem = problemOf({ rate: [rate], weight: [1], age: [0], slots: [1100] });
    const answer = solveCrawlSchedule(problem, unlimitedBudget());
    if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
    const { objective } = answer;
    const gap = rate / 1100;
    expect(objective.bound).toBeLessThanOrEqual((1 + Math.expm1(-gap) / gap) * (1 + 1e-8));
    expect(objective.bound).toBeGreaterThan(0.99 * objective.value);
  });

  it.each([1, 3])('is near the value where few pages take most slots of %d crawlers', (crawlers) => {
    const random = seededRandom(14);
    const rate = Array.from({ length: 30 }, () => Math.exp(5 * (random() + random() - 1)));
    const slots = Array.from({ length: crawlers }, () => 450 / crawlers);
    const { objective } = found(problemOf({ rate, weight: rate, age: rate.map(() => Number.NaN), slots }));
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
    const problem = problemOf(given);
    const { objective } = found(problem);
    const free = allocateCrawls(problem.allocation, unlimitedBudget());
    if (free.status === 'infeasible') throw new Error(free.conflict.detail);
    expect(objective.gap).toBeLessThan(0.01);
    expect(objective.bound).toBeGreaterThan(1.02 * free.objective.value);
  });
});

describe('a schedule beside simulated pages', () => {
  it.each([{ lomax: undefined }, { lomax: 2.5 }])('is as stale as it says ($lomax)', ({ lomax }) => {
    const given = { ...randomGiven(seededRandom(14), 20, [60, 30]), ...(lomax === undefined ? {} : { lomax }) };
    const problem = problemOf(given);
    const {
      solution: { schedule },
      objective,
    } = found(problem);
    const { embarrassment } = simulatePages({
      updates: given.rate.map((rate) =>
        lomax === undefined
          ? ({ type: 'poisson', rate } as const)
          : ({
              type: 'renewal',
              law: createLaw({ type: 'lomax', shape: lomax, scale: (lomax - 1) / rate }),
            } as const),
      ),
      weight: problem.allocation.weight,
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
  const delayed = (delay: number, more: Partial<CrawlScheduleProblem['allocation']> = {}): CrawlScheduleProblem => {
    const given = randomGiven(seededRandom(15), 12, [20, 20]);
    const problem = problemOf({ ...given, age: given.age.map(() => 0.3), crawls: 24 });
    const of = Int32Array.from({ length: 12 }, (_, i) => (i < 6 ? 0 : i < 10 ? 1 : -1));
    return {
      ...problem,
      allocation: {
        ...problem.allocation,
        hosts: { of, maxCrawls: Float64Array.of(40, 40), names: ['slow.example', 'other.example'] },
        ...more,
      },
      hostDelays: {
        of: of.map((h) => (h === 0 ? 0 : -1)),
        delay: Float64Array.of(delay, 0),
        from: Float64Array.of(delay - 0.3, 0),
      },
    };
  };

  it('have their crawls apart, whatever else would be better', () => {
    for (const delay of [0.04, 0.1, 0.26, 0.9]) {
      const problem = delayed(delay);
      const {
        solution: { schedule },
        objective,
      } = found(problem);
      const own = schedule.time.filter((_, k) => schedule.page[k] < 6);
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
      const problem = problemOf(given);
      const of = Int32Array.of(0, 0, -1);
      let best = Number.POSITIVE_INFINITY;
      for (let code = 0; code < 4 ** times.length; code++) {
        const pages = times.map((_, k) => (Math.floor(code / 4 ** k) % 4) - 1);
        const own = times.filter((_, k) => pages[k] === 0 || pages[k] === 1);
        if (own.some((time, k) => k > 0 && time - own[k - 1] < delay)) continue;
        best = Math.min(best, costOf(given, times, pages));
      }
      const { objective } = found({
        ...problem,
        allocation: { ...problem.allocation, hosts: { of, maxCrawls: Float64Array.of(9), names: ['slow'] } },
        upTo: true,
        hostDelays: { of, delay: Float64Array.of(delay), from: Float64Array.of(0) },
      });
      expect(objective.bound).toBeLessThanOrEqual(best * (1 + 1e-9));
      expect(objective.value).toBeGreaterThanOrEqual(best * (1 - 1e-9));
    }
  });

  it('have a bound near the value where they have fewer crawls than their pages need', () => {
    const given = randomGiven(seededRandom(17), 60, [90, 90]);
    const problem = problemOf({ ...given, age: given.age.map(() => Number.NaN) });
    const of = Int32Array.from({ length: 60 }, (_, i) => i % 3);
    const hosts = { of, maxCrawls: new Float64Array(3).fill(180), names: ['a', 'b', 'c'] };
    const { objective } = found({
      ...problem,
      allocation: { ...problem.allocation, hosts },
      upTo: true,
      hostDelays: { of, delay: new Float64Array(3).fill(1 / 50), from: new Float64Array(3) },
    });
    expect(objective.gap).toBeLessThan(0.02);
  });

  it('get as many crawls as they allow when none are asked for, and a conflict where more are', () => {
    const fewest = Int32Array.from({ length: 12 }, (_, i) => (i < 6 ? 1 : 0));
    const answer = solveCrawlSchedule(delayed(0.4, { minCrawls: fewest }), unlimitedBudget());
    // at 0.1, 0.5 and 0.9
    expect(answer).toMatchObject({ status: 'infeasible', conflict: { hosts: ['slow.example'], least: 6, most: 3 } });
    expect(certifySchedule(delayed(0.4, { minCrawls: fewest }), answer)).toEqual([]);
    const single = delayed(0.4, { maxCrawls: new Int32Array(12).fill(2) });
    const tooMany = solveCrawlSchedule(single, unlimitedBudget());
    expect(tooMany).toMatchObject({ status: 'infeasible', conflict: { most: 15, crawls: 24 } });
    expect(certifySchedule(single, tooMany)).toEqual([]);
    const {
      solution: { schedule },
      warnings,
    } = found({ ...single, upTo: true });
    // the placing is a heuristic: what it does not find it says
    expect(schedule.time.length).toBeGreaterThan(13);
    expect(warnings.map(({ code }) => code)).toEqual(schedule.time.length < 15 ? ['crawls-unplaced'] : []);
    expect(certifySchedule(delayed(0.4), tooMany)).toEqual(['there is no conflict']);
  });

  /** Pages of which some must be crawled once; the last has a host of its own. */
  const needed = (
    given: { rate: number[]; age: number[]; slots: number[] },
    { minCrawls, delay, from = [0, 0] }: { minCrawls: number[]; delay: number[]; from?: number[] },
  ): CrawlScheduleProblem => {
    const base = problemOf({ ...given, weight: given.rate.map(() => 1) });
    const hosts = {
      of: Int32Array.from(given.rate, (_, i) => (i < given.rate.length - 1 ? 0 : 1)),
      names: ['slow', 'other'],
    };
    const maxCrawls = Float64Array.of(10, 10);
    const allocation = { ...base.allocation, hosts: { ...hosts, maxCrawls }, minCrawls: Int32Array.from(minCrawls) };
    return {
      ...base,
      allocation,
      upTo: true,
      hostDelays: { of: hosts.of, delay: Float64Array.from(delay), from: Float64Array.from(from) },
    };
  };

  it('give a page without its fewest crawls the slot of one that has more', () => {
    const problem = needed(
      {
        rate: [14.485, 28.97, 7.2425, 43.455, 14.485, 28.97],
        age: [600, 1200, 1800, 2400, 3000, 900].map((seconds) => seconds / 14_485),
        slots: [5, 5],
      },
      { minCrawls: [1, 1, 1, 1, 1, 0], delay: [107 / 14_485, 0] },
    );
    const {
      solution: { pages },
      objective,
      warnings,
    } = found(problem);
    expect(Array.from(pages.crawls.slice(0, 5))).toEqual([1, 1, 1, 1, 1]);
    expect(objective.bound).toBeLessThanOrEqual(objective.value);
    expect(warnings.map(({ detail }) => detail).join()).not.toContain('minCrawls');
  });

  it('may leave a page without its fewest crawls; then there is no bound to compare with', () => {
    // three pages of a host need the three moments there are, and the other host's page one of the last two
    const problem = needed(
      { rate: [22, 6, 14, 34], age: [0.966, 0.561, 0.573, 0.078], slots: [3, 1] },
      { minCrawls: [1, 1, 1, 1], delay: [0.02, 0.288], from: [0, 0.21] },
    );
    const {
      solution: { pages },
      objective,
      warnings,
    } = found(problem);
    expect(pages.crawls.includes(0)).toBe(true);
    expect(objective).toMatchObject({ bound: null, gap: null });
    expect(warnings.map(({ detail }) => detail).join()).toMatch(
      'fewer than their minCrawls, so that no bound is given',
    );
  });
});
