/**
 * The coin that deals units to the arms of a trial, and the times of its probes. Both are hashes, so that only the seed
 * has to be kept, and every language computes the same.
 *
 *   coin(seed, unit, period)   md5('<seed>/<period>/<unit>'): the plan where its first hexadecimal digit is below 8
 *   probe j of a seed          at (j + u)·cell, of the page at v of the cumulative weights, where
 *                              u = uniform('<seed>/probe/<j>/time'), v = uniform('<seed>/probe/<j>/page')
 *   uniform(text)              the first 13 hexadecimal digits of md5(text), divided by 2^52
 *
 * One probe falls in each cell of time, at a moment drawn evenly. Every moment is probed alike, whatever the crawler
 * does, so probes see time averages (as Poisson arrivals do: R. Wolff, Operations Research 30, 1982).
 */
import { Md5 } from './md5.ts';
import type { Arm } from './problem.ts';

/** The arm of a unit (a page, or a host) in a period: a whole number, from 0 at the epoch. */
export function coin(seed: string, unit: string, period: number): Arm {
  return new Coin(seed).isPlan(unit, period) ? 'plan' : 'incumbent';
}

/** The coin of one seed, tossed many times. */
export class Coin {
  readonly #seed: string;
  readonly #md5 = new Md5();
  /** The period last asked for, and what its texts begin with. */
  #period = Number.NaN;
  #prefix = '';

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Whether a unit belongs to the plan in a period. */
  isPlan(unit: string, period: number): boolean {
    if (period !== this.#period) {
      this.#period = period;
      this.#prefix = `${this.#seed}/${period}/`;
    }
    // The first hexadecimal digit is the upper half of the first byte.
    return (this.#md5.digest(this.#prefix, unit).words[0] & 0x80) === 0;
  }
}

/** A number in [0, 1), of 52 bits. */
export function uniform(text: string): number {
  const [first, second] = new Md5().digest(text).words;
  // Thirteen digits: seven bytes, of the last its upper half.
  const upper = swapped(first);
  const lower = swapped(second) >>> 12;
  return (upper * 2 ** 20 + lower) / 2 ** 52;
}

/** A word's bytes in the order in which the digest is written. */
const swapped = (word: number): number =>
  (((word & 0xff) << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)) >>> 0;

/** A probe to be made. */
export interface Probe {
  readonly time: number;
  /** The page's place among the cumulative weights, 0 to 1: the first page whose share of them is above it. */
  readonly place: number;
}

/** Probe number `cell`, of which there is one in every `length` of time. */
export function probeOf(seed: string, cell: number, length: number): Probe {
  return {
    time: (cell + uniform(`${seed}/probe/${cell}/time`)) * length,
    place: uniform(`${seed}/probe/${cell}/page`),
  };
}
