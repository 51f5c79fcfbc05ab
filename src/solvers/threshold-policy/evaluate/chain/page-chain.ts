/**
 * A page's way through the system as an absorbing Markov chain, uniformised, and the law of its time from what is
 * absorbed at each jump. With jumps at rate Λ, P(T ≤ t) = Σ_n Poisson(n; Λt)·b_n, b_n the share absorbed within n
 * jumps. Source: Jensen (1953); Avrachenkov et al. (2012), section 5, for the chain.
 */

/** A page's chain after its arrival, uniformised. */
export interface PageChain {
  /** Jump rate Λ, at least every state's total rate. */
  readonly jumpRate: number;
  /** Start: rate of arrivals into each state. */
  readonly start: Float64Array;
  /** Rate at which a page in each state expires. */
  readonly expiring: Float64Array;
  /** One jump: `after` := `before`·P on the transient states (filled by this call); returns the mass served by it. */
  jump(before: Float64Array, after: Float64Array): number;
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
