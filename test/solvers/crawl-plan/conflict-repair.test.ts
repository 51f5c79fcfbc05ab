/** The repair of a conflict, by doing what it says. */
import { describe, expect, it } from 'vitest';
import { repaired } from '../../../scripts/torment/requests/infeasible.ts';
import { crawlPlan } from '../../../src/index.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import {
  type CrawlPlanProblem,
  type PlanConflict,
  plainPages,
  planCrawls,
} from '../../../src/solvers/crawl-plan/index.ts';
import { checkHistory } from '../../../src/solvers/estimation/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { certifyCrawlPlan } from './certify-plan.ts';

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

const repairOf = (problem: CrawlPlanProblem): string => conflictOf(problem).repair;

const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? Number.NaN);
const isInfeasible = (problem: CrawlPlanProblem): boolean =>
  planCrawls(problem, unlimitedBudget()).status === 'infeasible';

it('of slots that are too few says how much longer, and how many more; a little less will not do', () => {
  const problem = problemOf({});
  const repair = repairOf(problem);
  const factor = numberIn(repair, /to ([\d.]+) times/);
  const slots = numberIn(repair, /have (\d+) slots/);
  const longer = (k: number) => ({ ...problem, maxInterval: problem.maxInterval.map((m) => m * k) });
  expect(isInfeasible(longer(factor * 1.005))).toBe(false);
  expect(isInfeasible(longer(factor * 0.97))).toBe(true);
  expect(isInfeasible({ ...problem, slotsByCrawler: Uint32Array.of(slots) })).toBe(false);
  expect(isInfeasible({ ...problem, slotsByCrawler: Uint32Array.of(Math.floor(slots * 0.95)) })).toBe(true);
});

it('of a host with a long delay says how short it would have to be', () => {
  const problem = problemOf({
    slotsByCrawler: Uint32Array.of(960),
    host: new Int32Array(20).fill(0),
    hostName: ['slow.example'],
    hostDelay: Float64Array.of(3600),
  });
  const delay = numberIn(repairOf(problem), /to ([\d.]+) s$/);
  expect(isInfeasible({ ...problem, hostDelay: Float64Array.of(delay * 0.99) })).toBe(false);
  expect(isInfeasible({ ...problem, hostDelay: Float64Array.of(delay * 1.05) })).toBe(true);
});

it('says which fetch is the first too many, and from when on it is possible', () => {
  const { crawlsNeeded, by, page, possibleBy } = conflictOf(problemOf({}));
  if (page === null || possibleBy === null) throw new Error('no fetch is named');
  // 24 slots an hour apart, the grace of one slot beside; page i is due 6 h after its last fetch, again and again
  const slotsBy = (time: number): number => Math.min(24, 1 + Math.floor((time - now + 3600) / 3600 + 1e-9));
  expect(slotsBy(by)).toBeLessThan(crawlsNeeded);
  expect(slotsBy(possibleBy)).toBe(crawlsNeeded);
  expect(slotsBy(possibleBy - 1)).toBeLessThan(crawlsNeeded);
  expect((by - (now - 600 * page)) % (6 * 3600)).toBe(0);
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

describe('each repair of a request that has no plan', () => {
  it('makes it possible when its changes are made, over requests with every kind of limit', () => {
    const random = seededRandom(31);
    const kinds = new Set<string>();
    let infeasible = 0;
    for (let trial = 0; trial < 200; trial++) {
      const pages = Array.from({ length: 3 + Math.floor(12 * random()) }, (_, i) => ({
        changeRate: 10 ** (-6 + 3 * random()),
        lastCrawl: now - Math.floor(day * random()),
        host: `h${i % 3}`,
        ...(random() < 0.3 && { maxInterval: Math.round(1000 + 40_000 * random()) }),
      }));
      const request = {
        now,
        interval: day,
        ...(trial % 3 !== 2 && { crawls: 5 + Math.floor(200 * random()) }),
        ...(trial % 3 === 2 && {
          crawlers: [{ slots: 3 + Math.floor(60 * random()) }, { slots: Math.floor(60 * random()) }],
        }),
        maxInterval: Math.round(4000 + 30_000 * random()),
        hosts: [
          { host: 'h0', minDelay: Math.round(6000 * random()) },
          { host: 'h1', maxRate: 10 ** (-5 + 2 * random()) },
        ],
        pages,
      };
      const { status, conflict } = crawlPlan(request as Parameters<typeof crawlPlan>[0]);
      if (status !== 'infeasible') continue;
      infeasible++;
      const repairs: unknown = new Map(Object.entries(conflict ?? {})).get('repairs');
      if (!Array.isArray(repairs)) throw new Error('no list of repairs');
      for (const { detail, changes } of repairs) {
        const mended = repaired(request, changes) as Parameters<typeof crawlPlan>[0];
        expect(crawlPlan(mended).status, `trial ${trial}: ${detail}`).not.toBe('infeasible');
        kinds.add(changes.length > 1 ? 'several' : changes[0].pointer.replace(/\/\d+/, ''));
      }
    }
    expect(infeasible).toBeGreaterThan(60);
    for (const kind of ['several', '/crawls', '/hosts/minDelay']) expect([...kinds]).toContain(kind);
  });
});
