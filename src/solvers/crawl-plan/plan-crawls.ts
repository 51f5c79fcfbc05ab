/**
 * From a crawl log to a plan: limits → evidence → demand → price → slots → answer.
 *
 * 1. limits: the slots, and whether maxInterval can be kept at all. If not, the proof is the answer.
 * 2. evidence: the change rate of every page, known or believed.
 * 3. demand (pages/models): what a fetch of each page is worth at an age.
 * 4. price: one price of a fetch, and every page's fetch interval at it. These intervals can be kept for ever. The best
 *    whole numbers of fetches for this interval alone do worse over many intervals.
 * 5. slots: each goes to the page worth most by then, within minInterval, maxInterval and the hosts' delays. A fetch
 *    saved up carries over through lastCrawl.
 * 6. answer: the figures of every page, what its fetch intervals cost for ever with the bound, and warnings.
 * A new page has no lastCrawl, so its age is Infinity (agesOf). Without checks its rate is the prior's
 * (pages/evidence/believe.ts). Under an even share or a maxInterval its wait has a cap, which that age exceeds, so new
 * pages come before all that are not overdue or urgent (keyOf in schedule/problem.ts). Among them, and where there is no
 * cap, counts what a first fetch is worth: that of a copy of the age `unseenAge` (pages/models/index.ts), then what a
 * fetch at the start saves (favourOf in slots/give-slots.ts).
 * The even share of the crawls bounds every page's wait: no page is left longer than pages/(evenShare·crawl rate). At 0
 * there is no such bound, and pages may get nothing; a warning names them.
 * Complexity: checks + pages × prices + crawls. Stopping rule: none. When the budget ends early, the remaining slots are
 * dealt at the fetch intervals or in turn, and a warning says so.
 * Source: Wolf et al. 2002 for the frame; the index of Azar et al. 2018. Known limits: the schedule is a heuristic (the
 * joint problem is a restless bandit).
 */
import { objective } from '../answer.ts';
import { type Budget, pollOf, reserveShare, reserveTime } from '../budget.ts';
import { describePlan, planWarnings, stoppedWarnings } from './answer.ts';
import { type PageRates, pageRates } from './evidence.ts';
import { closedThroughout, openSlots, planConflict, withFeedWindows } from './limits.ts';
import { costOfKeepingAll, longRunCost } from './long-run.ts';
import { type KnownPages, pricedPlan } from './price.ts';
import { agesOf, type CrawlPlanAnswer, type CrawlPlanProblem, type PlanConflict } from './problem.ts';
import { giveSlots } from './slots/give-slots.ts';
import { findProbes } from './slots/probes.ts';

/**
 * Plans an interval; the problem's lists must agree in length, minInterval ≤ maxInterval, and there must be a slot.
 * @throws NothingToReturn when the budget ends before the price of a fetch is known
 */
export function planCrawls(problem: CrawlPlanProblem, budget: Budget): CrawlPlanAnswer {
  const slots = openSlots(problem, pollOf(budget, 'the slots were not in order yet'));
  if (slots.time.length === 0) return { status: 'infeasible', conflict: closedThroughout(problem) };
  const pages = ratesOrConflict({ problem, slots, age: agesOf(problem) }, budget);
  return 'conflict' in pages ? { status: 'infeasible', ...pages } : makePlan(pages, budget);
}

/** The plan of a problem whose maxInterval already includes the feeds' windows and whose rates are already known. */
export function planFor(
  problem: CrawlPlanProblem,
  { age, rates, warmStart }: Pick<EvidentPages, 'age' | 'rates' | 'warmStart'>,
  budget: Budget,
): CrawlPlanAnswer {
  const slots = openSlots(problem);
  // a target that is kept without a fetch needs no slot
  const needsSlots = problem.slotsByCrawler.some((count) => count > 0);
  if (needsSlots && slots.time.length === 0) return { status: 'infeasible', conflict: closedThroughout(problem) };
  const conflict = planConflict({ slots, age, problem }, budget);
  return conflict === null
    ? makePlan({ problem, slots, age, rates, warmStart, isPromised: true }, budget)
    : { status: 'infeasible', conflict };
}

/** Share of the remaining time that is reserved for the pages' figures, once the price is known. */
const describingShare = 0.25;
/** Minimum of that reserve, in milliseconds per slot. */
const describingMs = 1e-4;

/** Pages with their rates and the intervals of these. */
type EvidentPages = KnownPages & { readonly rates: PageRates };

function makePlan(pages: EvidentPages, budget: Budget): CrawlPlanAnswer {
  const priced = { ...pricedPlan(pages, budget), rates: pages.rates };
  const slotBudget = reserveTime(reserveShare(budget, describingShare), describingMs * pages.slots.time.length);
  const probes = findProbes(priced, slotBudget);
  const slotPlan = giveSlots(priced, probes, slotBudget);
  const { plan, value, notRevised } = describePlan(
    { ...priced, ...slotPlan, probed: probes?.pages ?? new Uint32Array(0) },
    budget,
  );
  const warnings = [
    ...stoppedWarnings({ ...slotPlan, notRevised }),
    ...slotPlan.lateWarnings,
    ...planWarnings(pages, plan),
  ];
  // the schedule is a heuristic without a bound of its own; the bound is on its fetch intervals in the long run
  const longRun = longRunCost(priced);
  const keepingAll = longRun === null || plan.givenUp.length === 0 ? null : costOfKeepingAll(priced, longRun.value);
  return { status: 'feasible', objective: objective(value, null), longRun, keepingAll, plan, warnings };
}

/**
 * The pages' rates, and the problem with what follows from them; or the conflict of the longest intervals. The conflict
 * is looked for before the log is read, and again where feeds shorten the longest intervals.
 */
function ratesOrConflict(
  input: Omit<KnownPages, 'rates'>,
  budget: Budget,
): EvidentPages | { readonly conflict: PlanConflict } {
  const firstConflict = planConflict(input, budget);
  if (firstConflict !== null) return { conflict: firstConflict };
  const rates = pageRates(input.problem, budget);
  const problem = withFeedWindows(input.problem, rates.rate, budget);
  if (problem === input.problem) return { ...input, rates };
  const conflict = planConflict({ ...input, problem }, budget);
  if (conflict === null) return { ...input, problem, rates };
  return { conflict: { ...conflict, detail: `${conflict.detail}; feeds shorten maxInterval` } };
}
