import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { ConditionNotMet } from '../../../src/solvers/condition.ts';
import { assembleQueue } from '../../../src/solvers/queue/assemble.ts';
import type { ArrivalModel, Matrix, QueueDescription } from '../../../src/solvers/queue/queue.ts';
import { estimateThresholdPolicyWork } from '../../../src/solvers/threshold-policy/solve.ts';
import { costIn, example, exampleCosts, fixture, twoPhases } from './cases.ts';
import { solveThresholdPolicy } from './flat-answer.ts';

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

const zeroRates: Matrix = [
  [0, 0],
  [0, 0],
];
/** A row of D0 + D1 does not sum to 0. */
const unbalancedD0: Matrix = [
  [-3, 1],
  [1, -9],
];
const negativeBatchRate: Matrix = [
  [1, 1],
  [1.5, -0.5],
];
const negativePhaseRate: Matrix = [
  [-3, -1],
  [1, -2],
];
const reducibleArrivals = perMode([
  [
    [-1, 0],
    [1, -2],
  ],
  [
    [1, 0],
    [0.5, 0.5],
  ],
]);
const withoutArrivals: Matrix[] = [
  [
    [-1, 1],
    [1, -1],
  ],
  zeroRates,
];
const repeatedMode: ArrivalModel = {
  model: 'per-mode',
  modes: [
    { crawlers: 2, matrices: [D0, D1] },
    { crawlers: 2, matrices: [D0, D1] },
  ],
};
const superposition = (...crawlers: Matrix[][]): ArrivalModel => ({
  model: 'superposition',
  crawlers: crawlers.map((matrices) => ({ matrices })),
});
const markedArrivals = (d0: Matrix, ...crawlers: Matrix[][]): ArrivalModel => ({ model: 'marked', d0, crawlers });
const threePages = perMode([D0, zeroRates, zeroRates, D1]);

describe('a queue is refused with the place, the code and what to change', () => {
  it.each<[string, Partial<QueueDescription>, string, string, RegExp?]>([
    [
      'a negative rate',
      { arrivals: perMode([D0, negativeBatchRate]) },
      'arrivals/modes/0/matrices/1/1/1',
      'negative-rate',
      /-0.5/,
    ],
    [
      'a negative change',
      { arrivals: perMode([negativePhaseRate, D1]) },
      'arrivals/modes/0/matrices/0/0/1',
      'negative-rate',
    ],
    [
      'a reducible process',
      { arrivals: reducibleArrivals },
      'arrivals/modes/0/matrices',
      'reducible',
      /phase 1 is never reached from phase 0/,
    ],
    ['no pages', { arrivals: perMode([D0, D1], withoutArrivals) }, 'arrivals/modes/1/matrices', 'no-arrivals'],
    ['no D1', { arrivals: perMode([withoutArrivals[0]]) }, 'arrivals/modes/0/matrices', 'no-arrivals'],
    ['a mark without pages', { arrivals: markedArrivals(D0, [zeroRates], [D1]) }, 'arrivals/crawlers/0', 'no-arrivals'],
    ['different sizes', { arrivals: perMode([D0, [[1]]]) }, 'arrivals/modes/0/matrices/1', 'wrong-size'],
    ['a count twice', { arrivals: repeatedMode }, 'arrivals/modes/1/crawlers', 'duplicate-mode'],
    ['a mode twice', { modes: [1, 1] }, 'modes/1', 'duplicate-mode'],
    ['an unknown mode', { modes: [1, 7] }, 'modes/1', 'unknown-mode'],
    [
      'superposed',
      { arrivals: superposition([D0, D1], [unbalancedD0, D1]) },
      'arrivals/crawlers/1/matrices/0/1',
      'row-sum',
    ],
    [
      'thinned',
      { arrivals: { model: 'thinning', matrices: [unbalancedD0, D1], probabilities: [1] } },
      'arrivals/matrices/0/1',
      'row-sum',
    ],
    [
      'scaled',
      { arrivals: { model: 'scaled', matrices: [unbalancedD0, D1], factors: [1] } },
      'arrivals/matrices/0/1',
      'row-sum',
    ],
    ['marked', { arrivals: markedArrivals(unbalancedD0, [D1]) }, 'arrivals/d0/1', 'row-sum'],
    [
      'a negative mark',
      { arrivals: markedArrivals(D0, [D1], [negativeBatchRate]) },
      'arrivals/crawlers/1/0/1/1',
      'negative-rate',
    ],
    [
      '128 joint phases',
      { arrivals: superposition(...Array.from({ length: 7 }, () => [D0, D1])) },
      'arrivals/crawlers',
      'too-many-phases',
    ],
    [
      'no batch that fits',
      { arrivals: threePages, capacity: 2, admission: 'complete-rejection' },
      'capacity',
      'no-batch-fits',
    ],
    [
      'too many states',
      { capacity: 21, obsolescence: twoPhases },
      'capacity',
      'too-many-states',
      /4194304 states.*reduce the capacity to 8.*exponential obsolescence/,
    ],
  ])('%s', (_, change, path, code, message = /./) => {
    const refused = refusal(change);
    expect(refused).toMatchObject({ path, code });
    expect(refused.message).toMatch(message);
  });

  it('but phases at the limit are taken', () => {
    expect(() => refusal({ capacity: 8, obsolescence: twoPhases })).toThrow('was accepted');
  });

  it('a row that does not sum to 0 with the matrix that would do', () => {
    const off: Matrix = [
      [-3, 1],
      [1, -2.5],
    ];
    const { path, code, message } = refusal({ arrivals: perMode([D0, D1], [off, D1]) });
    expect([path, code]).toEqual(['arrivals/modes/1/matrices/0/1', 'row-sum']);
    expect(message).toContain('should be -2, not -2.5');
    const suggestion: number[][] = JSON.parse(/D0 = (\[.*\]) would do/.exec(message)?.[1] ?? '');
    const { queue } = assembleQueue(example({ arrivals: perMode([D0, D1], [suggestion, D1]) }));
    expect([...queue.modes[1].matrices[0]]).toEqual([-3, 1, 1, -2]);
  });
});

describe('a policy', () => {
  it.each([
    [{ thresholds: [2, 1, 3] }, 'evaluate/thresholds/1', 'out-of-range'],
    [{ thresholds: [-2, 1, 3] }, 'evaluate/thresholds/0', 'out-of-range'],
    [{ thresholds: [0, 1, 6] }, 'evaluate/thresholds/2', 'out-of-range'],
    [{ thresholds: [1] }, 'evaluate/thresholds', 'wrong-length'],
    [{ crawlersByQueueLength: [3, 3, 1] }, 'evaluate/crawlersByQueueLength', 'wrong-length'],
    [{ crawlersByQueueLength: [3, 3, 3, 1, 1, 9] }, 'evaluate/crawlersByQueueLength/5', 'unknown-mode'],
  ])('%j is refused', (evaluate, path, code) => {
    const attempt = (): number => estimateThresholdPolicyWork({ ...example(), costs: exampleCosts, evaluate });
    expect(refusal(attempt)).toMatchObject({ path, code });
  });

  it('may have thresholds −1 and K', () => {
    const answer = solveThresholdPolicy(
      { ...example(), costs: exampleCosts, evaluate: { thresholds: [-1, 5, 5] } },
      unlimitedBudget(),
    );
    expect(answer.evaluation?.crawlersByQueueLength).toEqual([3, 3, 3, 3, 3, 3]);
    expect(costIn(answer)).toBeCloseTo(89.4051222020059, 10);
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
