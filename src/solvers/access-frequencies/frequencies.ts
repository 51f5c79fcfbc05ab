/**
 * Long-run frequencies of the accesses of one crawler, with their exact cost under a policy.
 *
 * Model: one crawler accesses pages one after the other; an access takes a time X. Page i changes at Poisson rate μ_i,
 * and is stale from its first change until its next access ends. Minimise Σ c_i r_i(x_i) over shares x_i ≥ m of all
 * accesses, Σ x_i = 1. With symbols as in access-pages.ts,
 *
 *   accesses of a page evenly spaced (a bound for any order)   r(x) = 1 − (x/(μ E X))(1 − e^(−L/x)),
 *   every access drawn independently (exact, Lemma 4.1)        r(x) = 1 − (x/(μ E X))·G/(G + x),  G = e^L − 1.
 *
 * Both are convex. At a price λ of a unit of frequency the best x is L/s with a·(1 − (1 + s)e^(−s)) = λ, respectively
 * G(√(a/λ) − 1), and at least m. For a ≤ λ it is m: the derivative at x → 0+ is finite (−a), which the Lagrange
 * conditions of the papers leave out (Liu & Nain 2006, (1.28); Coffman, Liu & Weber 1997, (8)). λ clears the market
 * (market/).
 * Known limits: if pages have frequency 0, the value is an infimum that no policy attains.
 * Source: Coffman, Liu & Weber (1997), Theorems 3.3, 3.4 and 4.1, extended to any weights.
 */
import { type Objective, provedWithin, type Warning, warning } from '../answer.ts';
import { type Budget, unlimitedBudget } from '../budget.ts';
import { clearSupply, costBound, type Demand, type MarketProblem } from '../market/index.ts';
import { changesAtGain } from '../pages/objectives/index.ts';
import { type AccessPages, accessPages, drawnStaleness, staleness } from './access-pages.ts';
import {
  type AccessFrequenciesProblem,
  type MinFrequencyConflict,
  minFrequencyConflict,
  type Policy,
} from './problem.ts';

export interface Frequencies {
  /** x_i ≥ m, summing to 1. */
  readonly frequency: Float64Array;
  /** λ: cost saved by the next unit of frequency. */
  readonly multiplier: number;
  /** Lower bound on the cost of any frequencies. */
  readonly bound: number;
}

export interface AccessFrequencies extends Omit<Frequencies, 'bound'> {
  readonly status: 'optimal' | 'feasible';
  readonly objective: Objective;
  /** r_i. */
  readonly staleness: Float64Array;
  /** Number of pages of frequency 0. */
  readonly starved: number;
  /** E X. */
  readonly meanAccessTime: number;
  readonly warnings: readonly Warning[];
}

export type AccessFrequenciesAnswer =
  | AccessFrequencies
  | { readonly status: 'infeasible'; readonly conflict: MinFrequencyConflict; readonly warnings: readonly Warning[] };

/** Relative gap up to which an answer is called optimal. */
export const optimalGap = 1e-9;
/** Relative tolerance of Σ x, per page, before Σ x is rescaled to 1: the cost exceeds its minimum by about its square. */
const sumTolerance = 1e-14;
/** Cap on a load L in e^L − 1, which overflows above 709; e^(−600) is negligible in any cost. */
const maxLoad = 600;
/** Veltkamp splitter: rounds gains to 46 bits, so that pages whose gains differ by rounding get equal frequencies. */
const split = 2 ** 7 + 1;

/**
 * The frequencies of least cost under a policy, or the conflict of a minimum frequency.
 *
 * @throws ConditionNotMet where the load or the gain of a page is out of range
 * @throws NothingToReturn when the budget ends first
 */
export function solveFrequencies(problem: AccessFrequenciesProblem, budget: Budget): AccessFrequenciesAnswer {
  const { accessTime, changeRate, weight, policy, minFrequency, place } = problem;
  const conflict = minFrequencyConflict(minFrequency, changeRate.length);
  if (conflict !== null) return { status: 'infeasible', conflict, warnings: [] };
  const pages = accessPages(accessTime, changeRate, weight, place, budget);
  const { frequency, multiplier, bound } = optimalFrequencies(pages, policy, minFrequency, budget);
  const stale = pageStaleness(pages, policy, frequency);
  let cost = 0;
  let starved = 0;
  for (let i = 0; i < frequency.length; i++) {
    cost += weight[i] * stale[i];
    if (frequency[i] === 0) starved++;
  }
  return {
    ...provedWithin(optimalGap, cost, Math.min(cost, bound)),
    frequency,
    staleness: stale,
    multiplier,
    starved,
    meanAccessTime: pages.meanAccessTime,
    warnings: zeroFrequencyWarnings(
      starved,
      'an access is worth more elsewhere, and such a page stays stale for ever. The objective counts it as stale. To access every page, set minFrequency',
    ),
  };
}

