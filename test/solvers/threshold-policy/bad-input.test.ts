import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { ConditionNotMet } from '../../../src/solvers/condition.ts';
import { assembleQueue } from '../../../src/solvers/queue/assemble.ts';
import type { ArrivalModel, Matrix, QueueDescription } from '../../../src/solvers/queue/queue.ts';
import { estimateThresholdPolicyWork } from '../../../src/solvers/threshold-policy/solve.ts';
import { solveThresholdPolicy } from './answered.ts';
import { costIn, example, exampleCosts, fixture } from './cases.ts';

/** What is thrown: where, which condition, and the message. */
function refusal(change: Partial<QueueDescription> | (() => unknown)): { path: string; code: string; message: string } {
  try {
    if (typeof change === 'function') change();
    else estimateThresholdPolicyWork({ ...example(change), costs: exampleCosts });
  } catch (error) {
    if (error instanceof ConditionNotMet)
      return { path: error.path.join('/'), code: error.code, message: error.message };
    throw error;
  }
  throw new Error('was accepted');
}

const D0: Matrix = [
  [-3, 1],
  [1, -2],
];
const D1: Matrix = [
  [1, 1],
  [0.5, 0.5],
];
const perMode = (...matrices: Matrix[][]): ArrivalModel => ({
  model: 'per-mode',
  modes: matrices.map((each, i) => ({ crawlers: i + 1, matrices: each })),
});

