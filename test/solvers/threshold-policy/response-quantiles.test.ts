import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import type { QueueDescription } from '../../../src/solvers/queue/queue.ts';
import { reachedBy } from '../../../src/solvers/threshold-policy/sojourn-times.ts';
import { solveThresholdPolicy } from './answered.ts';
import { example, exampleCosts } from './cases.ts';

const poisson = (rate: number): QueueDescription['arrivals'] => ({
  model: 'per-mode',
  modes: [{ crawlers: 1, matrices: [[[-rate]], [[rate]]] }],
});

function quantiles(description: QueueDescription, probabilities: readonly number[]) {
  const counts = Array.from({ length: description.capacity + 1 }, () => 1);
  const answer = solveThresholdPolicy(
    {
      ...description,
      costs: exampleCosts,
      evaluate: { crawlersByQueueLength: counts },
      measures: { response: { quantiles: probabilities } },
    },
    unlimitedBudget(),
  );
  const measures = answer.evaluation?.measures;
  if (measures?.response?.quantiles === undefined) throw new Error('no quantiles');
  return { times: measures.response.quantiles.map(({ time }) => time), mean: measures.responseTime };
}

const exponential = (rate: number) => ({ initial: [1], generator: [[-rate]] });
const probabilities = [0.001, 0.1, 0.5, 0.9, 0.99, 0.9999];

describe('what is served by a time', () => {
  it('is the Poisson mixture, and all of it however far the time lies beyond the last jump', () => {
    // b_n of a geometric number of jumps: Σ Poisson(n; m)·(1 − 2^{−n}) = 1 − e^{−m/2}
    const served = Array.from({ length: 60 }, (_, n) => 1 - 2 ** -n);
    for (const mean of [0.1, 1, 7, 30]) {
      expect(reachedBy(served, mean)).toBeCloseTo(-Math.expm1(-mean / 2), 12);
    }
    for (const mean of [200, 4100, 1e6, 1e30, 1e308, Number.POSITIVE_INFINITY]) {
      expect(reachedBy(served, mean)).toBeCloseTo(1, 15);
    }
  });
});

describe('quantiles of the response time', () => {
  it('are those of the service time when nothing can wait', () => {
    const { times } = quantiles(
      { capacity: 1, arrivals: poisson(2), service: exponential(3), obsolescence: null },
      probabilities,
    );
    for (const [i, p] of probabilities.entries()) expect(times[i] / (-Math.log1p(-p) / 3)).toBeCloseTo(1, 10);
  });

  it('are those of the M/M/1/K queue', () => {
    const [lambda, mu, capacity] = [1.5, 2, 6];
    const { times } = quantiles(
      { capacity, arrivals: poisson(lambda), service: exponential(mu), obsolescence: null },
      probabilities,
    );
    // An accepted page finds i others with probability ∝ (λ/μ)^i and stays for an Erlang time of i + 1 stages.
    const weights = Array.from({ length: capacity }, (_, i) => (lambda / mu) ** i);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const within = (t: number): number =>
      weights.reduce((sum, weight, i) => {
        let term = Math.exp(-mu * t);
        let tail = term;
        for (let k = 1; k <= i; k++) {
          term *= (mu * t) / k;
          tail += term;
        }
        return sum + (weight / total) * (1 - tail);
      }, 0);
    for (const [i, p] of probabilities.entries()) expect(within(times[i])).toBeCloseTo(p, 9);
  });

  const phases = {
    initial: [0.9, 0.1],
    generator: [
      [-3, 0],
      [0, -0.3 / 14.1],
    ],
  };
  const arrivals = poisson(1.2);
  it.each([
    ['first in first out', example({ arrivals })],
    ['ordered phases', example({ arrivals, obsolescence: phases, capacity: 4 })],
    ['complete admission', example({ arrivals, obsolescence: phases, capacity: 2, admission: 'complete-admission' })],
  ])('integrate to the mean: %s', (_, description) => {
    // ∫ t dF over a fine grid of probabilities, the tail by its exponential decay.
    const n = 4000;
    const grid = Array.from({ length: n }, (_unused, i) => (i + 0.5) / n);
    const { times, mean } = quantiles(description, grid);
    const sum = times.reduce((total, time) => total + time, 0) / n;
    expect(Math.abs(sum / mean - 1)).toBeLessThan(1e-3);
    for (let i = 1; i < n; i++) expect(times[i]).toBeGreaterThan(times[i - 1]);
  });
});
