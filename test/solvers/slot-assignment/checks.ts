/** What every answer of the slot assignment must satisfy, checked without the solver. */
import { expect } from 'vitest';
import type { FoundAssignment, SlotAssignmentAnswer } from '../../../src/solvers/slot-assignment/assign-slots.ts';
import type { SlotConflict } from '../../../src/solvers/slot-assignment/conflict.ts';
import { earliestStart, latestStart } from '../../../src/solvers/slot-assignment/instance/instance.ts';
import type { SlotAssignmentProblem } from '../../../src/solvers/slot-assignment/problem.ts';
import { conflictViolations, examineAssignment } from '../../oracles/slot-assignment.ts';

/** Size of the costs of an instance: what rounding is measured against. */
export function costScale(instance: SlotAssignmentProblem): number {
  let scale = instance.interval;
  for (let j = 0; j < instance.idealTime.length; j++) {
    const w = instance.weight === null ? 1 : instance.weight[j];
    scale = Math.max(scale, w * (instance.interval + Math.abs(instance.idealTime[j])));
  }
  return scale;
}

/** Feasible, its value true, its bound true, and optimal when it says so, by its own prices. */
export function expectProved(instance: SlotAssignmentProblem, answer: FoundAssignment, what: string): void {
  const certificate = examineAssignment(instance, answer.slotOf, answer.prices);
  const tolerance = 1e-11 * costScale(instance) * Math.max(1, instance.idealTime.length);
  expect(certificate.violations, what).toEqual([]);
  expect(Math.abs(certificate.value - answer.objective.value), what).toBeLessThanOrEqual(tolerance);
  expect(answer.objective.bound, what).toBeLessThanOrEqual(answer.objective.value);
  if (answer.status === 'optimal') {
    expect(answer.objective.bound, what).toBe(answer.objective.value);
    expect(certificate.value - certificate.bound, what).toBeLessThanOrEqual(tolerance);
  }
}

/** The conflict is a Hall set: its tasks can use no more slots than it says, and they are more than those. */
export function expectHallSet(instance: SlotAssignmentProblem, conflict: SlotConflict, what: string): void {
  const { allowed, interval, slotCounts } = instance;
  const usable = new Set<string>();
  for (const j of conflict.tasks) {
    for (let k = 0; k < slotCounts.length; k++) {
      const list = allowed === null ? [] : [...allowed.crawlers.subarray(allowed.start[j], allowed.start[j + 1])];
      if (list.length > 0 && !list.includes(k)) continue;
      for (let l = 0; l < slotCounts[k]; l++) {
        const time = (l * interval) / slotCounts[k];
        if (time >= earliestStart(instance, j) && time <= latestStart(instance, j)) usable.add(`${k}/${l}`);
      }
    }
    if (conflict.after !== null && conflict.after > 0) {
      expect(earliestStart(instance, j), what).toBeGreaterThanOrEqual(conflict.after);
    }
    if (conflict.before !== null) expect(latestStart(instance, j), what).toBeLessThanOrEqual(conflict.before);
  }
  expect(new Set(conflict.tasks).size, what).toBe(conflict.tasks.length);
  expect(usable.size, what).toBe(conflict.slots);
  expect(conflict.tasks.length, what).toBeGreaterThan(conflict.slots);
}

/**
 * Whether an answer keeps what it says: it is feasible, its value true and its bound no higher. If it came with prices
 * and says optimal, they must prove it. The tasks of a conflict really are more than the slots that they may use.
 */
export function certifySlotAssignment(problem: SlotAssignmentProblem, answer: SlotAssignmentAnswer): string[] {
  if (answer.status === 'infeasible') return conflictViolations(problem, answer.conflict);
  const { objective, prices, status } = answer;
  const found = examineAssignment(problem, answer.slotOf, prices);
  const violations = [...found.violations];
  const tolerance = 1e-11 * costScale(problem) * Math.max(1, problem.idealTime.length);
  if (!(Math.abs(found.value - objective.value) <= tolerance)) {
    violations.push(`the value is ${found.value}, not ${objective.value}`);
  }
  if (objective.bound !== null && objective.bound > objective.value) {
    violations.push(`the bound ${objective.bound} is above the value ${objective.value}`);
  }
  if (status === 'optimal' && prices !== null && !(found.value - found.bound <= tolerance)) {
    violations.push(`the prices prove ${found.bound}, the value is ${found.value}`);
  }
  return violations;
}
