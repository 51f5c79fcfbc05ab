import { describe, expect, it } from 'vitest';
import { type Budget, unlimitedBudget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { bestStart } from '../../../src/solvers/slot-assignment/bound/sampled-prices.ts';
import { slotGrid } from '../../../src/solvers/slot-assignment/instance/instance.ts';
import { partsOf } from '../../../src/solvers/slot-assignment/instance/parts.ts';
import { everySlot, slotGroups, slotsIn } from '../../../src/solvers/slot-assignment/instance/slot-order.ts';
import { solveSlotAssignment } from '../../../src/solvers/slot-assignment/solve.ts';

const n = 50_000;

/** A tenth of the tasks want one time; the time is up when the sample has its prices, or never. */
function start(ends: boolean): ReturnType<typeof bestStart> {
  const random = seededRandom(12);
  const instance = {
    interval: 1,
    slotCounts: Int32Array.of(n, n),
    idealTime: Float64Array.from({ length: n }, () => (random() < 0.1 ? 0.5 : random())),
    kind: null,
    weight: Float64Array.from({ length: n }, () => 0.1 + 10 * random()),
    allowed: null,
    earliest: null,
    latest: null,
    dropPenalty: Number.POSITIVE_INFINITY,
  };
  const groups = slotGroups(slotGrid(1, instance.slotCounts), null);
  let up = false;
  const budget: Budget = {
    ...unlimitedBudget(),
    stopRequested: () => up,
    remainingMs: () => (up ? 0 : ends ? 1 : Number.POSITIVE_INFINITY),
  };
  const [part] = partsOf(instance);
  return bestStart(
    {
      instance,
      part,
      groups,
      gridSlot: everySlot(groups).id,
      budget,
      priceSlots: (sample) => {
        const answer = solveSlotAssignment(sample, unlimitedBudget(), { prices: true });
        up = ends;
        if (answer.status === 'infeasible' || answer.prices === null) return null;
        return { price: answer.prices, exact: true };
      },
    },
    new Float64Array(slotsIn(groups)),
  );
}

describe('prices of a sample', () => {
  it('prove a bound', () => {
    expect(start(false).bound).toBeGreaterThan(0);
  });

  it('ask for the time while their bound is found', () => {
    expect(start(true).bound).toBe(0);
  });
});
