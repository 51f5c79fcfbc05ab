import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { slotGrid } from '../../../src/solvers/slot-assignment/instance/instance.ts';
import { matchingProblem } from '../../../src/solvers/slot-assignment/instance/matching-problem.ts';
import { partsOf, partTasks } from '../../../src/solvers/slot-assignment/instance/parts.ts';
import { slotsInTimeOrder } from '../../../src/solvers/slot-assignment/instance/slot-order.ts';
import { slotPriceBound } from '../../../src/solvers/slot-assignment/matching/slot-price-bound.ts';
import type { SlotAssignmentProblem } from '../../../src/solvers/slot-assignment/problem.ts';
import { examineAssignment } from '../../oracles/slot-assignment.ts';
import { costScale } from './checks.ts';
import { allFeatures, described, randomInstance } from './instances.ts';

/** What prices by slot number prove of all parts. */
function boundOf(instance: SlotAssignmentProblem, prices: Float64Array, stopRequested: () => boolean): number {
  const grid = slotGrid(instance.interval, instance.slotCounts);
  let bound = 0;
  const seen = new Uint8Array(grid.total);
  for (const part of partsOf(instance)) {
    const slots = slotsInTimeOrder(grid, part.crawlers);
    const tasks = partTasks(instance, part, slots.time[slots.time.length - 1]);
    const problem = matchingProblem(instance, grid, part, tasks, slots);
    bound += slotPriceBound(
      problem,
      Float64Array.from(slots.id, (s) => prices[s]),
      stopRequested,
    );
    for (const s of slots.id) seen[s] = 1;
  }
  // slots that no task may use
  return prices.reduce((sum, y, s) => (seen[s] === 1 ? sum : sum - y), bound);
}

describe('the bound of slot prices', () => {
  it('is what the certificate computes in its own way, whatever the prices', () => {
    const random = seededRandom(15);
    for (let trial = 0; trial < 600; trial++) {
      const instance = randomInstance(random, allFeatures[trial % allFeatures.length], 60);
      const total = instance.slotCounts.reduce((sum, count) => sum + count, 0);
      const steep = random() * 20;
      const prices = Float64Array.from({ length: total }, (_, s) =>
        Math.max(0, (trial % 2) * random() * 10 + steep * Math.sin(s / 9)),
      );
      const nobody = new Int32Array(instance.idealTime.length).fill(-1);
      const { bound } = examineAssignment(instance, nobody, prices);
      const own = boundOf(instance, prices, () => false);
      if (!Number.isFinite(bound)) expect(own, described(instance)).toBe(bound);
      else expect(Math.abs(own - bound), described(instance)).toBeLessThanOrEqual(1e-11 * costScale(instance) * total);
      expect(boundOf(instance, prices, () => true)).toBeLessThanOrEqual(own);
    }
  });
});
