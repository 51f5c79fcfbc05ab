/**
 * From a crawl log to a plan: estimate → price → fetch intervals → schedule.
 *
 * 1. Whether the longest intervals can be kept at all (model/deadline-conflict.ts): if not, the proof is the answer.
 * 2. Rates or beliefs of every page (beliefs/page-beliefs.ts).
 * 3. The steady state under the crawls (beliefs/steady-state.ts): one price of a fetch, every page's fetch interval at
 *    it. Frequencies are those that can be kept for ever, not the best whole numbers for this interval alone, which do
 *    worse over many.
 * 4. The schedule (schedule/index-schedule.ts): each slot to the page worth most by then, within minInterval,
 *    maxInterval and the hosts' delays. A fetch saved up carries over through lastCrawl.
 * The floor, a share of the crawls spread evenly, bounds every page's wait: no page is left longer than
 * pages/(floor·crawl rate) (0: no bound, and pages may get nothing; which ones is said).
 * Complexity: checks × grid + pages × prices + crawls. Stopping rule: none; stopped early, the rest of the slots is
 * empty and a warning says so.
 * 5. The bounds (bounds/): what no schedule of this interval can beat, and no fetch intervals for ever.
 * Source: Wolf et al. 2002 for the frame; the index of Azar et al. 2018. Known limits: the schedule is a heuristic (the
 * joint problem is restless bandits); the bound leaves slots and delays aside, so the gap is what both cost together.
 */
import { type Objective, objective, type Warning } from '../answer.ts';
import { type Budget, keepingShare } from '../budget.ts';
import { describePlan } from './answer/describe-plan.ts';
import { missedDeadlines } from './answer/missed-deadlines.ts';
import { planWarnings } from './answer/plan-warnings.ts';
import type { PageBeliefs } from './beliefs/beliefs.ts';
import { costedModel } from './beliefs/costed-model.ts';
import { estimatePages } from './beliefs/page-beliefs.ts';
import { toldAges } from './beliefs/sibling-news.ts';
import { boundAside, type IntervalTerms, intervalBound } from './bounds/interval-bound.ts';
import { longRunCost } from './bounds/long-run.ts';
import { openSlots } from './model/availability.ts';
import { type ConflictSearch, planConflict, withRepair } from './model/conflict-repair.ts';
import { type CrawlSlots, mergeSlots } from './model/crawl-slots.ts';
import { expectedCost } from './model/fetch-costs.ts';
import { hostRooms } from './model/host-caps.ts';
import { withItemWindows } from './model/item-window.ts';
import type { CrawlPlanAnswer, CrawlPlanProblem, PlanConflict } from './model/plan-problem.ts';
import { TimeNeeded } from './model/time-needed.ts';
import { type PricedPlan, pricedPlan } from './priced-plan.ts';
import { placeInRush } from './schedule/place-in-rush.ts';
import { takingTurns } from './schedule/uniform-plan.ts';

/** A plan whose gap is below this is optimal. */
const optimalGap = 1e-9;
/** The bound of so many pages is found aside where somebody can: it takes some 50 ms. */
const sharedFromPages = 10_000;
/** Share of the time left after the price that the pages' figures may take. */
const describingShare = 0.25;

/**
 * Plans an interval; the problem's lists must agree in length, minInterval ≤ maxInterval, and there must be a slot.
 * @throws NothingToReturn when the budget ends before the price of a fetch is known
 */
