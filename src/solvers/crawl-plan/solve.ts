/**
 * From a crawl log to a plan: limits → evidence → rates → market → place → bound → answer.
 *
 * 1. limits: whether the longest intervals can be kept at all. If not, the proof is the answer.
 * 2. evidence: the change rate of every page, known or believed.
 * 3. rates: what a fetch of each page is worth at an age.
 * 4. market: one price of a fetch, and every page's fetch interval at it. These intervals can be kept for ever. The
 *    best whole numbers of fetches for this interval alone do worse over many intervals.
 * 5. place: each slot goes to the page worth most by then, within minInterval, maxInterval and the hosts' delays. A
 *    fetch saved up carries over through lastCrawl.
 * 6. bound: what no schedule of this interval can beat, and no fetch intervals for ever.
 * 7. answer: the figures of every page, and what the caller should know.
 * The even share of the crawls bounds every page's wait: no page is left longer than pages/(evenShare·crawl rate). At 0
 * there is no such bound, and pages may get nothing; a warning names them.
 * Complexity: checks + pages × prices + crawls. Stopping rule: none. Stopped early, the later slots are empty, and a
 * warning says so.
 * Source: Wolf et al. 2002 for the frame; the index of Azar et al. 2018. Known limits: the schedule is a heuristic (the
 * joint problem is a restless bandit).
 */
import type { Warning } from '../answer.ts';
import { type Budget, keepingShare } from '../budget.ts';
import { describePlan } from './answer/describe-plan.ts';
import { planWarnings } from './answer/plan-warnings.ts';
import { suspectInputs } from './answer/suspect-inputs.ts';
import { optimalGap, PlanBounds } from './bound/plan-bounds.ts';
import { type PageRates, pageRates } from './evidence/page-rates.ts';
import { openSlots } from './limits/availability.ts';
import { type ConflictSearch, closedThroughout, conflictIn } from './limits/conflict-repair.ts';
import { type CrawlSlots, mergeSlots } from './limits/crawl-slots.ts';
import { withFeedWindows } from './limits/feed-window.ts';
import { pricedPlan } from './market/priced-plan.ts';
import { missedDeadlines } from './place/missed-deadlines.ts';
import { placeFetches } from './place/place-fetches.ts';
import { takingTurns } from './place/turns.ts';
import type { CrawlPlanAnswer, CrawlPlanProblem, PlanConflict } from './problem.ts';
import { TimeNeeded } from './time-needed.ts';

/** Share of the time left after the price that the pages' figures may take. */
const describingShare = 0.25;

/**
 * Plans an interval; the problem's lists must agree in length, minInterval ≤ maxInterval, and there must be a slot.
 * @throws NothingToReturn when the budget ends before the price of a fetch is known
 */
export function solveCrawlPlan(given: CrawlPlanProblem, budget: Budget): CrawlPlanAnswer {
  const slots = openSlots(mergeSlots(given.interval, given.slotsByCrawler), given.availability?.spans ?? null);
  if (slots.time.length === 0) return { status: 'infeasible', conflict: closedThroughout(given) };
  const age = agesOf(given);
  const time = new TimeNeeded(budget);
  const known = ratesUnlessConflict(given, { slots, age }, time, budget);
  if ('conflict' in known) return { status: 'infeasible', conflict: known.conflict };
  return planned(known.problem, { slots, age, rates: known.rates }, time, budget);
}

/** Of each copy at the start; Infinity where there is none. */
export const agesOf = ({ lastCrawl, now }: CrawlPlanProblem): Float64Array =>
  lastCrawl.map((last) => (Number.isNaN(last) ? Number.POSITIVE_INFINITY : Math.max(0, now - last)));

