/**
 * From a crawl log to a plan: limits → evidence → demand → price → slots → answer.
 *
 * 1. limits: whether the longest intervals can be kept at all. If not, the proof is the answer.
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
 * Complexity: checks + pages × prices + crawls. Stopping rule: none. Stopped early, what is left is dealt at the fetch
 * intervals or in turn, and a warning says so.
 * Source: Wolf et al. 2002 for the frame; the index of Azar et al. 2018. Known limits: the schedule is a heuristic (the
 * joint problem is a restless bandit).
 */
import { objective } from '../answer.ts';
import { type Budget, pollOf, reserveShare, reserveTime } from '../budget.ts';
import { describePlan } from './answer/describe-plan.ts';
import { planWarnings, stoppedWarnings } from './answer/warnings.ts';
import { type PageRates, pageRates } from './evidence.ts';
import { openSlots, withFeedWindows } from './limits/allowed.ts';
import { closedThroughout, planConflict } from './limits/conflict.ts';
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
  const known = ratesOrConflict({ problem, slots, age: agesOf(problem) }, budget);
  return 'conflict' in known ? { status: 'infeasible', ...known } : planned(known, budget);
}

/** The plan of a problem whose feeds' windows are in it, where what the evidence says is known already. */
export function planFor(
  problem: CrawlPlanProblem,
  { age, rates, near }: Pick<EvidentPages, 'age' | 'rates' | 'near'>,
  budget: Budget,
): CrawlPlanAnswer {
  const slots = openSlots(problem);
  // a target that is kept without a fetch asks for no slot
  const needsSlots = problem.slotsByCrawler.some((count) => count > 0);
  if (needsSlots && slots.time.length === 0) return { status: 'infeasible', conflict: closedThroughout(problem) };
  const conflict = planConflict({ slots, age, problem }, budget);
  return conflict === null
    ? planned({ problem, slots, age, rates, near, isPromised: true }, budget)
    : { status: 'infeasible', conflict };
}

/** Share of the time left after the price that is kept for the pages' figures. */
const describingShare = 0.25;
/** Milliseconds a slot that are kept for them at least. */
const describingMs = 1e-4;

/** Pages with all that the evidence says of their rates. */
type EvidentPages = KnownPages & { readonly rates: PageRates };

function planned(known: EvidentPages, budget: Budget): CrawlPlanAnswer {
  const priced = { ...pricedPlan(known, budget), rates: known.rates };
  const placing = reserveTime(reserveShare(budget, describingShare), describingMs * known.slots.time.length);
  const probes = findProbes(priced, placing);
  const given = giveSlots(priced, probes, placing);
  const { plan, value, notRevised } = describePlan(
    { ...priced, ...given, probed: probes?.pages ?? new Uint32Array(0) },
    budget,
  );
  const warnings = [...stoppedWarnings({ ...given, notRevised }), ...given.late, ...planWarnings(known, plan)];
  // a schedule is a heuristic: what is proved is how good its fetch intervals are for ever
  const longRun = longRunCost(priced);
  const keepingAll = longRun === null || plan.givenUp.length === 0 ? null : costOfKeepingAll(priced, longRun.value);
  return { status: 'feasible', objective: objective(value, null), longRun, keepingAll, plan, warnings };
}

/**
 * The pages' rates, and the problem with what follows from them; or the conflict of the longest intervals. The conflict
 * is looked for before the log is read, and again where feeds shorten the longest intervals.
 */
function ratesOrConflict(
  given: Omit<KnownPages, 'rates'>,
  budget: Budget,
): EvidentPages | { readonly conflict: PlanConflict } {
  const early = planConflict(given, budget);
  if (early !== null) return { conflict: early };
  const rates = pageRates(given.problem, budget);
  const problem = withFeedWindows(given.problem, rates.rate, budget);
  if (problem === given.problem) return { ...given, rates };
  const conflict = planConflict({ ...given, problem }, budget);
  if (conflict === null) return { ...given, problem, rates };
  return { conflict: { ...conflict, detail: `${conflict.detail}; feeds shorten maxInterval` } };
}
