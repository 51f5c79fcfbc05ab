import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { assignSlots } from '../../../src/solvers/slot-assignment/assign-slots.ts';
import { insertionOrder } from '../../../src/solvers/slot-assignment/instance/insertion-order.ts';
import {
  crawlerOfSlot,
  type SlotGrid,
  slotGrid,
  slotTime,
} from '../../../src/solvers/slot-assignment/instance/instance.ts';
import { matchingProblem } from '../../../src/solvers/slot-assignment/instance/matching-problem.ts';
import { partsOf, partTasks } from '../../../src/solvers/slot-assignment/instance/parts.ts';
import { everySlot, slotGroups, slotsInTimeOrder } from '../../../src/solvers/slot-assignment/instance/slot-order.ts';
import { auction } from '../../../src/solvers/slot-assignment/matching/auction.ts';
import { lowerIdlePrices, settleIdleSlots } from '../../../src/solvers/slot-assignment/matching/idle-slots.ts';
import { Matching } from '../../../src/solvers/slot-assignment/matching/shortest-paths.ts';
import { slotPriceBound } from '../../../src/solvers/slot-assignment/matching/slot-price-bound.ts';
import { layeredPrices } from '../../../src/solvers/slot-assignment/prices/layered-prices.ts';
import type { SlotAssignmentProblem } from '../../../src/solvers/slot-assignment/problem.ts';
import { examineAssignment } from '../../oracles/slot-assignment.ts';

