import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import {
  type ArrivalProcessProblem,
  solveArrivalProcess,
  solveEmbarrassmentWeights,
} from '../../../src/solvers/estimation/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { standardExponential } from '../../../src/solvers/numerics/random/random-variates.ts';
import { faultsOf } from '../../certificates/faults-of.ts';
import { arrivalProcessFaults } from '../../oracles/arrival-process.ts';
import { certifyEmbarrassmentWeights } from '../../oracles/estimates/embarrassment-weights.ts';

/** A record whose intervals keep to one of two means for a while, each the sum of some exponential parts. */
function recordOf(seed: number, count: number, parts: number, contrast: number): Float64Array {
  const random = seededRandom(seed);
  const times = new Float64Array(count);
  let slow = false;
  for (let k = 1; k < count; k++) {
    if (random() < 0.1) slow = !slow;
    let gap = 0;
    for (let part = 0; part < parts; part++) gap += standardExponential(random) / parts;
    times[k] = times[k - 1] + (random() < 0.15 ? 1e-4 : (slow ? contrast : 1) * gap);
  }
  return times;
}

const problems = fc.record({
  seed: fc.integer({ min: 1, max: 1e6 }),
  count: fc.integer({ min: 60, max: 400 }),
  parts: fc.integer({ min: 1, max: 6 }),
  contrast: fc.constantFrom(1, 2, 10),
  interval: fc.constantFrom('start-to-start' as const, 'end-to-start' as const),
  pauses: fc.boolean(),
});

describe('verify, of an arrival process,', () => {
  it('finds nothing wrong with processes on moments, of every shape', () => {
    const shapes = new Set<string>();
    fc.assert(
      fc.property(problems, ({ seed, count, parts, contrast, interval, pauses }) => {
        const timestamps = recordOf(seed, count, parts, contrast);
        const problem = { timestamps, batchGap: 1e-3, sessionGap: pauses ? 4 : Infinity, lags: 4, interval };
        const answer = solveArrivalProcess(problem, unlimitedBudget());
        expect(faultsOf('estimates/arrival-process', problem, answer)).toEqual([]);
        expect(arrivalProcessFaults({ ...problem }, { ...answer })).toEqual([]);
        shapes.add(answer.statistics.solver);
      }),
      { numRuns: 150 },
    );
    expect(shapes.size).toBeGreaterThanOrEqual(3);
  });

  const problem: ArrivalProcessProblem = {
    timestamps: recordOf(7, 250, 2, 6),
    batchGap: 1e-3,
    sessionGap: 20,
    lags: 3,
    interval: 'start-to-start',
  };

  it('finds a rate of a matrix, a moment and a rate of pages that are not so', () => {
    const answer = solveArrivalProcess(problem, unlimitedBudget());
    const { fitted, matrices, arrivalRate } = answer.solution;
    const [d0, ...others] = matrices;
    const moved = d0.map((row, i) => row.map((rate, j) => (i === 0 && j === 0 ? 1.01 * rate : rate)));
    const found = (changed: Partial<typeof answer.solution>): string => {
      const off = { ...answer, solution: { ...answer.solution, ...changed } };
      return faultsOf('estimates/arrival-process', problem, off).join('\n');
    };
    expect(found({ fitted: { ...fitted, variance: 1.01 * fitted.variance } })).toMatch(/variance/);
    expect(found({ matrices: [moved, ...others] })).toMatch(/row 0 of the matrices sums to/);
    expect(found({ arrivalRate: 1.001 * arrivalRate })).toMatch(/solution.arrivalRate is/);
  });
});

describe('certifyEmbarrassmentWeights', () => {
  const random = seededRandom(3);
  const shown = (): number[][] => Array.from({ length: 5 }, () => Array.from({ length: 3 }, () => random() / 15));
  const impressions = Array.from({ length: 40 }, shown);
  const errorProbability = Float64Array.from(impressions, () => random());

  it.each([
    ['Zipf’s law', { zipf: 0.3, continue: 0.4, positions: 5, pages: 3 }],
    ['a table', shown()],
  ])('finds nothing wrong with weights by clicks of %s, and finds one that was moved', (_, clicks) => {
    const problem = { clicks, impressions, errorProbability };
    const { weights } = solveEmbarrassmentWeights(problem, unlimitedBudget()).solution;
    expect(certifyEmbarrassmentWeights(problem, weights)).toEqual([]);
    weights[11] *= 1 + 1e-9;
    expect(certifyEmbarrassmentWeights(problem, weights).join('\n')).toMatch(/^page 11 weighs/);
  });
});
