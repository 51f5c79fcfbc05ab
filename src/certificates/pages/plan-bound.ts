/**
 * Whether the bounds of a plan can be bounds, by code that shares nothing with the planner: free times must not come
 * below them.
 */
import { type Objective, relativeGap } from '../../solvers/answer.ts';
import type { CrawlPlanProblem } from '../../solvers/crawl-plan/problem.ts';
import { costDefinition } from '../../solvers/pages/objectives/cost-definition.ts';
import { ageBySignals } from './signals.ts';

export interface ProvedPlan {
  readonly status: string;
  readonly objective: Objective;
  readonly longRun: Objective | null;
}

/** Up to this many pages × slots the bound of known rates is computed afresh. */
const mostCompared = 2e5;

/**
 * Bounds above their values, gaps that are not theirs; and where all rates are given, a bound above what free times
 * reach.
 */
export function certifyBound(problem: CrawlPlanProblem, answer: ProvedPlan, slots: number): string[] {
  const faults: string[] = [];
  for (const { value, bound, gap } of [answer.objective, ...(answer.longRun === null ? [] : [answer.longRun])]) {
    if (bound === null) continue;
    if (bound > value * (1 + 1e-7)) faults.push(`the bound ${bound} is above the value ${value}`);
    if (gap !== relativeGap(value, bound)) faults.push(`the gap ${gap} is not that of ${value} and ${bound}`);
  }
  const { value, bound, gap } = answer.objective;
  if ((answer.status === 'optimal') !== (gap !== null && gap < 1e-9))
    faults.push(`${answer.status} with a gap of ${gap}`);
  if (bound === null || slots * problem.weight.length > mostCompared) return faults;
  // what a host asks for raises the bound above free times
  if (problem.hostRate !== undefined || problem.availability?.hostSpans.some((spans) => spans !== null)) return faults;
  // so does a price for every moment, which plans have whose fetches are not paid for
  if (problem.planFor === 'interval' || problem.costs === undefined) return faults;
  const delayed = problem.host.some((h) => h >= 0 && problem.hostDelay[h] > 0);
  if (delayed || problem.changeRate.some((rate) => Number.isNaN(rate))) return faults;
  const free = leastWithFreeTimes(problem, slots);
  if (bound > free * (1 + 1e-6) + 1e-9 * value) faults.push(`free times reach ${free}, below the bound ${bound}`);
  return faults;
}

/**
 * A Σ weight·cost that free times reach where rates are given. Fetches are given out one by one, each where it saves
 * most for its cost, as far as slots and budget go. It is the least there is where fetches cost alike.
 */
function leastWithFreeTimes(problem: CrawlPlanProblem, slots: number): number {
  const { weight, costs } = problem;
  const pages = Array.from(weight, (_, i) => freePage(problem, i));
  const given = new Uint32Array(weight.length);
  const cost = pages.map((page) => page.cost(0));
  let left = costs?.spending ?? slots;
  for (let k = 0; k < slots; k++) {
    let best = -1;
    let most = 0;
    for (const [i, page] of pages.entries()) {
      const price = page.spent(given[i] + 1) - page.spent(given[i]);
      const saved = (cost[i] - page.cost(given[i] + 1)) / price;
      if (saved > most && price <= left) [best, most] = [i, saved];
    }
    if (best < 0) break;
    left -= pages[best].spent(given[best] + 1) - pages[best].spent(given[best]);
    cost[best] = pages[best].cost(++given[best]);
  }
  return cost.reduce((sum, value) => sum + value, 0);
}

interface FreePage {
  /** Weighted cost over the interval of so many fetches at even gaps, the first at once where it is overdue. */
  readonly cost: (fetches: number) => number;
  /** What they cost: one each where fetches have no cost. */
  readonly spent: (fetches: number) => number;
}

function freePage(problem: CrawlPlanProblem, i: number): FreePage {
  const { now, interval, lastCrawl, minInterval, objective = 'freshness', costs, signals } = problem;
  const [rate, weight] = [problem.changeRate[i], problem.weight[i]];
  const never = Number.isNaN(lastCrawl[i]);
  const since = Math.max(0, now - lastCrawl[i]);
  const unseen = objective === 'freshness' ? Number.POSITIVE_INFINITY : 0;
  const counts = objective === 'freshness' ? 'staleness' : 'changes';
  const age = never ? unseen : ageBySignals(signals, i, { since, rate }, counts);
  const known = new Map<number, number>();
  const { over } = costDefinition(objective);
  const costOf = (x: number): number => {
    if (x > 1 && (x - 1) * minInterval[i] > interval * (1 + 1e-9)) return Number.POSITIVE_INFINITY;
    if (age === Number.POSITIVE_INFINITY && x === 0) return weight;
    if (x > 0 && x * age > interval) return (weight * x * over(rate, interval / x)) / interval;
    return (weight * ((x + 1) * over(rate, (interval + age) / (x + 1)) - over(rate, age))) / interval;
  };
  return {
    cost(x) {
      const value = known.get(x) ?? costOf(x);
      known.set(x, value);
      return value;
    },
    spent(x) {
      if (costs === undefined || x === 0) return x;
      const price = (gap: number): number => costs.cost[i] + costs.ifChanged[i] * (1 - Math.exp(-rate * gap));
      const overdue = x * age > interval;
      const gap = overdue ? interval / x : (interval + age) / (x + 1);
      const first = never ? costs.cost[i] + costs.ifChanged[i] : price(since + (overdue ? 0 : gap - age));
      return first + (x - 1) * price(gap);
    },
  };
}
