/** Slot assignment: every crawl task gets a crawler and a time slot at least total cost. */
export { type Certificate, certify, dualBound } from './certify.ts';
export type { Conflict } from './conflict.ts';
export { type Deviation, deviationOf, tasksPerCrawler } from './instance/deviation.ts';
export {
  type AllowedCrawlers,
  flexibleTask,
  type Placement,
  releaseTask,
  type SlotAssignmentInstance,
  type SlotGrid,
  slotGrid,
  slotTime,
} from './instance/instance.ts';
export {
  assignSlots,
  type SlotAssignment,
  type SlotAssignmentOutcome,
  type SlotAssignmentRequest,
} from './solve.ts';
