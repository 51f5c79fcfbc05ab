/**
 * What a crawler believes of its pages' change rates: for each page a mixture of four Gamma laws, one for each memory.
 *
 * A memory forgets what it has seen with a half-life of its own, so that a rate may drift. The mixture weighs the
 * memories by how well each foretold the page's checks, and those of all pages.
 */

/** Memories a page. */
export const memories = 4;

/** Lists of `memories` entries a page: page i's are at memories·i and the three after it. */
export interface RateBeliefs {
  readonly pages: number;
  /** a and b: the rate is Gamma(a, b), of mean a/b. */
  readonly shape: Float64Array;
  readonly scale: Float64Array;
  /** The weight of each memory; they sum to 1. */
  readonly share: Float64Array;
  /** ln P(the page's checks) by each memory, the older checks faded. */
  readonly foretold: Float64Array;
  readonly prior: MemoryPrior;
}

/** What the memories go back to, and how fast. */
export interface MemoryPrior {
  /** a⁰ and b⁰. */
  readonly shape: number;
  readonly scale: number;
  /** By memory: the rate of forgetting, ln 2 over its half-life. */
  readonly forgettingRate: Float64Array;
  /** The same of how well memories foretold. */
  readonly fadingRate: number;
  /** By memory: what all pages' checks add to ln of its weight. */
  readonly commonLogWeight: Float64Array;
}

/** Beliefs of a number of pages before any check. */
export function beliefsOf(pages: number, prior: MemoryPrior): RateBeliefs {
  return {
    pages,
    shape: new Float64Array(memories * pages).fill(prior.shape),
    scale: new Float64Array(memories * pages).fill(prior.scale),
    share: new Float64Array(memories * pages).fill(1 / memories),
    foretold: new Float64Array(memories * pages),
    prior,
  };
}

/** Weighs the memories of page i by what they foretold. */
export function weighMemories({ share, foretold, prior }: RateBeliefs, i: number): void {
  const at = memories * i;
  let maximum = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < memories; k++) maximum = Math.max(maximum, foretold[at + k] + prior.commonLogWeight[k]);
  let sum = 0;
  for (let k = 0; k < memories; k++) {
    share[at + k] = Math.exp(foretold[at + k] + prior.commonLogWeight[k] - maximum);
    sum += share[at + k];
  }
  for (let k = 0; k < memories; k++) share[at + k] /= sum;
}

/** The mean rate of page i. */
export function meanRate({ shape, scale, share }: RateBeliefs, i: number): number {
  let mean = 0;
  for (let at = memories * i; at < memories * (i + 1); at++) mean += (share[at] * shape[at]) / scale[at];
  return mean;
}

/** The mean square of the rate of page i. */
export function meanSquareRate({ shape, scale, share }: RateBeliefs, i: number): number {
  let square = 0;
  for (let at = memories * i; at < memories * (i + 1); at++) {
    square += (share[at] * shape[at] * (shape[at] + 1)) / scale[at] / scale[at];
  }
  return square;
}
