/**
 * How few fetches keep a target, and the plan that makes them.
 *
 * 1. The pages' rates, known or believed, as in the forward question.
 * 2. needed-rate.ts: the least fetches a second, for ever, and what no fewer can do.
 * 3. The plan of the forward question with as many crawls in the interval, rounded up; more where the longest intervals
 *    of pages that are late already need them.
 * 4. uncertainty.ts: what the rates' intervals do to the number.
 * The target is one of the long run: the copies' ages at the start make the first interval better or worse.
 */
import { objective } from '../../answer.ts';
import type { Budget } from '../../budget.ts';
import { ConditionNotMet } from '../../condition.ts';
import type { AskedTarget, CurvePoint, TargetMet } from '../../pages/targets/index.ts';
import { pageRates } from '../evidence/page-rates.ts';
import { meanHostDelay, openSlots, withFeedWindows } from '../limits/allowed.ts';
import { maxPlanCrawls } from '../limits/conflict-repair.ts';
import type { NearPrices } from '../market/pricing.ts';
import { planFor } from '../plan-crawls.ts';
import { agesOf, type CrawlPlanAnswer, type CrawlPlanProblem } from '../problem.ts';
import { pagesByEvidence } from '../rates/pages-by-evidence.ts';
import { closedTimes } from './closed-times.ts';
import { KeptTarget, nearlyWhole, slotsThatDo, targetedPages, wholeCrawls } from './kept-target.ts';
import { missedBy } from './missed.ts';
import { longestOf, neededRate, pageScale, planCurve, scaledTarget, type TargetedPages } from './needed-rate.ts';
import type { PlanTargetAnswer } from './problem.ts';
import { crawlsInterval } from './uncertainty.ts';

interface PlanTargetProblem {
  /** Its slots are not read. */
  readonly problem: CrawlPlanProblem;
  readonly asked: AskedTarget;
  readonly curve: boolean;
}

/**
 * @throws NothingToReturn when the budget ends before the price of a fetch is known
 * @throws ConditionNotMet where more crawls are needed than an interval may have
 */
export function solvePlanTarget({ problem: given, asked, curve }: PlanTargetProblem, budget: Budget): PlanTargetAnswer {
  const age = agesOf(given);
  const rates = pageRates(given, budget);
  const { pages, open } = targetedPages(given, { age, rates }, budget);
  const { problem } = pages;
  const target = scaledTarget(pages, asked);
  const keeping = new KeptTarget({ given, age, rates }, budget);
  const found = neededRate(pages, target, budget);
  if ('least' in found) {
    return { status: 'missed', asked: target, ...missedBy(pages, target, { missed: found, keeping }, budget) };
  }
  const { met, bound, longest } = found;
  const { crawls, slots } = wholeCrawls(met.total * problem.interval, open);
  if (!(slots <= maxPlanCrawls)) {
    const message = `takes ${crawls} crawls in the interval, more than ${maxPlanCrawls}: plan a shorter interval`;
    throw new ConditionNotMet(['target'], 'out-of-range', message);
  }
  const weight = weightAtPrices(problem.weight, met, target.own);
  const near = pricesFound(met);
  const plan = planWith({ ...problem, weight, slotsByCrawler: Uint32Array.of(slots) }, budget);
  const least = Math.min(crawls, Math.ceil(bound * problem.interval * (1 - nearlyWhole)));
  const ceiling = (i: number): number => {
    const g = target.own?.of[i] ?? -1;
    return g < 0 ? Number.POSITIVE_INFINITY : met.own[g].ceiling;
  };
  return {
    status: 'planned',
    asked: target,
    plan,
    reweighted: weight !== problem.weight,
    needed: {
      objective: objective(crawls, least),
      crawlRate: met.total,
      ...crawlsInterval(pages, rates, met, target, budget),
      met,
      curve: curve && met.total > 0 ? planCurve(pages, longest, met.total, budget, ceiling) : [],
    },
  };

  /** The plan, with more crawls where pages that are late need them at once. */
  function planWith(sized: CrawlPlanProblem, left: Budget): CrawlPlanAnswer {
    const answer = planFor(sized, { age, rates, near }, left);
    if (answer.status !== 'infeasible') return answer;
    const to = slotsThatDo(answer.conflict);
    if (to !== null) return planFor({ ...sized, slotsByCrawler: Uint32Array.of(to) }, { age, rates }, left);
    return { ...answer, conflict: keeping.repairing(answer.conflict, target) };
  }
}

/** A page without a target, where others have one: what it gets is what must be. */
const hardly = 1e-9;

/** The price of all, that at which classes are weighed among them, and of hosts; left out where there is none. */
function pricesFound(met: TargetMet): NearPrices | undefined {
  const price = commonPrice(met);
  return price > 0 && price < Number.POSITIVE_INFINITY ? { price, host: met.hostPrice } : undefined;
}

/** The highest price that is one, where no page pays that of all. */
function commonPrice({ price, own }: TargetMet): number {
  if (price < Number.POSITIVE_INFINITY) return price;
  return own.reduce((most, each) => (each.price < Number.POSITIVE_INFINITY ? Math.max(most, each.price) : most), 0);
}

/** Weights at which one price for all is the price of each class; the weights themselves where none has its own. */
function weightAtPrices(weight: Float64Array, met: TargetMet, groups: AskedTarget['own']): Float64Array {
  const { price, own } = met;
  if (groups === null || own.every((group) => group.price === price)) return weight;
  const common = commonPrice(met);
  const others = price < Number.POSITIVE_INFINITY ? 1 : hardly;
  return weight.map((each, i) => {
    const g = groups.of[i];
    return each * (g >= 0 && own[g].price < Number.POSITIVE_INFINITY ? common / own[g].price : others);
  });
}

/** What crawls buy around those that a problem gives; points in fetches a second. */
export function solvePlanCurve(
  given: CrawlPlanProblem,
  budget: Budget,
): { readonly scale: number; readonly curve: readonly CurvePoint[] } {
  const rates = pageRates(given, budget);
  const problem = withFeedWindows(given, rates.rate, budget);
  const slots = openSlots(problem);
  const model = pagesByEvidence(problem, rates, agesOf(problem)).now;
  const hostDelay = meanHostDelay(problem, slots);
  const pages: TargetedPages = { problem, model, rate: rates.rate, hostDelay, closed: closedTimes(problem) };
  const crawlRate = slots.time.length / problem.interval;
  const curve = planCurve(pages, longestOf(problem, crawlRate), crawlRate, budget);
  const scaleOfPage = pageScale(pages);
  const scale = problem.weight.reduce((sum, _, i) => sum + scaleOfPage(i), 0);
  return { scale, curve };
}
