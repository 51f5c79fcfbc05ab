import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { assignSlots } from '../../../src/solvers/slot-assignment/assign-slots.ts';
import type { SlotAssignmentProblem } from '../../../src/solvers/slot-assignment/problem.ts';
import { examineAssignment } from '../../oracles/slot-assignment.ts';
import { bruteForce } from './brute-force.ts';
import { certifySlotAssignment, costScale } from './checks.ts';
import { allFeatures, described, randomInstance } from './instances.ts';

const plain: SlotAssignmentProblem = {
  interval: 6,
  slotCounts: Int32Array.of(3, 2),
  idealTime: Float64Array.of(1, 2.5, 4),
  kind: Uint8Array.of(0, 1, 0),
  weight: null,
  allowed: { start: Int32Array.of(0, 1, 1, 1), crawlers: Int32Array.of(0) },
  earliest: null,
  latest: Float64Array.of(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 4),
  dropPenalty: Number.POSITIVE_INFINITY,
};

describe('the certificate of a slot assignment', () => {
  it.each([
    ['two tasks in one slot', [0, 4, 4], /two tasks/],
    ['a release task that runs early', [0, 1, 2], /task 1 runs at 2, before 2.5/],
    ['a task on a crawler it may not use', [3, 4, 2], /task 0 runs on crawler 1/],
    ['a task that is dropped where that is forbidden', [0, 4, -1], /task 2 is dropped/],
    ['a slot that does not exist', [0, 4, 5], /slot 5, there are 5/],
  ])('rejects %s', (_, slotOf, message) => {
    const { feasible, violations } = examineAssignment(plain, Int32Array.from(slotOf), null);
    expect(feasible).toBe(false);
    expect(violations.join('; ')).toMatch(message);
  });

  it('rejects a start after the latest time', () => {
    const late = { ...plain, latest: Float64Array.of(9, 9, 3) };
    expect(examineAssignment(late, Int32Array.of(0, 4, 2), null).violations).toEqual(['task 2 runs at 4, after 3']);
  });

  it('shows a gap where two tasks have changed places', () => {
    const instance = { ...plain, kind: null, allowed: null, latest: null };
    const answer = assignSlots(instance, unlimitedBudget(), { prices: true });
    if (answer.status === 'infeasible') throw new Error('feasible by construction');
    const best = examineAssignment(instance, answer.slotOf, answer.prices);
    expect(best.value).toBe(best.bound);
    const [a, b, c] = answer.slotOf;
    const worse = examineAssignment(instance, Int32Array.of(c, b, a), answer.prices);
    expect(worse.feasible).toBe(true);
    expect(worse.bound).toBe(best.bound);
    expect(worse.value).toBeGreaterThan(worse.bound);
  });

  it('never proves more than the optimum, whatever the prices', () => {
    const random = seededRandom(5);
    for (let trial = 0; trial < 1500; trial++) {
      const instance = randomInstance(random, allFeatures[trial % allFeatures.length], 6);
      const least = bruteForce(instance);
      const total = instance.slotCounts.reduce((sum, count) => sum + count, 0);
      const prices = Float64Array.from({ length: total }, () => Math.max(0, random() * 10 - 3));
      const { bound } = examineAssignment(instance, new Int32Array(instance.idealTime.length).fill(-1), prices);
      expect(bound, described(instance)).toBeLessThanOrEqual(least + 1e-12 * costScale(instance));
    }
  });

  it('finds what is wrong with an answer', () => {
    const answer = assignSlots(plain, unlimitedBudget(), { prices: true });
    if (answer.status === 'infeasible') throw new Error('feasible by construction');
    expect(certifySlotAssignment(plain, answer)).toEqual([]);
    const cheaper = { ...answer, objective: { ...answer.objective, value: answer.objective.value - 1 } };
    expect(certifySlotAssignment(plain, cheaper).join('; ')).toMatch(
      /the value is .*; the bound .* is above the value/,
    );
    const unproved = { ...answer, prices: new Float64Array(5) };
    expect(certifySlotAssignment({ ...plain, idealTime: Float64Array.of(1, 1, 1) }, unproved)).not.toEqual([]);
    const conflict = { detail: '', tasks: Int32Array.of(0, 1), slots: 1, after: null, before: null };
    expect(certifySlotAssignment(plain, { status: 'infeasible', conflict })).toEqual([
      'the tasks may use 4 slots, not 1',
      '2 tasks fit into the 4 slots that they may use',
    ]);
  });
});
