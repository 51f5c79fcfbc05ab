import type { ServiceArrivals } from './arrivals.ts';
import type { QueueMeasures } from './problem.ts';

/**
 * The M/G/1/K queue from its chain at departures.
 *
 * Symbols: Λ arrival rate, 1/μ mean service, ρ = Λ/μ, A arrivals during one service, b_m = P(A > m), e_m = E(A − m)^+,
 * π_j the probability that a departure leaves j behind (j = 0..K−1).
 *
 * Method: π_{j+1}·P(A = 0) = π_0·b_j + Σ_{i=1..j} π_i·b_{j−i+1}, every term positive (the textbook form subtracts and
 * loses all digits). With W = π_0 + ρ (π normalised): P(j in system) = π_j/W, P(empty) = π_0/W;
 * pages lost in one service number π_0·e_{K−1} + Σ_{i≥1} π_i·e_{K−i} in the mean, and services start at rate Λ/W.
 * Nothing is subtracted, so tiny losses are right too.
 *
 * Complexity: O(K²).
 *
 * Source: model of Liu and Nain (2006), section 1.2.1; the chain is the classical one (Cohen 1982, III.6), in the
 * stable form of H. Schellhaas (1983).
 *
 * @param rate Λ · @param mean 1/μ · @param capacity K · @param arrivals for m = 0..K−1 at rate Λ
 */
export function generalQueue(rate: number, mean: number, capacity: number, arrivals: ServiceArrivals): QueueMeasures {
  const { excess } = arrivals;
  const p = departureWeights(capacity, arrivals);
  const load = rate * mean;
  let total = 0;
  let firstMoment = 0;
  let lostPages = p[0] * excess[capacity - 1];
  for (let i = capacity - 1; i >= 1; i--) {
    total += p[i];
    firstMoment += i * p[i];
    lostPages += p[i] * excess[capacity - i];
  }
  total += p[0];
  const emptyShare = p[0] / total;
  const cycles = emptyShare + load;
  // Under a heavy load nearly every page is lost, and rounding may push the loss rate above the arrival rate.
  const lossRate = Math.min(rate, ((rate / cycles) * lostPages) / total);
  const lossProbability = lossRate / rate;
  return {
    offeredLoad: load,
    starvationProbability: emptyShare / cycles,
    lossRate,
    lossProbability,
    throughput: rate / cycles,
    meanQueueLength: firstMoment / total / cycles + capacity * lossProbability,
  };
}

/** All weights are divided by this number when one exceeds it: a power of two, so that the division rounds nothing. */
const hugeWeight = 2 ** 500;

/**
 * The law of the number left behind by a departure, up to a common factor: p_0 = 1 and
 *   p_{j+1}·P(A = 0) = p_0·b_j + Σ_{i=1..j} p_i·b_{j−i+1}.
 * Negligible weights may be scaled down to 0. Where P(A = 0) < 2^−500 all mass is at K − 1.
 */
function departureWeights(capacity: number, { zeroProbability, tail }: ServiceArrivals): Float64Array {
  const p = new Float64Array(capacity);
  if (capacity > 1 && zeroProbability < 1 / hugeWeight) {
    p[capacity - 1] = 1;
    return p;
  }
  p[0] = 1;
  // The first i ≥ 1 whose p_i has not been scaled down to 0.
  let firstIndex = 1;
  for (let j = 0; j + 1 < capacity; j++) {
    let sum = p[0] * tail[j];
    for (let i = firstIndex; i <= j; i++) sum += p[i] * tail[j - i + 1];
    p[j + 1] = sum / zeroProbability;
    if (p[j + 1] <= hugeWeight) continue;
    for (let i = 0; i <= j + 1; i++) p[i] /= hugeWeight;
    while (firstIndex < j + 1 && p[firstIndex] === 0) firstIndex++;
  }
  return p;
}
