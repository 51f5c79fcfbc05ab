/** The answer of `slot-assignment` as the contract has it: crawler and time of each task, deviations, use of crawlers. */
import type { Budget } from '../budget.ts';
import { assignSlots } from './assign-slots.ts';
import { slotGrid } from './instance/instance.ts';
import { deviationOf, tasksPerCrawler } from './instance/placement.ts';
import type { SlotAssignmentProblem } from './problem.ts';

interface SlotAssignmentQuestion {
  readonly problem: SlotAssignmentProblem;
  /** Name of each crawler; undefined for a crawler without. */
  readonly ids: readonly (string | undefined)[];
}

/**
 * The answer of `slot-assignment` as the contract has it. A dropped task has crawler and slot NaN.
 *
 * @throws NothingToReturn when the budget ends before any complete assignment is known
 * @internal
 */
export function solveSlotAssignment({ problem, ids }: SlotAssignmentQuestion, budget: Budget) {
  const grid = slotGrid(problem.interval, problem.slotCounts);
  const sizes = { tasks: problem.idealTime.length, slots: grid.total };
  const assignment = assignSlots(problem, budget);
  if (assignment.status === 'infeasible') {
    return { ...assignment, statistics: { solver: 'hall-set', ...sizes } };
  }
  const { status, objective, placement, droppedCount: dropped, idleSlots, parts, visits } = assignment;
  const { crawler, slot, time } = placement;
  const counts = tasksPerCrawler(grid, placement);
  return {
    status,
    objective,
    solution: {
      tasks: dropped === 0 ? placement : { crawler: withNaN(crawler), slot: withNaN(slot), time },
      dropped,
      idleSlots,
      deviation: deviationOf(problem.idealTime, placement) ?? { mean: null, p95: null, max: null },
      crawlers: Array.from(problem.slotCounts, (slots, k) => {
        const use = { slots, tasks: counts[k], utilisation: slots > 0 ? counts[k] / slots : null };
        return { ...(ids[k] !== undefined && { id: ids[k] }), ...use };
      }),
    },
    statistics: { solver: assignment.method, ...sizes, parts, visits },
  };
}

/** Positions as numbers, NaN for −1. A loop, since Float64Array.from takes seconds for ten million positions. */
function withNaN(positions: Int32Array): Float64Array {
  const values = new Float64Array(positions.length);
  for (let i = 0; i < values.length; i++) values[i] = positions[i] < 0 ? Number.NaN : positions[i];
  return values;
}
