/**
 * Lower bound on the cost of any schedule on the given slots: weak duality with a price curve over the slots' times.
 *
 * With prices q(t) ≥ μ ≥ 0 of the slots and p_h ≥ 0 of a host's crawls, any schedule of at most R crawls on S slots s,
 * with at most C_h crawls of host h, costs at least
 *   Σ over pages of min over times t_k of (weighted stale time + Σ (q(t_k) + p_h)) − Σ_s q(s) + μ·(S − R) − Σ_h p_h·C_h.
 * - The curve's shape is read off the schedule: where no crawl of a page gains by moving, −q' is w·(H'(gap before) −
 *   H'(gap after)). Its level is found by golden section on a sample of the pages: without, gaps double. Then prices
 *   rise where the sample's pages want more crawls than there are slots, and fall where they want fewer, by Polyak's
 *   step towards the schedule's cost. Hosts' prices are the allocation's.
 * - The minimum of a page is a shortest path over a grid of moments: all slots' own times where these are few, else even
 *   ones, q being linear between them. For renewal updates the gaps' cost is convex, so that the matrix of costs is
 *   Monge: the moments that can still become the best predecessor are kept in a queue, each with the moment from which
 *   it is (D. S. Hirschberg and L. L. Larmore, SIAM J. Computing 16, 1987). O(G·log G) of G moments, O(G²) for possible
 *   updates.
 * - Between even moments the times of a path are rounded, all up or down by one common draw: prices stay the same in
 *   the mean, and a gap costs what the chord over its cell does. That is above the gap's cost by no more than over the
 *   first cell, where it bends most; so much, a page's slack, is taken off every gap. Prices are at least the largest
 *   slack, so that no two crawls in one moment ever pay.
 * Limits of pages are left aside, which only lowers the bound.
 */
import type { Budget } from '../budget.ts';
import { quasiDeterministicProcess } from '../crawl-allocation/index.ts';
import { goldenSection } from '../numerics/search/golden-section.ts';
import type { CrawlScheduleProblem } from './problem.ts';
import { intervalStart, type StaleTime } from './stale-time.ts';
import type { Timetable } from './timetable.ts';

/** Pages × moments of the grid at most, for all pages (evaluated once) and for the sample (evaluated about 50 times). */
const maxSteps = 1e7;
const maxSampleSteps = 4e4;
/** Range of the number of moments of the grid. */
const maxMoments = 1024;
const minMoments = 64;
/** Pages of the sample on which the prices are optimised. */
const sampleSize = 150;
/** Subgradient steps at most. */
const maxAscents = 40;
/** Relative reduction of the bound, to cover its rounding errors. */
const roundoff = 1e-11;

export interface BoundProblem {
  readonly problem: CrawlScheduleProblem;
  readonly table: Timetable;
  readonly stale: StaleTime;
  /** Saving of one more crawl at free times, in weighted stale time. */
  readonly level: number;
  /** Additional saving in each host that is full; null without hosts. */
  readonly hostPrice: Float64Array | null;
  /** Cost of the schedule: Σ weight·staleness. */
  readonly value: number;
}

interface Grid {
  /** Ascending; entry G is the end of the interval. */
  readonly moments: Float64Array;
  /** Slots at each moment; a slot between two moments is split between them by linear interpolation. */
  readonly supply: Float64Array;
  /** Whether moments are evenly spaced, and whether all slots are at moments of the grid. */
  readonly even: boolean;
  readonly exact: boolean;
}

/** Lower bound on Σ weight·staleness; null where the grid would be too large, or the budget ends first. */
export function boundByPrices(bounded: BoundProblem, budget: Budget): number | null {
  const { problem, table } = bounded;
  const { interval, weight, updates } = problem.allocation;
  if (table.page.length === 0) return null;
  const bySteps = Math.min(maxSteps / weight.length, maxSampleSteps / Math.min(weight.length, sampleSize));
  const most = Math.max(minMoments, Math.min(maxMoments, Math.floor(bySteps)));
  const grid = gridOf(table.slotTime, interval, most);
  const hasQuasi = updates.process.some((process) => process === quasiDeterministicProcess);
  if (hasQuasi && (!grid.exact || weight.length * grid.moments.length ** 2 > 10 * maxSteps)) return null;
  const shape = shapeOf(table, grid);
  const paths = new PricedPaths(bounded, grid);
  const stride = Math.max(1, Math.ceil(weight.length / sampleSize));
  const lowest = shape.reduce((low, q) => Math.min(low, q), Number.POSITIVE_INFINITY);
  const level = bounded.level > 0 ? bounded.level : 1e-3 * interval;
  const target = (bounded.value * interval) / stride;
  const raised = (shift: number): Float64Array => shape.map((q) => Math.max(paths.floor, q + shift));
  const valueAt = (shift: number): number => paths.bound(raised(shift), stride, budget) ?? 0;
  const { at: shift } = goldenSection((at) => -valueAt(at), -lowest - level, 2 * level - lowest, 0.02 * level);
  const bound = paths.bound(ascend(paths, raised(shift), { target, stride }, budget), 1, budget);
  return bound === null ? null : Math.max(0, bound * (1 - roundoff)) / interval;
}

