/**
 * What a plan asks of a page's changes, whether its rate is known, believed, or told of by signals.
 *
 * Ages are seconds since the page was last fetched; Infinity for a page never fetched. Worth is w·V(age) of the
 * objective (objectives/staleness-cost.ts): under freshness in weighted seconds of freshness.
 */
import type { IndexedPages } from '../../schedule/index.ts';
import type { RateBeliefs } from '../evidence/index.ts';
import type { SignalledHistory } from '../signals/index.ts';

/** Lists by page. */
export interface RateEstimates {
  /** Changes a second: given, likeliest, or the mean of what is believed. */
  readonly rate: Float64Array;
  /** 1 where the rate is given or taken as known. */
  readonly isKnown: Uint8Array;
  /** Of all pages, those of known rates included; null where there are none but these. */
  readonly beliefs: RateBeliefs | null;
  /** Checks and signals of pages together; null where no page has signals. */
  readonly signalHistory: SignalledHistory | null;
}

export interface PageModel extends IndexedPages {
  /** What worth tends to as the age goes to the one given: at Infinity its limit, which may be Infinity. */
  ceiling(page: number, age: number): number;
  /**
   * The mean time between two fetches at a price > 0, in the long run; Infinity for never. Where fetches wait for
   * signals, none is put off beyond `longest`.
   */
  intervalAt(page: number, price: number, longest?: number): number;
  /** ∫ P(changed since the fetch) over the ages from..to: the expected stale time. */
  staleTime(page: number, from: number, to: number): number;
  /** ∫ c over the ages from..to: the expected cost by the objective, before weighting. Null: it is the stale time. */
  readonly costTime: ((page: number, from: number, to: number) => number) | null;
  /** What a fetch at this age would teach: the interval at a price after a check without, and with, a change. */
  intervalAfter(page: number, age: number, price: number): readonly [ifUnchanged: number, ifChanged: number];
  /** The cost a second of a page fetched at these intervals for ever. */
  longRunCost(page: number, interval: number): number;
  /** At most the cost a second of a page and of its fetches at a price, fetched at gaps between two lengths. */
  minCostRate(page: number, price: number, least: number, longest: number): number;
}

/** Some pages by one model, the others by another. */
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
