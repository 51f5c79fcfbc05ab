/**
 * One price for all pages: the intervals a budget can keep up for ever.
 *
 * At a price μ a fetch, page i is fetched every a_i(μ) = clamp(interval at μ, least_i, longest_i); Σ 1/a_i = budget
 * fixes μ. Pages of a host that asks for a delay between two fetches share at most 1/delay fetches a second: where
 * they would want more, the host gets a price of its own, higher than the others'.
 * Method: Σ_hosts min(limit, Σ 1/a_i(μ)) falls with μ: bisection on ln μ, then one bisection a limited host.
 * Complexity: pages × some 40 prices, one inversion each. Stopping rule: ln μ to 1e−9.
 */
import type { Budget } from '../budget.ts';
import { NothingToReturn } from '../budget.ts';
import type { RefreshModel } from './refresh-model.ts';

export interface SteadyProblem {
  readonly model: RefreshModel;
  /** Least and longest time between two fetches of a page; Infinity for no limit. */
  readonly least: Float64Array;
  readonly longest: Float64Array;
  /** Fetches a second. */
  readonly budget: number;
  /** Host of each page, −1 for none; seconds between two fetches of a host. */
  readonly host: Int32Array;
  readonly hostDelay: Float64Array;
}

export interface SteadyState {
  /** Seconds between two fetches; Infinity for a page that gets none. */
  readonly interval: Float64Array;
  /** μ: what one more fetch is worth, in weighted seconds of freshness. */
  readonly price: number;
  /** The price each page meets: its host's where that is limited. */
  readonly pagePrice: Float64Array;
}

export function steadyState(problem: SteadyProblem, budget: Budget): SteadyState {
  const { model, least, longest, host, hostDelay } = problem;
  const pages = model.pages;
  const interval = new Float64Array(pages);
  const hosts = hostDelay.length;
  const byHost = new Float64Array(hosts);
  const intervalOf = (i: number, price: number): number =>
    Math.min(longest[i], Math.max(least[i], model.intervalAt(i, price)));
  const spent = (price: number): number => {
    if (budget.stopRequested()) throw new NothingToReturn('stopped while looking for the price of a fetch');
    byHost.fill(0);
    let total = 0;
    for (let i = 0; i < pages; i++) {
      interval[i] = intervalOf(i, price);
      const frequency = 1 / interval[i];
      if (host[i] >= 0 && hostDelay[host[i]] > 0) byHost[host[i]] += frequency;
      else total += frequency;
    }
    for (let h = 0; h < hosts; h++) if (hostDelay[h] > 0) total += Math.min(1 / hostDelay[h], byHost[h]);
    return total;
  };
  const price = fallingRoot((at) => spent(at) - problem.budget, typicalPrice(model));
  spent(price);
  const pagePrice = new Float64Array(pages).fill(price);
  const limited = Int32Array.from(byHost.keys()).filter((h) => hostDelay[h] > 0 && byHost[h] * hostDelay[h] > 1 + 1e-9);
  if (limited.length > 0) {
    const members = new Map<number, number[]>(Array.from(limited, (h) => [h, []]));
    for (let i = 0; i < pages; i++) members.get(host[i])?.push(i);
    for (const [h, list] of members) {
      const want = (at: number): number => list.reduce((sum, i) => sum + 1 / intervalOf(i, at), 0) - 1 / hostDelay[h];
      const own = fallingRoot(want, price);
      for (const i of list) {
        pagePrice[i] = own;
        interval[i] = intervalOf(i, own);
      }
    }
  }
  return { interval, price, pagePrice };
}

function typicalPrice(model: RefreshModel): number {
  let sum = 0;
  for (let i = 0; i < model.pages; i++) sum += model.worth(i, Number.POSITIVE_INFINITY);
  return sum > 0 ? sum / model.pages : 1;
}

/** The root of a falling function of the price, to 1e−9 in its logarithm; an end of the range where it has none. */
function fallingRoot(excess: (price: number) => number, start: number): number {
  const middle = Math.log(start);
  let low = middle;
  let high = middle;
  for (let step = 1; step < 300 && excess(Math.exp(high)) > 0; step *= 2) {
    low = high;
    high += step;
  }
  if (high === middle)
    for (let step = 1; step < 300 && excess(Math.exp(low)) <= 0; step *= 2) {
      high = low;
      low -= step;
    }
  while (high - low > 1e-9) {
    const at = 0.5 * (low + high);
    if (excess(Math.exp(at)) > 0) low = at;
    else high = at;
  }
  return Math.exp(high);
}
