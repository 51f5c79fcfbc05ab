/**
 * What a plan needs to know of a page's changes: how much a fetch at an age is worth, and how stale the copy is
 * expected to be meanwhile. Two models of it: a known rate (or one estimated and taken as known), and a belief over
 * drifting rates.
 *
 * Ages are seconds since the page was last fetched; Infinity for a page never fetched. Worth is w·V(age) of the
 * objective (objectives/staleness-cost.ts): under freshness w·W(age) (age-index.ts), in weighted seconds of freshness.
 * Where worth has no limit, a page never fetched is worth what a copy of age `unseenAge` is.
 */

import { changed, checkHistory, unchanged } from '../../estimation/changes/check-history.ts';
import { DriftingRate, type RateModel } from '../../estimation/changes/drifting-rate.ts';
import { takeIn } from '../../estimation/changes/filter-histories.ts';
import { freshness, type StalenessCost, staleTime } from '../../objectives/index.ts';
import { beliefBounds } from '../bounds/belief-bounds.ts';
import { knownRateBounds } from '../bounds/known-rate-bounds.ts';
import { eitherBounds, type PageBounds } from '../bounds/page-bounds.ts';
import type { WorthCells } from './worth-cells.ts';

export interface RefreshModel {
  readonly pages: number;
  /** w·W(age): rises with age, from 0. */
  worth(page: number, age: number): number;
  /** What worth tends to as the age goes to the one given: at Infinity its limit, which may be Infinity. */
  ceiling(page: number, age: number): number;
  /**
   * The time between two fetches at a price > 0, in the long run and in the mean; Infinity for never. Where fetches
   * wait for signals, none is put off beyond `longest`.
   */
  intervalAt(page: number, price: number, longest?: number): number;
  /** The least age at which the worth of the next fetch reaches a price > 0; Infinity where it never does. */
  ageAt(page: number, price: number): number;
  /** P(changed since the fetch) at an age. */
  changedBy(page: number, age: number): number;
  /** ∫ P(changed since the fetch) over the ages from..to: expected stale time. */
  staleTime(page: number, from: number, to: number): number;
  /**
   * ∫ c over the ages from..to: what the copy is expected to cost by the objective, before weighting. Null: stale time.
   */
  readonly costTime: ((page: number, from: number, to: number) => number) | null;
  /**
   * Takes a planned fetch at this age into account, its answer not being known; `time` is that of the plan, in seconds
   * from now.
   */
  fetched(page: number, age: number, time: number): void;
  /** What a fetch at this age would teach: the interval at a price after a check without, and with, a change. */
  intervalAfter(page: number, age: number, price: number): readonly [ifUnchanged: number, ifChanged: number];
  /**
   * The share of time that a page fetched at these intervals in the long run is stale; left out: staleTime over the
   * interval.
   */
  readonly longRunShare?: ((page: number, interval: number) => number) | undefined;
  /**
   * What pages cost at least, for the bounds of a plan, by the beliefs as they are when asked; left out where none are
   * known.
   */
  readonly bounds?: PageBounds | undefined;
}

/** What staleness costs, and the age that stands for a page never fetched. */
export interface Ageing {
  readonly cost: StalenessCost;
  readonly unseenAge: number;
}

const byFreshness: Ageing = { cost: freshness, unseenAge: Number.POSITIVE_INFINITY };

/** Poisson pages of known rates; `revised(page, age)` gives the rate after one more check, by its outcome. */
export function knownRates(
  rate: Float64Array,
  weight: Float64Array,
  revised: (page: number, age: number) => readonly [ifUnchanged: number, ifChanged: number],
  { cost, unseenAge }: Ageing = byFreshness,
): RefreshModel {
  const worth = (i: number, age: number): number => cost.worth(rate[i], weight[i], age);
  // a page that counts for nothing is not fetched at a price of nothing either
  const intervalOf = (i: number, own: number, price: number): number =>
    weight[i] > 0 ? cost.intervalAt(own, weight[i], price) : Number.POSITIVE_INFINITY;
  const intervalAt = (i: number, price: number): number => intervalOf(i, rate[i], price);
  return {
    pages: rate.length,
    worth: (i, age) => worth(i, age === Number.POSITIVE_INFINITY ? unseenAge : age),
    ceiling: (i, age) => (weight[i] > 0 ? worth(i, age) : 0),
    intervalAt,
    ageAt: intervalAt,
    changedBy: (i, age) => -Math.expm1(-rate[i] * age),
    staleTime: (i, from, to) => staleTime(rate[i], to) - staleTime(rate[i], from),
    costTime: cost === freshness ? null : (i, from, to) => cost.integral(rate[i], to) - cost.integral(rate[i], from),
    fetched: () => {},
    intervalAfter: (i, age, price) => {
      const [ifUnchanged, ifChanged] = revised(i, age);
      return [intervalOf(i, ifUnchanged, price), intervalOf(i, ifChanged, price)];
    },
    bounds: knownRateBounds(weight, {
      costTime: (i, gap) => cost.integral(rate[i], gap),
      costAt: (i, age) => cost.cost(rate[i], age),
      worthAt: (i, age) => cost.worth(rate[i], 1, age),
      intervalAt,
      unseenIsStale: cost === freshness,
    }),
  };
}

