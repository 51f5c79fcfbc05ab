/**
 * The answer of `crawl-plan` in the form of the contract: the plan of a given number of fetches (plan-crawls.ts), or
 * the fewest fetches that keep a target, with their plan (target/solve-target.ts).
 */
import type { Budget } from '../budget.ts';
import { type MeasureTarget, measuredCurve, measureOf } from '../pages/targets/index.ts';
import { planCrawls } from './plan-crawls.ts';
import type { CrawlPlan, CrawlPlanProblem, PlanConflict } from './problem.ts';
import { solvePlanCurve, solvePlanTarget } from './target/solve-target.ts';

export interface CrawlPlanQuestion {
  readonly problem: CrawlPlanProblem;
  /** Time zone in which conflicts give times, beside epoch seconds. */
  readonly timeZone: string;
  /** The target that replaces the number of crawls; null: the problem has slots. */
  readonly target: MeasureTarget | null;
  /** Whether to return the trade-off of crawls against the measure. */
  readonly curve: boolean;
}

/**
 * @throws NothingToReturn when the budget ends before the price of a fetch is known
 * @throws ConditionNotMet where more crawls are needed than an interval may have
 * @internal
 */
export function solveCrawlPlan(question: CrawlPlanQuestion, budget: Budget) {
  const { problem, target, curve } = question;
  if (target !== null) return fewestFetches(question, target, budget);
  const answer = planCrawls(problem, budget);
  const statistics = { solver: 'index-rule', ...sizesOf(problem) };
  if (answer.status === 'infeasible') {
    return { status: answer.status, conflict: conflictOf(answer.conflict, question), statistics };
  }
  const { status, objective, longRun, keepingAll, plan, warnings } = answer;
  return {
    status,
    objective,
    solution: solutionOf(plan),
    supplement: {
      longRun,
      ...(keepingAll !== null && { keepingAll }),
      ...baselinesOf(plan),
      ...(curve && { curve: curveOf(problem, budget) }),
    },
    warnings,
    statistics: { ...statistics, crawls: plan.slotTime.length },
  };
}

const baselinesOf = ({ uniformObjective: uniform }: CrawlPlan) => uniform !== null && { baselines: { uniform } };

const sizesOf = ({ weight, history }: CrawlPlanProblem) => ({ pages: weight.length, checks: history.elapsed.length });

/** The fewest fetches that keep the target, and their plan. */
function fewestFetches(question: CrawlPlanQuestion, target: MeasureTarget, budget: Budget) {
  const { problem, curve } = question;
  const statistics = { solver: 'clearing-price', ...sizesOf(problem) };
  const fewest = solvePlanTarget({ problem, target, curve }, budget);
  if (fewest.status === 'missed') return { status: 'infeasible' as const, conflict: fewest.conflict, statistics };
  const { plan: answer, fewestCrawls, crawlRate, target: scaledTarget } = fewest;
  if (answer.status === 'infeasible') {
    return { status: answer.status, conflict: conflictOf(answer.conflict, question), statistics };
  }
  const { plan } = answer;
  return {
    status: fewestCrawls.gap === 0 ? ('optimal' as const) : ('feasible' as const),
    objective: fewestCrawls,
    solution: { crawls: fewestCrawls.value, crawlRate, ...solutionOf(plan) },
    supplement: {
      longRun: answer.longRun,
      ...baselinesOf(plan),
      ...(fewest.curve.length > 0 && {
        curve: measuredCurve(fewest.curve, { ...scaledTarget, perCrawl: problem.interval }),
      }),
    },
    // if no fetch is needed, warnings of pages without a fetch do not apply
    warnings: fewestCrawls.value > 0 ? answer.warnings : [],
    statistics: { ...statistics, crawls: plan.slotTime.length },
  };
}

/** The curve of a plan whose crawls are given. */
function curveOf(problem: CrawlPlanProblem, budget: Budget) {
  const { scale, curve } = solvePlanCurve(problem, budget);
  return measuredCurve(curve, {
    measure: measureOf(problem.objective ?? 'freshness'),
    scale,
    perCrawl: problem.interval,
  });
}

function conflictOf(conflict: PlanConflict, { timeZone }: CrawlPlanQuestion) {
  const { by, possibleBy } = conflict;
  return {
    ...conflict,
    byLocal: localTime(by, timeZone),
    possibleByLocal: possibleBy === null ? null : localTime(possibleBy, timeZone),
  };
}

/** A time in a time zone: `2026-03-29 03:00:00 Europe/Berlin`. @param time epoch seconds */
function localTime(time: number, timeZone: string): string {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return `${clock.format(new Date(1000 * time))} ${timeZone}`;
}

function solutionOf(plan: CrawlPlan) {
  return {
    pages: {
      changeRate: plan.changeRate,
      changeRateInterval: { low: plan.changeRateLow, high: plan.changeRateHigh },
      crawls: plan.crawls,
      fetchInterval: plan.fetchInterval,
      intervalIfUnchanged: plan.intervalIfUnchanged,
      intervalIfChanged: plan.intervalIfChanged,
      nextFetch: plan.nextFetch,
      staleness: plan.staleness,
      meanDelay: plan.meanDelay,
    },
    schedule: { time: plan.slotTime, crawler: plan.slotCrawler, page: plan.slotPage },
    shadowPrice: plan.shadowPrice,
    withoutCrawl: plan.withoutCrawl,
    probed: plan.probed,
    givenUp: plan.givenUp,
    idleSlots: plan.idleSlots,
  };
}
