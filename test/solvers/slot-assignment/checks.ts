/** What every answer of the slot assignment must satisfy, checked without the solver. */
import type { SlotAssignmentAnswer } from '../../../src/solvers/slot-assignment/assign-slots.ts';
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

/**
 * Whether an answer keeps what it says: it is feasible, its value true and its bound no higher. If it came with prices
 * and says optimal, they must prove it. The tasks of a conflict really are more than the slots that they may use.
 */
export function certifySlotAssignment(problem: SlotAssignmentProblem, answer: SlotAssignmentAnswer): string[] {
  if (answer.status === 'infeasible') {
    const { tasks, after, before } = answer.conflict;
    const outside = tasks.filter(
      (j) =>
        (after !== null && after > 0 && earliestStart(problem, j) < after) ||
        (before !== null && latestStart(problem, j) > before),
    );
    return [
      ...conflictViolations(problem, answer.conflict),
      ...Array.from(outside, (j) => `task ${j} may run before ${after} or after ${before}`),
    ];
  }
  const { objective, prices, status } = answer;
  const found = examineAssignment(problem, answer.slotOf, prices);
  const violations = [...found.violations];
  const tolerance = 1e-11 * costScale(problem) * Math.max(1, problem.idealTime.length);
  if (!(Math.abs(found.value - objective.value) <= tolerance)) {
    violations.push(`the value is ${found.value}, not ${objective.value}`);
  }
  if (status === 'optimal' ? objective.bound !== objective.value : objective.bound > objective.value) {
    violations.push(`${status}, with a bound of ${objective.bound} and a value of ${objective.value}`);
  }
  if (status === 'optimal' && prices !== null && !(found.value - found.bound <= tolerance)) {
    violations.push(`the prices prove ${found.bound}, the value is ${found.value}`);
  }
  return violations;
}