/** r_i of every page at the given frequencies. */
export function pageStaleness(pages: AccessPages, policy: Policy, frequency: Float64Array): Float64Array {
  const own = policy === 'deterministic' ? spacedStaleness : drawnStaleness;
  return frequency.map((x, i) => own(pages, i, x));
}

const spacedStaleness = (pages: AccessPages, i: number, x: number): number =>
  x > 0 ? staleness(pages, i, pages.load[i] / x) : 1;

/**
 * The demand of the pages for accesses at a price, each frequency within [minimum, maximum].
 *
 * @param bounds the maximum is 1 where one crawler makes all accesses of a page, Infinity for no limit
 */
export function demandOf(
  pages: AccessPages,
  policy: Policy,
  [minimum, maximum]: readonly [number, number],
): Demand & { readonly start: number } {
  const { length, load, weight } = pages;
  const isEven = policy === 'deterministic';
  const own = isEven ? spacedStaleness : drawnStaleness;
  const gain = pages.gain.map((a) => split * a - (split * a - a));
  const growth = isEven ? load : load.map((each) => Math.expm1(Math.min(each, maxLoad)));
  // rough price at which every page is accessed about as often as it changes
  const start = (0.2 * gain.reduce((sum, each) => sum + each, 0)) / length;
  return {
    pages: length,
    start: start > 0 ? start : 1,
    fetchesAt(i, price) {
      const a = gain[i];
      if (!(a > price)) return minimum;
      const x = isEven ? load[i] / changesAtGain(price / a, (a - price) / a) : growth[i] * (Math.sqrt(a / price) - 1);
      return Math.min(maximum, Math.max(minimum, x));
    },
    costOf: (i, x) => weight[i] * own(pages, i, x),
  };
}

/**
 * The frequencies of least cost. O(N) a price, 3 to 40 prices.
 *
 * @param pages at least one
 * @param minimum m, 0 ≤ m·N ≤ 1
 * @throws NothingToReturn when the budget ends first
 */
export function optimalFrequencies(
  pages: AccessPages,
  policy: Policy,
  minimum: number,
  budget: Budget = unlimitedBudget(),
): Frequencies {
  const { length, load } = pages;
  const highest = pages.gain.reduce((largest, a) => Math.max(largest, a), 0);
  const room = Math.max(0, 1 - minimum * length);
  if (room === 0 || highest === 0) {
    // the minimum takes all accesses, or no page has a weight: share what remains in proportion to the loads
    const total = load.reduce((sum, each) => sum + each, 0);
    const frequency = load.map((each) => (room === 0 ? 1 / length : minimum + (room * each) / total));
    let bound = 0;
    const { costOf } = demandOf(pages, policy, [minimum, Number.POSITIVE_INFINITY]);
    for (let i = 0; i < length; i++) bound += costOf(i, frequency[i]);
    return { frequency, multiplier: 0, bound };
  }
  const demand = demandOf(pages, policy, [minimum, Number.POSITIVE_INFINITY]);
  const market: MarketProblem = {
    demand,
    hosts: null,
    start: demand.start,
    ceiling: highest,
    tolerance: sumTolerance * length,
    budget,
  };
  const clearing = clearSupply(market, 1);
  const frequency = clearing.fetches;
  // rescale: the sum is off 1 by the tolerance
  let excess = 0;
  for (const x of frequency) excess += x - minimum;
  for (let i = 0; i < length; i++) {
    // if the minimum leaves less than the tolerance of the market, the remainder is shared evenly
    frequency[i] = minimum + (excess > 0 ? (frequency[i] - minimum) * (room / excess) : room / length);
  }
  return { frequency, multiplier: clearing.price, bound: costBound(market, clearing, 1) };
}

/** The warning of pages of frequency 0, whose cost is an infimum that no policy attains. */
export function zeroFrequencyWarnings(starvedCount: number, consequence: string): Warning[] {
  const pages = starvedCount === 1 ? '1 page gets' : `${starvedCount} pages get`;
  return starvedCount > 0 ? [warning('zero-frequency-pages', `${pages} frequency 0: ${consequence}`)] : [];
}
