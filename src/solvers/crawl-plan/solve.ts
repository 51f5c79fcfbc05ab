/**
 * From a crawl log to a plan: estimate → price → intervals → schedule.
 *
 * 1. Rates or beliefs of every page (page-beliefs.ts).
 * 2. The steady state under the budget (steady-state.ts): one price of a fetch, every page's interval at it. Frequencies
 *    are those that can be kept for ever, not the best whole numbers for this interval alone, which do worse over many.
 * 3. The schedule (index-schedule.ts): each slot to the page worth most by then, within minInterval, maxInterval and
 *    the hosts' delays. A fetch saved up carries over through lastCrawl.
 * The floor, a share of the crawls spread evenly, bounds every page's wait: no page is left longer than pages/(floor·budget)
 * (0: no bound, and pages may get nothing; which ones is said).
 * Complexity: checks × grid + pages × prices + crawls. Stopping rule: none; stopped early, the rest of the slots is empty and a
 * warning says so.
 * Source: Wolf et al. 2002 for the frame; the index of Azar et al. 2018. Known limits: the schedule is a heuristic (the
 * joint problem is restless bandits): its objective has no proved bound.
 */
import type { Budget } from '../budget.ts';
import { estimatePages, type PageBeliefs } from './beliefs/page-beliefs.ts';
import type { RefreshModel } from './beliefs/refresh-model.ts';
import { type SteadyState, steadyState } from './beliefs/steady-state.ts';
import { type CrawlSlots, mergeSlots } from './model/crawl-slots.ts';
import { deadlineConflict, longestStep } from './model/deadline-conflict.ts';
import type { CrawlPlan, PlanConflict, PlanProblem } from './model/plan-problem.ts';
import { planWarnings } from './model/plan-warnings.ts';
import { scheduleByIndex } from './schedule/index-schedule.ts';
import { uniformStaleness } from './schedule/uniform-plan.ts';

const stoppedEarly = {
  code: 'stopped-early',
  detail:
    'the time limit came before all slots were given: the later ones are empty, and deadlines in them are not kept; raise options.timeLimitMs',
};

export type PlanResult = { readonly plan: CrawlPlan } | { readonly conflict: PlanConflict };

/** Plans an interval; the problem's lists must agree in length, minInterval ≤ maxInterval, and there must be a slot. */
export function planCrawls(problem: PlanProblem, budget: Budget): PlanResult {
  const pages = problem.lastCrawl.length;
  const slots = mergeSlots(problem.interval, problem.slotsByCrawler);
  const age = problem.lastCrawl.map((last) =>
    Number.isNaN(last) ? Number.POSITIVE_INFINITY : Math.max(0, problem.now - last),
  );
  const clash = deadlineConflict(problem, slots, age);
  if (clash) return { conflict: clash };
  const beliefs = estimatePages(problem, budget);
  const rate = slots.time.length / problem.interval;
  const cap = waitCap(problem, rate);
  const longest = problem.maxInterval.map((most, i) => Math.min(most, Math.max(cap, problem.minInterval[i])));
  const steady = steadyState(
    {
      model: beliefs.initial,
      least: problem.minInterval,
      longest,
      budget: rate,
      host: problem.host,
      hostDelay: problem.hostDelay,
    },
    budget,
  );
  const { page, staleTime } = scheduleByIndex(
    {
      model: beliefs.working(),
      slots,
      interval: problem.interval,
      age,
      least: problem.minInterval,
      deadline: problem.maxInterval,
      cap: longest,
      host: problem.host,
      hostDelay: problem.hostDelay,
      price: steady.typicalPrice,
      shortInterval: shortInterval(steady.interval, longest),
    },
    budget,
  );
  const stopped = budget.stopRequested();
  const turns = constrained(problem) ? takingTurns(problem, slots, age, beliefs.working(), budget) : null;
  // a baseline cut short would look worse than it is: then the turns without limits stand for it
  const uniform =
    turns !== null && !budget.stopRequested()
      ? turns
      : uniformStaleness(beliefs.working(), slots, problem.interval, age);
  const plan = describe(problem, slots, age, beliefs, steady, longest, page, staleTime, uniform, pages);
  const late = stopped ? stoppedEarly : missedDeadlines(problem, slots, page, age);
  return { plan: late === null ? plan : { ...plan, warnings: [late, ...plan.warnings] } };
}

/** Whether anything but the slots limits when a page may be fetched. */
function constrained({ minInterval, maxInterval, hostDelay }: PlanProblem): boolean {
  const limits = maxInterval.some((most) => most < Number.POSITIVE_INFINITY) || minInterval.some((least) => least > 0);
  return limits || hostDelay.some((delay) => delay > 0);
}

/** Staleness by page when all take turns within the same limits: the schedule of a worth that is the age itself. */
function takingTurns(
  { interval, minInterval, maxInterval, host, hostDelay }: PlanProblem,
  slots: CrawlSlots,
  age: Float64Array,
  model: RefreshModel,
  budget: Budget,
): Float64Array {
  const turn = (interval * age.length) / slots.time.length;
  const { staleTime } = scheduleByIndex(
    {
      model: {
        ...model,
        worth: (_, old) => (old === Number.POSITIVE_INFINITY ? 1e12 * turn : old),
        intervalAt: (_, price) => price,
      },
      slots,
      interval,
      age,
      least: minInterval,
      deadline: maxInterval,
      cap: maxInterval,
      host,
      hostDelay,
      price: turn,
      shortInterval: turn,
    },
    budget,
  );
  return staleTime.map((time) => time / interval);
}

