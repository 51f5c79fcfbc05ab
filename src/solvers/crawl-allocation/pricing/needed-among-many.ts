/**
 * The fewest whole crawls of very many pages that keep a target, in the passes of an allocation (allocate.ts): a price
 * from a sample, a pass that reads counts off tables and sums what they leave, one Newton step (what is left rises by
 * price × crawls given up), a pass of exact counts at a price just above that collects the gains below, and the largest
 * of these until what is left is little enough.
 *
 * The answer proves itself: the certificate says that no crawls of that number leave less, and so one crawl fewer leaves
 * at least the least last gain more, which is above the target. Where anything is otherwise, null: the caller's exact
 * way then decides. Complexity: O(N), that of the allocation and of a mean cost a page.
 */
import type { Budget } from '../../budget.ts';
import { RunningSum } from '../../numerics/linear/running-sum.ts';
import { clearingPrice } from '../../pages/market/index.ts';
import { type Evaluation, evaluate, holds } from '../certificate.ts';
import { meanCost } from '../gains/page-gain.ts';
import type { Pages } from '../gains/pages.ts';
import { TableReader } from '../gains/table-reader.ts';
import { samplePages } from './allocate.ts';
import { PriceCounter } from './price-count.ts';

/** From here on a sample tells the price. */
const manyPages = 65_536;
/** How near the sample's price is found, and from what step on the tables are read again. */
const sampled = 1e-4;
const nearStep = 0.05;
/** One page of so many of the sample makes the start for all of it. */
const fewer = 16;
const mostReadings = 4;
const mostWindows = 8;

export interface NeededAmongMany {
  readonly crawls: Int32Array;
  readonly total: number;
  readonly evaluation: Evaluation;
}

export interface ManySearch {
  readonly pages: Pages;
  readonly weight: Float64Array;
  /** Most that may be left of Σ w·A. */
  readonly enough: number;
  /** A price near the one sought. */
  readonly start: number;
}

/** @returns null for few pages, and where the search does not end in its own proof */
export function neededAmongMany(search: ManySearch, budget: Budget): NeededAmongMany | null {
  const { pages, weight, enough, start } = search;
  const sample = samplePages(pages.count);
  if (sample === null || pages.count < manyPages || !(enough > 0 && enough < Number.POSITIVE_INFINITY)) return null;
  const counter = new PriceCounter(pages, new TableReader(pages), budget);
  const noted = new Int32Array(pages.count);
  let price = start;
  for (const [chosen, step, tolerance] of [
    [sample.filter((_, k) => k % fewer === 0), 1, nearStep],
    [sample, nearStep, sampled],
  ] as const) {
    const supply = (enough * chosen.length) / pages.count;
    const left = (worth: number): number => {
      counter.rough(chosen, 1 / worth, noted);
      let sum = 0;
      for (let k = 0; k < chosen.length; k++) sum += weight[chosen[k]] * meanCost(pages, chosen[k], noted[k]);
      return sum;
    };
    price = 1 / clearingPrice(left, { supply, start: 1 / price, step, tolerance }).high;
  }
  let left = Number.NaN;
  let step = Number.POSITIVE_INFINITY;
  let slope = 0;
  for (let reading = 0; reading < mostReadings && Math.abs(step) > nearStep; reading++) {
    if (!(price > 0 && price < Number.POSITIVE_INFINITY)) return null;
    slope = Math.max(1, counter.rough(null, price, noted).slope);
    left = leftBy(search, noted);
    step = (enough - left) / (price * slope);
    price *= Math.exp(Math.max(-1, Math.min(1, step)));
  }
  if (!(Math.abs(step) <= nearStep)) return null;
  // wide enough for what a Newton step leaves, narrow enough to collect few gains
  const half = Math.min(0.5, Math.max(1e-3, 4 * step * step, 64 / slope));
  const crawls = closeIn(search, counter, { noted, left, price, half });
  if (crawls === null) return null;
  const evaluation = evaluate(pages, weight, null, crawls, budget);
  const { value, certificate } = evaluation;
  if (!(value <= enough && value + certificate.minLastGain > enough && holds(certificate))) return null;
  let total = 0;
  for (let i = 0; i < crawls.length; i++) total += crawls[i];
  return { crawls, total, evaluation };
}

function leftBy({ pages, weight }: ManySearch, crawls: Int32Array): number {
  const sum = new RunningSum();
  for (let i = 0; i < pages.count; i++) sum.add(weight[i] * meanCost(pages, i, crawls[i]));
  return sum.total();
}

/** Counts near the price sought, what they leave, and where to look around it: half the width of a window in ln p. */
interface Near {
  readonly noted: Int32Array;
  readonly left: number;
  readonly price: number;
  readonly half: number;
}

/** The fewest crawls that leave little enough; null where no window has them. */
function closeIn({ pages, weight, enough }: ManySearch, counter: PriceCounter, near: Near): Int32Array | null {
  const { noted, left } = near;
  let { half } = near;
  let low = near.price * Math.exp(-half);
  let high = near.price * Math.exp(half);
  for (let window = 0; window < mostWindows; window++) {
    counter.between(low, high, pages.count);
    if (!counter.candidates.hasRoom()) return null;
    const { counts } = counter;
    const sum = new RunningSum();
    sum.add(left);
    for (let i = 0; i < pages.count; i++) {
      if (counts[i] === noted[i]) continue;
      sum.add(weight[i] * (meanCost(pages, i, counts[i]) - meanCost(pages, i, noted[i])));
    }
    const wanted = counter.candidates.comingTo(sum.total() - enough);
    half *= 4;
    if (wanted === 0) {
      low = high;
      high *= Math.exp(half);
    } else if (wanted === Number.POSITIVE_INFINITY) {
      high = low;
      low *= Math.exp(-half);
    } else {
      const crawls = counts.slice();
      counter.candidates.takeLargest(wanted, crawls);
      return crawls;
    }
  }
  return null;
}
