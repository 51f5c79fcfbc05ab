import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import type { ArrivalModel, Matrix } from '../../../src/solvers/queue/queue.ts';
import { certifyThresholdPolicy } from '../../certificates/queues.ts';
import { costIn, example, exampleCosts } from './cases.ts';
import { solveThresholdPolicy } from './flat-answer.ts';

const D: Matrix[] = [
  [
    [-3, 1],
    [0.5, -2],
  ],
  [
    [1, 0.5],
    [0, 1],
  ],
  [
    [0.25, 0.25],
    [0.5, 0],
  ],
];
const times = (matrix: Matrix, factor: number): number[][] => matrix.map((row) => row.map((rate) => rate * factor));
const plus = (...matrices: Matrix[]): number[][] =>
  matrices[0].map((row, i) => row.map((_, j) => matrices.reduce((sum, matrix) => sum + matrix[i][j], 0)));
const perMode = (...modes: Matrix[][]): ArrivalModel => ({
  model: 'per-mode',
  modes: modes.map((matrices, i) => ({ crawlers: i + 1, matrices })),
});

function optimum(arrivals: ArrivalModel) {
  const problem = { ...example({ arrivals, capacity: 6 }), costs: exampleCosts };
  const answer = solveThresholdPolicy(problem, unlimitedBudget());
  expect(certifyThresholdPolicy(problem, answer)).toEqual([]);
  return answer;
}

function expectSameOptimum(a: ArrivalModel, b: ArrivalModel): void {
  const [left, right] = [optimum(a), optimum(b)];
  expect(costIn(left)).toBeCloseTo(costIn(right), 10);
  expect(left.solution?.crawlersByQueueLength).toEqual(right.solution?.crawlersByQueueLength);
  for (const [i, { cost, measures }] of left.fixedModes.entries()) {
    expect(cost).toBeCloseTo(right.fixedModes[i].cost, 10);
    expect(measures.arrivalRate).toBeCloseTo(right.fixedModes[i].measures.arrivalRate, 10);
    expect(measures.responseTime).toBeCloseTo(right.fixedModes[i].measures.responseTime, 10);
  }
}

describe('equivalent descriptions of arrivals give the same answers', () => {
  it('scaled and per-mode', () => {
    expectSameOptimum(
      { model: 'scaled', matrices: D, factors: [0.5, 1, 1.7] },
      perMode(...[0.5, 1, 1.7].map((factor) => D.map((matrix) => times(matrix, factor)))),
    );
  });

  it('thinning and per-mode', () => {
    const thinnedMatrices = (q: number): Matrix[] => [
      plus(D[0], times(D[1], 1 - q), times(D[2], 1 - q)),
      times(D[1], q),
      times(D[2], q),
    ];
    expectSameOptimum(
      { model: 'thinning', matrices: D, probabilities: [0.3, 0.8, 1] },
      perMode(thinnedMatrices(0.3), thinnedMatrices(0.8), thinnedMatrices(1)),
    );
  });

  it('marked, when the marks are drawn independently, and thinning', () => {
    expectSameOptimum(
      {
        model: 'marked',
        d0: D[0],
        crawlers: [0.3, 0.5, 0.2].map((share) => [times(D[1], share), times(D[2], share)]),
      },
      { model: 'thinning', matrices: D, probabilities: [0.3, 0.8, 1] },
    );
  });

  it('superposition of two crawlers with phases and the Kronecker sums written out', () => {
    const A: Matrix[] = [
      [
        [-2, 1],
        [0, -1],
      ],
      [
        [0.5, 0.5],
        [1, 0],
      ],
    ];
    const B: Matrix[] = [
      [
        [-1.5, 0.5],
        [0.25, -0.75],
      ],
      [
        [0, 0],
        [0.5, 0],
      ],
      [
        [1, 0],
        [0, 0],
      ],
    ];
    // States (a, b) at 2a + b.
    const left = (x: Matrix): number[][] =>
      [0, 1, 2, 3].map((s) => [0, 1, 2, 3].map((t) => (s % 2 === t % 2 ? x[s >> 1][t >> 1] : 0)));
    const right = (x: Matrix): number[][] =>
      [0, 1, 2, 3].map((s) => [0, 1, 2, 3].map((t) => (s >> 1 === t >> 1 ? x[s % 2][t % 2] : 0)));
    const zero = times(left(A[0]), 0);
    expectSameOptimum(
      { model: 'superposition', crawlers: [{ matrices: A }, { matrices: B }] },
      perMode(
        [plus(left(A[0]), right(plus(B[0], B[1], B[2]))), left(A[1]), zero],
        [plus(left(A[0]), right(B[0])), plus(left(A[1]), right(B[1])), right(B[2])],
      ),
    );
  });

  it('modes given in any order are known by their crawler counts', () => {
    const modes = [3, 1, 2].map((crawlers) => ({ crawlers, matrices: D.map((matrix) => times(matrix, crawlers)) }));
    expectSameOptimum({ model: 'per-mode', modes }, { model: 'scaled', matrices: D, factors: [1, 2, 3] });
  });
});
