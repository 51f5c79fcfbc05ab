/**
 * From a crawl log to a plan: limits → evidence → demand → price → slots → answer. {@link planCrawls} is these steps.
 *
 * 1. limits (limits.ts): the slots, and whether maxInterval can be kept at all. If not, the answer is the conflict.
 * 2. evidence (evidence.ts): the change rate of every page, known or believed; by the rate a feed shortens maxInterval.
 * 3. demand (pages/models): the worth of a fetch of each page, by the age of its copy.
 * 4. price (price.ts): one price of a fetch, and the fetch interval of every page at this price, to be kept for ever.
 *    (The best whole numbers of fetches for this interval alone do worse over many intervals.)
 * 5. slots (slots/give-slots.ts): each slot goes to the page whose fetch is then worth most, within minInterval,
 *    maxInterval and the delays of hosts. A page that is not fetched is worth more in the next plan, by its lastCrawl.
 * 6. answer (answer.ts): the figures of every page, the long-run cost of the fetch intervals and its bound, warnings.
 * A new page has no lastCrawl, so its age is Infinity (agesOf in problem.ts). Its first fetch is decided in these
 * places:
 * - Without checks its rate is the prior's (pages/evidence/believe.ts). Of a new page only the rate enters the price:
 *   the price is that of the steady state, which knows no ages (solveSteadyState in price.ts).
 * - Its worth is that of a copy of the age `unseenAge` (pages/models/index.ts). Ties go to the page whose fetch at the
 *   start saves most; the fetch of a new page saves something under freshness only (tieBreakers in
 *   slots/give-slots.ts). Probes never raise its worth, because they wait for the copy to reach an age
 *   (slots/probes.ts).
 * - Under an even share or a maxInterval the wait of a page has a cap, which the age of a new page exceeds: a new page is
 *   in one class with the pages that waited longer than their caps, ordered by worth, after pages whose reserved slot
 *   has come (keyOf in schedule/problem.ts). Without a cap a new page competes from the start; in a schedule by epochs,
 *   for more than 5e7 pages × slots, once the entry price is down to its worth (scheduleEntry in schedule/epochs.ts).
 * - The maxInterval of a new page counts from now (deadlineAfter in schedule/problem.ts).
 * - In the baseline, and in the slots left when the budget ends, new pages come first (dealAsDue in
 *   slots/give-slots.ts).
 * The even share of the crawls bounds the wait of every page: no page waits longer than pages/(evenShare·crawl rate).
 * With an even share of 0 pages may get no fetch; a warning names them.
 * Complexity: checks + pages × prices + crawls. Stopping rule: none. When the budget ends early, the remaining slots
 * are dealt at the fetch intervals or in turn, and a warning says so.
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
import { type PricedPlan, pricePlan } from './price.ts';
import type { CrawlPlanAnswer, CrawlPlanProblem } from './problem.ts';
import { type GivenSlots, giveSlots } from './slots/give-slots.ts';
import { findProbes } from './slots/probes.ts';

/**
 * Share of the remaining time that is reserved for the figures of pages, once the price is known: without this reserve
 * the answer of a large plan that the time limit stops would be late.
 */
const describingShare = 0.25;

/** What the search for a target knows of the pages; their maxInterval already includes the limits of feeds. */
export interface KnownEvidence {
  readonly rates: PageRates;
  /** Prices from which the search for the price starts. */
  readonly warmStart?: WarmStart | undefined;
}

/**
 * Plans an interval. Lists of the problem must agree in length, and minInterval ≤ maxInterval. There must be a slot,
 * unless a target is kept without a fetch.
 *
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
  const plan = pricePlan({ ...evidence, pages }, budget);
  const slots = slotsByWorth(plan, budget);
  return answerOf({ ...plan, ...slots }, budget);
}

/** The page of each slot; some slots are probes, fetches for their information. */
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
