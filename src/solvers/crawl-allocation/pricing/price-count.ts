/**
 * How many crawls every page takes at a price: the hot loops of the allocation.
 *
 * At price θ page i takes every crawl whose gain is at least θ: x_i(θ) = #{x ≥ m_i : gain ≥ θ}, at most M_i. For
 * Poisson and Lomax pages table-reader.ts says so without an exponential, except close to an integer. `between` does
 * two prices at once: the counts at the higher one, and every gain between the two. Families without a table, and
 * prices outside a table's domain, are searched by doubling and halving on exact gains (page-gain.ts) from the last
 * count.
 *
 * Cost: about 25 ns a page where the tables decide.
 */
import { type Budget, NothingToReturn } from '../../budget.ts';
import { gainOfNext } from '../gains/page-gain.ts';
import { type Pages, quasiDeterministicProcess } from '../gains/pages.ts';
import { blockSize, type TableReader } from '../gains/table-reader.ts';
import { Candidates } from './candidates.ts';

/** The exact count of page i at price θ by doubling and halving from a guess. */
export function exactCount(pages: Pages, i: number, price: number, guess: number): number {
  const least = pages.minimum[i];
  const most = pages.maximum[i];
  let low = Math.max(least, Math.min(most, guess));
  let high: number;
  if (low < most && gainOfNext(pages, i, low) >= price) {
    let step = 1;
    high = low + 1;
    while (high < most && gainOfNext(pages, i, high) >= price) {
      low = high;
      high = Math.min(most, high + step);
      step *= 2;
    }
    low++;
  } else {
    // the count is at most `low`
    high = low;
    let step = 1;
    while (high > least) {
      const below = Math.max(least, high - step);
      if (gainOfNext(pages, i, below) >= price) {
        low = below + 1;
        break;
      }
      high = below;
      low = below;
      step *= 2;
    }
  }
  // the count is in [low, high], gain(low − 1) ≥ price, gain(high) < price (or high is the maximum)
  while (low < high) {
    const middle = low + ((high - low) >> 1);
    if (gainOfNext(pages, i, middle) >= price) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Counts pages at one price after another. */
export class PriceCounter {
  /** Exact counts at the higher price of the last `between`. */
  readonly counts: Int32Array;
  /** Gains between the two prices of the last `between`. */
  readonly candidates = new Candidates();
  readonly #pages: Pages;
  readonly #reader: TableReader | null;
  readonly #budget: Budget;
  /** Where the next exact search of a page starts: its count when it was last searched. Results do not depend on it. */
  readonly #guess: Int32Array;

  /** @param reader null: exact gains decide every page */
  constructor(pages: Pages, reader: TableReader | null, budget: Budget) {
    this.#pages = pages;
    this.#reader = reader;
    this.#budget = budget;
    this.counts = new Int32Array(pages.count);
    this.#guess = new Int32Array(pages.count);
  }

  /** Stops the solve when asked to: nothing worth returning exists yet. */
  #poll(): void {
    if (this.#budget.stopRequested()) throw new NothingToReturn('the price of a crawl was not yet known');
  }

  /**
   * Counts near a price, without exact gains where a table answers: Σ counts and −dΣ/d ln θ.
   *
   * @param chosen the pages to count; null: all
   * @param noted takes the count of each, where it is given
   */
  rough(chosen: Int32Array | null, price: number, noted: Int32Array | null = null): { total: number; slope: number } {
    const root = Math.sqrt(price);
    const pages = this.#pages;
    const reader = this.#reader;
    const guess = this.#guess;
    const { minimum, maximum, process } = pages;
    const length = chosen === null ? pages.count : chosen.length;
    let total = 0;
    let sum = 0;
    for (let from = 0; from < length; from += blockSize) {
      this.#poll();
      const size = Math.min(blockSize, length - from);
      let slope = 0;
      reader?.read(chosen, from, size, root, 1);
      for (let k = 0; k < size; k++) {
        const i = chosen === null ? from + k : chosen[from + k];
        const least = minimum[i];
        const most = maximum[i];
        let count = least;
        if (least === most) {
          // as many as must be
        } else if (reader !== null && reader.margin[k] < 1) {
          count = reader.count[k] | 0;
          if (count < least) count = least;
          else if (count >= most) count = most;
          else slope += reader.slope[k];
        } else {
          count = exactCount(pages, i, price, guess[i]);
          guess[i] = count;
          if (process[i] !== quasiDeterministicProcess && count > least && count < most) slope += 0.5 * count;
        }
        total += count;
        if (noted !== null) noted[from + k] = count;
      }
      sum += slope;
    }
    return { total, slope: sum };
  }

  /**
   * Exact counts at price `high` into `counts` (their sum is returned), and every gain in [low, high) into
   * `candidates`, until `room` are kept.
   */
  between(low: number, high: number, room: number): number {
    const halfWidth = 0.5 * Math.log(high / low);
    const root = Math.sqrt(Math.sqrt(low) * Math.sqrt(high));
    const lowest = Math.exp(-0.51 * halfWidth);
    const pages = this.#pages;
    const reader = this.#reader;
    const { counts, candidates } = this;
    const { minimum, maximum } = pages;
    candidates.startOver(room);
    let total = 0;
    for (let from = 0; from < pages.count; from += blockSize) {
      this.#poll();
      const size = Math.min(blockSize, pages.count - from);
      reader?.read(null, from, size, root, lowest);
      for (let k = 0; k < size; k++) {
        const i = from + k;
        const least = minimum[i];
        const most = maximum[i];
        if (least === most) {
          counts[i] = least;
          total += least;
          continue;
        }
        let guess = this.#guess[i];
        if (reader !== null && reader.margin[k] < 2) {
          const count = reader.count[k];
          guess = count < most ? count | 0 : most;
          // the slope itself moves by less than a tenth over the widths used
          const margin = reader.margin[k] + 1.1 * halfWidth * reader.slope[k];
          if (margin < 1) {
            const over = count - guess;
            if ((over > margin && over < 1 - margin) || count - margin >= most || count + margin < least) {
              const x = guess < least ? least : guess;
              counts[i] = x;
              total += x;
              continue;
            }
          }
        }
        total += this.#countExactly(i, low, high, guess);
      }
    }
    return total;
  }

  /** The exact count of page i at `high`, and its gains down to `low`. */
  #countExactly(i: number, low: number, high: number, guess: number): number {
    const pages = this.#pages;
    const { candidates } = this;
    const count = exactCount(pages, i, high, guess);
    this.counts[i] = count;
    this.#guess[i] = count;
    for (let x = count; x < pages.maximum[i] && candidates.hasRoom(); x++) {
      const gain = gainOfNext(pages, i, x);
      if (gain < low) break;
      candidates.push(i, gain);
    }
    return count;
  }
}
