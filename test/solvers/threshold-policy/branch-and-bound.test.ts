import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { type Constraints, costOf, measuresOf, type Totals, violations } from '../../../src/solvers/queue/measures.ts';
import { fixedMode, modesOfThresholds } from '../../../src/solvers/queue/queue.ts';
import { Incumbent } from '../../../src/solvers/threshold-policy/incumbent.ts';
import { LevelElimination } from '../../../src/solvers/threshold-policy/levels.ts';
import { fatesOf } from '../../../src/solvers/threshold-policy/page-chain.ts';
import { PhaseChain } from '../../../src/solvers/threshold-policy/phase-chain.ts';
import { branchAndBound, provedTolerance, thresholdVectors } from '../../../src/solvers/threshold-policy/search.ts';
import { certifyThresholdPolicy } from '../../certificates/queues.ts';
import { defined } from '../../defined.ts';
import { solveThresholdPolicy } from './answered.ts';
import { assembled, realCosts, realData } from './cases.ts';
import { randomCosts, randomQueue } from './random-queues.ts';

const budget = unlimitedBudget();

/** The optimum of a random queue by branch and bound, and by evaluating every vector. */
function both(seed: number, constraintsOf: (totals: Totals) => Constraints) {
  const description = {
    ...randomQueue(seed, { modes: 3 + (seed % 3), capacity: 1 + (seed % 6), exponential: true }),
  };
  const queue = assembled(description);
  const chain = new PhaseChain(queue, fatesOf(queue, budget), budget);
  const levels = new LevelElimination(chain, budget);
  const costs = randomCosts(seed);
  const all = [...thresholdVectors(queue.modes.length - 1, queue.capacity)].map((vector) =>
    levels.evaluate(modesOfThresholds(queue, vector)),
  );
  const free = all.reduce((best, totals) => (costOf(totals, costs) < costOf(best, costs) ? totals : best));
  const constraints = constraintsOf(free);
  const score = (totals: Totals): number =>
    violations(measuresOf(totals), constraints).length > 0 ? Number.POSITIVE_INFINITY : costOf(totals, costs);
  const brute = Math.min(...all.map(score));
  const incumbent = new Incumbent(levels, costs, constraints);
  for (const mode of queue.modes.keys()) incumbent.offer(fixedMode(queue, mode));
  const { bound } = branchAndBound({ chain, costs, constraints, incumbent, budget });
  const found = { byLevel: incumbent.best?.byLevel ?? null, cost: incumbent.cost, bound };
  return { found, brute, shown: JSON.stringify({ seed, description, costs, constraints }) };
}

function agrees({ found, brute, shown }: ReturnType<typeof both>): void {
  if (brute === Number.POSITIVE_INFINITY) {
    expect(found.byLevel, shown).toBeNull();
    expect(found.bound, shown).toBe(Number.POSITIVE_INFINITY);
    return;
  }
  const margin = 2 * provedTolerance * Math.max(1, Math.abs(brute));
  expect(Math.abs(found.cost - brute), `${found.cost} ${brute} ${shown}`).toBeLessThan(margin);
  expect(found.bound, shown).toBeLessThanOrEqual(brute + 1e-11 * Math.abs(brute));
  expect(found.cost - found.bound, shown).toBeLessThan(margin);
}

describe('with 64 modes, whose throughputs lie far apart, branch and bound', () => {
  it('proves in few nodes what no single move betters', () => {
    const { arrivals, ...rest } = realData({ capacity: 20 });
    const matrices = arrivals.model === 'scaled' ? arrivals.matrices : [];
    const factors = Array.from({ length: 64 }, (_, i) => i + 1);
    const problem = { ...rest, arrivals: { model: 'scaled', matrices, factors } as const, costs: realCosts };
    const answer = solveThresholdPolicy(problem, budget);
    expect(certifyThresholdPolicy(problem, answer)).toEqual([]);
    expect(answer.status).toBe('optimal');
    expect(answer.statistics.nodes).toBeLessThan(60);
    const { crawlersByQueueLength } = defined(answer.solution);
    const cost = defined(answer.objective).value;
    for (const [length, count] of crawlersByQueueLength.entries()) {
      for (const other of [count - 1, count + 1]) {
        if (other < 1 || other > 64) continue;
        const evaluate = { crawlersByQueueLength: crawlersByQueueLength.with(length, other) };
        const moved = solveThresholdPolicy(
          { ...problem, evaluate, modes: [...new Set([other, ...crawlersByQueueLength])] },
          budget,
        );
        expect(defined(moved.objective).value).toBeGreaterThan(cost * (1 - 1e-9));
      }
    }
  });
});

describe('branch and bound proves the optimum of random queues', () => {
  it('without limits', () => {
    for (let seed = 1; seed <= 60; seed++) agrees(both(seed, () => ({})));
  });

  it('with limits below what the free optimum does', () => {
    for (let seed = 1; seed <= 60; seed++) {
      agrees(
        both(seed + 200, (totals) => {
          const free = measuresOf(totals);
          const all: Constraints[] = [
            { lossProbability: free.lossProbability * 0.7 },
            { starvationProbability: free.starvationProbability * 0.9 },
            { activeCrawlers: free.activeCrawlers * 0.8 },
            { responseTime: free.responseTime * 0.9, obsolescenceProbability: free.obsolescenceProbability * 0.95 },
          ];
          return all[seed % all.length];
        }),
      );
    }
  });
});
