/**
 * From a crawl log to a plan: limits → evidence → demand → price → slots → answer. {@link planCrawls} is these steps.
 *
 * 1. limits (limits.ts): the slots, and whether maxInterval can be kept at all. If not, the proof is the answer.
 * 2. evidence (evidence.ts): the change rate of every page, known or believed; feeds shorten maxInterval by it.
 * 3. demand (pages/models): what a fetch of each page is worth at an age.
 * 4. price (price.ts): one price of a fetch, and every page's fetch interval at it. These intervals can be kept for ever.
 *    The best whole numbers of fetches for this interval alone do worse over many intervals.
 * 5. slots (slots/give-slots.ts): each goes to the page worth most by then, within minInterval, maxInterval and the
 *    hosts' delays. A fetch saved up carries over through lastCrawl.
 * 6. answer (answer.ts): the figures of every page, what its fetch intervals cost for ever with the bound, and warnings.
 * A new page has no lastCrawl, so its age is Infinity (agesOf in problem.ts). Its first fetch is decided in these places:
 * - Without checks its rate is the prior's (pages/evidence/believe.ts). Of a new page only the rate enters the price: the
 *   price is that of the steady state, which knows no ages (solveSteadyState in price.ts).
 * - Its worth is that of a copy of the age `unseenAge` (pages/models/index.ts). Ties go to the page whose fetch at the
 *   start saves most; a new page's saves anything under freshness only (favourOf in slots/give-slots.ts). Probes never
 *   raise its worth: no age of a copy is still to come (slots/probes.ts).
 * - Under an even share or a maxInterval its wait has a cap, which its age exceeds: it is in one class with the pages that
 *   waited longer than their caps, ordered by worth, after pages whose deadline is reached (keyOf in schedule/problem.ts).
 *   Without a cap it competes from the start; in a schedule by epochs, which more than 5e7 pages × slots have, once the
 *   entry price is down to its worth (scheduleEntry in schedule/epochs.ts).
 * - Its maxInterval counts from now (deadlineAfter in schedule/problem.ts).
 * - In the baseline, and in the slots left when the budget ends, it comes first (dealAsDue in slots/give-slots.ts).
 * The even share of the crawls bounds every page's wait: no page is left longer than pages/(evenShare·crawl rate). At 0
 * there is no such bound, and pages may get nothing; a warning names them.
 * Complexity: checks + pages × prices + crawls. Stopping rule: none. When the budget ends early, the remaining slots are
 * dealt at the fetch intervals or in turn, and a warning says so.
 * Source: Wolf et al. 2002 for the frame; the index of Azar et al. 2018. Known limits: the schedule is a heuristic (the
 * joint problem is a restless bandit).
 */
import { objective } from '../answer.ts';
import { type Budget, reserveShare } from '../budget.ts';
import type { WarmStart } from '../market/index.ts';
import { pagesByEvidence } from '../pages/models/index.ts';
import { describePlan, type PlanFindings, planWarnings, stoppedWarnings } from './answer.ts';
import { type PageRates, ratesOrConflict } from './evidence.ts';
import { slotsOrConflict } from './limits.ts';
import { costOfKeepingAll, longRunCost } from './long-run.ts';
import { type PricedPlan, pricedPlan } from './price.ts';
import type { CrawlPlanAnswer, CrawlPlanProblem } from './problem.ts';
import { type GivenSlots, giveSlots } from './slots/give-slots.ts';
import { findProbes } from './slots/probes.ts';

/**
 * Share of the remaining time that is reserved for the pages' figures, once the price is known: without it a large plan
 * that the time limit stops is not described in time.
 */
const describingShare = 0.25;

/** What the search for a target has found of the pages; their maxInterval then includes the feeds' windows already. */
export interface KnownEvidence {
  readonly rates: PageRates;
  /** Prices to begin with. */
  readonly warmStart?: WarmStart | undefined;
}

/**
 * Plans an interval; the problem's lists must agree in length, minInterval ≤ maxInterval. There must be a slot, unless a
 * target is kept without a fetch.
 * @param knownEvidence the evidence, where a target has read it already
 * @throws NothingToReturn when the budget ends before the price of a fetch is known
 */
export function planCrawls(
  problem: CrawlPlanProblem,
  budget: Budget,
  knownEvidence: KnownEvidence | null = null,
): CrawlPlanAnswer {
  const limits = slotsOrConflict(problem, budget);
  if ('conflict' in limits) return { status: 'infeasible', ...limits };
  const evidence =
    knownEvidence === null ? ratesOrConflict(limits, budget) : { ...limits, ...knownEvidence, isPromised: true };
  if ('conflict' in evidence) return { status: 'infeasible', ...evidence };
  const pages = pagesByEvidence(evidence.problem, evidence.rates, evidence.age);
  const plan = pricedPlan({ ...evidence, pages }, budget);
  const slots = slotsByWorth(plan, budget);
  return answerOf({ ...plan, ...slots }, budget);
}

/** Who gets each slot; fetches that are worth making for what they teach among them. */
function slotsByWorth(priced: PricedPlan, budget: Budget): GivenSlots & { readonly probed: Uint32Array } {
  const slotBudget = reserveShare(budget, describingShare);
  const probes = findProbes(priced, slotBudget);
  return { ...giveSlots(priced, probes, slotBudget), probed: probes?.pages ?? new Uint32Array(0) };
}

function answerOf(findings: PlanFindings & GivenSlots, budget: Budget): CrawlPlanAnswer {
  const { plan, value, notRevised } = describePlan(findings, budget);
  const warnings = [
    ...stoppedWarnings({ ...findings, notRevised }),
    ...findings.lateWarnings,
    ...planWarnings(findings, plan),
  ];
  // the schedule is a heuristic without a bound of its own; the bound is on its fetch intervals in the long run
  const longRun = longRunCost(findings);
  const keepingAll = longRun === null || plan.givenUp.length === 0 ? null : costOfKeepingAll(findings, longRun.value);
  return { status: 'feasible', objective: objective(value, null), longRun, keepingAll, plan, warnings };
}
