/**
 * The search for the multiplier λ of {@link deterministicFrequencies}: S(λ) = Σ x_i(λ) = 1.
 *
 * Method. λ is the clearing price of 1 access (pages/market), started from that of a sample of the pages. S is vertical
 * where λ meets the a of a page with a large load. When the bracket closes upon such a page, the unknown becomes 1/s of
 * that page, in which everything near it is nearly linear. The a's within 1e−14 of it count as equal, so that pages at
 * the threshold share what is left in proportion to their loads. Beyond 20 000 pages S has a kink at each page's a. The
 * pages near λ are then first counted anew at every λ tried and the others taken as linear. That takes two or three
 * sweeps over all pages. S is swept by demand.ts. The search ends when |S − 1| ≤ 1e−12 (1e−8 beyond 20 000 pages: 1e−16
 * of the cost), which a last scaling of what is above m removes. O(N) a sweep, 3 to 40 sweeps.
 */
import { type Budget, NothingToReturn } from '../budget.ts';
import { findRoot } from '../numerics/search/root.ts';
import { clearingPrice, type PriceBracket, type PriceSearch } from '../pages/market/index.ts';
import { freshnessGain, freshnessGainRest } from '../pages/objectives/index.ts';
import type { AccessPages } from './access-pages.ts';
import { type Demand, manyPages, PageDemand, sameWorth } from './demand.ts';
import type { Frequencies } from './frequencies.ts';
import { pricedFrequencies } from './priced-frequencies.ts';

/** Pages whose a is within this share of λ are near; of all pages at most so many may be, as a share. */
const nearWorth = 0.005;
const mostNear = 0.05;
const mostSweepsAmongMany = 6;
/** A page whose a is within this share of λ makes S jump there, as far as doubles can tell. */
const jump = 1e-9;
/** Pages that give a start, and how near S must come to 1 on them. They differ from all by about a tenth of a root. */
const samples = [
  [10_000, 1e-4],
  [100_000, 2e-4],
] as const;
/** How far the price of a sample is from that of all, in ln λ. */
const sampledStep = 0.01;

/** Finds λ, and the frequencies there. */
export class MultiplierSearch {
  readonly #pages: AccessPages;
  readonly #least: number;
  readonly #demand: PageDemand;
  readonly #highest: number;
  /** The last λ tried: from a sample of the pages at first. */
  #tried = 0;
  /** S over all pages there; null where it was a sample's. */
  #last: Demand | null = null;

  constructor(pages: AccessPages, least: number, highest: number, budget: Budget) {
    this.#pages = pages;
    this.#least = least;
    this.#demand = new PageDemand(pages, least, budget);
    this.#highest = highest;
  }

