/** Slot assignment: every crawl task gets a crawler and a time slot at least total cost. */
/** @internal The library has operations for it. */

export {
  assignSlots,
  type SlotAssignment,
  type SlotAssignmentAnswer,
  type SlotAssignmentSettings,
} from './assign-slots.ts';
export type { SlotConflict } from './conflict.ts';
export { type SlotGrid, slotGrid, slotTime } from './instance/instance.ts';
export type { Placement } from './instance/placement.ts';
export { slotsInTimeOrder } from './instance/slot-order.ts';
export { type AllowedCrawlers, flexibleTask, releaseTask, type SlotAssignmentProblem } from './problem.ts';
export { solveSlotAssignment } from './solve.ts';
