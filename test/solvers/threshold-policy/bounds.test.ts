/** Bounds of small random queues: never above what any policy costs, whether or not the search was cut short. */
import { expect, it } from 'vitest';
import { type Budget, unlimitedBudget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { costOf } from '../../../src/solvers/queue/measures.ts';
import { modesOfThresholds } from '../../../src/solvers/queue/queue.ts';
import { LevelElimination } from '../../../src/solvers/threshold-policy/levels.ts';
import { fatesOf } from '../../../src/solvers/threshold-policy/page-chain.ts';
import { PhaseChain } from '../../../src/solvers/threshold-policy/phase-chain.ts';
import { RatioBounds, ratioCostOf } from '../../../src/solvers/threshold-policy/ratio-bound.ts';
import { thresholdVectors } from '../../../src/solvers/threshold-policy/search.ts';
import { assembled } from './cases.ts';
import { randomCosts, randomQueue } from './random-queues.ts';

const instances = 1000;
const budget = unlimitedBudget();
/** What a node of branch and bound spends. */
const node = { tolerance: 1e-9, mostIntervals: 1, mostTangents: 2, budget };

/** A budget that ends after so many looks. */
function endingAfter(looks: number): Budget {
  let asked = 0;
  return { ...budget, stopRequested: () => ++asked > looks };
}

it(`are right on ${instances} queues, for all policies and within the modes of a node`, () => {
  let nodes = 0;
  for (let seed = 1; seed <= instances; seed++) {
    const random = seededRandom(seed);
    const queue = assembled(
      randomQueue(seed + 40_000, { exponential: true, modes: 2 + (seed % 3), capacity: 1 + (seed % 4) }),
    );
    const costs = randomCosts(seed + 40_000);
    const fates = fatesOf(queue, budget);
    const free = new PhaseChain(queue, fates, budget);
    const levels = new LevelElimination(free, budget);
    const policies = [...thresholdVectors(queue.modes.length - 1, queue.capacity)].map((vector) => {
      const byLevel = modesOfThresholds(queue, vector);
      return { byLevel, cost: costOf(levels.evaluate(byLevel), costs) };
    });
    const best = Math.min(...policies.map(({ cost }) => cost));
    const bounds = new RatioBounds(free, ratioCostOf(costs));
    const { all } = free;
    const { bound, best: table } = bounds.prove(all, free.ofLevels(all.highest), node);
    const shown = `seed ${seed}`;
    expect(bound, shown).toBeLessThanOrEqual(best);
    expect(bound, shown).toBeLessThanOrEqual(table.cost);
    // A node: some modes at each level, above the capacity those at it.
    const atMost = (modes: Uint8Array) => modes.fill(modes[queue.capacity], queue.capacity);
    const lowest = atMost(
      all.lowest.map((mode) => (random() < 0.5 ? mode : Math.floor(random() * queue.modes.length))),
    );
    const highest = atMost(lowest.map((mode) => mode + Math.floor(random() * (queue.modes.length - mode))));
    const inside = policies.filter(({ byLevel }) =>
      lowest.every((mode, level) => mode <= byLevel[level] && byLevel[level] <= highest[level]),
    );
    if (inside.length > 0) nodes++;
    const chain = new PhaseChain(queue, fates, endingAfter(seed % 5));
    const within = new RatioBounds(chain, ratioCostOf(costs)).prove({ lowest, highest }, chain.ofLevels(highest), node);
    for (const { cost } of inside) expect(within.bound, shown).toBeLessThanOrEqual(cost);
    // The proof of the best table, cut short.
    const cut = { tolerance: 1e-9, mostIntervals: 400, mostTangents: 8, budget: endingAfter(seed % 3) };
    const proof = bounds.prove(all, table.modes, cut);
    expect(proof.bound, shown).toBeLessThanOrEqual(Math.min(best, proof.best.cost));
  }
  expect(nodes).toBeGreaterThan(instances / 4);
});
