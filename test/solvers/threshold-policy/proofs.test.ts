/** Bounds of small random queues, and branch and bound: against every threshold vector, measured one by one. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { type Constraints, costOf, measuresOf, type Totals, violations } from '../../../src/solvers/queue/measures.ts';
import { constantPolicy, modesOfThresholds } from '../../../src/solvers/queue/queue.ts';
import { Incumbent } from '../../../src/solvers/threshold-policy/incumbent.ts';
import { LevelPolicyEvaluator } from '../../../src/solvers/threshold-policy/levels.ts';
import { pageOutcomesOf } from '../../../src/solvers/threshold-policy/page-chain.ts';
import { PhaseChain } from '../../../src/solvers/threshold-policy/phase-chain.ts';
import { provedTolerance, RatioBounds } from '../../../src/solvers/threshold-policy/ratio-bound.ts';
import { branchAndBound, thresholdVectors } from '../../../src/solvers/threshold-policy/search.ts';
import { certifyThresholdPolicy } from '../../certificates/queues.ts';
import { requireDefined } from '../../require-defined.ts';
import { endingBudget } from '../ending-budget.ts';
import { queueOf, realCosts, realData } from './cases.ts';
import { solveThresholdPolicy } from './flat-answer.ts';
import { randomCosts, randomQueue } from './random-queues.ts';

const budget = unlimitedBudget();

/** The optimum of a random queue by branch and bound, and by evaluating every vector. */
function solveBothWays(seed: number, constraintsOf: (totals: Totals) => Constraints) {
  const description = {
    ...randomQueue(seed, { modes: 3 + (seed % 3), capacity: 1 + (seed % 6), exponential: seed % 6 > 2 }),
  };
  const queue = queueOf(description);
  const chain = new PhaseChain(queue, pageOutcomesOf(queue, budget), budget);
  const levels = new LevelPolicyEvaluator(chain, budget);
  const costs = randomCosts(seed);
  const policies = [...thresholdVectors(queue.modes.length - 1, queue.capacity)].map((vector) =>
    levels.evaluate(modesOfThresholds(queue, vector)),
  );
  const free = policies.reduce((best, totals) => (costOf(totals, costs) < costOf(best, costs) ? totals : best));
  const constraints = constraintsOf(free);
  const score = (totals: Totals): number =>
    violations(measuresOf(totals), constraints).length > 0 ? Number.POSITIVE_INFINITY : costOf(totals, costs);
  const brute = Math.min(...policies.map(score));
  const incumbent = new Incumbent(levels, costs, constraints);
  for (const mode of queue.modes.keys()) incumbent.offer(constantPolicy(queue, mode));
  const { bound } = branchAndBound({ chain, costs, constraints, incumbent, work: 0, budget });
  const outcome = { byLevel: incumbent.best?.byLevel ?? null, cost: incumbent.cost, bound };
  return { outcome, brute, label: JSON.stringify({ seed, description, costs, constraints }) };
}

function expectAgreement({ outcome, brute, label }: ReturnType<typeof solveBothWays>): void {
  if (brute === Number.POSITIVE_INFINITY) {
    expect(outcome.byLevel, label).toBeNull();
    expect(outcome.bound, label).toBe(Number.POSITIVE_INFINITY);
    return;
  }
  const margin = 2 * provedTolerance * Math.max(1, Math.abs(brute));
  expect(Math.abs(outcome.cost - brute), `${outcome.cost} ${brute} ${label}`).toBeLessThan(margin);
  expect(outcome.bound, label).toBeLessThanOrEqual(brute + 1e-11 * Math.abs(brute));
  expect(outcome.cost - outcome.bound, label).toBeLessThan(margin);
}

