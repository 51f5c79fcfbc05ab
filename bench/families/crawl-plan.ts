/**
 * `crawl-plan` against the exact index rule on the same pages: first plans, changed budgets, and after an outage.
 *
 * The beliefs are the service's own, from the same checks: the contest is about the schedule. Plans with fetches that only
 * improve estimates are not compared, because those cost this interval and pay later.
 */
import { crawlPlan } from '../../src/index.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { believe, expectedCost } from '../../src/solvers/pages/evidence/index.ts';
import { stalenessCost } from '../../src/solvers/pages/objectives/index.ts';
import { checkHistory } from '../../test/check-history.ts';
import type { Contest, Instance, Outcome } from './contest.ts';
import { type Copies, costOf, type Objective } from './costs.ts';
import { axisTexts, type Draw, drawPoints, type Point, seededDraw } from './draws.ts';
import { drawPages, type Page } from './pages.ts';
import { indexRule, slotRules } from './slot-rules.ts';

const axes = {
  pages: [50, 200, 500, 1000, 3000],
  crawls: [0.1, 0.25, 0.5, 1, 2, 5, 20],
  ages: ['none', 'equal', 'exponential', 'overdue', 'never', 'half never'],
  before: ['first plan', 'first plan', 'half the crawls', 'twice the crawls', 'outage'],
  spread: [0.5, 1, 1.5, 2.5],
  weights: ['equal', 'lognormal', 'as rates'],
  hosts: ['none', 'none', 'none', 'ten', 'crowded'],
  objective: ['freshness', 'freshness', 'delay', 'harmonic'],
  rates: ['known', 'known', 'believed'],
} as const;
type Case = Point<typeof axes>;

/** Maximum pages × slots for the index rule, a few seconds. */
const maxComparisons = 3e7;
const day = 86_400;
const now = 1_760_000_000;

export const crawlPlanContest: Contest = {
  operation: 'crawl-plan',
  instances(size, seed) {
    const grid = drawPoints(axes, size === 'grid' ? 220 : 16, seed);
    const comparisonLimit = size === 'grid' ? maxComparisons : 5e4;
    const cases = grid.filter(({ pages, crawls }) => pages * pages * crawls <= comparisonLimit && pages * crawls >= 5);
    return cases.map((point, k) => instanceOf(point, seed * 1000 + k));
  },
};

/** A check: days since the previous check, and whether the page had changed. */
type Check = [elapsed: number, changed: 0 | 1];

function instanceOf(point: Case, seed: number): Instance {
  const hosts = point.hosts === 'none' ? 0 : point.hosts === 'ten' ? 10 : Math.max(2, Math.round(point.pages / 50));
  const draw = seededDraw(seed);
  const slots = slotsOf(Math.round(point.pages * point.crawls));
  const hostDelay = hosts === 0 ? 0 : hosts / slots.length / (point.hosts === 'crowded' ? 0.9 : 2);
  const drawnPages = drawPages({ ...point, hosts }, draw);
  const checks = point.rates === 'known' ? null : drawnPages.map(({ rate }) => checksOf(rate, draw));
  // Doubles of epoch seconds resolve a quarter of a microsecond: round ages to what a request can express.
  const pages = pagesAtStart(point, drawnPages, slots.length, hostDelay).map(({ age, ...page }) => ({
    ...page,
    age: roundAge(age),
  }));
  const copies = checks === null ? undefined : copiesByBelief(point.objective, checks);
  const { objective } = point;
  const question = { pages, slots, objective, hostDelay, forEver: true, ...(copies && { copies }) };
  const rules = slotRules(question);
  let hasProbes = false;
  return {
    axes: axisTexts(point),
    solve() {
      const answer = solveCase(point, { pages, slots, checks, hostDelay, ...(copies && { copies }) });
      ({ probed: hasProbes } = answer);
      return answer;
    },
    rules: { 'index rule': () => (hasProbes ? null : rules['index rule']()) },
  };
}

/** Rounds an age up to 1/1024 s, so that the request and the rules see the same number. */
const roundAge = (age: number): number => Math.ceil(age * day * 1024) / 1024 / day;

function slotsOf(count: number): number[] {
  return Array.from({ length: count }, (_, l) => l / count);
}

/** The pages with the ages after an interval with another number of crawls, or after two without crawls. */
function pagesAtStart({ before, objective }: Case, pages: Page[], slots: number, hostDelay: number): readonly Page[] {
  if (before === 'first plan') return pages;
  const agePages = (by: number): Page[] => pages.map((page) => ({ ...page, age: page.age + by }));
  if (before === 'outage') return agePages(2);
  const crawls = Math.max(1, Math.round(before === 'half the crawls' ? 2 * slots : slots / 2));
  const times = indexRule({ pages, slots: slotsOf(crawls), objective, hostDelay, forEver: true });
  return agePages(1).map((page, i) =>
    times[i].length > 0 ? { ...page, age: 1 - times[i][times[i].length - 1] } : page,
  );
}

/** A history of up to twenty checks. */
function checksOf(rate: number, draw: Draw): Check[] {
  return Array.from({ length: Math.floor(20 * draw()) }, (): Check => {
    const elapsed = 0.2 + 2 * draw();
    return [elapsed, draw() < -Math.expm1(-rate * elapsed) ? 1 : 0];
  });
}

/** Expected cost of copies under the beliefs about the rates; time in intervals. */
function copiesByBelief(objective: Objective, checks: readonly (readonly Check[])[]): Copies {
  const history = checkHistory(checks.map((list) => list.map(([elapsed, changed]) => [elapsed * day, changed])));
  const cost = expectedCost(stalenessCost(objective), believe(history, 1 / 30 / day, unlimitedBudget()));
  return {
    cost: (i, age) => cost.integral(i, age * day) / day,
    slope: (i, age) => cost.cost(i, age * day),
  };
}

interface PlanQuestion {
  readonly pages: readonly Page[];
  readonly slots: readonly number[];
  readonly checks: readonly (readonly Check[])[] | null;
  readonly hostDelay: number;
  readonly copies?: Copies;
}

function solveCase({ objective }: Case, { pages, slots, checks, hostDelay, copies }: PlanQuestion) {
  const hosts = new Set(pages.flatMap(({ host }) => (host < 0 ? [] : [host])));
  const answer = crawlPlan({
    now,
    interval: day,
    crawls: slots.length,
    pages: pages.map(({ rate, weight, age, host }, i) => ({
      id: `p${i}`,
      weight,
      ...(checks === null ? { changeRate: rate / day } : { checks: checks[i].map(([t, seen]) => [t * day, seen]) }),
      ...(age < Number.POSITIVE_INFINITY && { lastCrawl: now - age * day }),
      ...(host >= 0 && { host: `h${host}` }),
    })),
    ...(hosts.size > 0 && { hosts: [...hosts].map((h) => ({ host: `h${h}`, minDelay: hostDelay * day })) }),
    objective,
    evenShare: 0,
    options: { timeLimitMs: 600_000 },
  });
  if (answer.objective === undefined || answer.solution === undefined) throw new Error('no plan');
  const times: number[][] = pages.map(() => []);
  const { schedule } = answer.solution;
  if (Array.isArray(schedule)) for (const { page, time } of schedule) times[page].push((time - now) / day);
  const { value } = answer.objective;
  const outcome: Outcome = {
    value,
    gap: answer.longRun?.gap ?? null,
    recomputed: costOf(objective, pages, times, copies),
  };
  return { ...outcome, probed: answer.solution.probed.length > 0 };
}
