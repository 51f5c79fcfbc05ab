/** An M/G/1/K queue simulated event by event; shares nothing with the solver but the law's sampler. */
import { createLaw, type Distribution } from '../../../src/solvers/laws/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';

export interface Estimate {
  readonly mean: number;
  /** Half the width of a 99.9% confidence interval, from batch means. */
  readonly halfWidth: number;
}

export interface Simulated {
  readonly starvationProbability: Estimate;
  readonly lossRate: Estimate;
  readonly meanQueueLength: Estimate;
}

const BATCHES = 30;
/** 0.9995 quantile of Student's law with 29 degrees of freedom. */
const QUANTILE = 3.659;

/** Simulates `horizon` time units after a warm-up of a tenth of it. */
export function simulateQueue(
  indexing: Distribution,
  arrivalRate: number,
  capacity: number,
  horizon: number,
  seed: number,
): Simulated {
  const law = createLaw(indexing);
  const random = seededRandom(seed);
  let now = 0;
  let inSystem = 0;
  let arrival = -Math.log1p(-random()) / arrivalRate;
  let departure = Number.POSITIVE_INFINITY;
  const empty = new Float64Array(BATCHES);
  const lost = new Float64Array(BATCHES);
  const area = new Float64Array(BATCHES);
  const warmUp = horizon / 10;
  const batch = horizon / BATCHES;
  // time spent in the present state is shared out over the batches it covers
  const spend = (from: number, to: number): void => {
    let t = Math.max(from, warmUp);
    const end = Math.min(to, warmUp + horizon);
    while (t < end) {
      const b = Math.min(BATCHES - 1, Math.floor((t - warmUp) / batch));
      const next = Math.min(end, warmUp + (b + 1) * batch);
      if (next <= t) break;
      if (inSystem === 0) empty[b] += next - t;
      area[b] += inSystem * (next - t);
      t = next;
    }
  };
  while (now < warmUp + horizon) {
    const next = Math.min(arrival, departure);
    spend(now, next);
    now = next;
    if (arrival <= departure) {
      arrival = now - Math.log1p(-random()) / arrivalRate;
      if (inSystem === capacity) {
        if (now >= warmUp && now < warmUp + horizon) lost[Math.min(BATCHES - 1, Math.floor((now - warmUp) / batch))]++;
      } else {
        inSystem++;
        if (inSystem === 1) departure = now + law.sample(random);
      }
    } else {
      inSystem--;
      departure = inSystem > 0 ? now + law.sample(random) : Number.POSITIVE_INFINITY;
    }
  }
  const estimate = (sums: Float64Array): Estimate => {
    const values = Array.from(sums, (sum) => sum / batch);
    const mean = values.reduce((a, b) => a + b, 0) / BATCHES;
    const variance = values.reduce((a, b) => a + (b - mean) ** 2, 0) / (BATCHES - 1);
    return { mean, halfWidth: QUANTILE * Math.sqrt(variance / BATCHES) };
  };
  return { starvationProbability: estimate(empty), lossRate: estimate(lost), meanQueueLength: estimate(area) };
}
