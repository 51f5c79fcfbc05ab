/**
 * Quantiles of an absorption time by uniformisation: the response time of the pages that are served.
 *
 * Model: a page follows an absorbing Markov chain from its arrival; `served` is one way of being absorbed. With jumps
 * at rate Λ, P(served by t) = Σ_n Poisson(n; Λt)·b_n, b_n the probability of being served within n jumps; b is computed
 * once, t found by bisection. Cost: (number of jumps)·(cost of a jump); jumps ≈ Λ·t of the largest quantile asked.
 * Accuracy: b is continued until what is missing to the total is below 1e−11 of the largest quantile's tail; t to
 * 1e−12.
 * Source: Jensen (1953); Avrachenkov et al. (2012), section 5, for the chain.
 */
import { type Budget, NothingToReturn, pollOf } from '../../budget.ts';
import type { ResponseQuantile } from '../model/measures.ts';

/** A page's chain after its arrival, uniformised. */
export interface PageChain {
  /** Jump rate Λ, at least every state's total rate. */
  readonly jumpRate: number;
  /** Start: rate of arrivals into each state. */
  readonly start: Float64Array;
  /** Rate of arrivals of pages that will be served: what the served mass adds up to. */
  readonly servedRate: number;
  /** Rate at which a page in each state expires. */
  readonly expiring: Float64Array;
  /** One jump: `after` := `before`·P on the transient states (filled by this call); returns the mass served by it. */
  jump(before: Float64Array, after: Float64Array): number;
}

/** The most jumps that are followed: what is kept of each is 8 bytes. */
const maxJumps = 20_000_000;
const unfinished = 'the quantiles of the response time had not been computed';

/**
 * @param probabilities each in (0, 1)
 * @throws NothingToReturn when the budget ends first, or the chain is too stiff to be followed jump by jump
 */
export function responseQuantiles(
  chain: PageChain,
  probabilities: readonly number[],
  budget: Budget,
): ResponseQuantile[] {
  const largest = Math.max(...probabilities);
  const enough = 1 - (1 - largest) * 1e-11;
  const poll = pollOf(budget, unfinished);
  const cumulative: number[] = [0];
  let before: Float64Array = chain.start.slice();
  let after: Float64Array = new Float64Array(before.length);
  let served = 0;
  while (served < enough) {
    poll(40 * before.length + 2000);
    if (cumulative.length > maxJumps) throw new NothingToReturn(unfinished);
    const mass = chain.jump(before, after) / chain.servedRate;
    served += mass;
    cumulative.push(served);
    [before, after] = [after, before];
    // Rounding may keep the sum from ever reaching `enough`.
    if (mass < 1e-17 && served > largest && cumulative.length > 1000) break;
  }
  return probabilities.map((probability) => ({ probability, time: invert(cumulative, chain.jumpRate, probability) }));
}

/** The time by which a share `probability` is served. */
export function invert(cumulative: readonly number[], jumpRate: number, probability: number): number {
  let low = 0;
  let high = 1 / jumpRate;
  while (reachedBy(cumulative, jumpRate * high) < probability && high * jumpRate < 4 * cumulative.length + 100)
    high *= 2;
  for (let i = 0; i < 200 && high - low > 1e-13 * high; i++) {
    const middle = (low + high) / 2;
    if (reachedBy(cumulative, jumpRate * middle) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Σ_n Poisson(n; mean)·b_n, summed outwards from the mode of the Poisson law. */
export function reachedBy(cumulative: readonly number[], mean: number): number {
  const last = cumulative.length - 1;
  const at = (n: number): number => cumulative[Math.min(n, last)];
  // a Poisson law has less than e^{−0.15·mean} of its mass below half its mean
  if (mean > 2 * last + 4000) return cumulative[last];
  const mode = Math.floor(mean);
  // Weights relative to that of the mode, normalised at the end: nothing over- or underflows.
  let total = 1;
  let sum = at(mode);
  for (let n = mode, weight = 1; weight > 1e-18; n++) {
    weight *= mean / (n + 1);
    total += weight;
    sum += weight * at(n + 1);
  }
  for (let n = mode, weight = 1; n > 0 && weight > 1e-18; n--) {
    weight *= n / mean;
    total += weight;
    sum += weight * at(n - 1);
  }
  return sum / total;
}
