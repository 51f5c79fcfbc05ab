/**
 * The fewest whole crawls of very many pages that keep a target, in the passes of an allocation (allocate.ts). Samples
 * give a price, the last of them a quarter of the pages, and how far the price of all may be from it. At a price just
 * above that, a pass of exact counts collects the gains below. It also sums up what all pages leave but those with such
 * a gain. Then the largest of these gains are taken until what is left is little enough.
 *
 * The answer proves itself. The certificate says that no crawls of that number leave less. So one crawl fewer leaves at
 * least the least last gain more, which is above the target. Where anything is otherwise, null: the caller's exact way
 * then decides. Complexity: O(N), that of the allocation.
 */
import type { Budget } from '../../budget.ts';
import { clearingPrice } from '../../market/index.ts';
import { RunningSum } from '../../numerics/linear/running-sum.ts';
import { certificate, type Evaluation, evaluate, holds } from '../certificate.ts';
import { gainOfNext, meanCost } from '../gains/page-gain.ts';
import type { Pages } from '../gains/pages.ts';
import { samplePages } from './allocate.ts';
import { PriceCounter } from './price-count.ts';

/** From here on a sample tells the price. */
const manyPages = 65_536;
/**
 * One page of so many of a sample makes the start for all of it, to this in ln p. From such a step on it is read again.
 */
const fewer = 16;
const nearStep = 0.05;
const mostReadings = 6;
const mostWindows = 8;
/** How many standard errors a window holds on each side, and how many of the pages' gains at most. */
const [errors, mostGains] = [2.5, 0.1];

interface NeededAmongMany {
  readonly crawls: Int32Array;
  readonly total: number;
  readonly evaluation: Evaluation;
}

interface ManySearch {
  readonly pages: Pages;
  readonly weight: Float64Array;
  /** Most that may be left of Σ w·A. */
  readonly enough: number;
  /** A price near the one sought. */
  readonly start: number;
}

/** @returns null for few pages, and where the search does not end in its own proof */
export function neededAmongMany(search: ManySearch, budget: Budget): NeededAmongMany | null {
  const { pages, enough } = search;
  const sample = samplePages(pages.count);
  if (sample === null || pages.count < manyPages || !(enough > 0 && enough < Number.POSITIVE_INFINITY)) return null;
  const counter = new PriceCounter(pages, budget);
  const window = windowAround(search, counter, sample);
  const found = window && closeIn(search, counter, window, budget);
  if (!found) return null;
  const { value, certificate } = found.evaluation;
  return value <= enough && value + certificate.minLastGain > enough && holds(certificate) ? found : null;
}

/** A price near the one sought, and how far that may be in ln p. */
interface Window {
  readonly price: number;
  readonly half: number;
}

/**
 * Newton's method on what is left, which rises by price × crawls given up. It goes on a sample, on a quarter of the
 * pages, and on all where those leave too wide a window.
 */
function windowAround(search: ManySearch, counter: PriceCounter, sample: Int32Array): Window | null {
  const { pages, enough } = search;
  const noted = new Int32Array(pages.count);
  const few = sample.filter((_, k) => k % fewer === 0);
  const ofFew = (worth: number): number => leftBy(search, few, counter.rough(few, 1 / worth, noted), noted).left;
  let price = 1 / clearingPrice(ofFew, { supply: enough, start: 1 / search.start, tolerance: nearStep }).high;
  const samples = [sample, onePageOfFour(pages.count), null];
  for (let [at, reading] = [0, 0]; at < samples.length && reading < mostReadings; reading++) {
    if (!(price > 0 && price < Number.POSITIVE_INFINITY)) return null;
    const { left, error, slope } = leftBy(search, samples[at], counter.rough(samples[at], price, noted), noted);
    const step = (enough - left) / (price * slope);
    // wide enough for what a Newton step and a sample leave, narrow enough to collect few gains
    const half = Math.max(1e-3, 4 * step * step, (errors * error) / (price * slope), 64 / slope);
    price *= Math.exp(Math.max(-1, Math.min(1, step)));
    if (!(Math.abs(step) <= nearStep)) continue;
    if (2 * half * slope < mostGains * pages.count || at === samples.length - 1)
      return { price, half: Math.min(half, 0.5) };
    at++;
  }
  return null;
}

/** Σ of what all pages leave, by those that were counted, its standard error, and by how many crawls Σ falls in ln p. */
function leftBy(
  { pages, weight }: ManySearch,
  chosen: Int32Array | null,
  counted: { readonly slope: number },
  counts: Int32Array,
): { readonly left: number; readonly error: number; readonly slope: number } {
  const count = chosen === null ? pages.count : chosen.length;
  const share = pages.count / count;
  let sum = 0;
  let squares = 0;
  for (let k = 0; k < count; k++) {
    const i = chosen === null ? k : chosen[k];
    const rest = weight[i] * meanCost(pages, i, counts[k]);
    sum += rest;
    squares += rest * rest;
  }
  const variance = Math.max(0, squares - (sum * sum) / count) * share * (share - 1);
  return { left: share * sum, error: Math.sqrt(variance), slope: Math.max(1, share * counted.slope) };
}

/** Increasing, and with no period: one page of each four that follow each other, by the golden ratio. */
function onePageOfFour(count: number): Int32Array {
  const chosen = new Int32Array(count >>> 2);
  for (let k = 0; k < chosen.length; k++) chosen[k] = 4 * k + (Math.imul(k, 0x9e3779b1) >>> 30);
  return chosen;
}

/** The fewest crawls that leave little enough, and their proof; null where no window has them. */
function closeIn(search: ManySearch, counter: PriceCounter, window: Window, budget: Budget): NeededAmongMany | null {
  const { pages, weight, enough } = search;
  let { half } = window;
  let low = window.price * Math.exp(-half);
  let high = window.price * Math.exp(half);
  for (let attempt = 0; attempt < mostWindows; attempt++) {
    const atHigh = counter.between(low, high, pages.count);
    if (!counter.candidates.hasRoom()) return null;
    const { counts } = counter;
    const open = new Uint8Array(pages.count);
    for (const i of counter.candidates.pages) open[i] = 1;
    const others = evaluate(pages, weight, null, counts, budget, open);
    const sum = new RunningSum();
    sum.add(others.value);
    for (let i = 0; i < pages.count; i++) if (open[i] === 1) sum.add(weight[i] * meanCost(pages, i, counts[i]));
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
      return { crawls, total: atHigh + wanted, evaluation: withOpen(search, crawls, open, others) };
    }
  }
  return null;
}

/** Adds the pages that an evaluation has left out. */
function withOpen({ pages, weight }: ManySearch, crawls: Int32Array, open: Uint8Array, others: Evaluation): Evaluation {
  const { cost } = others;
  const sum = new RunningSum();
  sum.add(others.value);
  // NaN where the others have none
  let next = others.certificate.maxNextGain >= 0 ? others.certificate.maxNextGain : Number.NEGATIVE_INFINITY;
  let last = others.certificate.minLastGain >= 0 ? others.certificate.minLastGain : Number.POSITIVE_INFINITY;
  for (let i = 0; i < pages.count; i++) {
    if (open[i] === 0) continue;
    const x = crawls[i];
    cost[i] = meanCost(pages, i, x);
    sum.add(weight[i] * cost[i]);
    if (x < pages.maximum[i]) next = Math.max(next, gainOfNext(pages, i, x));
    if (x > pages.minimum[i]) last = Math.min(last, gainOfNext(pages, i, x - 1));
  }
  return { cost, value: sum.total(), certificate: certificate(next, last), hosts: null };
}