export function solveCrawlPlan(given: CrawlPlanProblem, budget: Budget): CrawlPlanAnswer {
  const slots = openSlots(mergeSlots(given.interval, given.slotsByCrawler), given.availability?.spans ?? null);
  if (slots.time.length === 0) return { status: 'infeasible', conflict: closedThroughout(given) };
  const age = given.lastCrawl.map((last) =>
    Number.isNaN(last) ? Number.POSITIVE_INFINITY : Math.max(0, given.now - last),
  );
  const time = new TimeNeeded(budget);
  const known = estimateUnlessConflict(given, { slots, age }, time, budget);
  if ('conflict' in known) return { status: 'infeasible', conflict: known.conflict };
  const { problem, beliefs } = known;
  const priced = time.orSay(() => pricedPlan(problem, slots, age, beliefs, budget));
  // begun before the schedule, so that whoever finds it aside does so meanwhile; waited for when all else is done
  const bounding = boundOf(priced, budget);
  const scheduling = keepingShare(budget, describingShare);
  const placed = placeInRush(priced, scheduling);
  const turns = takingTurns(problem, turnSlots(problem, placed.slots, beliefs.rate), age, beliefs.working, scheduling);
  const { plan, objective: value, notRevised } = describePlan({ ...priced, ...placed, turns }, budget);
  const late = placed.stopped ? null : missedDeadlines(problem, placed.slots, placed.page, age);
  const warnings = [
    ...stoppedWarnings(placed.stopped, turns.stopped, notRevised),
    ...(late === null ? [] : [late]),
    ...planWarnings(problem, age, plan),
  ];
  const proved = provedObjective(value, bounding(), placed.bound);
  const status = proved.gap !== null && proved.gap < optimalGap ? 'optimal' : 'feasible';
  return { status, objective: proved, longRun: longRunOf(priced), plan, warnings };
}

/**
 * What is believed of the pages, and the problem with what follows from that; or the conflict of the longest intervals,
 * looked for before the log is read where it does not depend on the rates.
 */
function estimateUnlessConflict(
  given: CrawlPlanProblem,
  at: Pick<ConflictSearch, 'slots' | 'age'>,
  time: TimeNeeded,
  budget: Budget,
): { readonly conflict: PlanConflict } | { readonly problem: CrawlPlanProblem; readonly beliefs: PageBeliefs } {
  // what a budget must pay for depends on the rates
  const looked = given.costs === undefined;
  const early = looked ? conflictIn({ ...at, problem: given, rate: null }, '', budget) : null;
  if (early !== null) return { conflict: early };
  const estimated = time.orSay(() => estimatePages(given, time.reading));
  const beliefs = withCosts(given, at.age, estimated);
  time.read();
  const problem = withItemWindows(given, beliefs.rate, budget);
  if (looked && problem === given) return { problem, beliefs };
  const why = problem === given ? '' : '; windowItems shorten maxInterval: raise lossProbability or add crawls';
  const late = conflictIn({ ...at, problem, rate: beliefs.rate }, why, budget);
  return late === null ? { problem, beliefs } : { conflict: late };
}

/** What cannot be kept of the longest intervals, `why` said after it, with its repair; null for nothing. */
function conflictIn(search: ConflictSearch, why: string, budget: Budget): PlanConflict | null {
  const conflict = planConflict(search, budget);
  return conflict && withRepair({ ...conflict, detail: `${conflict.detail}${why}` }, search, budget);
}

/**
 * What no schedule of this interval can beat, once it is asked for: where somebody can find it meanwhile it is begun at
 * once. null where no bound is known.
 */
function boundOf({ problem, slots, age, beliefs, steady }: PricedPlan, budget: Budget): () => number | null {
  const { initial, drifted, siblings } = beliefs;
  const { bounds } = initial;
  if (bounds === undefined) return () => null;
  const terms: IntervalTerms = {
    age: toldAges(age, siblings),
    sinceFetch: age,
    interval: problem.interval,
    minInterval: problem.minInterval,
    slots: slots.time.length,
    budget: problem.costs?.budget,
    price: steady.price > 0 ? steady.price : steady.typicalPrice,
    host: problem.host,
    hostRoom: hostRooms(problem, slots),
    pagePrice: steady.pagePrice,
  };
  if (budget.aside !== undefined && drifted !== null && age.length >= sharedFromPages)
    return budget.aside.start(boundAside, { pages: drifted, terms }, budget);
  return () => intervalBound({ ...terms, bounds }, budget);
}

