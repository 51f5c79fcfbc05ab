/**
 * Whether times of a log are epoch seconds: a log in milliseconds would silently make a plan wrong by a factor of 1000.
 * Accepted times are from 1990, before the web, up to `now`.
 */

/** 1990-01-01T00:00:00Z. */
export const earliestTime = 631_152_000;
/** The year 5138; the same number in milliseconds is in 1973. */
export const latestTime = 1e11;
/** Largest number accepted as a time. */
export const largestTime = 1e15;

/** The fault of `now` as a message; null if there is none. */
export function nowFault(now: number): string | null {
  if (now >= earliestTime && now <= latestTime) return null;
  return `must be epoch seconds, from ${earliestTime} (1990) on; got ${now}${cause(now)}`;
}

/** The fault of a past time as a message; null if there is none. */
export function pastFault(time: number, now: number): string | null {
  if (Number.isNaN(time) || (time >= earliestTime && time <= now)) return null;
  const range = `must be epoch seconds from ${earliestTime} (1990) to now, ${now}; got ${time}`;
  if (time > now && time <= latestTime) return `${range}, which is ${time - now} s after now`;
  return `${range}${cause(time)}`;
}

function cause(time: number): string {
  if (time > latestTime) return `: this looks like epoch milliseconds, divide by 1000 (${Math.round(time / 1000)})`;
  return time < earliestTime ? ', which is before 1990: is it in another unit, or counted from another start?' : '';
}
