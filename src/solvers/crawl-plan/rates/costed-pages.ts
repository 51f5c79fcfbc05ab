/**
 * Pages whose fetches cost differently: worth and price by unit of cost.
 *
 * A fetch at age a costs κ(a) = k₀ + k₁P(a), P the chance that it finds a change, P(a) = 1 − e^{−λa} at the page's
 * rate. The least of (w·C(a) + μκ(a))/a fetches where w·V(a) = μ(κ − aκ′) = μ(k₀ + k₁G(λa)), G(y) = 1 − (1 + y)e^{−y}:
 * so the index is w·V(a)/(k₀ + k₁G(λa)). Under freshness at a known rate, where V = G/λ, that is the plain rule with
 * the weight w − μk₁λ. With signals (signals/signal-cycle.ts) as many fetches find a change as changes happen to fresh
 * copies, which gives the same.
 * Complexity: as of the plain model; some ten worths more where a change costs and the objective is not freshness.
 */

import { findRoot } from '../../numerics/search/root.ts';
import { freshnessGain } from '../../pages/objectives/index.ts';
import type { FetchCosts } from '../problem.ts';
import type { PageModel } from './page-model.ts';

/** What is known of the pages besides. */
export interface CostedPages {
  readonly weight: Float64Array;
  readonly rate: Float64Array;
  /** Of each copy at the start, as fetches are paid for; Infinity for never fetched. */
  readonly age: Float64Array;
  /** Whether worth is w·G(λa)/λ of the one rate, or the index of signals at it. */
  readonly closedForm: (page: number) => boolean;
  /** Whether signals say when it is fetched, so that its gaps are of no one length. */
  readonly signalled: (page: number) => boolean;
}

export function costedPages(plain: PageModel, costs: FetchCosts, pages: CostedPages): PageModel {
  const { cost, ifChanged } = costs;
  const { rate, weight, closedForm } = pages;
  /** k₀ + k₁G(λa). */
  const charged = (i: number, age: number): number =>
    cost[i] +
    (ifChanged[i] > 0 ? ifChanged[i] * (age < Number.POSITIVE_INFINITY ? freshnessGain(rate[i] * age) : 1) : 0);
  type When = (page: number, price: number) => number;
  const ageBy = (when: When, i: number, price: number): number => {
    if (!(ifChanged[i] > 0)) return when(i, price * cost[i]);
    if (closedForm(i)) {
      const left = weight[i] - price * ifChanged[i] * rate[i];
      return left > 0 ? when(i, (price * cost[i] * weight[i]) / left) : Number.POSITIVE_INFINITY;
    }
    const first = when(i, price * cost[i]);
    const last = when(i, price * (cost[i] + ifChanged[i]));
    if (first === Number.POSITIVE_INFINITY || first === last) return first;
    const short = (age: number): number => plain.worth(i, age) - price * charged(i, age);
    let high = Math.min(last, 2 * first);
    while (short(high) < 0 && high < last) high = Math.min(last, 2 * high);
    if (high === Number.POSITIVE_INFINITY || short(high) < 0) return high;
    return findRoot(short, first, high, 1e-12 * high);
  };
  return {
    ...plain,
    worth: (i, age) => plain.worth(i, age) / charged(i, age),
    ceiling: (i, age) => plain.ceiling(i, age) / cost[i],
    intervalAt: (i, price, longest) => ageBy((page, own) => plain.intervalAt(page, own, longest), i, price),
    ageAt: (i, price) => ageBy((page, own) => plain.ageAt(page, own), i, price),
    intervalAfter: (i, age, price) => {
      // by the weight and cost of now: what the check teaches of the rate moves the interval more than the cost
      const own = ifChanged[i] > 0 ? charged(i, plain.intervalAt(i, price * cost[i])) : cost[i];
      return plain.intervalAfter(i, age, price * own);
    },
  };
}
