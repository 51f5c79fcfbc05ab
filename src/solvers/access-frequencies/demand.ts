/**
 * What all pages want at a price λ of an access: S(λ) = Σ x_i(λ) with x_i = max(m, L_i/s_i), in sweeps over the pages.
 *
 * A page's s solves a·freshnessGain(s) = λ, by a table (spacing-table.ts); where a ≤ λ it is infinite, and the page gets m.
 * Complexity: O(N) a sweep.
 */
import { type Budget, NothingToReturn } from '../budget.ts';
import { changesAtGain, freshnessGainRest } from '../pages/objectives/index.ts';
import type { AccessPages } from './access-pages.ts';
import { spacings } from './tables/spacing-table.ts';

/** Gains within this share of each other count as equal. */
export const sameWorth = 1e-14;
/**
 * Pages beyond which a sweep may be interrupted, a sample gives the start and 1e−8 is close enough for the sum before
 * scaling.
 */
export const manyPages = 20_000;

/** Σ x at a price, and its slope. */
export interface Demand {
  readonly sum: number;
  readonly slope: number;
}

export class PageDemand {
  /** By page, of the last sweep over it. */
  readonly frequency: Float64Array;
  /** Sweeps so far, those over a share of the pages as that share. */
  sweeps = 0;
  readonly #pages: AccessPages;
  readonly #least: number;
  readonly #budget: Budget;

  /** @param least m */
  constructor(pages: AccessPages, least: number, budget: Budget) {
    this.#pages = pages;
    this.#least = least;
    this.#budget = budget;
    this.frequency = new Float64Array(pages.length);
  }

  /** S(λ) and dS/dλ over every stride-th page, scaled up to all; these pages get their frequencies. */
  at(multiplier: number, stride: number): Demand {
    const { length, gain, load } = this.#pages;
    const frequency = this.frequency;
    const least = this.#least;
    let sum = 0;
    let slope = 0;
    let count = 0;
    this.sweeps += 1 / stride;
    for (let i = 0; i < length; i += stride, count++) {
      if ((count & 4095) === 4095) this.#poll(stride);
      const a = gain[i];
      let x = least;
      if (a > multiplier) {
        const s = spacings.spacing(a, multiplier);
        const wanted = load[i] / s;
        if (wanted > least) {
          x = wanted;
          slope -= slopeOf(wanted, s, a - multiplier);
        }
      }
      frequency[i] = x;
      sum += x;
    }
    const scale = length / count;
    return { sum: sum * scale, slope: slope * scale };
  }

  /** The pages whose a lies between these two, or null where they are more than this share of all. */
  pagesWorth(least: number, most: number, share: number): Uint32Array | null {
    const { gain } = this.#pages;
    const found = new Uint32Array(Math.floor(share * gain.length));
    let count = 0;
    for (let i = 0; i < gain.length; i++) {
      if (!(gain[i] > least && gain[i] < most)) continue;
      if (count === found.length) return null;
      found[count++] = i;
    }
    return found.subarray(0, count);
  }

  /** S(λ) and dS/dλ of these pages alone; no page gets its frequency. */
  of(pages: Uint32Array, multiplier: number): Demand {
    const { gain, load } = this.#pages;
    let sum = 0;
    let slope = 0;
    for (const i of pages) {
      const s = gain[i] > multiplier ? spacings.spacing(gain[i], multiplier) : Number.POSITIVE_INFINITY;
      const wanted = load[i] / s;
      sum += Math.max(wanted, this.#least);
      if (wanted > this.#least) slope -= slopeOf(wanted, s, gain[i] - multiplier);
    }
    return { sum, slope };
  }

  /** S when pages with a = v have 1/s = w, so λ = v(1 − (1 + 1/w)e^(−1/w)); fills `frequency` when given. */
  aroundThreshold(v: number, w: number, frequency: Float64Array | null): number {
    const { length, gain, load } = this.#pages;
    const least = this.#least;
    const k = w > 0 ? freshnessGainRest(1 / w) : 0;
    let sum = 0;
    this.sweeps++;
    for (let i = 0; i < length; i++) {
      if ((i & 4095) === 4095) this.#poll();
      const away = gain[i] - v;
      let x: number;
      if (Math.abs(away) <= sameWorth * v) x = load[i] * w;
      else {
        const complement = (away + v * k) / gain[i];
        x = complement > 0 ? load[i] / changesAtGain((v * (1 - k)) / gain[i], complement) : 0;
      }
      if (x < least) x = least;
      sum += x;
      if (frequency !== null) frequency[i] = x;
    }
    return sum;
  }

  /** A sweep of few pages is never interrupted, nor one of the sample: so a price was always tried. */
  #poll(stride = 1): void {
    const short = stride > 1 || this.#pages.length <= manyPages;
    if (!short && this.#budget.stopRequested())
      throw new NothingToReturn('the multiplier of the frequencies was not yet known');
  }
}

/** −dx/dλ of a page, x = L/s, from G′(s) = s·e^(−s) = s·(a − λ)/(a(1 + s)). */
function slopeOf(x: number, s: number, excess: number): number {
  return (x * (1 + s)) / (s * s * excess);
}
