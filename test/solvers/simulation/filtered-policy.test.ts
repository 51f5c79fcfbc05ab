import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { assembleQueue } from '../../../src/solvers/queue/assemble.ts';
import { costOfMeasures } from '../../../src/solvers/queue/index.ts';
import { modesOfTable } from '../../../src/solvers/queue/state-policy.ts';
import { FilterController, filterCost, replicateQueue } from '../../../src/solvers/simulation/index.ts';
import { memorylessQueue } from '../../../src/solvers/threshold-policy/evaluate/memoryless/evaluate-memoryless.ts';
import { phaseFilter } from '../../../src/solvers/threshold-policy/observed/phase-filter.ts';
import { defined } from '../../defined.ts';
import { solveThresholdPolicy, type ThresholdPolicyProblem } from '../threshold-policy/answered.ts';
import { costIn, example, exampleCosts } from '../threshold-policy/cases.ts';

/**
 * Phase 0 brings single pages, phase 1 threes, many before the phase changes: what arrives says where the process is.
 */
const telling: ThresholdPolicyProblem = {
  capacity: 6,
  arrivals: {
    model: 'per-mode',
    modes: [1, 2].map((crawlers) => ({
      crawlers,
      matrices: [
        [
          [-crawlers - 0.02, 0.02],
          [0.02, -1.5 * crawlers - 0.02],
        ],
        [
          [crawlers, 0],
          [0, 0],
        ],
        [
          [0, 0],
          [0, 0],
        ],
        [
          [0, 0],
          [0, 1.5 * crawlers],
        ],
      ],
    })),
  },
  service: { initial: [1], generator: [[-3]] },
  obsolescence: null,
  costs: { loss: 10, obsolescence: 0, response: 1, crawler: 1, starvation: 12 },
  observe: 'phases',
  filter: { replications: 10 },
};

function played(problem: ThresholdPolicyProblem, replications: number, seed: number) {
  const answer = solveThresholdPolicy(problem, unlimitedBudget());
  const { measures, crawlersByState } = defined(answer.solution);
  const { queue } = assembleQueue(problem);
  const modes = modesOfTable(queue, problem.service, defined(crawlersByState));
  const filter = phaseFilter(memorylessQueue(queue, unlimitedBudget()), problem.costs, modes, unlimitedBudget());
  const seen = { cost: costIn(answer), measures };
  const run = { queue, description: problem, costs: problem.costs, filter, seen, replications };
  const cost = (acting: 'likeliest' | 'expected') => defined(filterCost(run, acting, unlimitedBudget(seed)));
  return { answer, queue, filter, likeliest: cost('likeliest'), expected: cost('expected') };
}

describe('a controller that follows its belief', () => {
  it('pays nearly what one pays that sees the phases, where arrivals tell the phase', () => {
    const { answer, likeliest, expected } = played(telling, 10, 5);
    const best = costIn(answer);
    const blind = defined(answer.byQueueLength).cost;
    expect(blind).toBeGreaterThan(best * 1.05);
    for (const { mean, interval } of [likeliest, expected]) {
      expect(interval[1]).toBeGreaterThan(best);
      expect(mean).toBeLessThan(best + 0.4 * (blind - best));
    }
  });

  it('never pays less than one that sees them, beyond chance: the main example', () => {
    const problem = { ...example(), costs: exampleCosts, observe: 'phases', filter: { replications: 6 } } as const;
    const { answer, likeliest, expected } = played(problem, 6, 2);
    for (const { interval } of [likeliest, expected]) expect(interval[1]).toBeGreaterThan(costIn(answer));
  });

  it('has the cost that its own measures have, many times sharper', () => {
    const { queue, filter, likeliest, expected } = played(telling, 10, 5);
    for (const [acting, sharp] of [
      ['likeliest', likeliest],
      ['expected', expected],
    ] as const) {
      const { service, obsolescence, costs } = telling;
      const blind = () => new FilterController(queue, filter, acting);
      // Another run, measured as any policy is: losses, expiries, times and crawlers at their prices.
      const { cost } = replicateQueue(
        { ...queue, blind, service, obsolescence },
        { duration: 1500, replications: 20, cost: (measures) => costOfMeasures(measures, costs) },
        unlimitedBudget(77),
      );
      const plain = defined(cost ?? undefined);
      const [wide, narrow] = [plain, sharp].map(({ interval: [low, high] }) => (high - low) / 2);
      expect(Math.abs(plain.mean - sharp.mean)).toBeLessThan(2 * Math.hypot(wide, narrow));
      expect(narrow).toBeLessThan(wide / 5);
    }
  });

  it('believes what Bayes says of a record of ticks and batches', () => {
    const { queue, filter } = played(telling, 2, 1);
    const random = seededRandom(8);
    const controller = new FilterController(queue, filter, 'likeliest');
    let belief = [0.5, 0.5];
    for (let step = 0; step < 400; step++) {
      const size = random() < 0.5 ? 1 : 3;
      const ticks = Math.floor(60 * random());
      for (let k = 0; k < ticks; k++) controller.passed(1, 2);
      // e^(D0 t) of a chain that changes at equal rates: by its two exponentials.
      const t = ticks * filter.tick;
      const [d0] = queue.modes[1].matrices;
      const [a, b, c, d] = d0;
      const root = Math.sqrt(((a - d) / 2) ** 2 + b * c);
      const middle = (a + d) / 2;
      const [cosh, sinh] = [Math.cosh(root * t), Math.sinh(root * t) / root];
      const e = [cosh + ((a - d) / 2) * sinh, b * sinh, c * sinh, cosh - ((a - d) / 2) * sinh].map(
        (x) => x * Math.exp(middle * t),
      );
      belief = [belief[0] * e[0] + belief[1] * e[2], belief[0] * e[1] + belief[1] * e[3]];
      if (step % 7 === 0) {
        controller.arrived(1, size);
        belief = size === 1 ? [1, 0] : [0, 1];
      }
      const total = belief[0] + belief[1];
      belief = belief.map((share) => share / total);
      const likeliest = belief[0] >= belief[1] ? 0 : 1;
      if (Math.abs(belief[0] - 0.5) < 1e-6) continue;
      for (const level of [0, 2, 5]) expect(controller.mode(level)).toBe(filter.table[level * 2 + likeliest]);
    }
  });

  it('is refused beside a policy, or without phases in sight', () => {
    const { observe: _, ...plain } = telling;
    expect(() => solveThresholdPolicy({ ...plain, observe: 'queue-length' }, unlimitedBudget())).toThrow(
      /needs observe/,
    );
    expect(() => solveThresholdPolicy({ ...telling, observe: 'arrival-phase' }, unlimitedBudget())).toThrow(
      /needs observe/,
    );
  });
});
