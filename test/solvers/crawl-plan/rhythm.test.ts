import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import {
  type CrawlPlan,
  type CrawlPlanProblem,
  plainPages,
  solveCrawlPlan,
} from '../../../src/solvers/crawl-plan/index.ts';
import { hourlyDemand } from '../../../src/solvers/crawl-plan/schedule/rush-hours.ts';
import { RhythmClock, utc } from '../../../src/solvers/estimation/rhythm/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { standardNormal } from '../../../src/solvers/numerics/random/random-variates.ts';
import {
  type Course,
  changesIn,
  dailyWave,
  day,
  expectedStaleTime,
  flat,
  monday,
  officeHours,
  watch,
} from '../rhythmic-pages.ts';

const pages = 60;
const now = monday + 70 * day;
const interval = 14 * day;

/** Pages of lognormal rates, watched for ten weeks about every 16 hours. */
function watched(courseOf: (page: number) => Course, seed: number) {
  const random = seededRandom(seed);
  const rate = Float64Array.from({ length: pages }, () => Math.exp(0.8 * standardNormal(random)) / (3 * day));
  const changes = Array.from(rate, (each, i) => changesIn(courseOf(i), each, [monday, now], random));
  return { rate, log: watch(changes, [monday, now], 0.67 * day, random) };
}

function plan(
  { log }: ReturnType<typeof watched>,
  rhythm: CrawlPlanProblem['rhythm'],
  more: Partial<CrawlPlanProblem> = {},
): CrawlPlan {
  const answer = solveCrawlPlan(
    {
      ...plainPages(pages),
      now,
      interval,
      slotsByCrawler: Uint32Array.of(pages * 7),
      history: log.history(),
      lastCrawl: log.lastFetch,
      floor: 0.05,
      estimator: 'maximum-likelihood',
      rhythm,
      ...more,
    },
    unlimitedBudget(),
  );
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  return answer.plan;
}

/** Staleness by page under a plan, from the laws that the pages were drawn from. */
function trueStaleness(
  { rate, log }: ReturnType<typeof watched>,
  courseOf: (page: number) => Course,
  { slotTime, slotPage }: CrawlPlan,
) {
  return rate.map((each, i) => {
    const fetches = [log.lastFetch[i], ...Array.from(slotTime).filter((_, k) => slotPage[k] === i)];
    return expectedStaleTime(courseOf(i), each, fetches, [now, now + interval]) / interval;
  });
}

const mean = (values: Float64Array): number => values.reduce((sum, each) => sum + each / values.length, 0);

