/**
 * The real data of Avrachenkov et al. 2012, section 7: from moments to a law to thresholds, one operation after the
 * other.
 */
import { describe, expect, it } from 'vitest';
import { arrivalProcess } from '../../src/operations/estimates/arrival-process.ts';
import { serviceTime } from '../../src/operations/estimates/service-time.ts';
import { thresholdPolicy } from '../../src/operations/threshold-policy.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { standardExponential } from '../../src/solvers/numerics/random/random-variates.ts';
import { answerOf } from '../contract/outcomes.ts';

const batchSizes = [
  0.040445227, 0.18404232, 0.26405114, 0.5057307, 0.00088163983, 0.00077143486, 0.0018734847, 0.00220405,
];
const total = batchSizes.reduce((a, b) => a + b, 0);
const a = [
  [0.0037, 6.58e-5],
  [1.3e-4, 0.0064],
];
const question = {
  capacity: 20,
  obsolescence: { type: 'exponential', rate: 0.0005 },
  costs: { loss: 200, obsolescence: 250, response: 3, crawler: 20, starvation: 600 },
};

describe('the INRIA crawler', () => {
  const service = answerOf(serviceTime, { moments: [49207.0356, 2.0527e11, 2.5773e18], scale: 6000 }).solution
    .distribution;

  it('gets its content sizes as two exponential branches, unrounded', () => {
    expect(service).toMatchObject({
      type: 'hyperexponential',
      probabilities: [expect.closeTo(0.005753, 6), expect.closeTo(0.994247, 6)],
      rates: [expect.closeTo(0.0014249, 7), expect.closeTo(0.238791, 6)],
    });
  });

  it('gets from them the thresholds [2, 2, 2] of Table 5 and a cost of 563.6166, where the paper prints 563.51', () => {
    const d0 = a.map((row, i) => row.map((_, j) => (i === j ? -row.reduce((x, y) => x + y, 0) : 0)));
    const matrices = [d0, ...batchSizes.map((share) => a.map((row) => row.map((x) => (x * share) / total)))];
    const answer = answerOf(thresholdPolicy, {
      ...question,
      service,
      arrivals: { model: 'scaled', matrices, factors: [1, 2, 3, 4] },
    });
    expect(answer.status).toBe('optimal');
    expect(answer.objective.value).toBeCloseTo(563.6166047, 6);
    expect(answer.solution.crawlersByQueueLength.slice(0, 4)).toEqual([4, 4, 4, 1]);
  });

  it('gets an arrival process from timestamps that threshold-policy takes as it is', () => {
    const random = seededRandom(4);
    const timestamps: number[] = [];
    let time = 0;
    let phase = 0;
    for (let k = 0; k < 20_000; k++) {
      time += standardExponential(random) / (phase === 0 ? 0.0038 : 0.0066);
      if (random() < 0.02) phase = 1 - phase;
      let pick = random() * total;
      for (const [size, share] of batchSizes.entries()) {
        pick -= share;
        if (pick > 0) continue;
        for (let page = 0; page <= size; page++) timestamps.push(time + 0.01 * page);
        break;
      }
    }
    const estimated = answerOf(arrivalProcess, { timestamps, batchGap: 0.02, lags: 6 });
    expect(estimated.solution.arrivalRate / (timestamps.length / time)).toBeCloseTo(1, 2);
    const meanBatch = estimated.solution.batchSizes.reduce(
      (sum: number, { size, probability }: { size: number; probability: number }) => sum + size * probability,
      0,
    );
    expect(meanBatch).toBeCloseTo(3.2634, 1);
    const answer = answerOf(thresholdPolicy, {
      ...question,
      service,
      arrivals: { model: 'scaled', matrices: estimated.solution.matrices, factors: [1, 2, 3, 4] },
    });
    expect(answer.status).toBe('optimal');
    expect(answer.objective.value).toBeGreaterThan(500);
    expect(answer.objective.value).toBeLessThan(620);
  });
});
