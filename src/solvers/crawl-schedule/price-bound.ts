/**
 * Lower bound on the cost of any schedule on the given slots: weak duality with price curves over the slots' times.
 *
 * With prices q(t) ≥ μ ≥ 0 of the slots and r_h(t), p_h ≥ 0 of a host's crawls, any schedule of at most R crawls on S
 * slots s, with at most C_h crawls of host h, costs at least
 *   Σ over pages of min over times t_k of (weighted stale time + Σ (q + r_h)(t_k) + p_h) − Σ_s q(s) + μ·(S − R)
 *   − Σ_h (P_h + p_h·C_h),
 * where P_h is what the host's crawls pay at most: the largest Σ r_h over slots its delay apart, O(slots) by recursion.
 * - The curves' shapes are read off the schedule: where no crawl of a page gains by moving, −(q + r_h)' is w·(H'(gap
 *   before) − H'(gap after)). All of it goes to q or all to the r_h, whichever gives the higher bound, each at the level
 *   that golden section finds (without the level gaps double; without the r_h they are 12% where hosts are crowded).
 * - Then prices rise where pages want more crawls than there are slots, or than the host may make, and fall where they
 *   want fewer: Polyak's step towards the schedule's cost, without hosts by a sample of the pages. p_h is the allocation's
 *   price for hosts whose number of crawls is limited other than by their delay.
 * - The minimum of a page is a shortest path over a grid of moments: all slots' own times where these are few, else
 *   even ones, prices being linear between them. For renewal updates the gaps' cost is convex, so that the matrix of
 *   costs is Monge: the moments that can still become the best predecessor are kept in a queue, each with the first
 *   moment for which it is best (D. S. Hirschberg and L. L. Larmore, SIAM J. Computing 16, 1987). O(G·log G) of G
 *   moments, O(G²) for possible updates.
 * - Between two moments the times of a path are rounded, all up or down by one common draw: prices stay the same in the
 *   mean, and a gap costs what the chord over its cell does. The chord exceeds the gap's cost by no more than it does
 *   over the first cell, where the cost bends most. This excess, the page's slack, is taken off every gap. Prices q are
 *   at least the largest slack, so that no two crawls in one moment ever pay.
 * Limits of pages are left aside, which only lowers the bound.
 */
import type { Budget } from '../budget.ts';
import { quasiDeterministicProcess } from '../crawl-allocation/index.ts';
import { goldenSection } from '../numerics/search/golden-section.ts';
import { countPossibleCrawls } from './host-delays.ts';
import type { CrawlScheduleProblem } from './problem.ts';
import { intervalStart, type StaleTime } from './stale-time.ts';
import type { Timetable } from './timetable.ts';

/**
 * Range of the number of moments of the grid. With at most 256 the gap is up to 2.2 points larger. Where hosts have
 * delays the grid is coarsened, down to the minimum, so that all pages set the prices: with a sample of the pages the
 * gap is 13% instead of 1% where hosts are crowded.
 */
const maxMoments = 512;
const minMoments = 64;
/**
 * Pages × moments at most, to bound the time: of all pages, which are evaluated once, and of the pages that set the
 * prices.
 */
const maxSteps = 1e7;
const maxSearchSteps = 2e5;
/** Steps of the ascent at most. Twice as many take a third off the largest gaps, and twice the time. */
const maxAscents = 200;
/**
 * The ascent ends after `minAscents` steps without a higher bound if a bound is this many times as far below the
 * schedule's cost as the highest: such an ascent does not return.
 */
const [minAscents, maxFall] = [20, 10];
/**
 * Hosts × slots up to which hosts have price curves of their own, to bound the time. Without curves the gap is 8%
 * instead of 1%.
 */
const maxHostSlots = 2e6;
/** Relative tolerance of delays: every schedule keeps delays to within this. */
const delayTolerance = 1e-12;
/** Distance from a slot to a moment, in cells, below which the slot counts as being at the moment. */
const rounding = 1e-9;
/** Relative reduction of the bound, to cover its rounding errors. */
const roundoff = 1e-11;

export interface BoundProblem {
  readonly problem: CrawlScheduleProblem;
  readonly table: Timetable;
  readonly stale: StaleTime;
  /** Saving of one more crawl at free times, in weighted stale time. */
  readonly price: number;
  /** Additional saving in each host that is full; null without hosts. */
  readonly hostPrice: Float64Array | null;
  /** Cost of the schedule: Σ weight·staleness. */
  readonly value: number;
}

