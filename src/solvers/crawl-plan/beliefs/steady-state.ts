/**
 * One price for all pages: the intervals a budget can keep up for ever.
 *
 * At a price μ a fetch, page i is fetched every a_i(μ) = clamp(interval at μ, least_i, longest_i); Σ 1/a_i = budget
 * fixes μ. Pages of a host that asks for a delay between two fetches share at most 1/delay fetches a second: where
 * they would want more, the host gets a price of its own, higher than the others'.
 * Method: Σ_hosts min(limit, Σ 1/a_i(μ)) falls with μ: one root in ln μ, then one more a limited host.
 * Complexity: pages × some 5 prices, one inversion each, after 15 on a sample of 16,384. Stopping rule: ln μ to 1e−9.
 */
import type { Budget } from '../../budget.ts';
import { NothingToReturn } from '../../budget.ts';
import type { RefreshModel } from './refresh-model.ts';

/** Pages on which a first price is found, where there are many more. */
const largestSample = 16_384;

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
  /** What a fetch goes for on average, and above 0 always: a scale for comparing worths. */
  readonly typicalPrice: number;
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
  let start = typicalWorth(model);
  let step = 1;
  if (pages > 2 * largestSample) {
    const stride = Math.ceil(pages / largestSample);
    const sampled = (price: number): number => {
      let total = 0;
      for (let i = 0; i < pages; i += stride) total += stride / intervalOf(i, price);
      return total;
    };
    start = priceFor(problem.budget, sampled, start, step).high || start;
    step = 0.02;
  }
  const { low, high: price } = priceFor(problem.budget, spent, start, step);
  const left = problem.budget - spent(price);
  if (low < price && left > 0) {
    // Near the price at which a page gets its first fetch, its frequency moves by more than any price resolves: pages
    // take what is left in the proportions between the two prices, a billionth apart, that bracket the budget.
    const atPrice = Float64Array.from(interval);
    const share = Math.min(1, left / (spent(low) - problem.budget + left));
    for (let i = 0; i < pages; i++) interval[i] = 1 / ((1 - share) / atPrice[i] + share / interval[i]);
  }
  const pagePrice = new Float64Array(pages).fill(price);
  const limited = Int32Array.from(byHost.keys()).filter((h) => hostDelay[h] > 0 && byHost[h] * hostDelay[h] > 1 + 1e-9);
  if (limited.length > 0) {
    const members = new Map<number, number[]>(Array.from(limited, (h) => [h, []]));
    for (let i = 0; i < pages; i++) members.get(host[i])?.push(i);
    for (const [h, list] of members) {
      const wanted = (at: number): number => list.reduce((sum, i) => sum + 1 / intervalOf(i, at), 0);
      const own = priceFor(1 / hostDelay[h], wanted, price, 1).high;
      for (const i of list) {
        pagePrice[i] = own;
        interval[i] = intervalOf(i, own);
      }
    }
  }
  return { interval, price, pagePrice, typicalPrice: averagePrice(interval, pagePrice, typicalWorth(model)) };
}

/** The mean price over all fetches, at least a billionth of a typical page's worth. */
function averagePrice(interval: Float64Array, pagePrice: Float64Array, worth: number): number {
  let paid = 0;
  let fetches = 0;
  for (let i = 0; i < interval.length; i++) {
    if (!(interval[i] > 0)) continue;
    paid += pagePrice[i] / interval[i];
    fetches += 1 / interval[i];
  }
  return Math.max(fetches > 0 ? paid / fetches : 0, 1e-9 * worth);
}

function typicalWorth(model: RefreshModel): number {
  let sum = 0;
  for (let i = 0; i < model.pages; i++) sum += model.worth(i, Number.POSITIVE_INFINITY);
  return sum > 0 ? sum / model.pages : 1;
}

/** The price lies between: at `high` no more than the target is spent. */
interface PriceBracket {
  readonly low: number;
  readonly high: number;
}

/**
 * The price at which a falling, positive function of it meets a target: bracketed secant (Illinois) on the two logarithms, in
 * which the function is nearly straight, to 1e−9 in either. 0 where no price is low enough: limits leave fetches over.
 */
function priceFor(target: number, spent: (price: number) => number, start: number, firstStep: number): PriceBracket {
  const excess = (at: number): number => Math.log(spent(Math.exp(at)) / target);
  const middle = Math.log(start);
  let low = middle;
  let high = middle;
  let lowExcess = excess(middle);
  let highExcess = lowExcess;
  for (let step = firstStep; step < 300 && highExcess > 0; step *= 2) {
    low = high;
    lowExcess = highExcess;
    high += step;
    highExcess = excess(high);
  }
  for (let step = firstStep; step < 300 && lowExcess <= 0; step *= 2) {
    high = low;
    highExcess = lowExcess;
    low -= step;
    lowExcess = excess(low);
  }
  if (highExcess > 0) return { low: Math.exp(high), high: Math.exp(high) };
  if (lowExcess <= 0) return { low: 0, high: 0 };
  let side = 0;
  let weightLow = lowExcess;
  let weightHigh = highExcess;
  for (let iteration = 0; iteration < 100 && high - low > 1e-9; iteration++) {
    const secant = low + ((high - low) * weightLow) / (weightLow - weightHigh);
    const at = iteration % 5 < 4 && secant > low && secant < high ? secant : 0.5 * (low + high);
    const now = excess(at);
    if (Math.abs(now) <= 1e-9) return { low: Math.exp(at), high: Math.exp(at) };
    if (now > 0) {
      low = at;
      weightLow = now;
      if (side === 1) weightHigh *= 0.5;
      side = 1;
    } else {
      high = at;
      weightHigh = now;
      if (side === -1) weightLow *= 0.5;
      side = -1;
    }
  }
  return { low: Math.exp(low), high: Math.exp(high) };
}