/** The longest wait the floor allows; longer where the deadlines alone leave less to go round. */
function waitCap({ floor, maxInterval }: PlanProblem, rate: number): number {
  if (floor === 0) return Number.POSITIVE_INFINITY;
  const pages = maxInterval.length;
  let cap = pages / (floor * rate);
  for (let round = 0; round < 60; round++) {
    let needed = 0;
    for (const most of maxInterval) needed += 1 / Math.min(most, cap);
    if (needed <= rate) return cap;
    cap *= 1.5;
  }
  return Number.POSITIVE_INFINITY;
}

/** An interval that only one page in a thousand is fetched more often than. */
function shortInterval(interval: Float64Array, longest: Float64Array): number {
  const shortest = interval.map((value, i) => Math.min(value, longest[i])).sort();
  return shortest[Math.floor(shortest.length / 1000)];
}

/**
 * The deadlines the schedule misses by more than a slot, if any: it is a heuristic, so this is checked; and since missing
 * them proves nothing, it is said beside the plan. What is proved to be impossible is a conflict, before any schedule.
 */
function missedDeadlines(problem: PlanProblem, slots: CrawlSlots, page: Int32Array, age: Float64Array) {
  const grace = longestStep(slots, problem.interval) * (1 + 1e-9);
  const due = problem.maxInterval.map((most, i) => {
    const first = (age[i] === Number.POSITIVE_INFINITY ? 0 : -age[i]) + most;
    return first < 0 ? problem.interval : first;
  });
  const late: number[] = [];
  let by = Number.POSITIVE_INFINITY;
  for (const [s, i] of page.entries()) {
    if (i < 0 || problem.maxInterval[i] === Number.POSITIVE_INFINITY) continue;
    const time = slots.time[s];
    if (time > due[i] + grace) {
      late.push(i);
      by = Math.min(by, due[i]);
    }
    due[i] = time + problem.maxInterval[i];
  }
  for (let i = 0; i < due.length; i++) {
    if (due[i] + grace < problem.interval) {
      late.push(i);
      by = Math.min(by, due[i]);
    }
  }
  if (late.length === 0) return null;
  const pages = [...new Set(late)].sort((a, b) => a - b);
  const shown = pages.slice(0, 100).join(', ');
  return {
    code: 'max-interval-missed',
    detail:
      `no schedule was found that keeps maxInterval to within one slot for ${pages.length} pages, the first from ${problem.now + by} on ` +
      `(whether one exists is not known): pages ${shown}; raise maxInterval, lower minDelay or add crawls`,
  };
}

function describe(
  problem: PlanProblem,
  slots: CrawlSlots,
  age: Float64Array,
  beliefs: PageBeliefs,
  steady: SteadyState,
  longest: Float64Array,
  page: Int32Array,
  staleTime: Float64Array,
  uniform: Float64Array,
  pages: number,
): CrawlPlan {
  const { now, interval, minInterval, weight } = problem;
  const crawls = new Uint32Array(pages);
  const nextFetch = new Float64Array(pages).fill(Number.NaN);
  const used = Uint32Array.from(page.keys()).filter((s) => page[s] >= 0);
  for (const s of used) {
    const i = page[s];
    if (crawls[i]++ === 0) nextFetch[i] = now + slots.time[s];
  }
  const fetchInterval = steady.interval.map((value) => (value < Number.POSITIVE_INFINITY ? value : Number.NaN));
  const intervalIfUnchanged = new Float64Array(pages);
  const intervalIfChanged = new Float64Array(pages);
  let objective = 0;
  let uniformObjective = 0;
  const staleness = new Float64Array(pages);
  for (let i = 0; i < pages; i++) {
    if (crawls[i] === 0 && !Number.isNaN(fetchInterval[i])) {
      const due = age[i] === Number.POSITIVE_INFINITY ? 0 : fetchInterval[i] - age[i];
      nextFetch[i] = now + Math.max(interval, due);
    }
    const gap = age[i] === Number.POSITIVE_INFINITY ? age[i] : nextFetch[i] - now + age[i];
    const after = Number.isNaN(gap)
      ? [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
      : beliefs.initial.intervalAfter(i, gap, steady.pagePrice[i]);
    const [ifUnchanged, ifChanged] = after.map((value) => Math.min(longest[i], Math.max(minInterval[i], value)));
    intervalIfUnchanged[i] = ifUnchanged < Number.POSITIVE_INFINITY ? ifUnchanged : Number.NaN;
    intervalIfChanged[i] = ifChanged < Number.POSITIVE_INFINITY ? ifChanged : Number.NaN;
    staleness[i] = staleTime[i] / interval;
    objective += weight[i] * staleness[i];
    uniformObjective += weight[i] * uniform[i];
  }
  const withoutCrawl = Uint32Array.from(crawls.keys()).filter((i) => crawls[i] === 0);
  return {
    changeRate: beliefs.rate,
    changeRateLow: beliefs.low,
    changeRateHigh: beliefs.high,
    crawls,
    fetchInterval,
    intervalIfUnchanged,
    intervalIfChanged,
    nextFetch,
    staleness,
    uniformStaleness: uniform,
    slotTime: Float64Array.from(used, (s) => now + slots.time[s]),
    slotCrawler: Uint32Array.from(used, (s) => slots.crawler[s]),
    slotPage: Uint32Array.from(used, (s) => page[s]),
    idleSlots: page.length - used.length,
    withoutCrawl,
    shadowPrice: steady.price / interval,
    objective,
    uniformObjective,
    warnings: planWarnings(problem, age, withoutCrawl, page.length - used.length, nextFetch),
  };
}
