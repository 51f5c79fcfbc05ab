import type { SlotAssignmentProblem } from '../problem.ts';

/**
 * Cost of some tasks under an assignment, Σ w·|time − idealTime| plus the penalties, and how many it leaves out. Terms are added in blocks of 4096,
 * so that rounding grows with the number of blocks only. O(n).
 *
 * @param time start of each task, NaN where dropped
 * @param tasks positions of the tasks that count, null: all
 */
export function costOf(instance: SlotAssignmentProblem, time: Float64Array, tasks: Int32Array | null) {
  const { idealTime, weight, dropPenalty } = instance;
  const count = tasks === null ? idealTime.length : tasks.length;
  let value = 0;
  let droppedCount = 0;
  for (let from = 0; from < count; from += 4096) {
    const to = Math.min(from + 4096, count);
    let block = 0;
    for (let i = from; i < to; i++) {
      const j = tasks === null ? i : tasks[i];
      const late = Math.abs(time[j] - idealTime[j]);
      if (Number.isNaN(late)) droppedCount++;
      else block += weight === null ? late : weight[j] * late;
    }
    value += block;
  }
  if (droppedCount > 0) value += droppedCount * dropPenalty;
  return { value, droppedCount };
}
