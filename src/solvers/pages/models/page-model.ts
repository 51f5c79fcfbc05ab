/**
 * The interface of a page to a plan, whether its change rate is known, believed, or estimated with signals.
 *
 * Ages are seconds since the page was last fetched; Infinity for a page never fetched. Worth is w·V(age) of the
 * objective (objectives/staleness-cost.ts): under freshness in weighted seconds of freshness.
 */
import type { IndexedPages } from '../../schedule/index.ts';
import type { RateBeliefs } from '../evidence/index.ts';
import type { SignalledHistory } from '../signals/index.ts';

/** Lists by page. */
export interface RateEstimates {
  /** Changes a second: given, of maximum likelihood, or the mean of the belief. */
  readonly rate: Float64Array;
  /** 1 where the rate is given or taken as known. */
  readonly isKnown: Uint8Array;
  /** Beliefs about all pages, also those of known rate; null where all rates are known. */
  readonly beliefs: RateBeliefs | null;
  /** Checks and signals of pages together; null where no page has signals. */
  readonly signalHistory: SignalledHistory | null;
}

export interface PageModel extends IndexedPages {
  /** The limit of the worth as the age tends to the given one; may be Infinity at Infinity. */
  ceiling(page: number, age: number): number;
  /**
   * The mean time between two fetches at a price > 0, in the long run; Infinity for never. Where fetches wait for
   * signals, none is put off beyond `longest`.
   */
  intervalAt(page: number, price: number, longest?: number): number;
  /** ∫ P(changed since the fetch) over the ages from..to: the expected stale time. */
  staleTime(page: number, from: number, to: number): number;
  /**
   * ∫ c over the ages from..to: the expected cost by the objective, before weighting. Null: equal to the stale time.
   */
  readonly costTime: ((page: number, from: number, to: number) => number) | null;
  /** The intervals at a price that follow a check at this age, if the check finds no change, and if it finds one. */
  intervalAfter(page: number, age: number, price: number): readonly [ifUnchanged: number, ifChanged: number];
  /** The cost a second, before weighting, of a page fetched at even intervals for ever. */
  longRunCost(page: number, interval: number): number;
  /** Lower bound on the weighted cost a second of a page and its fetches at a price, over gaps in shortest..longest. */
  minCostRate(page: number, price: number, shortest: number, longest: number): number;
}

/** Some pages by a first model, all others by a second one. @param useFirst by page: 1 for the first model */
export function eitherModel(useFirst: Uint8Array, first: PageModel, second: PageModel): PageModel {
  const of = (i: number): PageModel => (useFirst[i] === 1 ? first : second);
  const costTime = (i: number, from: number, to: number): number => {
    const { costTime: own, staleTime: stale } = of(i);
    return own === null ? stale(i, from, to) : own(i, from, to);
  };
  return {
    pages: useFirst.length,
    worth: (i, age) => of(i).worth(i, age),
    ceiling: (i, age) => of(i).ceiling(i, age),
    intervalAt: (i, price, longest) => of(i).intervalAt(i, price, longest),
    ageAt: (i, price) => of(i).ageAt(i, price),
    staleTime: (i, from, to) => of(i).staleTime(i, from, to),
    costTime: first.costTime === null && second.costTime === null ? null : costTime,
    recordFetch: (i, time) => of(i).recordFetch(i, time),
    intervalAfter: (i, age, price) => of(i).intervalAfter(i, age, price),
    longRunCost: (i, interval) => of(i).longRunCost(i, interval),
    minCostRate: (i, ...terms) => of(i).minCostRate(i, ...terms),
  };
}