describe('a plan for pages whose changes keep hours', () => {
  const kept = [1, 2].map((seed) => {
    const given = watched(() => officeHours, seed);
    return { given, along: plan(given, { wall: utc }, { changeRate: given.rate }) };
  });

  it('keeps them fresher with as many fetches, and more so where these may be made when they are worth most', () => {
    let gain = 0;
    let moved = 0;
    for (const { given, along } of kept) {
      const known = { changeRate: given.rate };
      const without = plan(given, undefined, known);
      const atWorth = plan(given, { wall: utc, peak: 4 }, known);
      expect(along.rhythm?.common.taken).toBe(true);
      expect(along.slotTime).toEqual(without.slotTime);
      expect(atWorth.slotTime.length).toBe(without.slotTime.length);
      const stale = mean(trueStaleness(given, () => officeHours, without));
      gain += stale - mean(trueStaleness(given, () => officeHours, along));
      moved += stale - mean(trueStaleness(given, () => officeHours, atWorth));
    }
    expect(gain / 2).toBeGreaterThan(0);
    expect(moved / 2).toBeGreaterThan(0.008);
  });

  it('leaves slots where they are where moving them would not pay', () => {
    const [{ given }] = kept;
    const often = { changeRate: given.rate, slotsByCrawler: Uint32Array.of(pages * 56) };
    const even = plan(given, undefined, often);
    const atWorth = plan(given, { wall: utc, peak: 24 }, often);
    const stale = mean(trueStaleness(given, () => officeHours, even));
    expect(mean(trueStaleness(given, () => officeHours, atWorth))).toBeLessThan(stale + 0.0005);
  });

  it('foretells the staleness that its fetches leave', () => {
    for (const { given, along } of kept) {
      expect(mean(along.staleness) / mean(trueStaleness(given, () => officeHours, along))).toBeCloseTo(1, 1.5);
    }
  });

  it('fetches after the rush of the hours that each group keeps', () => {
    const noon = dailyWave(12, 1.2);
    const night = dailyWave(0, 1.2);
    const courseOf = (i: number): Course => (i % 2 === 0 ? noon : night);
    const given = watched(courseOf, 4);
    const group = { group: Int32Array.from({ length: pages }, (_, i) => i % 2), names: ['noon', 'night'] };
    const one = plan(given, { wall: utc });
    const own = plan(given, { wall: utc, group });
    expect(own.rhythm?.groups.map((each) => each.group).sort()).toEqual([0, 1]);
    const gain = mean(trueStaleness(given, courseOf, one)) - mean(trueStaleness(given, courseOf, own));
    expect(gain).toBeGreaterThan(0.005);
    let afterRush = 0;
    for (const [k, i] of own.slotPage.entries()) {
      const hours = ((own.slotTime[k] - monday) / 3600 + (i % 2 === 0 ? 0 : 12)) % 24;
      // from 13 to 1 o'clock the rush of noon is falling or over
      if (hours >= 13 || hours < 1) afterRush++;
    }
    expect(afterRush / own.slotPage.length).toBeGreaterThan(0.6);
  });

  it('changes nothing where pages keep none', () => {
    const given = watched(() => flat, 5);
    const { rhythm, ...along } = plan(given, { wall: utc });
    const { rhythm: none, ...without } = plan(given, undefined);
    expect(rhythm?.common.taken).toBe(false);
    expect(none).toBe(null);
    expect(along).toEqual(without);
  });
});

describe('the hours at which fetches are due', () => {
  /** Nine in ten changes between 8:00 and 18:00 of working days. */
  const working = Float64Array.from({ length: 168 }, (_, h) =>
    h < 120 && h % 24 >= 8 && h % 24 < 18 ? (0.9 * 168) / 50 : (0.1 * 168) / 118,
  );
  const clock = new RhythmClock(working, utc);

  /** The demand of 20 pages fetched at an interval, of as many changes each, and how many chances were asked for. */
  function demandOf(interval: number, changes: number): { demand: Float64Array; asked: number } {
    let asked = 0;
    const changedBy = (_: number, age: number): number => {
      asked++;
      return -Math.expm1((-changes * age) / interval);
    };
    const fetchInterval = new Float64Array(20).fill(interval);
    const clocks = Array.from({ length: 20 }, () => clock);
    return { demand: hourlyDemand({ clocks, model: { changedBy }, fetchInterval }), asked };
  }

  it.each([0.1, 1, 10])(
    'are found in few steps at intervals of a second as of a century, %d changes in each',
    (changes) => {
      for (const interval of [1, 60, day, 30 * day, 80 * day, 400 * day, 36_500 * day]) {
        expect(demandOf(interval, changes).asked, `interval ${interval}`).toBeLessThan(2e5);
      }
    },
  );

  it('are the same whether long intervals are watched from their beginning or from some weeks before', () => {
    // intervals on both sides of those that are watched throughout
    const [short, long] = [55 * day, 57 * day].map((interval) => demandOf(interval, 1).demand);
    const share = (demand: Float64Array): number =>
      demand.reduce((sum, each, h) => sum + (h < 120 && h % 24 >= 15 && h % 24 < 22 ? each : 0), 0) /
      demand.reduce((sum, each) => sum + each, 0);
    expect(share(long)).toBeGreaterThan(0.5);
    expect(share(long)).toBeCloseTo(share(short), 1);
  });
});
