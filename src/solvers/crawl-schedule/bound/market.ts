/** The slots as a market: a grid of moments, how many slots each has, and Poisson pages as classes on it. */
import { type CrawlAllocationProblem, poissonProcess } from '../../crawl-allocation/index.ts';
import { staleChanges } from '../../pages/objectives/index.ts';
import type { CrawlScheduleProblem } from '../problem.ts';
import type { PageClass, PoissonPages } from './page-classes.ts';
import type { PricedClass, SlotMarket } from './slot-prices.ts';

/** Moments of a grid: so many a crawl of a page in the mean, within bounds. */
const momentsPerCrawl = 32;
const fewestMoments = 256;
const mostMoments = 1024;

export interface Grid extends SlotMarket {
  /** Time between two moments, the end of the interval included; 0 where they are not even. */
  readonly spacing: number;
  /** Whether all slots are at moments of the grid. */
  readonly exact: boolean;
}

/** What the number of moments goes by. */
export type MarketSize = Pick<CrawlAllocationProblem, 'interval' | 'crawls' | 'weight'>;

/** The grid: all slots' times where they are few, else evenly spaced moments. */
export function marketOf(slotTime: Float64Array, { interval, crawls, weight }: MarketSize): Grid {
  const wanted = Math.ceil((momentsPerCrawl * crawls) / weight.length);
  const most = Math.max(fewestMoments, Math.min(mostMoments, wanted));
  const distinct: number[] = [];
  for (const time of slotTime) {
    if (distinct.length === 0 || time > distinct[distinct.length - 1]) distinct.push(time);
    if (distinct.length > most) break;
  }
  if (distinct.length > most) return evenMarket(slotTime, { interval, crawls, weight }, most);
  const moments = Float64Array.from(distinct);
  const supply = new Float64Array(moments.length);
  let cell = 0;
  for (const time of slotTime) {
    while (cell + 1 < moments.length && moments[cell + 1] <= time) cell++;
    supply[cell]++;
  }
  return { moments, supply, slots: slotTime.length, crawls, spacing: 0, exact: true };
}

/** A grid of so many evenly spaced moments, each slot counted as shares of the two about it. */
export function evenMarket(slotTime: Float64Array, { interval, crawls }: MarketSize, size: number): Grid {
  const spacing = interval / size;
  const moments = new Float64Array(size).map((_, b) => b * spacing);
  const supply = new Float64Array(size);
  const rounding = 1e-12 * interval;
  let exact = true;
  let cell = 0;
  for (const time of slotTime) {
    while (cell + 1 < size && moments[cell + 1] <= time + rounding) cell++;
    exact &&= Math.abs(time - moments[cell]) <= rounding;
    // prices are level in the last cell
    const share = cell + 1 === size ? 0 : Math.max(0, time - moments[cell]) / spacing;
    supply[cell] += 1 - share;
    if (share > 0) supply[cell + 1] += share;
  }
  return { moments, supply, slots: slotTime.length, crawls, spacing, exact };
}

/** The Poisson pages; the others with weight 0. */
export function poissonPages({ allocation }: CrawlScheduleProblem): PoissonPages {
  const { updates, lastCrawlAge } = allocation;
  const weight = allocation.weight.map((w, i) => (updates.process[i] === poissonProcess ? w : 0));
  const rate = updates.meanGap.map((mean) => (mean > 0 ? 1 / mean : 1));
  const fresh = rate.map((lambda, i) => {
    const age = lastCrawlAge?.[i] ?? Number.NaN;
    return Number.isNaN(age) ? 0 : Math.exp(-lambda * age);
  });
  return { weight, rate, fresh };
}

/** Classes of Poisson pages on a grid; those of one rate share their gaps. */
export class ClassGrid {
  readonly #grid: Grid;
  readonly #interval: number;
  #rate = Number.NaN;
  #gaps = new Float64Array(0);

  constructor(grid: Grid, interval: number) {
    this.#grid = grid;
    this.#interval = interval;
  }

  priced({ weight, rate, fresh, mass }: PageClass): PricedClass {
    const { moments, spacing, exact } = this.#grid;
    const interval = this.#interval;
    const size = moments.length;
    const first = new Float64Array(size + 1);
    for (let b = 0; b <= size; b++) first[b] = firstGap(rate, fresh, b < size ? moments[b] : interval);
    const gaps = this.#gapsOf(rate);
    const slack = exact ? 0 : weight * bulge(rate, spacing);
    return {
      page: { gaps, stride: spacing > 0 ? -1 : size + 1, first, weight, convex: true, slack },
      mass,
      atOnePrice: (price) => leastAtOnePrice({ weight, rate, fresh }, price, interval),
    };
  }

  #gapsOf(rate: number): Float64Array {
    if (rate === this.#rate) return this.#gaps;
    const { moments, spacing } = this.#grid;
    const size = moments.length;
    this.#rate = rate;
    if (spacing > 0) {
      this.#gaps = new Float64Array(size + 1).map((_, cells) => staleGap(rate, cells * spacing));
      return this.#gaps;
    }
    this.#gaps = new Float64Array(size * (size + 1));
    for (let a = 0; a < size; a++) {
      for (let b = a + 1; b <= size; b++) {
        const to = b < size ? moments[b] : this.#interval;
        this.#gaps[a * (size + 1) + b] = staleGap(rate, to - moments[a]);
      }
    }
    return this.#gaps;
  }
}

/** t − u(1 − e^{−λt})/λ. */
function firstGap(rate: number, fresh: number, t: number): number {
  return t * (1 - fresh) + fresh * staleGap(rate, t);
}

function staleGap(rate: number, t: number): number {
  return staleChanges(rate * t) / rate;
}

/** How far the chord of a gap's stale time over the first cell, where it bends most, is above it at most. */
function bulge(rate: number, spacing: number): number {
  const slope = staleGap(rate, spacing) / spacing;
  const at = -Math.log1p(-slope) / rate;
  return slope * at - staleGap(rate, at);
}

/** min over whole x of weighted stale time + price·x, times free: convex in x, by doubling and halving. */
function leastAtOnePrice({ weight, rate, fresh }: Omit<PageClass, 'mass'>, price: number, interval: number): number {
  const age = fresh > 0 ? -Math.log(fresh) / rate : Number.POSITIVE_INFINITY;
  const costOf = (x: number): number => {
    if (x === 0) return weight * firstGap(rate, fresh, interval);
    if (x * age > interval) return weight * x * staleGap(rate, interval / x) + price * x;
    return weight * ((x + 1) * staleGap(rate, (interval + age) / (x + 1)) - staleGap(rate, age)) + price * x;
  };
  if (!(price > 0)) return 0;
  let low = 0;
  let high = 1;
  while (high < 1e9 && costOf(high + 1) < costOf(high)) high *= 2;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (costOf(middle + 1) < costOf(middle)) low = middle;
    else high = middle;
  }
  return Math.min(costOf(low), costOf(high), costOf(high + 1));
}
