import type { ArrivalsDuringService } from './arrivals.ts';
import type { QueueMeasures } from './model.ts';

/**
 * The M/G/1/K queue from its chain at departures.
 *
 * Symbols: Λ arrival rate, 1/μ mean service, ρ = Λ/μ, A arrivals during one service, b_m = P(A > m), e_m = E(A − m)^+, π_j the probability that a
 * departure leaves j behind (j = 0..K−1).
 *
 * Method: π_{j+1}·P(A = 0) = π_0·b_j + Σ_{i=1..j} π_i·b_{j−i+1}, every term positive (the textbook form subtracts and loses all digits), started
 * from π_0 = 1 and scaled down whenever it grows past 1e250. With W = π_0 + ρ (π normalised): P(j in system) = π_j/W, P(empty) = π_0/W; pages
 * lost in one service number π_0·e_{K−1} + Σ_{i≥1} π_i·e_{K−i} in the mean, and services start at rate Λ/W. Nothing is subtracted, so tiny losses are right
 * too. Where P(A = 0) < 1e−150 the system is empty with probability below that and π is concentrated on K − 1: taken as 0 and 1.
 *
 * The sum is cut after w terms once what is left, at most max(π_1..π_{j−w})·e_{w+1}, is below 1e−17 of its last term: for light tails w is a few
 * dozen, for heavy tails j. O(K·w): at most K²/2 multiplications.
 *
 * Source: model of Liu and Nain (2006), section 1.2.1; the chain is the classical one (Cohen 1982, III.6), in the stable form of H. Schellhaas (1983).
 *
 * @param rate Λ · @param mean 1/μ · @param capacity K · @param arrivals for m = 0..K−1 at rate Λ
 */
export function generalQueue(
  rate: number,
  mean: number,
  capacity: number,
  arrivals: ArrivalsDuringService,
): QueueMeasures {
  const load = rate * mean;
  const { excess } = arrivals;
  const p = departureWeights(capacity, arrivals);
  let total = 0;
  let first = 0;
  let lost = p[0] * excess[capacity - 1];
  for (let i = capacity - 1; i >= 1; i--) {
    total += p[i];
    first += i * p[i];
    lost += p[i] * excess[capacity - i];
  }
  total += p[0];
  const emptyShare = p[0] / total;
  const cycles = emptyShare + load;
  const lossRate = ((rate / cycles) * lost) / total;
  const lossProbability = lossRate / rate;
  return {
    offeredLoad: load,
    starvationProbability: emptyShare / cycles,
    lossRate,
    lossProbability,
    throughput: rate / cycles,
    meanQueueLength: first / total / cycles + capacity * lossProbability,
  };
}

/** π_0..π_{K−1} up to a common factor. */
export function departureWeights(capacity: number, { none, beyond, excess }: ArrivalsDuringService): Float64Array {
  const p = new Float64Array(capacity);
  if (capacity > 1 && none < 1e-150) {
    p[capacity - 1] = 1;
    return p;
  }
  p[0] = 1;
  // beyond, backwards, so that both arrays are read upward in the inner loop
  const reversed = new Float64Array(capacity);
  for (let m = 0; m < capacity; m++) reversed[m] = beyond[capacity - 1 - m];
  // largest[i] = max(p_1..p_i)
  const largest = new Float64Array(capacity);
  let from = 1;
  let width = 1;
  for (let j = 0; j + 1 < capacity; j++) {
    if (j > 0) {
      const enough = (w: number): boolean => w >= j || largest[j - w] * excess[w + 1] <= 1e-17 * p[j] * beyond[1];
      width = Math.min(width, j);
      if (enough(width)) while (width > 1 && enough(width - 1)) width--;
      else while (!enough(width)) width++;
    }
    // Σ p_i·b_{j−i+1} over i = j−width+1..j, not below the first entry that is not scaled away
    let sum = p[0] * beyond[j];
    const start = Math.max(from, j - width + 1);
    const offset = capacity - 2 - j;
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    let i = start;
    for (; i + 3 <= j; i += 4) {
      s0 += p[i] * reversed[offset + i];
      s1 += p[i + 1] * reversed[offset + i + 1];
      s2 += p[i + 2] * reversed[offset + i + 2];
      s3 += p[i + 3] * reversed[offset + i + 3];
    }
    for (; i <= j; i++) s0 += p[i] * reversed[offset + i];
    sum += s0 + s1 + s2 + s3;
    const next = sum / none;
    p[j + 1] = next;
    largest[j + 1] = Math.max(largest[j], next);
    if (next > 1e150) {
      for (let k = j + 1; k >= 0 && (p[k] > 0 || k === 0); k--) {
        p[k] *= 1e-200;
        largest[k] *= 1e-200;
      }
      while (from < j + 1 && p[from] === 0) from++;
    }
  }
  return p;
}
