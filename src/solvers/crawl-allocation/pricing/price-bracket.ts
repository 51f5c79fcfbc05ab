/**
 * The price of a crawl between two prices whose exact counts lie on both sides of R, and the counts that sum to R.
 * These are steps 2 to 4 of allocate.ts.
 *
 * A pass counts exactly at a price just above the guess and collects the gains between it and a price just below. The
 * window is moved, widened or halved until R lies between its two counts. Then the largest of the collected gains fill
 * up what is left. Where far too many gains lie between (saturated pages tie by the million), passes count on both
 * sides of a middle gain. That finds a tie at once; a tie that remains is spread evenly.
 */
import { type Budget, NothingToReturn } from '../../budget.ts';
import type { Pages } from '../gains/pages.ts';
import type { PriceCounter } from './price-count.ts';
import { spreadEvenly } from './spread-evenly.ts';

/** Three are usual; halving to the last bit takes some hundred. */
const maxPasses = 3000;
/** How far a sample is off at most, in what all would be if counts were spread as widely as their mean. */
const mostOff = 3;
/** Gains collected to find a middle one. */
const sampledGains = 65_536;

/** Where a search begins and what it is for. */
export interface PriceSearch {
  readonly pages: Pages;
  readonly counter: PriceCounter;
  /** Crawls to give out. */
  readonly total: number;
  /** Pages that tell of all; null: all do. */
  readonly sample: Int32Array | null;
  /** A price at which about that many are taken. */
  readonly start: number;
}

export function bracketPrice(search: PriceSearch, budget: Budget): Int32Array {
  const bracket = new PriceBracket(search);
  budget.report({ fraction: 0.5 });
  for (let pass = 0; pass <= maxPasses; pass++) {
    const counts = bracket.closeIn();
    if (counts !== null) return counts;
  }
  throw new NothingToReturn('the price of a crawl was not found within the accuracy of doubles');
}

class PriceBracket {
  readonly #pages: Pages;
  readonly #counter: PriceCounter;
  readonly #total: number;
  /** Gains worth collecting in one pass. */
  readonly #collected: number;
  /** The window of the next pass, and half its width in ln θ. */
  #low: number;
  #high: number;
  #half: number;
  /** The lowest price known to be too high and the highest known to be low enough, with their counts. */
  #tooHigh = Number.POSITIVE_INFINITY;
  #takenTooHigh = 0;
  #lowEnough = 0;
  #takenLowEnough = Number.POSITIVE_INFINITY;

  constructor(search: PriceSearch) {
    const { pages, counter, total, start } = search;
    this.#pages = pages;
    this.#counter = counter;
    this.#total = total;
    this.#collected = 2 * pages.count + 65_536;
    const { sample } = search;
    const share = sample === null ? 1 : sample.length / pages.count;
    const rough = counter.rough(sample, start);
    const slope = Math.max(rough.slope / share, 1);
    const step = Math.max(-1, Math.min(1, (rough.total / share - total) / slope));
    const price = start * Math.exp(step);
    // wide enough for what a Newton step leaves (some 3% of it where pages are many), narrow enough to collect few gains
    const sampled = sample === null ? 0 : (mostOff * total) / slope / Math.sqrt(sample.length);
    const left = Math.max(2e-4, 0.1 * Math.abs(step), step * step, 64 / slope, sampled);
    this.#half = Math.min(left, Math.max(16_384, pages.count / 16) / slope, 0.5);
    this.#low = price * Math.exp(-this.#half);
    this.#high = price * Math.exp(this.#half);
  }

  /** One pass; the counts once they are known. */
  closeIn(): Int32Array | null {
    if (!this.#closed()) return this.#try(this.#collected);
    if (this.#takenLowEnough - this.#takenTooHigh > this.#collected) return this.#separate();
    this.#low = this.#lowEnough;
    this.#high = this.#tooHigh;
    return this.#try(Number.POSITIVE_INFINITY);
  }

  #closed(): boolean {
    return this.#lowEnough > 0 && this.#tooHigh < Number.POSITIVE_INFINITY;
  }

  #learn(price: number, taken: number): void {
    if (taken <= this.#total) {
      this.#tooHigh = price;
      this.#takenTooHigh = taken;
    } else {
      this.#lowEnough = price;
      this.#takenLowEnough = taken;
    }
  }

  /**
   * Counts at the ends of the window; where R lies between them the gains collected decide, else the window moves on.
   */
  #try(room: number): Int32Array | null {
    const counter = this.#counter;
    const low = Math.max(this.#low, Number.MIN_VALUE);
    const atHigh = counter.between(low, this.#high, room);
    this.#learn(this.#high, atHigh);
    if (atHigh <= this.#total) {
      if (counter.candidates.hasRoom()) {
        const atLow = atHigh + counter.candidates.length;
        if (atLow >= this.#total || low === Number.MIN_VALUE) return this.#fillUp(atHigh, atLow);
        this.#learn(low, atLow);
      } else this.#learn(low, counter.between(low, low, 0));
    }
    this.#half *= 4;
    if (atHigh > this.#total) {
      this.#low = this.#high;
      this.#high *= Math.exp(this.#half);
    } else {
      this.#high = low;
      this.#low = low * Math.exp(-this.#half);
    }
    return null;
  }

  /** The largest gains collected; when every gain that a double can hold is taken, the rest saves nothing. */
  #fillUp(atHigh: number, atLow: number): Int32Array {
    // a copy: a thread that was given up for lost may still write to the counter's
    const counts = this.#counter.counts.slice();
    this.#counter.candidates.takeLargest(Math.min(this.#total, atLow) - atHigh, counts);
    spreadEvenly(counts, this.#pages.maximum, this.#total - atLow);
    return counts;
  }

  /** Far too many gains lie between the two prices: brings them closer, or spreads the one tie that is left. */
  #separate(): Int32Array | null {
    const counter = this.#counter;
    const [lowEnough, tooHigh] = [this.#lowEnough, this.#tooHigh];
    const halfway = Math.sqrt(lowEnough) * Math.sqrt(tooHigh);
    if (tooHigh <= lowEnough * (1 + 2e-13) || halfway <= lowEnough || halfway >= tooHigh) {
      // it may go anywhere, so evenly
      counter.between(lowEnough, lowEnough, 0);
      const rich = counter.counts.slice();
      const taken = counter.between(tooHigh, tooHigh, 0);
      const counts = counter.counts.slice();
      spreadEvenly(counts, rich, this.#total - taken);
      return counts;
    }
    counter.between(lowEnough, tooHigh, sampledGains);
    const pivot = counter.candidates.middle();
    for (const price of [pivot * (1 + 5e-14), pivot * (1 - 5e-14), halfway]) {
      if (price > this.#lowEnough && price < this.#tooHigh) this.#learn(price, counter.between(price, price, 0));
    }
    return null;
  }
}
