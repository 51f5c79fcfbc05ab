/** Index schedules: slot by slot where pages × slots are few, by epochs else. */
export { scheduleByEpochs } from './epochs.ts';
export { burst, type IndexedPages, type IndexSchedule, type ScheduleLimits, type ScheduleProblem } from './problem.ts';
export { canBeSlotBySlot, scheduleSlotBySlot } from './slot-by-slot.ts';
export { type SlotsInOrder, slotsInOrder } from './slots-in-order.ts';
export { WaitingPages } from './waiting-pages.ts';