interface Grid {
  /** Times of the moments, ascending; entry G is the end of the interval. */
  readonly moments: Float64Array;
  /**
   * By slot: the last moment that is not after it, and the slot's distance from that moment as a fraction of the way to
   * the next.
   */
  readonly cell: Int32Array;
  readonly share: Float64Array;
  /** Slots at each moment; a slot between two moments is split between them by linear interpolation. */
  readonly supply: Float64Array;
  /** Whether moments are evenly spaced, and whether all slots are at moments of the grid. */
  readonly isEven: boolean;
  readonly isExact: boolean;
}

/** Lower bound on Σ weight·staleness; null where the grid would be too large, or the budget ends first. */
export function boundByPrices(schedule: BoundProblem, budget: Budget): number | null {
  const { problem, table, value } = schedule;
  const { interval, weight, updates } = problem.allocation;
  if (table.page.length === 0) return null;
  const pages = weight.length;
  const isSampled = problem.hostDelays === null || pages * minMoments > maxSearchSteps;
  const steps = isSampled ? maxSteps : maxSearchSteps;
  const grid = gridOf(table.slotTime, interval, Math.ceil(Math.min(maxMoments, steps / pages)));
  const hasQuasi = updates.process.includes(quasiDeterministicProcess);
  if (hasQuasi && (!grid.isExact || pages * grid.supply.length ** 2 > maxSteps)) return null;
  const stride = isSampled ? Math.ceil((pages * grid.supply.length) / maxSearchSteps) : 1;
  const paths = new PricedPaths(schedule, grid, stride);
  const prices = ascend(paths, startPrices(schedule, paths, budget), (value * interval) / stride, budget);
  const bound = paths.bound(prices, 1, budget);
  return bound === null ? null : Math.max(0, bound * (1 - roundoff)) / interval;
}

/**
 * Prices read off the schedule: all in the slots' curve, or all in the hosts' curves, each at the level that gives the
 * highest bound; the better of the two.
 */
function startPrices(
  { problem, table, price: crawlPrice, hostPrice }: BoundProblem,
  paths: PricedPaths,
  budget: Budget,
) {
  const dualAt = (prices: Float64Array): number => paths.bound(prices, paths.stride, budget) ?? 0;
  const atBestLevel = (pricesAt: (shift: number) => Float64Array, width: number): Float64Array =>
    pricesAt(goldenSection((shift) => -dualAt(pricesAt(shift)), -width, 2 * width, 0.02 * width).at);
  const scale = crawlPrice > 0 ? crawlPrice : 1e-3 * problem.allocation.interval;
  const shape = shapeOf(table, paths.grid, () => true);
  const lowest = shape.reduce((low, q) => Math.min(low, q), Number.POSITIVE_INFINITY);
  const bySlots = (shift: number): Float64Array =>
    paths.prices(
      (b) => shape[b] - lowest + shift,
      (h) => hostPrice?.[h] ?? 0,
    );
  const slots = atBestLevel(bySlots, scale);
  const hosts = problem.hostDelays;
  if (hosts === null || hostPrice === null || !paths.hasCurves) return slots;
  const shapes = Array.from(hosts.delay, (_, h) => shapeOf(table, paths.grid, (i) => hosts.of[i] === h));
  const highest = hostPrice.reduce((maximum, own) => Math.max(maximum, own), 0) + scale;
  const byHosts = (shift: number): Float64Array =>
    paths.prices(
      () => 0,
      (h, b) => shapes[h][b] + hostPrice[h] + crawlPrice + shift,
    );
  const inHosts = atBestLevel(byHosts, highest);
  return dualAt(inHosts) > dualAt(slots) ? inHosts : slots;
}

/** Subgradient ascent on the prices towards a bound of `target`. Returns the prices with the highest bound. */
function ascend(paths: PricedPaths, start: Float64Array, target: number, budget: Budget): Float64Array {
  let [price, best, bestValue, bestStep] = [start, start, Number.NEGATIVE_INFINITY, 0];
  const squares = new Float64Array(start.length);
  for (let k = 0; k < maxAscents; k++) {
    const value = paths.bound(price, paths.stride, budget);
    if (value === null) break;
    if (value > bestValue) [best, bestValue, bestStep] = [price, value, k];
    if (k - bestStep > minAscents && target - value > maxFall * (target - bestValue)) break;
    // prices whose excess has been large so far take smaller steps
    const direction = paths.excess.map((each, b) => {
      squares[b] += each * each;
      return each === 0 ? 0 : each / Math.sqrt(squares[b]);
    });
    const step = (target - value) / direction.reduce((sum, each, b) => sum + each * paths.excess[b], 0);
    if (!(step > 0 && step < Number.POSITIVE_INFINITY)) break;
    price = price.map((q, b) => Math.max(paths.lowest(b), q + step * direction[b]));
  }
  return best;
}