/** Pages believed to drift; `cells` has the beliefs after each page's last check, which `fetched` changes. */
export function driftingRates(
  model: RateModel,
  cells: WorthCells,
  weight: Float64Array,
  unseenAge = Number.POSITIVE_INFINITY,
): RefreshModel {
  const { size } = model;
  const { index, beliefs } = cells;
  const scratch = new Float64Array(size);
  // one check at a time, in the same place: there are two a page
  const next = checkHistory([[[0, unchanged]]]);
  const after = (i: number, age: number, outcome: number, price: number): number => {
    scratch.set(beliefs.subarray(i * size, (i + 1) * size));
    next.elapsed[0] = age;
    next.outcome[0] = outcome;
    takeIn(next, [0, 1], model, scratch, 0);
    return index.intervalAt(scratch, 0, price / weight[i], cells.position[i]);
  };
  const worth = (i: number, age: number): number => weight[i] * cells.valueAt(i, age);
  const intervalAt = (i: number, price: number): number =>
    weight[i] > 0 ? cells.intervalAt(i, price / weight[i]) : Number.POSITIVE_INFINITY;
  return {
    pages: weight.length,
    worth: (i, age) => worth(i, age === Number.POSITIVE_INFINITY ? unseenAge : age),
    // asked for once, far from where prices are
    ceiling: (i, age) => (weight[i] > 0 ? weight[i] * index.valueAt(beliefs, i * size, age) : 0),
    intervalAt,
    ageAt: intervalAt,
    changedBy: (i, age) => model.chanceOfChange(beliefs, i * size, age),
    staleTime: (i, from, to) => index.staleTime(beliefs, i * size, to) - index.staleTime(beliefs, i * size, from),
    costTime: index.bounded
      ? null
      : (i, from, to) => index.costTime(beliefs, i * size, to) - index.costTime(beliefs, i * size, from),
    fetched: (i, age) => {
      if (!(age > 0 && age < Number.POSITIVE_INFINITY)) return;
      model.predict(beliefs, i * size, age, beliefs, i * size);
      cells.changed(i);
    },
    intervalAfter: (i, age, price) => {
      if (!(weight[i] > 0)) return [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      if (age === Number.POSITIVE_INFINITY) {
        const first = intervalAt(i, price);
        return [first, first];
      }
      return [after(i, age, unchanged, price), after(i, age, changed, price)];
    },
    bounds: model instanceof DriftingRate ? beliefBounds(model, cells, weight) : undefined,
  };
}

/** Some pages by one model, the others by another. */
export function eitherModel(useFirst: Uint8Array, first: RefreshModel, second: RefreshModel): RefreshModel {
  const of = (i: number): RefreshModel => (useFirst[i] === 1 ? first : second);
  const costTime = (i: number, from: number, to: number): number => {
    const { costTime: own, staleTime: stale } = of(i);
    return own === null ? stale(i, from, to) : own(i, from, to);
  };
  const longRunShare = (i: number, interval: number): number => {
    const { longRunShare: own } = of(i);
    return own === undefined ? costTime(i, 0, interval) / interval : own(i, interval);
  };
  return {
    pages: useFirst.length,
    worth: (i, age) => of(i).worth(i, age),
    ceiling: (i, age) => of(i).ceiling(i, age),
    costTime: first.costTime === null && second.costTime === null ? null : costTime,
    intervalAt: (i, price, longest) => of(i).intervalAt(i, price, longest),
    ageAt: (i, price) => of(i).ageAt(i, price),
    changedBy: (i, age) => of(i).changedBy(i, age),
    staleTime: (i, from, to) => of(i).staleTime(i, from, to),
    fetched: (i, age, time) => of(i).fetched(i, age, time),
    intervalAfter: (i, age, price) => of(i).intervalAfter(i, age, price),
    longRunShare: first.longRunShare || second.longRunShare ? longRunShare : undefined,
    bounds: eitherBounds(useFirst, first.bounds, second.bounds),
  };
}
