import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { assignSlots, type SlotAssignmentAnswer } from '../../src/solvers/slot-assignment/assign-slots.ts';
import type { SlotAssignmentProblem } from '../../src/solvers/slot-assignment/problem.ts';
import { costScale, expectHallSet, expectProved } from '../solvers/slot-assignment/checks.ts';
import { allFeatures, described, randomInstance } from '../solvers/slot-assignment/instances.ts';

const solve = (instance: SlotAssignmentProblem): SlotAssignmentAnswer =>
  assignSlots(instance, unlimitedBudget(), { prices: true });

/** The cost, +∞ when infeasible. */
function cost(instance: SlotAssignmentProblem): number {
  const answer = solve(instance);
  if (answer.status === 'infeasible') {
    expectHallSet(instance, answer.conflict, described(instance));
    return Number.POSITIVE_INFINITY;
  }
  expect(answer.status, described(instance)).toBe('optimal');
  expectProved(instance, answer, described(instance));
  return answer.objective.value;
}

const instances = fc
  .tuple(fc.nat(), fc.constantFrom(...allFeatures), fc.integer({ min: 1, max: 9 }))
  .map(([seed, features, most]) => randomInstance(seededRandom(seed), features, most));

const scaled = (times: Float64Array | null, by: number): Float64Array | null => times?.map((t) => t * by) ?? null;

function expectSame(a: number, b: number, instance: SlotAssignmentProblem, unit = 1): void {
  if (a === Number.POSITIVE_INFINITY || b === Number.POSITIVE_INFINITY) {
    expect(a, described(instance)).toBe(b);
    return;
  }
  expect(Math.abs(a - b), described(instance)).toBeLessThanOrEqual(1e-11 * costScale(instance) * unit);
}

describe('the least cost of a slot assignment', () => {
  it('scales with the unit of time, from 1e-14 to 1e14', () => {
    fc.assert(
      fc.property(instances, fc.constantFrom(2 ** -46, 2 ** -10, 2 ** 20, 2 ** 46), (instance, by) => {
        const other: SlotAssignmentProblem = {
          ...instance,
          interval: instance.interval * by,
          idealTime: instance.idealTime.map((t) => t * by),
          earliest: scaled(instance.earliest, by),
          latest: scaled(instance.latest, by),
          dropPenalty: instance.dropPenalty * by,
        };
        expectSame(cost(other), cost(instance) * by, instance, by);
      }),
      { numRuns: 300 },
    );
  });
});

describe('larger slot assignments', () => {
  it('are proved optimal by their own prices for every combination of features', () => {
    const random = seededRandom(11);
    for (const features of allFeatures) {
      const n = 300;
      const base = randomInstance(random, features, 0);
      const idealTime = Float64Array.from({ length: n }, () => Math.floor(100 * random()) * 0.9);
      const instance: SlotAssignmentProblem = {
        interval: 100,
        slotCounts: Int32Array.of(100, 130, 120),
        idealTime,
        kind: features.releases ? Uint8Array.from(idealTime, () => (random() < 0.3 ? 1 : 0)) : null,
        weight: features.weights ? Float64Array.from(idealTime, () => 10 * random()) : null,
        allowed: features.restrictions
          ? {
              start: Int32Array.from({ length: n + 1 }, (_, j) => j),
              crawlers: Int32Array.from(idealTime, (_, j) => j % 3),
            }
          : null,
        earliest: features.windows ? idealTime.map((t) => t - 20 * random()) : null,
        latest: features.windows ? idealTime.map((t) => t + 20) : null,
        dropPenalty: features.dropping ? 8 : base.dropPenalty,
      };
      cost(instance);
    }
  });
});