/** The plan of a problem whose feeds' windows are in it, where what the evidence says is known already. */
export function planFor(
  problem: CrawlPlanProblem,
  { age, rates }: Pick<Known, 'age' | 'rates'>,
  budget: Budget,
): CrawlPlanAnswer {
  const slots = openSlots(mergeSlots(problem.interval, problem.slotsByCrawler), problem.availability?.spans ?? null);
  // none may be asked for: a target that is kept without a fetch
  const asked = problem.slotsByCrawler.some((count) => count > 0);
  if (asked && slots.time.length === 0) return { status: 'infeasible', conflict: closedThroughout(problem) };
  const conflict = conflictIn({ slots, age, problem, rate: rates.rate }, '', budget);
  if (conflict !== null) return { status: 'infeasible', conflict };
  return planned(problem, { slots, age, rates }, new TimeNeeded(budget), budget);
}

interface Known {
  readonly slots: CrawlSlots;
  readonly age: Float64Array;
  readonly rates: PageRates;
}

function planned(
  problem: CrawlPlanProblem,
  { slots, age, rates }: Known,
  time: TimeNeeded,
  budget: Budget,
): CrawlPlanAnswer {
  const priced = time.orSay(() => pricedPlan(problem, slots, age, rates, budget));
  const scheduling = keepingShare(budget, describingShare);
  const placed = placeFetches(priced, scheduling);
  const turns = takingTurns(priced, scheduling);
  const { plan, objective: value, notRevised } = describePlan({ ...priced, ...placed, turns }, budget);
  const late = placed.stopped ? null : missedDeadlines(problem, slots, placed.page, age);
  const bounds = new PlanBounds(priced);
  const objective = bounds.ofInterval(value, placed.page, budget);
  const warnings = [
    ...stoppedWarnings({ ...placed, bound: budget.stopRequested() }, turns.stopped, notRevised),
    ...(late === null ? [] : [late]),
    ...suspectInputs(problem),
    ...planWarnings(problem, age, plan),
  ];
  const status = objective.gap !== null && objective.gap < optimalGap ? 'optimal' : 'feasible';
  return { status, objective, longRun: bounds.ofLongRun(), plan, warnings };
}

/**
 * The pages' rates, and the problem with what follows from them; or the conflict of the longest intervals, looked for
 * before the log is read where it does not depend on the rates.
 */
function ratesUnlessConflict(
  given: CrawlPlanProblem,
  at: Pick<ConflictSearch, 'slots' | 'age'>,
  time: TimeNeeded,
  budget: Budget,
): { readonly conflict: PlanConflict } | { readonly problem: CrawlPlanProblem; readonly rates: PageRates } {
  // what spending must pay for depends on the rates
  const looked = given.costs === undefined;
  const early = looked ? conflictIn({ ...at, problem: given, rate: null }, '', budget) : null;
  if (early !== null) return { conflict: early };
  const rates = time.orSay(() => pageRates(given, time.reading));
  time.read();
  const problem = withFeedWindows(given, rates.rate, budget);
  if (looked && problem === given) return { problem, rates };
  const why = problem === given ? '' : '; feeds shorten maxInterval: raise their loss or add crawls';
  const late = conflictIn({ ...at, problem, rate: rates.rate }, why, budget);
  return late === null ? { problem, rates } : { conflict: late };
}

/** What the end of the time left undone: the schedule, the bound, the plan to compare with, and pages' figures. */
function stoppedWarnings(
  { stopped, unimproved, bound }: { readonly stopped: boolean; readonly unimproved?: boolean; readonly bound: boolean },
  turns: boolean,
  notRevised: number,
): Warning[] {
  const undone = [
    stopped
      ? 'the time limit came before all slots were given: the later ones are empty, and deadlines in them are not kept'
      : '',
    unimproved === true ? 'the time limit came while the schedule was still being improved' : '',
    bound && !stopped ? 'the time limit came before the bound was as close as it can be' : '',
    turns ? 'baselines.uniform is that of pages in turn without minInterval, maxInterval and minDelay' : '',
    notRevised > 0
      ? `intervalIfUnchanged and intervalIfChanged of the last ${notRevised} pages are their fetchInterval`
      : '',
  ].filter((part) => part !== '');
  if (undone.length === 0) return [];
  return [{ code: 'stopped-early', detail: `${undone.join('; ')}; raise options.timeLimitMs` }];
}
