/** Longest intervals that slots or a host's delay leave no room for. */
import { describe, expect, it } from 'vitest';
import { crawlPlan } from '../../../src/index.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import {
  type CrawlPlanProblem,
  type PlanConflict,
  plainPages,
  planCrawls,
} from '../../../src/solvers/crawl-plan/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { checkHistory } from '../../check-history.ts';
import { certifyCrawlPlan } from './certify-plan.ts';
import { randomProblem } from './small-plans.ts';

const now = 1_760_000_000;
const day = 86_400;

function problemOf(more: Partial<CrawlPlanProblem>): CrawlPlanProblem {
  const fill = (value: number): Float64Array => new Float64Array(20).fill(value);
  return {
    ...plainPages(20),
    now,
    interval: day,
    slotsByCrawler: Uint32Array.of(24),
    history: checkHistory(Array.from({ length: 20 }, () => [])),
    changeRate: fill(1 / day),
    lastCrawl: Float64Array.from({ length: 20 }, (_, i) => now - 600 * i),
    maxInterval: fill(6 * 3600),
    evenShare: 0,
    ...more,
  };
}

function conflictOf(problem: CrawlPlanProblem): PlanConflict {
  const answer = planCrawls(problem, unlimitedBudget());
  if (answer.status !== 'infeasible') throw new Error('there is a plan');
  expect(certifyCrawlPlan(problem, answer)).toEqual([]);
  return answer.conflict;
}

it('names the first fetch too many, and the time from which it is possible', () => {
  const { crawlsNeeded, by, page, possibleBy } = conflictOf(problemOf({}));
  if (page === null || possibleBy === null) throw new Error('no fetch is named');
  // 24 slots an hour apart, the grace of one slot beside; page i is due 6 h after its last fetch, again and again
  const slotsBy = (time: number): number => Math.min(24, 1 + Math.floor((time - now + 3600) / 3600 + 1e-9));
  expect(slotsBy(by)).toBeLessThan(crawlsNeeded);
  expect(slotsBy(possibleBy)).toBe(crawlsNeeded);
  expect(slotsBy(possibleBy - 1)).toBeLessThan(crawlsNeeded);
  expect((by - (now - 600 * page)) % (6 * 3600)).toBe(0);
});

/** Whether any pages in the slots keep maxInterval to within one slot, overdue and new pages counting from now. */
function hasSchedule({ interval, slotsByCrawler: [slots], now, lastCrawl, maxInterval }: CrawlPlanProblem): boolean {
  const slot = interval / slots;
  const grace = slot * (1 + 1e-6);
  const search = (s: number, due: readonly number[]): boolean => {
    if (due.some((time) => time + grace < Math.min(s * slot, interval * (1 - 1e-9)))) return false;
    if (s === slots) return due.every((time) => time + grace >= interval * (1 - 1e-9));
    return due.some((_, i) => search(s + 1, due.with(i, Math.min(s * slot, due[i]) + maxInterval[i])));
  };
  const first = Array.from(maxInterval, (limit, i) => lastCrawl[i] - now + limit);
  return search(
    0,
    first.map((time, i) => (time >= 0 ? time : maxInterval[i])),
  );
}

it('is a proof: no pages in the slots keep maxInterval, whether pages are overdue, new or fetched in time', () => {
  const random = seededRandom(20);
  let conflicts = 0;
  for (let instance = 0; instance < 400; instance++) {
    const slots = 3 + Math.floor(5 * random());
    const small = randomProblem(random, 3, slots, true);
    const maxInterval = small.maxInterval.map(() => (small.interval * (1 + 5 * random())) / slots);
    const problem = { ...small, maxInterval };
    const answer = planCrawls(problem, unlimitedBudget());
    if (answer.status !== 'infeasible') continue;
    conflicts++;
    expect(certifyCrawlPlan(problem, answer), `instance ${instance}`).toEqual([]);
    expect(hasSchedule(problem), `instance ${instance}: ${answer.conflict.detail}`).toBe(false);
  }
  expect(conflicts).toBeGreaterThan(20);
});

describe('a conflict of windows in a time zone', () => {
  it('is dated by the clock on the wall and in epoch seconds', () => {
    // 2025-10-09 08:53:20 UTC is 10:53:20 in Berlin
    const request = {
      now,
      interval: day,
      crawls: 48,
      maxInterval: 2 * 3600,
      windows: [{ from: '22:00', to: '02:00' }],
      timeZone: 'Europe/Berlin',
      pages: Array.from({ length: 9 }, () => ({ changeRate: 1e-5, lastCrawl: now })),
    };
    const { status, conflict } = crawlPlan(request);
    expect(status).toBe('infeasible');
    const at = (field: string): unknown => new Map(Object.entries(conflict ?? {})).get(field);
    const wall = (time: unknown): string =>
      new Date(1000 * (Number(time) + 2 * 3600)).toISOString().replace('T', ' ').slice(0, 19);
    expect(at('byLocal')).toBe(`${wall(at('by'))} Europe/Berlin`);
    expect(at('possibleByLocal')).toBe(`${wall(at('possibleBy'))} Europe/Berlin`);
  });
});
