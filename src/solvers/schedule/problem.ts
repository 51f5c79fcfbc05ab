/**
 * Problem and answer of an index schedule.
 *
 * Every slot goes to the page whose fetch is worth most at its time, within the pages' least and longest intervals,
 * their hosts' delays and the times before which they may not be fetched. Times are seconds from the interval's start.
 */

/** The index of each page as a function of its age: seconds since the last fetch, Infinity for a page never fetched. */
export interface IndexedPages {
  readonly pages: number;
  /** The index: the worth of a fetch at an age. Rises with the age from 0; below 0 for a page not to be fetched now. */
  worth(page: number, age: number): number;
  /** The least age at which the worth of the next fetch reaches a price > 0; Infinity where it never does. */
  ageAt(page: number, price: number): number;
  /** Records a planned fetch: ages count from its time on. */
  recordFetch(page: number, time: number): void;
}

/** Limits on the fetches. Arrays are by page, except those of hosts. */
export interface ScheduleLimits {
  readonly interval: number;
  /** Shortest time between two fetches; 0 for no limit. */
  readonly minInterval: Float64Array;
  /** Longest time between two fetches; Infinity for no limit. */
  readonly maxInterval: Float64Array;
  /** Earliest time of a fetch; left out: no limit. */
  readonly notBefore?: Float64Array | undefined;
  /** Position of the host, −1 for none. */
  readonly host: Int32Array;
  /** By host: shortest time between two fetches; highest mean rate, in fetches a second, left out: no limit. */
  readonly hostDelay: Float64Array;
  readonly hostRate?: Float64Array | undefined;
}

export interface ScheduleProblem extends ScheduleLimits {
  readonly model: IndexedPages;
  /** Times of the slots, rising. */
  readonly slotTime: Float64Array;
  /** Age of each page at the start; Infinity for never fetched. */
  readonly age: Float64Array;
  /** Age from which a page has priority over others; Infinity for none. */
  readonly cap: Float64Array;
  /** Long-run price of a fetch, above 0: the scale of the worths. */
  readonly price: number;
}

export interface IndexSchedule {
  /** The page of each slot, −1 where no page may be fetched. */
  readonly page: Int32Array;
  /** Whether the budget ended before all slots were assigned; the remaining slots are then empty. */
  readonly isStopped: boolean;
}

/** Burst of a host, as in a token bucket: number of fetches by which the host may be ahead of its highest rate. */
export const hostBurst = 10;

/**
 * The time by which a page must be fetched next. For a page never fetched (last = −∞), or overdue at the start,
 * maxInterval counts from the start.
 */
export const deadlineAfter = (last: number, maxInterval: number): number =>
  last + maxInterval >= 0 ? last + maxInterval : maxInterval;

/** The key of a page that is not to be fetched now. */
export const excludedKey = -1;
/** Offsets added to the keys of pages past their cap, and of pages whose reserved slot has come. */
const pastCapKey = 2;
export const urgentKey = 3;

/** A worth as a key in [0, 1). */
export const keyOfWorth = (worth: number, price: number): number => worth / (worth + price);

/**
 * Key by which pages are ordered, the largest first: pages whose reserved slot has come, then pages past their cap (a
 * page never fetched only if it has a cap), then all others; within each class by worth.
 */
export function keyOf({ model, cap, price }: ScheduleProblem, page: number, age: number, isUrgent: boolean): number {
  const worth = model.worth(page, Math.max(0, age));
  if (worth < 0) return excludedKey;
  const key = keyOfWorth(worth, price);
  if (isUrgent) return urgentKey + key;
  return age >= cap[page] && cap[page] < Number.POSITIVE_INFINITY ? pastCapKey + key : key;
}
