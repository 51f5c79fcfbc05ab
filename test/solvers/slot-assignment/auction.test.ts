import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { examineAssignment } from '../../../src/solvers/slot-assignment/certify.ts';
import { type SlotAssignmentProblem, slotGrid } from '../../../src/solvers/slot-assignment/instance/instance.ts';
import { partsOf, partTasks } from '../../../src/solvers/slot-assignment/instance/parts.ts';
import { slotsInTimeOrder } from '../../../src/solvers/slot-assignment/instance/slot-order.ts';
import { auction } from '../../../src/solvers/slot-assignment/matching/auction.ts';
import { matchingProblem } from '../../../src/solvers/slot-assignment/matching/matching-problem.ts';
import { solveSlotAssignment } from '../../../src/solvers/slot-assignment/solve.ts';

/** Full: as many tasks as slots; `kept`: each task may use only two of the four crawlers. */
function full(n: number, equal: number, kept: boolean): SlotAssignmentProblem {
  const random = seededRandom(3);
  const start = Int32Array.from({ length: n + 1 }, (_, j) => 2 * j);
  return {
    interval: 1000,
    slotCounts: new Int32Array(4).fill(n / 4),
    idealTime: Float64Array.from({ length: n }, () => (random() < equal ? 500 : 1000 * random())),
    kind: null,
    weight: Float64Array.from({ length: n }, () => 0.1 + 10 * random()),
    allowed: kept
      ? { start, crawlers: Int32Array.from({ length: 2 * n }, (_, i) => (i % 2) + 2 * ((i >> 1) % 2)) }
      : null,
    earliest: null,
    latest: null,
    dropPenalty: Number.POSITIVE_INFINITY,
  };
}

describe('the auction', () => {
  it.each([
    ['different ideal times', full(400, 0, false)],
    ['30% equal ideal times', full(400, 0.3, false)],
    ['two of four crawlers allowed', full(400, 0.1, true)],
  ])('costs at most n·ε more than its prices prove: %s', (_, instance) => {
    const n = instance.idealTime.length;
    const grid = slotGrid(instance.interval, instance.slotCounts);
    for (const epsilon of [100, 1, 0.01]) {
      const slotOf = new Int32Array(n);
      const prices = new Float64Array(grid.total);
      for (const part of partsOf(instance)) {
        const slots = slotsInTimeOrder(grid, part.crawlers);
        const tasks = partTasks(instance, part, slots.time[slots.time.length - 1]);
        const problem = matchingProblem(instance, grid, part, tasks, slots);
        const order = Int32Array.from(tasks.ideal.keys());
        const rounds = { first: Math.max(1, epsilon), last: epsilon, factor: 10, bidsPerTask: 1000 };
        const sold = auction(problem, new Float64Array(slots.id.length), order, rounds, () => false);
        if (sold.slotOf === null) throw new Error('some round was not complete');
        for (let i = 0; i < order.length; i++) {
          slotOf[part.tasks === null ? i : part.tasks[i]] = problem.lines.gridSlot[sold.slotOf[i]];
        }
        for (let s = 0; s < slots.id.length; s++) prices[problem.lines.gridSlot[s]] = sold.price[s];
      }
      const { violations, value, bound } = examineAssignment(instance, slotOf, prices);
      expect(violations).toEqual([]);
      expect(value - bound).toBeGreaterThanOrEqual(-1e-9 * value);
      expect(value - bound).toBeLessThanOrEqual(n * epsilon * (1 + 1e-9));
    }
  });

  it('is followed by a search that proves the optimum', () => {
    for (const equal of [0, 0.3]) {
      const instance = full(600, equal, false);
      const answer = solveSlotAssignment(instance, unlimitedBudget(), { prices: true, coldSteps: 0 });
      if (answer.status === 'infeasible') throw new Error('feasible by construction');
      const cold = solveSlotAssignment(instance, unlimitedBudget(), { coldSteps: Number.POSITIVE_INFINITY });
      if (cold.status === 'infeasible') throw new Error('feasible by construction');
      expect(answer.status).toBe('optimal');
      expect(answer.objective.value).toBeCloseTo(cold.objective.value, 6);
      const { value, bound } = examineAssignment(instance, answer.slotOf, answer.prices);
      expect(value - bound).toBeLessThan(1e-10 * value);
    }
  });

  it('leaves a true, weak bound where the certificate has no time for all tasks', () => {
    const instance = full(4000, 0, false);
    const answer = solveSlotAssignment(instance, unlimitedBudget(), { prices: true });
    if (answer.status === 'infeasible') throw new Error('feasible by construction');
    const stopped = { ...unlimitedBudget(), stopRequested: () => true };
    const { feasible, value, bound } = examineAssignment(instance, answer.slotOf, answer.prices, stopped);
    expect(feasible).toBe(true);
    expect(value).toBeCloseTo(answer.objective.value, 6);
    expect(bound).toBeLessThan(value);
  });
});