/** Subgradient ascent on the prices; returns the best. */
function ascend(
  paths: PricedPaths,
  start: Float64Array,
  { target, stride }: { readonly target: number; readonly stride: number },
  budget: Budget,
): Float64Array {
  let [price, best, most] = [start, start, Number.NEGATIVE_INFINITY];
  for (let k = 0; k < maxAscents; k++) {
    const value = paths.bound(price, stride, budget);
    if (value === null) break;
    if (value > most) [best, most] = [price, value];
    const excess = paths.excess;
    const square = excess.reduce((sum, each) => sum + each * each, 0);
    const step = (target - value) / square;
    if (!(step > 0 && step < Number.POSITIVE_INFINITY)) break;
    price = price.map((q, b) => Math.max(paths.floor, q + step * excess[b]));
  }
  return best;
}

/** The slots' own times where these are at most `most`; else `most` evenly spaced moments. */
function gridOf(slotTime: Float64Array, interval: number, most: number): Grid {
  const distinct: number[] = [];
  for (const time of slotTime) {
    if (distinct.length > most) break;
    if (distinct.length === 0 || time > distinct[distinct.length - 1]) distinct.push(time);
  }
  const size = Math.min(distinct.length, most);
  const step = interval / size;
  const even = distinct.length > most || distinct.every((time, b) => Math.abs(time - b * step) <= 1e-12 * interval);
  const moments = Float64Array.from({ length: size + 1 }, (_, b) =>
    b === size ? interval : even ? b * step : distinct[b],
  );
  const supply = new Float64Array(size);
  let exact = true;
  let cell = 0;
  for (const time of slotTime) {
    while (cell + 1 < size && moments[cell + 1] <= time + 1e-12 * interval) cell++;
    const off = time - moments[cell];
    exact &&= Math.abs(off) <= 1e-12 * interval;
    // prices are constant in the last cell
    const share = cell + 1 === size || off <= 1e-12 * interval ? 0 : off / (moments[cell + 1] - moments[cell]);
    supply[cell] += 1 - share;
    if (share > 0) supply[cell + 1] += share;
  }
  return { moments, supply, even, exact };
}

/** Prices up to a constant, from the mean slope of the cost of the crawls in each cell. */
function shapeOf(table: Timetable, { moments, supply }: Grid): Float64Array {
  const size = supply.length;
  const slope = new Float64Array(size);
  const crawls = new Float64Array(size);
  let cell = 0;
  for (let s = 0; s < table.page.length; s++) {
    if (table.page[s] < 0) continue;
    while (cell + 1 < size && moments[cell + 1] <= table.slotTime[s]) cell++;
    const own = table.slopeOf(s);
    if (Number.isNaN(own)) continue;
    slope[cell] -= own;
    crawls[cell]++;
  }
  const price = new Float64Array(size);
  for (let b = 1; b < size; b++) {
    const mean = crawls[b - 1] > 0 ? slope[b - 1] / crawls[b - 1] : 0;
    price[b] = price[b - 1] + mean * (moments[b] - moments[b - 1]);
  }
  return price;
}

/** Least cost of each page under the prices, by shortest paths. Moments are positions in the grid; G is the end. */
class PricedPaths {
  readonly #bounded: BoundProblem;
  readonly #grid: Grid;
  /** By page: the excess of the chord over a gap's cost, taken off every gap (see the header). */
  readonly #slack: Float64Array;
  /** Lower limit of the prices: the largest slack. */
  readonly floor: number;
  /** By moment: demand for crawls less supply of slots at the last bound, a subgradient. */
  readonly excess: Float64Array;
  readonly #least: Float64Array;
  readonly #before: Int32Array;
  readonly #queue: Int32Array;
  readonly #starts: Int32Array;
  /** On an even grid: weighted stale time of a gap by its number of cells, for the current page. */
  readonly #gaps: Float64Array;

  constructor(bounded: BoundProblem, grid: Grid) {
    this.#bounded = bounded;
    this.#grid = grid;
    const size = grid.supply.length;
    const { weight } = bounded.problem.allocation;
    this.#slack = weight.map((w, i) => (grid.exact ? 0 : w * this.#chordExcess(i)));
    this.floor = this.#slack.reduce((most, each) => Math.max(most, each), 0);
    this.excess = new Float64Array(size);
    this.#least = new Float64Array(size + 1);
    this.#before = new Int32Array(size + 1);
    this.#queue = new Int32Array(size + 2);
    this.#starts = new Int32Array(size + 2);
    this.#gaps = new Float64Array(size + 1);
  }