  solve(): Frequencies {
    try {
      return this.#search();
    } catch (error) {
      if (!(error instanceof NothingToReturn)) throw error;
      const { frequency, bound } = pricedFrequencies(this.#pages, 'deterministic', this.#tried, this.#least);
      return { frequency, multiplier: this.#tried, sweeps: Math.round(this.#demand.sweeps), stoppedAt: bound };
    }
  }

  #search(): Frequencies {
    const { length, gain, load } = this.#pages;
    let weighted = 0;
    let total = 0;
    for (let i = 0; i < length; i++) {
      weighted += gain[i] * load[i];
      total += load[i];
    }
    let start = Math.min((weighted / total) * freshnessGain(total), 0.999 * this.#highest);
    let step = 1;
    for (const [sample, tolerance] of samples) {
      if (length <= 2 * sample) break;
      const stride = Math.floor(length / sample);
      start = Math.min(this.#priceNear({ start, stride, step, tolerance }).high, 0.999 * this.#highest);
      step = sampledStep;
    }
    const many = length > manyPages;
    const tolerance = many ? 1e-8 : 1e-12;
    const quick = many ? this.#amongMany(start, tolerance) : null;
    if (quick !== null) return this.#met(quick);
    const { low, high } = this.#priceNear({ start, stride: 1, step, tolerance });
    if (low === high) return this.#met(high);
    // what rounding leaves, the scaling removes; a jump of S lies just under the worth of some page
    const justAbove = high * (1 + jump);
    return this.#nearby(low, justAbove).length > 0 ? this.#atThreshold(low, justAbove) : this.#met(high);
  }

  /** The price at which the pages, or every stride-th of them, take all accesses. */
  #priceNear({ stride, ...search }: Omit<PriceSearch, 'supply'> & { readonly stride: number }): PriceBracket {
    const wanted = (price: number): number => this.#demandAt(price, stride).sum;
    return clearingPrice(wanted, { ...search, supply: 1, ceiling: this.#highest });
  }

  #demandAt(price: number, stride: number): Demand {
    this.#tried = price;
    const demand = this.#demand.at(price, stride);
    this.#last = stride === 1 ? demand : null;
    return demand;
  }

  /** S is as good as 1 at a price: one Newton step moves the price where it is 1, and a scaling the frequencies. */
  #met(price: number): Frequencies {
    // a search ends at the price that it looked at last
    const { sum, slope } = this.#last !== null && price === this.#tried ? this.#last : this.#demandAt(price, 1);
    scale(this.#demand.frequency, this.#least);
    return this.#found(this.#demand.frequency, price + ((1 - sum) / slope || 0));
  }

  #found(frequency: Float64Array, multiplier: number): Frequencies {
    return { frequency, multiplier, sweeps: Math.round(this.#demand.sweeps), stoppedAt: null };
  }

  /**
   * λ with S(λ) = 1 within a few sweeps over many pages, from a λ near it; null where it takes more. S has a kink
   * wherever λ meets a page's a. The pages whose a is near λ are counted anew at every λ tried; the others are as good
   * as linear.
   */
  #amongMany(start: number, tolerance: number): number | null {
    const [least, most] = [(1 - nearWorth) * start, (1 + nearWorth) * start];
    const near = this.#demand.pagesWorth(least, most, mostNear);
    if (near === null) return null;
    let multiplier = start;
    for (let sweep = 0; sweep < mostSweepsAmongMany; sweep++) {
      const { sum, slope } = this.#demandAt(multiplier, 1);
      if (Math.abs(sum - 1) <= tolerance) return multiplier;
      const here = this.#demand.of(near, multiplier);
      const from = multiplier;
      const excess = (price: number): number =>
        sum - 1 - here.sum + (slope - here.slope) * (price - from) + this.#demand.of(near, price).sum;
      if (!(excess(least) > 0 && excess(most) < 0)) return null;
      multiplier = findRoot(excess, least, most, 1e-13 * from);
    }
    return null;
  }

  /** The distinct a inside a bracket, increasing. */
  #nearby(low: number, high: number): number[] {
    const found: number[] = [];
    for (const a of this.#pages.gain) if (a > low * (1 - sameWorth) && a <= high * (1 + sameWorth)) found.push(a);
    found.sort((a, b) => a - b);
    return found.filter((a, i) => i === 0 || a - found[i - 1] > sameWorth * a);
  }

  /** The bracket is narrow and holds some a: λ lies just under the smallest of them, v, with S(v) < 1. */
  #atThreshold(low: number, high: number): Frequencies {
    const candidates = this.#nearby(low, high);
    let first = 0;
    let last = candidates.length - 1;
    while (first < last) {
      const middle = (first + last) >> 1;
      if (this.#demand.aroundThreshold(candidates[middle], 0, null) < 1) last = middle;
      else first = middle + 1;
    }
    const reference = candidates[first];
    let shared = 0;
    for (let i = 0; i < this.#pages.length; i++) {
      if (Math.abs(this.#pages.gain[i] - reference) <= sameWorth * reference) shared += this.#pages.load[i];
    }
    const spacing = findRoot((w) => this.#demand.aroundThreshold(reference, w, null) - 1, 0, 1 / shared);
    const frequency = new Float64Array(this.#pages.length);
    this.#demand.aroundThreshold(reference, spacing, frequency);
    scale(frequency, this.#least);
    const k = spacing > 0 ? freshnessGainRest(1 / spacing) : 0;
    return this.#found(frequency, reference * (1 - k));
  }
}

/** Scales what is above the least so that the sum is 1: a correction of the size of the tolerance. */
function scale(frequency: Float64Array, least: number): void {
  let above = 0;
  for (let i = 0; i < frequency.length; i++) above += frequency[i] - least;
  const factor = (1 - least * frequency.length) / above;
  for (let i = 0; i < frequency.length; i++) frequency[i] = least + (frequency[i] - least) * factor;
}