describe('with 64 modes, whose throughputs lie far apart, branch and bound', () => {
  it('proves in few nodes a policy that no single change improves', () => {
    const { arrivals, ...rest } = realData({ capacity: 20 });
    const matrices = arrivals.model === 'scaled' ? arrivals.matrices : [];
    const factors = Array.from({ length: 64 }, (_, i) => i + 1);
    const problem = { ...rest, arrivals: { model: 'scaled', matrices, factors } as const, costs: realCosts };
    const answer = solveThresholdPolicy(problem, budget);
    expect(certifyThresholdPolicy(problem, answer)).toEqual([]);
    expect(answer.status).toBe('optimal');
    expect(answer.statistics.nodes).toBeLessThan(60);
    const { crawlersByQueueLength } = requireDefined(answer.solution);
    const cost = requireDefined(answer.objective).value;
    for (const [length, count] of crawlersByQueueLength.entries()) {
      for (const neighbour of [count - 1, count + 1]) {
        if (neighbour < 1 || neighbour > 64) continue;
        const evaluate = { crawlersByQueueLength: crawlersByQueueLength.with(length, neighbour) };
        const moved = solveThresholdPolicy(
          { ...problem, evaluate, modes: [...new Set([neighbour, ...crawlersByQueueLength])] },
          budget,
        );
        expect(requireDefined(moved.objective).value).toBeGreaterThan(cost * (1 - 1e-9));
      }
    }
  });
});

describe('branch and bound proves the optimum of random queues', () => {
  it('without limits', () => {
    for (let seed = 1; seed <= 60; seed++) expectAgreement(solveBothWays(seed, () => ({})));
  });

  it('with limits below what the free optimum does', () => {
    for (let seed = 1; seed <= 60; seed++) {
      expectAgreement(
        solveBothWays(seed + 200, (totals) => {
          const free = measuresOf(totals);
          const constraintSets: Constraints[] = [
            { lossProbability: free.lossProbability * 0.7 },
            { starvationProbability: free.starvationProbability * 0.9 },
            { activeCrawlers: free.activeCrawlers * 0.8 },
            { responseTime: free.responseTime * 0.9, obsolescenceProbability: free.obsolescenceProbability * 0.95 },
          ];
          return constraintSets[seed % constraintSets.length];
        }),
      );
    }
  });
});

const instances = 1000;

it(`bounds are right on ${instances} queues, for all policies and within the modes of a node`, () => {
  let nodes = 0;
  for (let seed = 1; seed <= instances; seed++) {
    const random = seededRandom(seed);
    const queue = queueOf(
      randomQueue(seed + 40_000, { exponential: seed % 4 > 0, modes: 2 + (seed % 3), capacity: 1 + (seed % 4) }),
    );
    const costs = randomCosts(seed + 40_000);
    const outcomes = pageOutcomesOf(queue, budget);
    const free = new PhaseChain(queue, outcomes, budget);
    const levels = new LevelPolicyEvaluator(free, budget);
    const policies = [...thresholdVectors(queue.modes.length - 1, queue.capacity)].map((vector) => {
      const byLevel = modesOfThresholds(queue, vector);
      return { byLevel, cost: costOf(levels.evaluate(byLevel), costs) };
    });
    const best = Math.min(...policies.map(({ cost }) => cost));
    const { allModes } = free;
    const start = free.fromLevels(allModes.highest);
    const { bound, best: table } = new RatioBounds(free, costs, budget).prove(allModes, start, best);
    const label = `seed ${seed}`;
    expect(bound, label).toBeLessThanOrEqual(best);
    expect(bound, label).toBeLessThanOrEqual(table.cost);
    // A node: a range of modes at each level; levels above the capacity have the range of the capacity.
    const atMost = (modes: Uint8Array) => modes.fill(modes[queue.capacity], queue.capacity);
    const lowest = atMost(
      allModes.lowest.map((mode) => (random() < 0.5 ? mode : Math.floor(random() * queue.modes.length))),
    );
    const highest = atMost(lowest.map((mode) => mode + Math.floor(random() * (queue.modes.length - mode))));
    const inside = policies.filter(({ byLevel }) =>
      lowest.every((mode, level) => mode <= byLevel[level] && byLevel[level] <= highest[level]),
    );
    if (inside.length > 0) nodes++;
    const chain = new PhaseChain(queue, outcomes, endingBudget(seed % 5));
    const bounds = new RatioBounds(chain, costs, budget);
    const nodeProof = bounds.prove({ lowest, highest }, chain.fromLevels(highest), best);
    for (const { cost } of inside) expect(nodeProof.bound, label).toBeLessThanOrEqual(cost);
    // The proof of the best table, cut short.
    const proof = new RatioBounds(free, costs, endingBudget(seed % 3)).prove(allModes, table.modes);
    expect(proof.bound, label).toBeLessThanOrEqual(Math.min(best, proof.best.cost));
  }
  expect(nodes).toBeGreaterThan(instances / 4);
});
