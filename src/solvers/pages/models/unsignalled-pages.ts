/**
 * Pages without signals, whose change rates are known, or believed from their checks alone.
 *
 * In both cases c rises with the age, C is convex, and a fetch is due when w·V reaches the price. For a known rate c, C
 * and V are the closed forms of the objective, for a belief their means over the belief (pages/evidence).
 */

import {
  type ExpectedCost,
  expectedCost,
  ifChanged,
  ifUnchanged,
  type RateBeliefs,
  RevisedBelief,
} from '../evidence/index.ts';
import { infiniteTime, isNever } from '../never.ts';
import { freshness, type StalenessCost } from '../objectives/index.ts';
import type { PageModel, RateEstimates } from './page-model.ts';

export interface PlainTerms {
  readonly weight: Float64Array;
  readonly objective: StalenessCost;
  /** Age, in seconds, that stands for that of a page never fetched. */
  readonly unseenAge: number;
}

/** Costs of copies: exact for pages of known rate, averaged over the belief for all others. */
function costOfCopies(objective: StalenessCost, { rate, isKnown, beliefs }: RateEstimates): ExpectedCost {
  const exactCost: ExpectedCost = {
    cost: (i, age) => objective.cost(rate[i], age),
    integral: (i, age) => objective.integral(rate[i], age),
    worth: (i, age) => objective.worth(rate[i], 1, age),
    intervalAt: (i, target) => objective.intervalAt(rate[i], 1, target),
  };
  return beliefs === null ? exactCost : mixedCost(isKnown, exactCost, expectedCost(objective, beliefs));
}

function mixedCost(isKnown: Uint8Array, exactCost: ExpectedCost, believedCost: ExpectedCost): ExpectedCost {
  const of = (i: number): ExpectedCost => (isKnown[i] === 1 ? exactCost : believedCost);
  return {
    cost: (i, age) => of(i).cost(i, age),
    integral: (i, age) => of(i).integral(i, age),
    worth: (i, age) => of(i).worth(i, age),
    intervalAt: (i, ...terms) => of(i).intervalAt(i, ...terms),
  };
}

export function pagesWithoutSignals(rates: RateEstimates, { weight, objective, unseenAge }: PlainTerms): PageModel {
  const copies = costOfCopies(objective, rates);
  const stale = objective === freshness ? copies : costOfCopies(freshness, rates);
  const worth = (i: number, age: number): number => (weight[i] > 0 ? weight[i] * copies.worth(i, age) : 0);
  // cache of one price a page: market, probes, bound and answer evaluate the same price
  const [lastPrice, lastInterval] = [new Float64Array(weight.length), new Float64Array(weight.length)];
  const intervalAt = (i: number, price: number): number => {
    // a page of weight 0 is not fetched, not even at a price of 0
    if (!(weight[i] > 0)) return infiniteTime;
    if (price !== lastPrice[i]) [lastPrice[i], lastInterval[i]] = [price, copies.intervalAt(i, price / weight[i])];
    return lastInterval[i];
  };
  const nextBelief = rates.beliefs === null ? null : new NextBelief(rates.beliefs, objective);
  return {
    pages: weight.length,
    worth: (i, age) => worth(i, isNever(age) ? unseenAge : age),
    ceiling: worth,
    intervalAt,
    ageAt: (i, price) => (weight[i] > 0 ? copies.intervalAt(i, price / weight[i]) : infiniteTime),
    staleTime: (i, from, to) => stale.integral(i, to) - stale.integral(i, from),
    costTime: objective === freshness ? null : (i, from, to) => copies.integral(i, to) - copies.integral(i, from),
    recordFetch: () => {},
    intervalAfter(i, age, price) {
      const now = intervalAt(i, price);
      const isKnown = nextBelief === null || rates.isKnown[i] === 1;
      if (isKnown || !(weight[i] > 0) || isNever(age)) return [now, now];
      return nextBelief.intervals(i, age, { target: price / weight[i], now });
    },
    longRunCost: (i, interval) => copies.integral(i, interval) / interval,
    minCostRate(i, price, shortest, longest) {
      const gap = Math.min(longest, Math.max(shortest, intervalAt(i, price)));
      // a page never fetched again costs its weight under freshness; under other objectives only 0 is a known bound
      if (isNever(gap)) return objective === freshness ? weight[i] : 0;
      return gap > 0 ? (weight[i] * copies.integral(i, gap) + price) / gap : 0;
    },
  };
}

/** The fetch intervals of a page after one more check, by its outcome. */
class NextBelief {
  readonly #revisedBelief: RevisedBelief;
  readonly #cost: ExpectedCost;

  constructor(beliefs: RateBeliefs, objective: StalenessCost) {
    this.#revisedBelief = new RevisedBelief(beliefs);
    this.#cost = expectedCost(objective, this.#revisedBelief.beliefs);
  }

  /** @param now the interval under the present belief */
  intervals(i: number, age: number, { target, now }: { readonly target: number; readonly now: number }) {
    this.#revisedBelief.check(i, age);
    const intervalAfter = (outcome: number): number => this.#cost.intervalAt(outcome, target, now);
    return [intervalAfter(ifUnchanged), intervalAfter(ifChanged)] as const;
  }
}
