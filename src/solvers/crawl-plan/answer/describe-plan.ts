/** From a schedule to the plan as it is told: every page's figures, the slots used, and what is left over. */
import type { Budget } from '../../budget.ts';
import type { PageBeliefs } from '../beliefs/beliefs.ts';
import { siblingFigures, toldAges } from '../beliefs/sibling-news.ts';
import type { SteadyState } from '../beliefs/steady-state.ts';
import type { CrawlSlots } from '../model/crawl-slots.ts';
import type { CrawlPlan, CrawlPlanProblem } from '../model/plan-problem.ts';
import type { Turns } from '../schedule/uniform-plan.ts';

/** Pages, and sixteens of their checks, between two looks at the budget. */
const stepsPerPoll = 256;

/** What was found, lists by page but for `page`, which is by slot. */
export interface PlanFindings {
  readonly problem: CrawlPlanProblem;
  readonly slots: CrawlSlots;
  /** Age of each page's copy at the start; Infinity for never fetched. */
  readonly age: Float64Array;
  readonly beliefs: PageBeliefs;
  /** Pages probed; null where that was not asked for. */
  readonly probed: Uint32Array | null;
  readonly steady: SteadyState;
  /** Longest fetch interval, the floor's included. */
  readonly longest: Float64Array;
  /** The page of each slot, −1 for none. */
  readonly page: Int32Array;
  /** Expected stale time in the interval, in seconds. */
  readonly staleTime: Float64Array;
  /** What the copy is expected to cost over the interval by the objective, before weighting. */
  readonly costTime: Float64Array;
  /** The same when all pages take turns. */
  readonly turns: Turns;
  /** What the fetches are expected to cost; null where they have no cost. */
  readonly spent: number | null;
}

/** The plan, and how many pages got the plan's own fetch interval where the ones after a check were to be. */
export interface PlanDescription {
  readonly plan: CrawlPlan;
  readonly objective: number;
  readonly notRevised: number;
}

export function describePlan(findings: PlanFindings, budget: Budget): PlanDescription {
  const { problem, slots, age, beliefs, steady, page, turns } = findings;
  const { now, interval, weight } = problem;
  const pages = age.length;
  const crawls = new Uint32Array(pages);
  const nextFetch = new Float64Array(pages).fill(Number.NaN);
  const used = usedSlots(page);
  for (const s of used) {
    const i = page[s];
    if (crawls[i]++ === 0) nextFetch[i] = now + slots.time[s];
  }
  const fetchInterval = steady.fetchInterval.map((value) => (value < Number.POSITIVE_INFINITY ? value : Number.NaN));
  const told = toldAges(age, beliefs.siblings);
  for (let i = 0; i < pages; i++) {
    if (crawls[i] > 0 || Number.isNaN(fetchInterval[i])) continue;
    const due = age[i] === Number.POSITIVE_INFINITY ? 0 : fetchInterval[i] - told[i];
    nextFetch[i] = now + Math.max(interval, due);
  }
  const staleness = findings.staleTime.map((time) => time / interval);
  const cost = findings.costTime.map((time) => time / interval);
  let objective = 0;
  let uniformObjective = 0;
  for (let i = 0; i < pages; i++) {
    objective += weight[i] * cost[i];
    uniformObjective += weight[i] * turns.cost[i];
  }
  const { intervalIfUnchanged, intervalIfChanged, notRevised } = intervalsAfterNext(findings, nextFetch, budget);
  const plan: CrawlPlan = {
    changeRate: beliefs.rate,
    changeRateLow: beliefs.low,
    changeRateHigh: beliefs.high,
    crawls,
    fetchInterval,
    intervalIfUnchanged,
    intervalIfChanged,
    nextFetch,
    staleness,
    uniformStaleness: turns.staleness,
    cost,
    meanDelay: problem.objective === 'delay' ? meanWait(findings) : null,
    bursts: beliefs.bursts,
    rhythm: beliefs.rhythm,
    probed: findings.probed,
    siblings:
      beliefs.siblings === null
        ? null
        : siblingFigures(beliefs.siblings, { rate: beliefs.rate, model: beliefs.initial }, steady.fetchInterval),
    meanAge: problem.objective === 'age' ? cost : null,
    slotTime: new Float64Array(used.length).map((_, k) => now + slots.time[used[k]]),
    slotCrawler: used.map((s) => slots.crawler[s]),
    slotPage: used.map((s) => page[s]),
    idleSlots: page.length - used.length,
    spent: findings.spent,
    withoutCrawl: Uint32Array.from(crawls.keys()).filter((i) => crawls[i] === 0),
    shadowPrice: steady.price / interval,
    uniformObjective,
  };
  return { plan, objective, notRevised };
}

/**
 * How long a change of the interval waits in the mean: the time since the last fetch, over the interval, whatever the
 * rate (Little's formula on λa items that wait at age a). A page never fetched has waited since now.
 */
function meanWait({ problem, slots, age, page }: PlanFindings): Float64Array {
  const { interval } = problem;
  const last = age.map((old) => (old === Number.POSITIVE_INFINITY ? 0 : -old));
  const wait = new Float64Array(age.length);
  const account = (i: number, time: number): void => {
    const from = Math.max(0, -last[i]);
    const to = time - last[i];
    wait[i] += (0.5 * (to - from) * (to + from)) / interval;
    last[i] = time;
  };
  for (let s = 0; s < page.length; s++) if (page[s] >= 0) account(page[s], slots.time[s]);
  for (let i = 0; i < age.length; i++) account(i, interval);
  return wait;
}

/** The slots that have a page. */
function usedSlots(page: Int32Array): Uint32Array {
  const used = new Uint32Array(page.length);
  let count = 0;
  for (let s = 0; s < page.length; s++) if (page[s] >= 0) used[count++] = s;
  return used.slice(0, count);
}

/**
 * What the next fetch teaches: the interval to the fetch after it, by its outcome; NaN for none. Once the budget has
 * ended, the fetch interval stands for both.
 */
function intervalsAfterNext(
  { problem, age, beliefs, steady, longest }: PlanFindings,
  nextFetch: Float64Array,
  budget: Budget,
) {
  const { now, minInterval } = problem;
  const pages = age.length;
  const intervalIfUnchanged = new Float64Array(pages);
  const intervalIfChanged = new Float64Array(pages);
  const never = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
  const { offsets } = problem.history;
  let notRevised = 0;
  let steps = stepsPerPoll;
  for (let i = 0; i < pages; i++) {
    steps += 1 + (offsets[i + 1] - offsets[i]) / 16;
    if (notRevised === 0 && steps >= stepsPerPoll) {
      steps = 0;
      if (budget.stopRequested()) notRevised = pages - i;
    }
    const gap = age[i] === Number.POSITIVE_INFINITY ? age[i] : nextFetch[i] - now + age[i];
    let after = never;
    if (notRevised > 0) after = [steady.fetchInterval[i], steady.fetchInterval[i]];
    else if (!Number.isNaN(gap)) after = beliefs.initial.intervalAfter(i, gap, steady.pagePrice[i]);
    const ifUnchanged = Math.min(longest[i], Math.max(minInterval[i], after[0]));
    const ifChanged = Math.min(longest[i], Math.max(minInterval[i], after[1]));
    intervalIfUnchanged[i] = ifUnchanged < Number.POSITIVE_INFINITY ? ifUnchanged : Number.NaN;
    intervalIfChanged[i] = ifChanged < Number.POSITIVE_INFINITY ? ifChanged : Number.NaN;
  }
  return { intervalIfUnchanged, intervalIfChanged, notRevised };
}