/** The slots' own times where these are at most `maxSize`; else `maxSize` evenly spaced moments. */
function gridOf(slotTime: Float64Array, interval: number, maxSize: number): Grid {
  const distinct = Float64Array.from(new Set(slotTime));
  const size = Math.min(distinct.length, maxSize);
  const step = interval / size;
  const isEven = distinct.length > maxSize || distinct.every((time, b) => Math.abs(time / step - b) <= rounding);
  const moments = Float64Array.from({ length: size + 1 }, (_, b) =>
    b === size ? interval : isEven ? b * step : distinct[b],
  );
  const supply = new Float64Array(size);
  const cell = new Int32Array(slotTime.length);
  const share = new Float64Array(slotTime.length);
  let isExact = true;
  let at = 0;
  for (const [s, time] of slotTime.entries()) {
    while (at + 1 < size && moments[at + 1] <= time + rounding * step) at++;
    const part = (time - moments[at]) / (moments[at + 1] - moments[at]);
    const isAtMoment = part <= rounding;
    isExact &&= isAtMoment;
    cell[s] = at;
    // prices are constant in the last cell
    share[s] = at + 1 === size || isAtMoment ? 0 : part;
    supply[at] += 1 - share[s];
    if (share[s] > 0) supply[at + 1] += share[s];
  }
  return { moments, cell, share, supply, isEven, isExact };
}

/**
 * Shape of a price curve: prices less their mean, from the mean slope of the costs of some pages' crawls in each cell.
 */
function shapeOf(table: Timetable, { moments, cell, supply }: Grid, counts: (page: number) => boolean): Float64Array {
  const slope = new Float64Array(supply.length);
  const crawls = new Float64Array(supply.length);
  for (let s = 0; s < table.page.length; s++) {
    if (table.page[s] < 0 || !counts(table.page[s])) continue;
    const own = table.slopeOf(s);
    if (Number.isNaN(own)) continue;
    slope[cell[s]] -= own;
    crawls[cell[s]]++;
  }
  const price = new Float64Array(supply.length);
  let [sum, count] = [0, crawls[0]];
  for (let b = 1; b < price.length; b++) {
    const mean = crawls[b - 1] > 0 ? slope[b - 1] / crawls[b - 1] : 0;
    price[b] = price[b - 1] + mean * (moments[b] - moments[b - 1]);
    sum += crawls[b] * price[b];
    count += crawls[b];
  }
  return price.map((q) => q - sum / Math.max(1, count));
}

/**
 * Least cost of each page under the prices, by shortest paths. Moments are positions in the grid; G is the end. Prices are
 * one list: q by moment, then r_h by moment of each host with a curve.
 */
class PricedPaths {
  readonly grid: Grid;
  /** Every `stride`-th page is in the sample. */
  readonly stride: number;
  readonly #schedule: BoundProblem;
  /** By host: position in the prices at which its curve begins, 0 for a host without a curve. */
  readonly #curve: Int32Array;
  /** By host: the flat price p_h of a crawl. */
  readonly #hostPrice: Float64Array;
  /** By page: the excess of the chord over a gap's cost, taken off every gap (see the header). */
  readonly #slack: Float64Array;
  /** Lower limit of the slots' prices q: the largest slack. */
  readonly #floor: number;
  /** By price: demand for crawls less supply at the last bound, a subgradient. */
  readonly excess: Float64Array;
  /** By moment: what a crawl of the current page pays, to its slot and to its host. */
  readonly #price: Float64Array;
  /** What the crawls of the current host pay at most in the first s slots. */
  readonly #pay: Float64Array;
  readonly #minCost: Float64Array;
  readonly #predecessor: Int32Array;
  readonly #queue: Int32Array;
  readonly #starts: Int32Array;
  /** Gap costs of the pages in the sample, by page, and of the current page where it is not in the sample. */
  readonly #sampledGaps: Float64Array[] = [];
  readonly #gaps: Float64Array;

