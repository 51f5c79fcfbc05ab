import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import type { QueueDescription } from '../../../src/solvers/queue/queue.ts';
import { certifyThresholdPolicy } from '../../certificates/queues.ts';
import { endingBudget } from '../ending-budget.ts';
import { costIn, example, measuresIn } from './cases.ts';
import { solveThresholdPolicy } from './flat-answer.ts';
import { naiveMeasures } from './naive-queue.ts';
import { randomCosts, randomPolicy, randomQueue } from './random-queues.ts';

const costs = randomCosts(1);

function compare(description: QueueDescription, crawlersByQueueLength: readonly number[], shown: string): void {
  const problem = { ...description, costs, evaluate: { crawlersByQueueLength } };
  const answer = solveThresholdPolicy(problem, unlimitedBudget());
  expect(certifyThresholdPolicy(problem, answer), shown).toEqual([]);
  const measures = measuresIn(answer);
  const naive = naiveMeasures(description, crawlersByQueueLength);
  for (const [name, value] of Object.entries(naive)) {
    const got: unknown = measures === undefined ? undefined : Reflect.get(measures, name);
    if (value === null) expect(got, `${name} ${shown}`).toBeNull();
    else
      expect(
        Math.abs(Number(got) - value) / Math.max(1, Math.abs(value)),
        `${name}: ${got} ${value} ${shown}`,
      ).toBeLessThan(1e-9);
  }
}

describe('measures of a policy, against a dense generator written state by state', () => {
  for (const phases of [1, 2, 3]) {
    it(`agree on random queues with obsolescence of up to ${phases} phases, every admission strategy`, () => {
      for (let seed = 1; seed <= 80; seed++) {
        const description = randomQueue(1000 * phases + seed, {
          obsolescencePhases: phases,
          ...(phases > 1 ? { capacity: 1 + (seed % 3) } : {}),
        });
        const small =
          phases < 3 || description.admission !== 'complete-admission' ? description : { ...description, capacity: 1 };
        compare(small, randomPolicy(seed, small), JSON.stringify(small));
      }
    });
  }

  it('agree without obsolescence', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const description = { ...randomQueue(seed), obsolescence: null };
      compare(description, randomPolicy(seed, description), JSON.stringify(description));
    }
  });

  it('agree for a law that begins in its last phase, and for phases that are never reached', () => {
    const service = {
      initial: [0, 0, 1],
      generator: [
        [-2, 0, 0.5],
        [1, -1, 0],
        [3, 0, -3],
      ],
    };
    const description = example({ capacity: 3, service, modes: undefined });
    compare(description, [4, 3, 3, 1], 'Erlang written backwards');
  });

  it('agree for a policy that is not monotone, with a warning', () => {
    const description = example({ capacity: 3 });
    compare(description, [1, 4, 2, 3], 'not monotone');
    const problem = { ...description, costs, evaluate: { crawlersByQueueLength: [1, 4, 2, 3] } };
    const answer = solveThresholdPolicy(problem, unlimitedBudget());
    expect(answer.warnings.map(({ code }) => code)).toContain('policy-not-monotone');
    expect(answer.evaluation?.thresholds).toBeNull();
  });

  it('agree when rates span ten orders of magnitude', () => {
    const matrices = [
      [
        [-1e-6, 1e-7],
        [1e3, -2e3],
      ],
      [
        [9e-7, 0],
        [0, 1e3],
      ],
    ];
    const description: QueueDescription = {
      capacity: 3,
      arrivals: { model: 'per-mode', modes: [{ crawlers: 1, matrices }] },
      service: {
        initial: [0.5, 0.5],
        generator: [
          [-1e-3, 0],
          [0, -1e4],
        ],
      },
      obsolescence: { initial: [1], generator: [[-1e-5]] },
    };
    compare(description, [1, 1, 1, 1], 'stiff');
  });
});

describe('obsolescence phases', () => {
  it('agree with exponential obsolescence when the branches are nearly alike', () => {
    const nearly = {
      initial: [0.5, 0.5],
      generator: [
        [-0.2000001, 0],
        [0, -0.2],
      ],
    };
    const [a, b] = [nearly, { initial: [1], generator: [[-0.20000005]] }].map((obsolescence) =>
      solveThresholdPolicy(
        { ...example({ obsolescence }), costs, evaluate: { thresholds: [0, 2, 3] } },
        unlimitedBudget(),
      ),
    );
    expect(Number(a.statistics.states)).toBeGreaterThan(Number(b.statistics.states));
    expect(costIn(a)).toBeCloseTo(costIn(b), 7);
  });
});

describe('a time limit', () => {
  it('that ends before the quantiles leaves the rest of the answer, with a warning', () => {
    const budget = endingBudget(0);
    // Slow phases: the quantile takes many thousand jumps, and the budget is asked on the way.
    const service = {
      initial: [0.5, 0.5],
      generator: [
        [-1e-3, 0],
        [0, -10],
      ],
    };
    const answer = solveThresholdPolicy(
      {
        ...example({ service }),
        costs,
        evaluate: { thresholds: [0, 2, 3] },
        measures: { response: { quantiles: [0.5, 0.999] } },
      },
      budget,
    );
    expect(answer.status).toBe('evaluated');
    expect(answer.warnings.map(({ code }) => code)).toEqual(['measures-not-computed']);
    expect(measuresIn(answer).response).toBeUndefined();
  });
});
