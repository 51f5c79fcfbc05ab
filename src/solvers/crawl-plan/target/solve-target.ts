/**
 * The fewest fetches that keep a target, and their plan.
 *
 * 1. The rates of the pages, known or believed, as for a given number of crawls (evidence.ts).
 * 2. The fewest fetches a second in the long run, with a lower bound (needed-rate.ts).
 * 3. The plan with this number of crawls in the interval, rounded up (plan-crawls.ts); more crawls if the longest
 *    intervals of pages that are overdue at the start need them.
 * The target is kept in the long run: by the ages of copies at the start the first interval may be better or worse.
 */
import { type Objective, objective } from '../../answer.ts';
import type { Budget } from '../../budget.ts';
import { ConditionNotMet } from '../../condition.ts';
import type { CurvePoint, InfeasibleTarget } from '../../market/index.ts';
import { pagesByEvidence } from '../../pages/models/index.ts';
import { type BindingLimit, bindingHosts, type MeasureTarget, targetConflict } from '../../pages/targets/index.ts';
import { pageRates } from '../evidence.ts';
import { maxPlanCrawls, meanHostDelay, openShare, openSlots, slotsNeeded, withFeedWindows } from '../limits.ts';
import { planCrawls } from '../plan-crawls.ts';
import { agesOf, type CrawlPlanAnswer, type CrawlPlanProblem, roundoff } from '../problem.ts';
import { closedTimes } from './closed-times.ts';
import { longestIntervals, neededRate, pageScale, planCurve, scaledTarget, type TargetedPages } from './needed-rate.ts';

interface PlanTargetProblem {
  /** The problem; its slots are not read. */
  readonly problem: CrawlPlanProblem;
  readonly target: MeasureTarget;
  readonly curve: boolean;
}

type PlanTargetAnswer =
  | {
      readonly status: 'planned';
      /** The target with the sum of the pages' scales, by their estimated rates. */
      readonly target: MeasureTarget;
      readonly plan: CrawlPlanAnswer;
      /** Whole crawls in the interval, with the bound of the long run. */
      readonly fewestCrawls: Objective;
      /** Crawls a second, before rounding up. */
      readonly crawlRate: number;
      readonly curve: readonly CurvePoint[];
    }
  | { readonly status: 'missed'; readonly conflict: ReturnType<typeof targetConflict> };

/**
 * @throws NothingToReturn when the budget ends before the price of a fetch is known
 * @throws ConditionNotMet where more crawls are needed than an interval may have
 */
export function solvePlanTarget(
  { problem: input, target: request, curve }: PlanTargetProblem,
  budget: Budget,
): PlanTargetAnswer {
  const age = agesOf(input);
  const rates = pageRates(input, budget);
  const problem = withFeedWindows(input, rates.rate, budget);
  const pages = targetedPages(problem, rates.rate, pagesByEvidence(problem, rates, age).now);
  const target = scaledTarget(pages, request);
  const minRate = neededRate(pages, target, budget);
  if ('minCost' in minRate) {
    return { status: 'missed', conflict: targetConflict(target, minRate.minCost, bindingLimits(pages, minRate)) };
  }
  const { clearing, bound, longest } = minRate;
  const exactCrawls = clearing.total * problem.interval;
  const crawls = Math.max(0, Math.ceil(exactCrawls - roundoff * Math.max(1, exactCrawls)));
  const slots = Math.ceil(crawls / openShare(problem));
  if (!(slots <= maxPlanCrawls)) {
    const message = `takes ${crawls} crawls in the interval, more than ${maxPlanCrawls}: plan a shorter interval`;
    throw new ConditionNotMet(['target'], 'out-of-range', message);
  }
  const isPriced = clearing.price > 0 && clearing.price < Number.POSITIVE_INFINITY;
  const warmStart = isPriced ? { price: clearing.price, host: clearing.hostPrice } : undefined;
  const sizedProblem = { ...problem, slotsByCrawler: Uint32Array.of(slots) };
  let plan = planCrawls(sizedProblem, budget, { rates, warmStart });
  const search = { problem: sizedProblem, slots: openSlots(sizedProblem), age };
  const requiredSlots =
    plan.status === 'infeasible' && plan.conflict.host === null ? slotsNeeded(search, budget) : null;
  if (requiredSlots !== null)
    plan = planCrawls({ ...problem, slotsByCrawler: Uint32Array.of(requiredSlots) }, budget, { rates });
  const minCrawls = Math.min(crawls, Math.ceil(bound * problem.interval * (1 - roundoff)));
  return {
    status: 'planned',
    target,
    plan,
    fewestCrawls: objective(crawls, minCrawls),
    crawlRate: clearing.total,
    curve: curve && clearing.total > 0 ? planCurve(pages, longest, clearing.total, budget) : [],
  };
}

const targetedPages = (
  problem: CrawlPlanProblem,
  rate: Float64Array,
  model: TargetedPages['model'],
): TargetedPages => ({ problem, model, rate, hostDelay: meanHostDelay(problem), closed: closedTimes(problem) });

/** The limits that make a target infeasible, each with the saving by one more fetch, the largest first. */
function bindingLimits({ problem, model, closed }: TargetedPages, { hostPrice }: InfeasibleTarget): BindingLimit[] {
  const { weight, host, hostName, hostDelay, hostRate, minInterval, interval } = problem;
  const byRate = (h: number): boolean => hostRate !== undefined && hostRate[h] * hostDelay[h] < 1;
  const limits = bindingHosts('minDelay', hostName, hostPrice).map((each) =>
    byRate(hostName.indexOf(each.host ?? '')) ? { ...each, limit: 'maxRate' } : each,
  );
  const [gap = 0] = closed;
  let [minIntervalPrice, windowPrice] = [0, 0];
  for (let i = 0; i < weight.length; i++) {
    if (!(weight[i] > 0)) continue;
    const hostLimitPrice = host[i] < 0 ? 0 : hostPrice[host[i]];
    const worth = minInterval[i] > 0 ? model.worth(i, minInterval[i]) : 0;
    if (worth > hostLimitPrice) minIntervalPrice = Math.max(minIntervalPrice, worth);
    // the price of windows: saving by one more fetch in the middle of the longest closed time
    const saving = gap > 0 ? weight[i] * gap * (model.longRunCost(i, gap) - model.longRunCost(i, gap / 2)) : 0;
    if (saving > hostLimitPrice) windowPrice = Math.max(windowPrice, saving);
  }
  if (minIntervalPrice > 0) limits.push({ limit: 'minInterval', price: minIntervalPrice });
  if (windowPrice > 0) limits.push({ limit: 'windows', price: windowPrice });
  return limits.sort((a, b) => b.price - a.price).map((each) => ({ ...each, price: each.price / interval }));
}

/** The trade-off of crawls against cost around the crawls of a problem; points in fetches a second. */
export function solvePlanCurve(
  input: CrawlPlanProblem,
  budget: Budget,
): { readonly scale: number; readonly curve: readonly CurvePoint[] } {
  const rates = pageRates(input, budget);
  const problem = withFeedWindows(input, rates.rate, budget);
  const slots = openSlots(problem);
  const pages = targetedPages(problem, rates.rate, pagesByEvidence(problem, rates, agesOf(problem)).now);
  const crawlRate = slots.time.length / problem.interval;
  const curve = planCurve(pages, longestIntervals(problem, crawlRate), crawlRate, budget);
  const scaleOfPage = pageScale(pages);
  const scale = problem.weight.reduce((sum, _, i) => sum + scaleOfPage(i), 0);
  return { scale, curve };
}