  constructor(schedule: BoundProblem, grid: Grid, stride: number) {
    const { problem, table, hostPrice } = schedule;
    const { weight, hosts } = problem.allocation;
    const delays = problem.hostDelays;
    const slots = table.slotTime.length;
    const size = grid.supply.length;
    this.#schedule = schedule;
    this.grid = grid;
    this.stride = stride;
    let curves = 0;
    const affordable = delays !== null && delays.delay.length * slots <= maxHostSlots;
    this.#curve = Int32Array.from(delays?.delay ?? [], (delay, h) => {
      const possible = affordable && delay > 0 ? countPossibleCrawls(table.slotTime, delay, delays.from[h]) : slots + 1;
      return possible <= (hosts?.maxCrawls[h] ?? slots) ? size * ++curves : 0;
    });
    this.#hostPrice = Float64Array.from(hostPrice ?? [], (own, h) => (this.#curve[h] > 0 ? 0 : own));
    this.#slack = weight.map((w, i) => (grid.isExact ? 0 : w * this.#chordExcess(i)));
    this.#floor = this.#slack.reduce((maximum, each) => Math.max(maximum, each), 0);
    this.excess = new Float64Array(size * (1 + curves));
    this.#price = new Float64Array(size);
    this.#pay = new Float64Array(slots + 1);
    this.#minCost = new Float64Array(size + 1);
    this.#predecessor = new Int32Array(size + 1);
    this.#queue = new Int32Array(size + 2);
    this.#starts = new Int32Array(size + 2);
    this.#gaps = new Float64Array(2 * size + 2);
  }

  get hasCurves(): boolean {
    return this.excess.length > this.grid.supply.length;
  }

  /** Lower limit of the k-th price. */
  lowest(k: number): number {
    return k < this.grid.supply.length ? this.#floor : 0;
  }

  /**
   * The list of prices, from those of the slots and those of the hosts that have curves; raised to their lower limits.
   */
  prices(slots: (moment: number) => number, hosts: (host: number, moment: number) => number): Float64Array {
    const size = this.grid.supply.length;
    const price = this.excess.map((_, k) => (k < size ? slots(k) : 0));
    for (const [h, from] of this.#curve.entries()) {
      for (let b = 0; b < size && from > 0; b++) price[from + b] = hosts(h, b);
    }
    return price.map((own, k) => Math.max(this.lowest(k), own));
  }

  /** Largest excess of the chord over a gap's stale time in the first cell. */
  #chordExcess(i: number): number {
    const { stale } = this.#schedule;
    const cell = this.grid.moments[1];
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
    const { weight, crawls, hosts } = this.#schedule.problem.allocation;
    const { supply } = this.grid;
    const share = Math.ceil(weight.length / stride) / weight.length;
    this.excess.fill(0);
    let minPrice = Number.POSITIVE_INFINITY;
    let slots = 0;
    let payment = 0;
    for (let b = 0; b < supply.length; b++) {
      if (supply[b] > 0) minPrice = Math.min(minPrice, price[b]);
      slots += supply[b];
      payment += supply[b] * price[b];
      this.excess[b] = -share * supply[b];
    }
    for (const [h, own] of this.#hostPrice.entries()) payment += own * (hosts?.maxCrawls[h] ?? 0);
    for (const h of this.#curve.keys()) payment += this.#payHost(h, price, share);
    let sum = share * (minPrice * (slots - crawls) - payment);
    for (let i = 0; i < weight.length; i += stride) {
      if (budget.stopRequested()) return null;
      sum += this.#minPageCost(i, price);
    }
    return sum;
  }

  /** The most that the crawls of a host pay in slots its delay apart. Takes the host's supply off the excess. */
  #payHost(h: number, price: Float64Array, part: number): number {
    const { problem, table } = this.#schedule;
    const { cell, share } = this.grid;
    const curve = this.#curve[h];
    if (curve === 0 || problem.hostDelays === null) return 0;
    const [time, pay] = [table.slotTime, this.#pay];
    const delay = problem.hostDelays.delay[h] * (1 - delayTolerance);
    const from = problem.hostDelays.from[h] - delayTolerance * problem.allocation.interval;
    // pay[s] is for the first s slots; `earlySlots` slots are at least the delay before slot s
    let earlySlots = 0;
    for (let s = 0; s < time.length; s++) {
      while (earlySlots < s && time[earlySlots] <= time[s] - delay) earlySlots++;
      const at = curve + cell[s];
      const own = share[s] > 0 ? price[at] + share[s] * (price[at + 1] - price[at]) : price[at];
      pay[s + 1] = time[s] < from ? 0 : Math.max(pay[s], own + pay[earlySlots]);
    }
    for (let s = time.length - 1; s >= 0; s--) {
      if (pay[s + 1] === pay[s]) continue;
      const at = curve + cell[s];
      this.excess[at] -= part * (1 - share[s]);
      if (share[s] > 0) this.excess[at + 1] -= part * share[s];
      const last = time[s] - delay;
      while (s > 0 && time[s - 1] > last) s--;
    }
    return pay[time.length];
  }

  /**
   * Weighted stale time of page i from a crawl at 0 until each moment; from position G + 1 on, from the start of the
   * interval until its first crawl at each moment. NaN where not computed yet.
   */
  #gapsOf(i: number): Float64Array {
    if (i % this.stride > 0) return this.#gaps.fill(Number.NaN);
    this.#sampledGaps[i] ??= new Float64Array(this.#gaps.length).fill(Number.NaN);
    return this.#sampledGaps[i];
  }

  /** Minimum of the weighted stale time of one page plus the prices that its crawls pay. */
  #minPageCost(i: number, prices: Float64Array): number {
    const { hosts } = this.#schedule.problem.allocation;
    const [slack, minCost, predecessor, price] = [this.#slack[i], this.#minCost, this.#predecessor, this.#price];
    const size = price.length;
    const h = hosts?.of[i] ?? -1;
    const curve = this.#curve[h] ?? 0;
    const flat = this.#hostPrice[h] ?? 0;
    for (let b = 0; b < size; b++) price[b] = prices[b] + (curve > 0 ? prices[curve + b] : flat);
    const { problem, stale } = this.#schedule;
    if (problem.allocation.updates.process[i] === quasiDeterministicProcess) return this.#quasiPage(i, curve);
    const gaps = this.#gapsOf(i);
    const w = problem.allocation.weight[i];
    const { moments, isEven } = this.grid;
    const costOf = (a: number, b: number): number => {
      if (a >= 0 && !isEven) return minCost[a] + w * stale.gap(i, moments[a], moments[b]);
      const k = a < 0 ? size + 1 + b : b - a;
      if (Number.isNaN(gaps[k]))
        gaps[k] = w * (a < 0 ? stale.gap(i, intervalStart, moments[b]) : stale.gap(i, 0, moments[k]));
      return a < 0 ? gaps[k] : minCost[a] + gaps[k];
    };
    const [queue, starts] = [this.#queue, this.#starts];
    let [head, tail] = [0, 1];
    queue[0] = -1;
    starts[0] = 0;
    for (let b = 0; b < size; b++) {
      while (head + 1 < tail && starts[head + 1] <= b) head++;
      predecessor[b] = queue[head];
      minCost[b] = costOf(queue[head], b) - slack + price[b];
      let from = b + 1;
      for (; tail > head; tail--) {
        from = Math.max(b + 1, starts[tail - 1]);
        if (!(costOf(b, from) < costOf(queue[tail - 1], from))) break;
      }
      if (tail > head) {
        // the first moment after `from` from which b is better than the last in the queue: by doubling, then bisection
        const last = queue[tail - 1];
        let step = 1;
        while (from + step <= size && !(costOf(b, from + step) < costOf(last, from + step))) {
          from += step;
          step *= 2;
        }
        let better = Math.min(size + 1, from + step);
        while (better - from > 1) {
          const middle = (from + better) >> 1;
          if (costOf(b, middle) < costOf(last, middle)) better = middle;
          else from = middle;
        }
        if (better > size) continue;
        from = better;
      }
      queue[tail] = b;
      starts[tail++] = from;
    }
    while (head + 1 < tail && starts[head + 1] <= size) head++;
    this.#count(queue[head], curve);
    return costOf(queue[head], size) - slack;
  }

  #quasiPage(i: number, curve: number): number {
    const { problem, stale } = this.#schedule;
    const w = problem.allocation.weight[i];
    const { moments } = this.grid;
    const [price, minCost, predecessor] = [this.#price, this.#minCost, this.#predecessor];
    const size = price.length;
    for (let b = 0; b <= size; b++) {
      let best = w * stale.gap(i, intervalStart, moments[b]);
      predecessor[b] = -1;
      for (let a = 0; a < b; a++) {
        const cost = minCost[a] + w * stale.gap(i, moments[a], moments[b]);
        if (cost < best) [best, predecessor[b]] = [cost, a];
      }
      minCost[b] = b < size ? best + price[b] : best;
    }
    this.#count(predecessor[size], curve);
    return minCost[size];
  }

  /** Adds the crawls of the path that ends at a moment (−1 for none) to the excess. */
  #count(last: number, curve: number): void {
    for (let b = last; b >= 0; b = this.#predecessor[b]) {
      this.excess[b]++;
      if (curve > 0) this.excess[curve + b]++;
    }
  }
}