/** The objective with the better of two bounds: that of any schedule, where it is known, and that of the slots. */
function provedObjective(value: number, free: number | null, bySlots: number): Objective {
  const bound = free === null ? free : Math.max(free, bySlots);
  // a bound above the value by no more than rounding is the value
  const rounded = bound !== null && bound > value && bound - value <= optimalGap * value;
  return objective(value, rounded ? value : bound);
}

/** What the fetch intervals cost when they are kept for ever. */
function longRunOf({ problem, beliefs, ...rest }: PricedPlan): Objective | null {
  const { minInterval: least, weight, host } = problem;
  return longRunCost({ ...rest, model: beliefs.initial, weight, least, host });
}

/** Beliefs whose worths are by unit of cost. */
function withCosts(problem: CrawlPlanProblem, age: Float64Array, beliefs: PageBeliefs): PageBeliefs {
  const { costs, weight, changeRate, signals, objective: named = 'freshness', estimator } = problem;
  if (costs === undefined) return beliefs;
  const { rate } = beliefs;
  const signalled = (i: number): boolean => !Number.isNaN(signals?.precision[i] ?? Number.NaN);
  const oneRate = (i: number): boolean => estimator === 'maximum-likelihood' || !Number.isNaN(changeRate[i]);
  const closedForm = (i: number): boolean => named === 'freshness' && (oneRate(i) || signalled(i));
  const pages = { rate, weight, age, closedForm, signalled };
  return {
    ...beliefs,
    initial: costedModel(beliefs.initial, costs, pages),
    drifted: null,
    working: () => costedModel(beliefs.working(), costs, pages),
  };
}

/** The slots that pages taking turns can pay for. */
function turnSlots({ costs, interval }: CrawlPlanProblem, slots: CrawlSlots, rate: Float64Array): CrawlSlots {
  if (costs === undefined) return slots;
  const pages = rate.length;
  const round = (turn: number): number => rate.reduce((sum, each, i) => sum + expectedCost(costs, i, each, turn), 0);
  const plain = costs.cost.reduce((sum, each) => sum + each, 0);
  const turn = (interval * plain) / costs.budget;
  const count = Math.min(slots.time.length, Math.floor((costs.budget * pages) / round(turn)));
  const chosen = Uint32Array.from({ length: Math.max(1, count) }, (_, k) =>
    Math.floor((k * slots.time.length) / Math.max(1, count)),
  );
  return {
    time: Float64Array.from(chosen, (k) => slots.time[k]),
    crawler: Uint32Array.from(chosen, (k) => slots.crawler[k]),
  };
}

/** No slot lies in a window. */
function closedThroughout({ now, interval, availability }: CrawlPlanProblem): PlanConflict {
  const opens = availability?.spans?.[0];
  const when = opens === undefined ? 'they open at no time of it' : `they open first at ${now + opens}`;
  return {
    detail: `no slot of the interval lies in windows (${when}): give more crawls, a longer interval or wider windows`,
    pages: [],
    host: null,
    crawlsNeeded: 1,
    slots: 0,
    by: now + interval,
    page: null,
    possibleBy: null,
    repairs: [],
    repair: 'give more crawls, a longer interval or wider windows',
  };
}

/** What the end of the time left undone: slots not given, the plan to compare with, and pages' figures. */
function stoppedWarnings(schedule: boolean, turns: boolean, notRevised: number): Warning[] {
  const undone = [
    schedule
      ? 'the time limit came before all slots were given: the later ones are empty, and deadlines in them are not kept'
      : '',
    turns ? 'uniformStaleness is that of pages in turn without minInterval, maxInterval and minDelay' : '',
    notRevised > 0
      ? `intervalIfUnchanged and intervalIfChanged of the last ${notRevised} pages are their fetchInterval`
      : '',
  ].filter((part) => part !== '');
  if (undone.length === 0) return [];
  return [{ code: 'stopped-early', detail: `${undone.join('; ')}; raise options.timeLimitMs` }];
}
