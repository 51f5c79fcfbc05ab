/**
 * What a crawler believes of its pages' change rates: for each page a mixture of four Gamma laws, one for each memory.
 *
 * Each memory forgets past checks with its own half-life, so that a rate may drift. The mixture weighs the memories by
 * how well each predicted the checks of the page, and the checks of all pages.
 */

/** Memories a page. */
export const memories = 4;

/** Lists have `memories` entries a page: those of page i are at memories·i to memories·i + 3. */
export interface RateBeliefs {
  readonly pages: number;
  /** a and b: the rate is Gamma(a, b), of mean a/b. */
  readonly shape: Float64Array;
  readonly scale: Float64Array;
  /** The weight of each memory; they sum to 1. */
  readonly share: Float64Array;
  /** ln P(checks of the page) under each memory, older checks discounted. */
  readonly logLikelihood: Float64Array;
  readonly prior: MemoryPrior;
}

/** The law that memories return to as they forget, and how fast. */
export interface MemoryPrior {
  /** a⁰ and b⁰. */
  readonly shape: number;
  readonly scale: number;
  /** By memory: the rate of forgetting, ln 2 over its half-life. */
  readonly forgettingRate: Float64Array;
  /** The rate at which prediction scores of old checks are discounted: ln 2 over their half-life. */
  readonly fadingRate: number;
  /** By memory: what the checks of all pages add to the logarithm of the memory's weight. */
  readonly commonLogWeight: Float64Array;
}

/** Beliefs of a number of pages before any check. */
export function beliefsOf(pages: number, prior: MemoryPrior): RateBeliefs {
  return {
    pages,
    shape: new Float64Array(memories * pages).fill(prior.shape),
    scale: new Float64Array(memories * pages).fill(prior.scale),
    share: new Float64Array(memories * pages).fill(1 / memories),
    logLikelihood: new Float64Array(memories * pages),
    prior,
  };
}

/** Sets the shares of the memories of page i in proportion to the likelihoods that they gave to past checks. */
export function weighMemories({ share, logLikelihood, prior }: RateBeliefs, i: number): void {
  const at = memories * i;
  let maximum = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < memories; k++) maximum = Math.max(maximum, logLikelihood[at + k] + prior.commonLogWeight[k]);
  let sum = 0;
  for (let k = 0; k < memories; k++) {
    share[at + k] = Math.exp(logLikelihood[at + k] + prior.commonLogWeight[k] - maximum);
    sum += share[at + k];
  }
  for (let k = 0; k < memories; k++) share[at + k] /= sum;
}

/** The mean change rate of page i under its mixture. */
export function meanRate({ shape, scale, share }: RateBeliefs, i: number): number {
  let mean = 0;
  for (let at = memories * i; at < memories * (i + 1); at++) mean += (share[at] * shape[at]) / scale[at];
  return mean;
}

/** The mean square of the change rate of page i under its mixture. */
export function meanSquareRate({ shape, scale, share }: RateBeliefs, i: number): number {
  let square = 0;
  for (let at = memories * i; at < memories * (i + 1); at++) {
    square += (share[at] * shape[at] * (shape[at] + 1)) / scale[at] / scale[at];
  }
  return square;
}
