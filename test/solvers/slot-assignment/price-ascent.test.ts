import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { dualBound } from '../../../src/solvers/slot-assignment/bound/dual-bound.ts';
import { slotGrid } from '../../../src/solvers/slot-assignment/instance/instance.ts';
import { matchingProblem } from '../../../src/solvers/slot-assignment/instance/matching-problem.ts';
import { partsOf, partTasks } from '../../../src/solvers/slot-assignment/instance/parts.ts';
import { everySlot, slotGroups } from '../../../src/solvers/slot-assignment/instance/slot-order.ts';
import { auction } from '../../../src/solvers/slot-assignment/matching/auction/auction.ts';
import { raisedBound } from '../../../src/solvers/slot-assignment/matching/auction/price-ascent.ts';
import type { SlotAssignmentProblem } from '../../../src/solvers/slot-assignment/problem.ts';

const n = 2000;

/** As many slots as tasks; each task may use two of four crawlers. */
function kept(): SlotAssignmentProblem {
  const random = seededRandom(13);
  return {
    interval: 1000,
    slotCounts: new Int32Array(4).fill(n / 4),
    idealTime: Float64Array.from({ length: n }, () => 1000 * random()),
    kind: null,
    weight: Float64Array.from({ length: n }, () => 0.1 + 10 * random()),
    allowed: {
      start: Int32Array.from({ length: n + 1 }, (_, j) => 2 * j),
      crawlers: Int32Array.from({ length: 2 * n }, (_, i) => ((i >> 1) + (i & 1)) % 4),
    },
    earliest: null,
    latest: null,
    dropPenalty: Number.POSITIVE_INFINITY,
  };
}

describe('steps along the subgradient', () => {
  it.each([0, 3, 100])('raise what the prices of a round prove, after %d steps', (steps) => {
    const instance = kept();
    const groups = slotGroups(slotGrid(1000, instance.slotCounts), null);
    const [part] = partsOf(instance);
    const tasks = partTasks(instance, part, groups.time[groups.time.length - 1]);
    const problem = matchingProblem(instance, slotGrid(1000, instance.slotCounts), part, tasks, everySlot(groups));
    const order = Int32Array.from({ length: n }, (_, j) => j);
    const rounds = { first: 2, last: 2, factor: 4, bidsPerTask: 1000 };
    const { proving, slotOf, near } = auction(problem, new Float64Array(n), order, rounds, () => false);
    if (proving === null || slotOf === null) throw new Error('the round was complete');
    const { time, entry, gridSlot } = problem.lines;
    const value = slotOf.reduce(
      (sum, s, j) => sum + problem.weight[j] * Math.abs(time[entry[s]] - problem.ideal[j]),
      0,
    );
    const bound = (price: Float64Array): number => {
      const onGrid = new Float64Array(n);
      for (const [s, y] of price.entries()) onGrid[gridSlot[s]] = y;
      return dualBound(instance, onGrid, part, Number.POSITIVE_INFINITY);
    };
    let taken = 0;
    const raised = raisedBound(problem, proving, near, value, () => taken++ >= steps);
    const [before, after] = [bound(proving), bound(raised)];
    expect(after).toBeLessThanOrEqual(value);
    if (steps === 0) expect(after).toBe(before);
    else expect(value - after).toBeLessThan((steps === 3 ? 0.8 : 0.5) * (value - before));
  });
});
