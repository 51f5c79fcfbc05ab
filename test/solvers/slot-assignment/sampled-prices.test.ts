import { describe, expect, it } from 'vitest';
import { type Budget, unlimitedBudget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { assignSlots } from '../../../src/solvers/slot-assignment/assign-slots.ts';
import { slotGrid } from '../../../src/solvers/slot-assignment/instance/instance.ts';
import { partsOf } from '../../../src/solvers/slot-assignment/instance/parts.ts';
import { slotGroups } from '../../../src/solvers/slot-assignment/instance/slot-order.ts';
import { sampledPrices } from '../../../src/solvers/slot-assignment/prices/sampled-prices.ts';
import type { SlotAssignmentProblem } from '../../../src/solvers/slot-assignment/problem.ts';

const n = 12_000;

/** Three tasks in ten want one time; each may use about half of four crawlers, or all. */
function crowded(kept: boolean): SlotAssignmentProblem {
  const random = seededRandom(12);
  const lists = Array.from({ length: n }, () => [0, 1, 2, 3].filter((k) => random() < 0.5 || k === 3));
  const start = new Int32Array(n + 1);
  for (const [j, { length }] of lists.entries()) start[j + 1] = start[j] + length;
  return {
    interval: 1,
    slotCounts: new Int32Array(4).fill(Math.ceil(n / 0.9 / 4)),
    idealTime: Float64Array.from({ length: n }, () => (random() < 0.3 ? 0.5 : random())),
    kind: null,
    weight: Float64Array.from({ length: n }, () => 0.1 + 10 * random()),
    allowed: kept ? { start, crawlers: Int32Array.from(lists.flat()) } : null,
    earliest: null,
    latest: null,
    dropPenalty: Number.POSITIVE_INFINITY,
  };
}

/** Time that passes with each time it is asked: the same in every run. */
function asks(limit: number): Budget {
  let left = limit;
  return { ...unlimitedBudget(), stopRequested: () => left <= 0, remainingMs: () => Math.max(0, left--) };
}

describe('prices of a sample', () => {
  it.each([
    ['all crawlers', crowded(false)],
    ['kept to crawlers', crowded(true)],
  ])('prove nearly the value however early the search is stopped: three tasks in ten at once, %s', (_, instance) => {
    for (const limit of [700, 1000, 3000]) {
      const answer = assignSlots(instance, asks(limit));
      if (answer.status === 'infeasible') throw new Error('feasible by construction');
      expect(answer.objective.gap, `${limit} asks`).toBeLessThan(0.02);
    }
  });

  it('are left alone where tasks do not crowd', () => {
    const even = { ...crowded(false), idealTime: Float64Array.from({ length: n }, (_, j) => (j + 0.5) / n) };
    let solved = 0;
    const [part] = partsOf(even);
    const groups = slotGroups(slotGrid(1, even.slotCounts), null);
    const priceSlots = ({ slotCounts }: SlotAssignmentProblem) => {
      solved++;
      return { price: new Float64Array(slotCounts[0]).fill(1), meanWay: 1e-4 };
    };
    expect(sampledPrices({ instance: even, part, groups, priceSlots })).toBeNull();
    expect(solved).toBe(1);
  });
});