  /** Largest excess of the chord over a gap's stale time in the first cell. */
  #chordExcess(i: number): number {
    const { stale } = this.#bounded;
    const cell = this.#grid.moments[1];
    const slope = stale.gap(i, 0, cell) / cell;
    let [low, high] = [0, cell];
    for (let step = 0; step < 30; step++) {
      const middle = 0.5 * (low + high);
      if (stale.staleAt(i, 0, middle) < slope) low = middle;
      else high = middle;
    }
    return slope * high - stale.gap(i, 0, low);
  }

  /** The bound at given prices from every `stride`-th page and its share of the slots; null when the budget ends. */
  bound(price: Float64Array, stride: number, budget: Budget): number | null {
    const { problem, hostPrice } = this.#bounded;
    const { weight, crawls, hosts } = problem.allocation;
    const { supply } = this.#grid;
    let least = Number.POSITIVE_INFINITY;
    for (const [b, q] of price.entries()) if (supply[b] > 0) least = Math.min(least, q);
    let slots = 0;
    let paid = 0;
    for (let b = 0; b < supply.length; b++) {
      slots += supply[b];
      paid += supply[b] * price[b];
    }
    let sum = least * (slots - crawls) - paid;
    for (const [h, own] of hostPrice?.entries() ?? []) if (own > 0) sum -= own * (hosts?.maxCrawls[h] ?? 0);
    const share = Math.ceil(weight.length / stride) / weight.length;
    sum *= share;
    for (const [b, own] of supply.entries()) this.excess[b] = -share * own;
    for (let i = 0; i < weight.length; i += stride) {
      if (budget.stopRequested()) return null;
      const h = hosts?.of[i] ?? -1;
      sum += this.#minPageCost(i, price, h >= 0 && hostPrice !== null ? hostPrice[h] : 0);
    }
    return sum;
  }

  /** Least weighted stale time plus prices of one page. */
  #minPageCost(i: number, price: Float64Array, hostPrice: number): number {
    const { problem, stale } = this.#bounded;
    const { weight, updates } = problem.allocation;
    const { moments, even } = this.#grid;
    const [w, slack, least, before] = [weight[i], this.#slack[i], this.#least, this.#before];
    const size = price.length;
    if (updates.process[i] === quasiDeterministicProcess) return this.#quasiPage(i, price, hostPrice);
    const gaps = this.#gaps;
    if (even) for (let k = 1; k <= size; k++) gaps[k] = w * stale.gap(i, 0, moments[k]);
    const costOf = (a: number, b: number): number =>
      a < 0
        ? w * stale.gap(i, intervalStart, moments[b])
        : least[a] + (even ? gaps[b - a] : w * stale.gap(i, moments[a], moments[b]));
    const [queue, starts] = [this.#queue, this.#starts];
    let [head, tail] = [0, 1];
    queue[0] = -1;
    starts[0] = 0;
    for (let b = 0; b < size; b++) {
      while (head + 1 < tail && starts[head + 1] <= b) head++;
      before[b] = queue[head];
      least[b] = costOf(queue[head], b) - slack + price[b] + hostPrice;
      let from = b + 1;
      for (; tail > head; tail--) {
        from = Math.max(b + 1, starts[tail - 1]);
        if (!(costOf(b, from) < costOf(queue[tail - 1], from))) break;
      }
      if (tail > head) {
        from = firstBetter(from, size, (at) => costOf(b, at) < costOf(queue[tail - 1], at));
        if (from > size) continue;
      }
      queue[tail] = b;
      starts[tail++] = from;
    }
    while (head + 1 < tail && starts[head + 1] <= size) head++;
    this.#count(queue[head]);
    return costOf(queue[head], size) - slack;
  }

  #quasiPage(i: number, price: Float64Array, hostPrice: number): number {
    const { problem, stale } = this.#bounded;
    const w = problem.allocation.weight[i];
    const { moments } = this.#grid;
    const [size, least, before] = [price.length, this.#least, this.#before];
    for (let b = 0; b <= size; b++) {
      let best = w * stale.gap(i, intervalStart, moments[b]);
      before[b] = -1;
      for (let a = 0; a < b; a++) {
        const cost = least[a] + w * stale.gap(i, moments[a], moments[b]);
        if (cost < best) [best, before[b]] = [cost, a];
      }
      least[b] = b < size ? best + price[b] + hostPrice : best;
    }
    this.#count(before[size]);
    return least[size];
  }

  /** Adds the crawls of the path that ends at a moment (−1 for none) to the excess. */
  #count(last: number): void {
    for (let b = last; b >= 0; b = this.#before[b]) this.excess[b]++;
  }
}

/** The first position after `from`, at most `size`, that is better, by doubling then bisection; size + 1 for none. */
function firstBetter(from: number, size: number, isBetter: (at: number) => boolean): number {
  let low = from;
  let step = 1;
  while (low + step <= size && !isBetter(low + step)) {
    low += step;
    step *= 2;
  }
  let high = Math.min(size + 1, low + step);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (isBetter(middle)) high = middle;
    else low = middle;
  }
  return high;
}