describe('arrivals are refused with the place and what to change', () => {
  it('when a row of ΣD_k does not sum to 0, and the matrix that would do is accepted', () => {
    const arrivals = perMode(
      [D0, D1],
      [
        [
          [-3, 1],
          [1, -2.5],
        ],
        D1,
      ],
    );
    const { path, code, message } = refusal({ arrivals });
    expect([path, code]).toEqual(['arrivals/modes/1/matrices/0/1', 'row-sum']);
    expect(message).toContain('should be -2, not -2.5');
    expect(message).toContain('D0 = [[-3,1],[1,-2]] would do');
    const suggestion: number[][] = JSON.parse(/D0 = (\[.*\]) would do/.exec(message)?.[1] ?? '');
    const { queue } = assembleQueue(example({ arrivals: perMode([D0, D1], [suggestion, D1]) }));
    expect([...queue.modes[1].matrices[0]]).toEqual([-3, 1, 1, -2]);
  });

  it('when a rate is negative', () => {
    const { path, code, message } = refusal({
      arrivals: perMode([
        D0,
        [
          [1, 1],
          [1.5, -0.5],
        ],
      ]),
    });
    expect([path, code]).toEqual(['arrivals/modes/0/matrices/1/1/1', 'negative-rate']);
    expect(message).toContain('-0.5');
    const off = refusal({
      arrivals: perMode([
        [
          [-3, -1],
          [1, -2],
        ],
        D1,
      ]),
    });
    expect(off.path).toBe('arrivals/modes/0/matrices/0/0/1');
  });

  it('when ΣD_k is reducible', () => {
    const { path, code, message } = refusal({
      arrivals: perMode([
        [
          [-1, 0],
          [1, -2],
        ],
        [
          [1, 0],
          [0.5, 0.5],
        ],
      ]),
    });
    expect([path, code]).toEqual(['arrivals/modes/0/matrices', 'reducible']);
    expect(message).toContain('phase 1 is never reached from phase 0');
  });

  it('when a mode brings no pages', () => {
    const silent: Matrix[] = [
      [
        [-1, 1],
        [1, -1],
      ],
      [
        [0, 0],
        [0, 0],
      ],
    ];
    expect(refusal({ arrivals: perMode([D0, D1], silent) })).toMatchObject({
      path: 'arrivals/modes/1/matrices',
      code: 'no-arrivals',
    });
    expect(refusal({ arrivals: perMode([D0]) })).toMatchObject({
      path: 'arrivals/modes/0/matrices',
      code: 'no-arrivals',
    });
    expect(refusal({ arrivals: { model: 'thinning', matrices: [D0, D1], probabilities: [0, 1] } })).toMatchObject({
      path: 'arrivals/probabilities/0',
      code: 'no-arrivals',
    });
    expect(refusal({ arrivals: { model: 'scaled', matrices: [D0, D1], factors: [1, 0] } })).toMatchObject({
      path: 'arrivals/factors/1',
      code: 'no-arrivals',
    });
    const zero: Matrix = [
      [0, 0],
      [0, 0],
    ];
    expect(refusal({ arrivals: { model: 'marked', d0: D0, crawlers: [[zero], [D1]] } })).toMatchObject({
      path: 'arrivals/crawlers/0',
      code: 'no-arrivals',
    });
  });

  it('when matrices have different sizes', () => {
    expect(refusal({ arrivals: perMode([D0, [[1]]]) })).toMatchObject({
      path: 'arrivals/modes/0/matrices/1',
      code: 'wrong-size',
    });
  });

  it('when a crawler count is given twice', () => {
    const arrivals: ArrivalModel = {
      model: 'per-mode',
      modes: [
        { crawlers: 2, matrices: [D0, D1] },
        { crawlers: 2, matrices: [D0, D1] },
      ],
    };
    expect(refusal({ arrivals })).toMatchObject({ path: 'arrivals/modes/1/crawlers', code: 'duplicate-mode' });
    expect(refusal({ modes: [1, 1] })).toMatchObject({ path: 'modes/1', code: 'duplicate-mode' });
    expect(refusal({ modes: [1, 7] })).toMatchObject({ path: 'modes/1', code: 'unknown-mode' });
  });

  it('in the terms of each arrival model', () => {
    const bad: Matrix = [
      [-3, 1],
      [1, -9],
    ];
    expect(
      refusal({ arrivals: { model: 'superposition', crawlers: [{ matrices: [D0, D1] }, { matrices: [bad, D1] }] } })
        .path,
    ).toBe('arrivals/crawlers/1/matrices/0/1');
    expect(refusal({ arrivals: { model: 'thinning', matrices: [bad, D1], probabilities: [1] } }).path).toBe(
      'arrivals/matrices/0/1',
    );
    expect(refusal({ arrivals: { model: 'scaled', matrices: [bad, D1], factors: [1] } }).path).toBe(
      'arrivals/matrices/0/1',
    );
    expect(refusal({ arrivals: { model: 'marked', d0: bad, crawlers: [[D1]] } }).path).toBe('arrivals/d0/1');
    expect(
      refusal({
        arrivals: {
          model: 'marked',
          d0: D0,
          crawlers: [
            [D1],
            [
              [
                [1, -1],
                [0, 0],
              ],
            ],
          ],
        },
      }).path,
    ).toBe('arrivals/crawlers/1/0/0/1');
    expect(refusal({ arrivals: { model: 'thinning', matrices: [D0, D1], probabilities: [0.5, 1.5] } })).toMatchObject({
      path: 'arrivals/probabilities/1',
      code: 'not-a-probability',
    });
    const eight = Array.from({ length: 7 }, () => ({ matrices: [D0, D1] }));
    expect(refusal({ arrivals: { model: 'superposition', crawlers: eight } })).toMatchObject({
      path: 'arrivals/crawlers',
      code: 'too-many-phases',
    });
  });

  it('when under complete rejection no batch would ever fit', () => {
    const arrivals = perMode([
      D0,
      [
        [0, 0],
        [0, 0],
      ],
      [
        [0, 0],
        [0, 0],
      ],
      D1,
    ]);
    expect(refusal({ arrivals, capacity: 2, admission: 'complete-rejection' })).toMatchObject({
      path: 'capacity',
      code: 'no-batch-fits',
    });
  });
});

