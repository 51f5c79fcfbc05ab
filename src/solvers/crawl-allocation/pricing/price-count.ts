/**
 * How many crawls every page takes at a price: the hot loops of the allocation.
 *
 * At price θ page i takes every crawl whose gain is at least θ: x_i(θ) = #{x ≥ m_i : gain ≥ θ}, at most M_i. It is found
 * by doubling and halving on exact gains (page-gain.ts), from the last count; the first time from that of the gap s with
 * G(s) = θ/worth of a Poisson page, by the first terms of its inverse.
 * Cost: two or three gains a page.
 */
import { type Budget, NothingToReturn } from '../../budget.ts';
import { gainOfNext } from '../gains/page-gain.ts';
import { lomaxProcess, type Pages, poissonProcess, quasiDeterministicProcess } from '../gains/pages.ts';
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

/** Pages counted between two looks at the budget. */
const blockSize = 2048;

/** A count near that of page i at a price. */
function firstGuess({ process, worth, length, age }: Pages, i: number, price: number): number {
  if (process[i] !== poissonProcess && process[i] !== lomaxProcess) return 0;
  const share = price / worth[i];
  if (!(share < 1)) return 0;
  const u = Math.sqrt(-2 * Math.log1p(-share));
  const gap = u * (1 + u * (1 / 3 + u / 36));
  const old = age === null ? -1 : age[i];
  const gaps = (length[i] * (1 + Math.max(0, old))) / gap;
  return Math.floor(gaps + (old < 0 ? 0.5 : -0.5));
}

/** Counts pages at one price after another. */
export class PriceCounter {
  /** Exact counts at the higher price of the last `between`. */
  readonly counts: Int32Array;
  /** Gains between the two prices of the last `between`. */
  readonly candidates = new Candidates();
  readonly #pages: Pages;
  readonly #budget: Budget;
  /** Where the next search of a page starts: its count when it was last searched; −1 for never. */
  readonly #guess: Int32Array;

  constructor(pages: Pages, budget: Budget) {
    this.#pages = pages;
    this.#budget = budget;
    this.counts = new Int32Array(pages.count);
    this.#guess = new Int32Array(pages.count).fill(-1);
  }

  /** Stops the solve when asked to: nothing worth returning exists yet. */
  #poll(): void {
    if (this.#budget.stopRequested()) throw new NothingToReturn('the price of a crawl was not yet known');
  }

  #count(i: number, price: number): number {
    const pages = this.#pages;
    const guess = this.#guess[i] < 0 ? firstGuess(pages, i, price) : this.#guess[i];
    const count = exactCount(pages, i, price, guess);
    this.#guess[i] = count;
    return count;
  }

  /**
   * Counts at a price: Σ counts and about −dΣ/d ln θ.
   *
   * @param chosen the pages to count; null: all
   * @param noted takes the count of each, where it is given
   */
  rough(chosen: Int32Array | null, price: number, noted: Int32Array | null = null): { total: number; slope: number } {
    const { minimum, maximum, process, count: all } = this.#pages;
    const length = chosen === null ? all : chosen.length;
    let total = 0;
    let slope = 0;
    for (let k = 0; k < length; k++) {
      if (k % blockSize === 0) this.#poll();
      const i = chosen === null ? k : chosen[k];
      const count = minimum[i] === maximum[i] ? minimum[i] : this.#count(i, price);
      if (process[i] !== quasiDeterministicProcess && count > minimum[i] && count < maximum[i]) slope += 0.5 * count;
      total += count;
      if (noted !== null) noted[k] = count;
    }
    return { total, slope };
  }

  /**
   * Exact counts at price `high` into `counts` (their sum is returned), and every gain in [low, high) into
   * `candidates`, until `room` are kept.
   */
  between(low: number, high: number, room: number): number {
    const pages = this.#pages;
    const { counts, candidates } = this;
    candidates.startOver(room);
    let total = 0;
    for (let i = 0; i < pages.count; i++) {
      if (i % blockSize === 0) this.#poll();
      const count = pages.minimum[i] === pages.maximum[i] ? pages.minimum[i] : this.#count(i, high);
      counts[i] = count;
      total += count;
      for (let x = count; x < pages.maximum[i] && candidates.hasRoom(); x++) {
        const gain = gainOfNext(pages, i, x);
        if (gain < low) break;
        candidates.push(i, gain);
      }
    }
    return total;
  }
}