/** As many tasks as slots, or `idle` fewer; `kept`: each task may use only two of the four crawlers. */
function full(n: number, equal: number, kept: boolean, idle = 0): SlotAssignmentProblem {
  const random = seededRandom(3);
  const start = Int32Array.from({ length: n + 1 }, (_, j) => 2 * j);
  return {
    interval: 1000,
    slotCounts: new Int32Array(4).fill((n + idle) / 4),
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

function costAt(instance: SlotAssignmentProblem, grid: SlotGrid, j: number, slot: number): number {
  const crawler = crawlerOfSlot(grid, slot);
  const time = slotTime(grid.interval, grid.slotCounts[crawler], slot - grid.offset[crawler]);
  return (instance.weight?.[j] ?? 1) * Math.abs(time - instance.idealTime[j]);
}

describe('the auction', () => {
  it.each([0, 0.3])(
    'gives every task a place to fall back on with a bid or two at layered prices and a great ε (%d equal)',
    (equal) => {
      const instance = full(2000, equal, false);
      const grid = slotGrid(instance.interval, instance.slotCounts);
      const groups = slotGroups(grid, null);
      const [part] = partsOf(instance);
      const tasks = partTasks(instance, part, groups.time[groups.time.length - 1]);
      const problem = matchingProblem(instance, grid, part, tasks, everySlot(groups));
      const start = layeredPrices(problem, groups, instance.interval, () => false);
      if (start === null) throw new Error('there are no release tasks');
      const order = insertionOrder(problem.weight, problem.ideal, instance.interval);
      const unit = start.reduce((sum, y) => sum + y, 0) / start.length;
      const sold = auction(problem, start, order, { first: unit, last: unit, factor: 5, bidsPerTask: 4 }, () => false);
      if (sold.slotOf === null) throw new Error('some task has no place');
      const slotOf = sold.slotOf.map((s) => problem.lines.gridSlot[s]);
      const { violations, value } = examineAssignment(instance, slotOf, null);
      expect(violations).toEqual([]);
      const best = assignSlots(instance, unlimitedBudget());
      if (best.status === 'infeasible') throw new Error('there are as many slots as tasks');
      expect(value).toBeLessThan(2 * best.objective.value);
      expect(sold.bids).toBeLessThan(2 * instance.idealTime.length);
    },
  );

  it.each([
    ['different ideal times', full(400, 0, false)],
    ['30% equal ideal times', full(400, 0.3, false)],
    ['two of four crawlers allowed', full(400, 0.1, true)],
    ['some idle slots', full(400, 0.1, false, 16)],
    ['two of four crawlers allowed, some idle slots', full(400, 0.1, true, 40)],
  ])('costs at most ε a slot more than its prices prove: %s', (_, instance) => {
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
      // Prices within ε of what the idle slots' tasks pay count as that: another ε a slot.
      const most = (grid.total > n ? 2 : 1) * grid.total * epsilon;
      expect(value - bound).toBeLessThanOrEqual(most * (1 + 1e-9));
    }
  });

  it('is followed by a search that proves the optimum', () => {
    const instances = [
      full(600, 0, false),
      full(600, 0.3, false),
      full(600, 0, false, 12),
      full(600, 0.3, false, 60),
      full(600, 0, true, 12),
    ];
    for (const instance of instances) {
      const answer = assignSlots(instance, unlimitedBudget(), { prices: true, coldSteps: 0 });
      if (answer.status === 'infeasible') throw new Error('feasible by construction');
      const cold = assignSlots(instance, unlimitedBudget(), { coldSteps: Number.POSITIVE_INFINITY });
      if (cold.status === 'infeasible') throw new Error('feasible by construction');
      expect(answer.status).toBe('optimal');
      expect(answer.objective.value).toBeCloseTo(cold.objective.value, 6);
      const { value, bound } = examineAssignment(instance, answer.slotOf, answer.prices);
      expect(value - bound).toBeLessThan(1e-10 * value);
    }
  });

  it('lets tasks of weight 0 take the idle slots whose prices are not 0', () => {
    let searched = 0;
    for (const [kept, idle] of [
      [false, 20],
      [true, 20],
      [false, 200],
    ] as const) {
      const instance = full(400, 0.1, kept, idle);
      const random = seededRandom(idle);
      const grid = slotGrid(instance.interval, instance.slotCounts);
      for (const part of partsOf(instance)) {
        const slots = slotsInTimeOrder(grid, part.crawlers);
        const tasks = partTasks(instance, part, slots.time[slots.time.length - 1]);
        const problem = matchingProblem(instance, grid, part, tasks, slots);
        const start = Float64Array.from(slots.id, () => 3000 * random());
        const matching = new Matching(problem, start);
        for (let j = 0; j < tasks.ideal.length; j++) expect(matching.insert(j, () => false)).toBe('done');
        const settled = settleIdleSlots(matching, () => false);
        if (settled === null) throw new Error('nothing has stopped it');
        searched += settled.visits;
        // What the prices prove is what the tasks of this part pay.
        const bound = slotPriceBound(problem, settled.price, () => false);
        const value = settled.slotOf.reduce((sum, slot, i) => {
          return sum + costAt(instance, grid, part.tasks?.[i] ?? i, slots.id[slot]);
        }, 0);
        expect(Math.abs(value - bound)).toBeLessThan(1e-9 * value);
      }
    }
    expect(searched).toBeGreaterThan(0);
  });

  it('lowers the prices of all idle slots at once where tasks may be dropped', () => {
    const idle = 200;
    for (const kept of [false, true]) {
      const instance = { ...full(400, 0.1, kept, idle), dropPenalty: 1e7 };
      const random = seededRandom(idle);
      const grid = slotGrid(instance.interval, instance.slotCounts);
      for (const part of partsOf(instance)) {
        const slots = slotsInTimeOrder(grid, part.crawlers);
        const tasks = partTasks(instance, part, slots.time[slots.time.length - 1]);
        const problem = matchingProblem(instance, grid, part, tasks, slots);
        const matching = new Matching(
          problem,
          Float64Array.from(slots.id, () => 3000 * random()),
        );
        for (let j = 0; j < tasks.ideal.length; j++) expect(matching.insert(j, () => false)).toBe('done');
        let asked = 0;
        const stopRequested = (): boolean => ++asked < 0;
        expect(lowerIdlePrices(matching, stopRequested)).toBe(true);
        // asked once a wave, and by long searches
        expect(asked).toBeLessThan(slots.id.length / 4);
        let value = 0;
        for (const s of slots.id.keys()) if (matching.owner[s] < 0) expect(matching.price(s)).toBe(0);
        for (let i = 0; i < matching.slotOf.length; i++) {
          value += costAt(instance, grid, part.tasks?.[i] ?? i, slots.id[matching.slotOf[i]]);
        }
        const bound = slotPriceBound(problem, matching.slotPrices(), () => false);
        expect(Math.abs(value - bound)).toBeLessThan(1e-9 * value);
      }
    }
  });
});
