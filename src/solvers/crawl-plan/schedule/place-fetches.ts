/** The schedule of a priced plan, by its horizon: for ever, or this interval alone. */
import type { Budget } from '../../budget.ts';
import { exploring, findProbes } from '../beliefs/exploration.ts';
import type { SteadyState } from '../beliefs/steady-state.ts';
import { scheduleInterval } from '../interval/schedule-interval.ts';
import type { CrawlSlots } from '../model/crawl-slots.ts';
import type { CrawlPlanProblem } from '../model/plan-problem.ts';
import type { PricedPlan } from '../priced-plan.ts';
import { type ScheduleProblem, scheduleByIndex } from './index-schedule.ts';
import { Purse } from './purse.ts';

/**
 * The schedule, with the pages fetched for what that teaches and what fetches are expected to cost, where asked for.
 */
export function placeFetches(priced: PricedPlan, budget: Budget) {
  const { problem, slots, age, beliefs, steady, longest } = priced;
  const { costs, exploration, minInterval: least } = problem;
  const price = costs ? steady.pagePrice.map((each, i) => each * costs.cost[i]) : steady.pagePrice;
  const slotGap = problem.interval / slots.time.length;
  const probes =
    exploration === true && beliefs.uncertainty !== null
      ? findProbes(beliefs.uncertainty, { price, age, least, longest, slotGap }, budget)
      : null;
  const purse = purseOf(problem, beliefs.rate, slots, steady);
  const byIndex: ScheduleProblem = {
    model: probes === null ? beliefs.working() : exploring(beliefs.working(), probes),
    slots,
    interval: problem.interval,
    age,
    least,
    deadline: problem.maxInterval,
    cap: longest,
    host: problem.host,
    hostDelay: problem.hostDelay,
    hostRate: problem.hostRate,
    availability: problem.availability,
    price: steady.typicalPrice,
    shortInterval: shortInterval(steady, longest),
    purse,
  };
  const placed =
    problem.horizon === 'interval'
      ? scheduleInterval(priced, byIndex, budget)
      : { ...scheduleByIndex(byIndex, budget), bound: 0 };
  return { ...placed, probed: probes?.pages ?? null, spent: purse?.purse.spent ?? null };
}

/** What the schedule may spend, and which share of the slots that is likely to be. */
function purseOf({ costs, interval }: CrawlPlanProblem, rate: Float64Array, slots: CrawlSlots, steady: SteadyState) {
  if (costs === undefined) return undefined;
  const fetches = steady.fetchInterval.reduce((sum, each) => sum + interval / each, 0);
  return { purse: new Purse(costs, rate, slots.time.length), share: Math.min(1, fetches / slots.time.length) };
}

/** A fetch interval that only one page in a thousand is fetched more often than. */
function shortInterval({ fetchInterval }: SteadyState, longest: Float64Array): number {
  const shortest = fetchInterval.map((value, i) => Math.min(value, longest[i])).sort();
  return shortest[Math.floor(shortest.length / 1000)];
}
