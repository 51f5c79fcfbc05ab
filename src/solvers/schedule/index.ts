/** Index schedules: slot by slot where pages × slots are few, by epochs else. */
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
