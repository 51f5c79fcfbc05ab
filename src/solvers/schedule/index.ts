/** Index schedules: slot by slot if pages × slots is small, else by epochs. */
export { scheduleByEpochs } from './epochs.ts';
export {
  deadlineAfter,
  hostBurst,
  type IndexedPages,
  type IndexSchedule,
  type ScheduleLimits,
  type ScheduleProblem,
} from './problem.ts';
export { isSlotBySlotAffordable, scheduleSlotBySlot } from './slot-by-slot.ts';
export { type SortedSlots, sortSlots } from './sort-slots.ts';
export { WaitingPages } from './waiting-pages.ts';
