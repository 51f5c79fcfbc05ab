/**
 * Poisson pages by classes, so that what a million pages cost at least follows from a few thousand shortest paths.
 *
 * For any times of its crawls, a page's expected cost is linear in its weight w. It is concave in its rate λ. It is
 * linear in the chance u = e^{−λ·age} that its copy is fresh at the start (0 for a page never crawled). In a gap the
 * stale time is τ − (1 − e^{−λτ})/λ, in the first one t − u(1 − e^{−λt})/λ, and (1 − e^{−λτ})/λ = ∫ e^{−λs} ds is
 * convex in λ. The least over all times and prices is therefore concave in each of w, λ and u. Its values at the
 * corners of a box of them, interpolated one after the other, are at most that. So a page counts as shares of the eight
 * corners of its box, and the sum is a bound.
 */

import { type Budget, NothingToReturn } from '../../budget.ts';

/** Pages gathered between two looks at the budget. */
const pagesPerPoll = 4096;

/** A corner: weight, rate, chance of a fresh copy, and how many pages it stands for. */
export interface PageClass {
  readonly weight: number;
  readonly rate: number;
  readonly fresh: number;
  mass: number;
}

/** Steps of u, and the factor that corners are apart in weight and rate at least. */
export interface ClassWidths {
  readonly freshSteps: number;
  readonly ratio: number;
  /** Classes there may be; boxes are as wide as it takes. */
  readonly most: number;
}

const widen = 1.4;

/** Classes for the search of prices, and for the bound. */
export const searchClasses: ClassWidths = { freshSteps: 8, ratio: 1.3, most: 300 };
export const boundClasses: ClassWidths = { freshSteps: 32, ratio: 1.12, most: 12_000 };

export interface PoissonPages {
  readonly weight: Float64Array;
  readonly rate: Float64Array;
  readonly fresh: Float64Array;
}

/** Classes by rising rate. O(pages) a width. @throws NothingToReturn when the budget ends */
export function pageClasses(pages: PoissonPages, widths: ClassWidths, budget: Budget): PageClass[] {
  for (let { ratio } = widths; ; ratio = 1 + widen * (ratio - 1)) {
    const classes = gathered(pages, { ...widths, ratio }, budget);
    if (classes !== null) return classes.sort((a, b) => a.rate - b.rate);
  }
}

/** Every page as a class of its own, by rising rate. */
export function onePageEach({ weight, rate, fresh }: PoissonPages): PageClass[] {
  const kept = [...weight.keys()].filter((i) => weight[i] > 0).sort((a, b) => rate[a] - rate[b]);
  return kept.map((i) => ({ weight: weight[i], rate: rate[i], fresh: fresh[i], mass: 1 }));
}

function gathered({ weight, rate, fresh }: PoissonPages, widths: ClassWidths, budget: Budget): PageClass[] | null {
  const { ratio, freshSteps, most } = widths;
  const classes: PageClass[] = [];
  const positions = new Positions(most + 8);
  const weights = new Ladder(weight, ratio);
  const rates = new Ladder(rate, ratio);
  for (let i = 0; i < weight.length; i++) {
    if (i % pagesPerPoll === pagesPerPoll - 1 && budget.stopRequested()) {
      throw new NothingToReturn('the pages were not in classes yet');
    }
    if (!(weight[i] > 0)) continue;
    const step = Math.min(freshSteps - 1, Math.floor(fresh[i] * freshSteps));
    const upper = fresh[i] * freshSteps - step;
    const wUpper = weights.find(weight[i]);
    const rUpper = rates.find(rate[i]);
    for (let corner = 0; corner < 8; corner++) {
      const [w, r, u] = [corner >> 2, (corner >> 1) & 1, corner & 1];
      const mass = (w === 1 ? wUpper : 1 - wUpper) * (r === 1 ? rUpper : 1 - rUpper) * (u === 1 ? upper : 1 - upper);
      if (mass === 0) continue;
      const [atWeight, atRate] = [weights.rung + w, rates.rung + r];
      const k = positions.of((atWeight * (rates.rungs + 1) + atRate) * (freshSteps + 1) + step + u);
      if (k < classes.length) classes[k].mass += mass;
      else {
        classes.push({ weight: weights.at[atWeight], rate: rates.at[atRate], fresh: (step + u) / freshSteps, mass });
      }
    }
    if (classes.length > most) return null;
  }
  return classes;
}

/** Whole numbers from 0 on in the order in which they come first: a table of at most half its places. */
class Positions {
  readonly #keys: Float64Array;
  readonly #position: Int32Array;
  #count = 0;

  constructor(most: number) {
    const places = 2 ** Math.ceil(1 + Math.log2(most));
    this.#keys = new Float64Array(places).fill(-1);
    this.#position = new Int32Array(places);
  }

  /** The position of a number, which is the next one where it was not seen yet. */
  of(key: number): number {
    const last = this.#keys.length - 1;
    let place = (Math.imul(key, 0x9e3779b1) >>> 8) & last;
    while (this.#keys[place] !== key) {
      if (this.#keys[place] === -1) {
        this.#keys[place] = key;
        this.#position[place] = this.#count++;
      } else place = (place + 1) & last;
    }
    return this.#position[place];
  }
}

/** Rungs at equal ratios between the least and the largest value. */
class Ladder {
  readonly rungs: number;
  readonly at: Float64Array;
  /** The rung below the value that was found last, or at it. */
  rung = 0;
  readonly #step: number;
  readonly #logLeast: number;

  constructor(values: Float64Array, ratio: number) {
    let least = Number.POSITIVE_INFINITY;
    let largest = 0;
    for (let i = 0; i < values.length; i++) {
      if (values[i] > 0 && values[i] < least) least = values[i];
      if (values[i] > largest) largest = values[i];
    }
    // their quotient may be no number
    const length = largest > least ? Math.log(largest) - Math.log(least) : 0;
    this.rungs = Math.ceil(length / Math.log(ratio));
    const step = this.rungs === 0 ? 0 : length / this.rungs;
    this.#step = step;
    this.#logLeast = Math.log(least);
    this.at = Float64Array.from({ length: this.rungs + 1 }, (_, rung) => {
      const half = Math.exp(0.5 * rung * step);
      return least * half * half;
    });
  }

  /** Finds the rungs about a value: the share of the upper one, with which their mean is the value. */
  find(value: number): number {
    if (this.rungs === 0) return 0;
    const rung = Math.floor((Math.log(value) - this.#logLeast) / this.#step);
    this.rung = Math.max(0, Math.min(this.rungs - 1, rung));
    const low = this.at[this.rung];
    return Math.max(0, Math.min(1, (value - low) / (this.at[this.rung + 1] - low)));
  }
}
