/** Limits and fitted arrivals of the queues, each against a way to compute them that shares no code. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { type CrawlerCountProblem, solveCrawlerCount } from '../../src/solvers/crawler-count/index.ts';
import { solveArrivalProcess } from '../../src/solvers/estimation/index.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { defined } from '../defined.ts';

const measureNames = ['lossRate', 'lossProbability', 'starvationProbability', 'meanQueueLength'] as const;

/** An M/M/1/K queue with service rate 1, by its shares one by one. */
function queueOf({ crawlerRate, capacity, costs }: CrawlerCountProblem, crawlers: number) {
  const rate = crawlers * crawlerRate;
  // the largest share is 1, so that none overflows
  const scale = rate > 1 ? capacity * Math.log(rate) : 0;
  const shares = Array.from({ length: capacity + 1 }, (_, i) => Math.exp(i * Math.log(rate) - scale));
  const total = shares.reduce((sum, share) => sum + share, 0);
  const [starvationProbability, lossProbability] = [shares[0] / total, shares[capacity] / total];
  const lossRate = rate * lossProbability;
  const meanQueueLength = shares.reduce((sum, share, i) => sum + (i * share) / total, 0);
  const cost =
    (costs.loss ?? 0) * lossRate + costs.starvation * starvationProbability + (costs.crawler ?? 0) * crawlers;
  return { crawlers, cost, lossRate, lossProbability, starvationProbability, meanQueueLength };
}

interface Drawn {
  readonly problem: CrawlerCountProblem & { readonly crawlers: number };
  readonly name: (typeof measureNames)[number];
  readonly limit: number;
}

const drawn: fc.Arbitrary<Drawn> = fc.integer({ min: 1, max: 1_000_000 }).map((seed) => {
  const random = seededRandom(seed);
  const problem = {
    crawlerRate: 0.05 + 0.3 * random(),
    service: { type: 'exponential', rate: 1 } as const,
    capacity: 2 + Math.floor(8 * random()),
    costs: { loss: 1, starvation: 5 * random(), crawler: random() < 0.5 ? 0 : 0.1 * random() },
    crawlers: random() < 0.5 ? 30 : 3,
  };
  const name = measureNames[Math.floor(4 * random())];
  const between = 1 + Math.floor(problem.crawlers * random());
  const limit = queueOf(problem, between)[name] * (1 + 1e-3 * random());
  return { problem, name, limit };
});

describe('crawlers under a limit', () => {
  it('are the cheapest count that keeps it', () => {
    fc.assert(
      fc.property(drawn, ({ problem, name, limit }) => {
        const answer = solveCrawlerCount({ ...problem, constraints: { [name]: limit } }, unlimitedBudget());
        const all = Array.from({ length: problem.crawlers }, (_, n) => queueOf(problem, n + 1));
        const kept = all.filter((each) => each[name] <= limit * (1 + 1e-12));
        const least = Math.min(...kept.map(({ cost }) => cost));
        expect(defined(answer.objective).value, JSON.stringify({ problem, name, limit })).toBeCloseTo(least, 9);
      }),
      { numRuns: 200 },
    );
  });
});

/** Σ k·π·D_k·1 of matrices D₀, D₁, …, where π(D₀ + D₁ + …) = 0 and π1 = 1, by Gauss and Jordan. */
function longRunRate(matrices: readonly (readonly (readonly number[])[])[]): number {
  const size = matrices[0].length;
  const rows = Array.from({ length: size }, (_, j) => [
    ...Array.from({ length: size }, (_, i) => (j === 0 ? 1 : matrices.reduce((sum, d) => sum + d[i][j], 0))),
    j === 0 ? 1 : 0,
  ]);
  for (let c = 0; c < size; c++) {
    const pivot = rows.reduce((most, row, r) => (r >= c && Math.abs(row[c]) > Math.abs(rows[most][c]) ? r : most), c);
    [rows[c], rows[pivot]] = [rows[pivot], rows[c]];
    rows[c] = rows[c].map((x) => x / rows[c][c]);
    for (let r = 0; r < size; r++) if (r !== c) rows[r] = rows[r].map((x, k) => x - rows[r][c] * rows[c][k]);
  }
  const arrivalsFrom = (i: number): number =>
    matrices.reduce((sum, d, k) => sum + k * d[i].reduce((a, b) => a + b, 0), 0);
  return rows.reduce((sum, row, i) => sum + row[size] * arrivalsFrom(i), 0);
}

describe('a fitted process of arrivals', () => {
  it('has the rate that is told of it, whatever the record', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (seed) => {
        const random = seededRandom(seed);
        let [time, state] = [0, 0];
        const timestamps: number[] = [];
        for (let k = 0; k < 120; k++) {
          if (random() < 0.1) state = 1 - state;
          time += -Math.log(1 - random()) * (state === 0 ? 1 : 5) * (1 + random());
          for (let n = 0; n < 1 + Math.floor(3 * random()); n++) timestamps.push(time);
        }
        const asked = { timestamps, batchGap: 1e-6, lags: 2, interval: 'start-to-start' } as const;
        const { matrices, arrivalRate } = solveArrivalProcess(asked, unlimitedBudget()).solution;
        expect(arrivalRate / longRunRate(matrices), JSON.stringify({ seed })).toBeCloseTo(1, 7);
      }),
      { numRuns: 40 },
    );
  });
});
