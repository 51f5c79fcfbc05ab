import type { QueueMeasures } from '../problem.ts';
import type { ArrivalsDuringService } from './arrivals.ts';
import { departureWeights } from './departure-weights.ts';

/**
 * The M/G/1/K queue from its chain at departures.
 *
 * Symbols: Λ arrival rate, 1/μ mean service, ρ = Λ/μ, A arrivals during one service, b_m = P(A > m), e_m = E(A − m)^+,
 * π_j the probability that a departure leaves j behind (j = 0..K−1).
 *
 * Method: π_{j+1}·P(A = 0) = π_0·b_j + Σ_{i=1..j} π_i·b_{j−i+1}, every term positive (the textbook form subtracts and
 * loses all digits) (departure-weights.ts). With W = π_0 + ρ (π normalised): P(j in system) = π_j/W, P(empty) = π_0/W;
 * pages lost in one service number π_0·e_{K−1} + Σ_{i≥1} π_i·e_{K−i} in the mean, and services start at rate Λ/W.
 * Nothing is subtracted, so tiny losses are right too.
 *
 * Complexity: O(K) but for the recursion (departure-weights.ts): O(K·w) where A has a light tail, w a few hundred, else
 * O(K·log² K).
 *
 * Source: model of Liu and Nain (2006), section 1.2.1; the chain is the classical one (Cohen 1982, III.6), in the
 * stable form of H. Schellhaas (1983).
 *
 * @param rate Λ · @param mean 1/μ · @param capacity K · @param arrivals for m = 0..K−1 at rate Λ
 * @param goOn called every few hundred thousand steps; what it throws ends the evaluation
 */
export function generalQueue(
  rate: number,
  mean: number,
  capacity: number,
  arrivals: ArrivalsDuringService,
  goOn: () => void,
): QueueMeasures {
  const { excess } = arrivals;
  const p = departureWeights(capacity, arrivals, goOn);
  const load = rate * mean;
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
  // under a heavy load all but rounding is lost, and rounding may lose more
  const lossRate = Math.min(rate, ((rate / cycles) * lost) / total);
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