describe('policies are refused', () => {
  const evaluate = (policy: { thresholds: number[] } | { crawlersByQueueLength: number[] }) => () =>
    estimateThresholdPolicyWork({ ...example(), costs: exampleCosts, evaluate: policy });

  it('when thresholds decrease, leave −1..K, or are not N − 1', () => {
    expect(refusal(evaluate({ thresholds: [2, 1, 3] }))).toMatchObject({
      path: 'evaluate/thresholds/1',
      code: 'not-non-decreasing',
    });
    expect(refusal(evaluate({ thresholds: [-2, 1, 3] }))).toMatchObject({
      path: 'evaluate/thresholds/0',
      code: 'out-of-range',
    });
    expect(refusal(evaluate({ thresholds: [0, 1, 6] }))).toMatchObject({
      path: 'evaluate/thresholds/2',
      code: 'out-of-range',
    });
    expect(refusal(evaluate({ thresholds: [0, 1.5, 3] }))).toMatchObject({
      path: 'evaluate/thresholds/1',
      code: 'out-of-range',
    });
    expect(refusal(evaluate({ thresholds: [1] }))).toMatchObject({ path: 'evaluate/thresholds', code: 'wrong-length' });
  });

  it('when the list by queue length is not K + 1 known counts', () => {
    expect(refusal(evaluate({ crawlersByQueueLength: [3, 3, 1] }))).toMatchObject({
      path: 'evaluate/crawlersByQueueLength',
      code: 'wrong-length',
    });
    expect(refusal(evaluate({ crawlersByQueueLength: [3, 3, 3, 1, 1, 9] }))).toMatchObject({
      path: 'evaluate/crawlersByQueueLength/5',
      code: 'unknown-mode',
    });
  });

  it('but −1 and K are thresholds', () => {
    const answer = solveThresholdPolicy(
      { ...example(), costs: exampleCosts, evaluate: { thresholds: [-1, 5, 5] } },
      unlimitedBudget(),
    );
    expect(answer.evaluation?.crawlersByQueueLength).toEqual([3, 3, 3, 3, 3, 3]);
    expect(costIn(answer)).toBeCloseTo(89.4051222020059, 10);
  });
});

describe('what would be too large is refused with the number of states and three ways out', () => {
  const phases = {
    initial: [0.9, 0.1],
    generator: [
      [-3, 0],
      [0, -0.3 / 14.1],
    ],
  };
  it('obsolescence phases', () => {
    const { path, code, message } = refusal({ capacity: 21, obsolescence: phases });
    expect([path, code]).toEqual(['capacity', 'too-many-states']);
    expect(message).toContain('4194304 states');
    expect(message).toContain('reduce the capacity to 8');
    expect(message).toContain('exponential obsolescence');
    expect(() => refusal({ capacity: 8, obsolescence: phases })).toThrow('was accepted');
  });
});

describe('exponential obsolescence is recognised in whatever matrices it is written', () => {
  const expected = solveThresholdPolicy(
    { ...example({ obsolescence: { initial: [1], generator: [[-0.2]] } }), costs: exampleCosts },
    unlimitedBudget(),
  );
  it.each([
    ['equal exits (the paper)', fixture.example.obsolescence],
    [
      'an eigenvector as initial law',
      {
        initial: [0.5, 0.5],
        generator: [
          [-0.5, 0.2],
          [0.3, -0.4],
        ],
      },
    ],
    [
      'three phases with equal exits',
      {
        initial: [0.2, 0.3, 0.5],
        generator: [
          [-1.2, 1, 0],
          [0, -0.7, 0.5],
          [2, 0, -2.2],
        ],
      },
    ],
    [
      'phases that are never reached',
      {
        initial: [1, 0],
        generator: [
          [-0.2, 0],
          [5, -9],
        ],
      },
    ],
  ])('%s', (_, obsolescence) => {
    const answer = solveThresholdPolicy({ ...example({ obsolescence }), costs: exampleCosts }, unlimitedBudget());
    expect(answer.statistics.states).toBe(expected.statistics.states);
    expect(costIn(answer)).toBeCloseTo(costIn(expected), 9);
  });
});
