/**
 * Checks that times of a log are epoch seconds: a log in milliseconds would silently make a plan wrong by a factor of
 * 1000. Accepted times are from 1990, before the web, up to `now`.
 */
import type { CheckHistory } from '../../solvers/estimation/index.ts';
import type { Refuse } from '../contract/refusals.ts';
import type { ChecksReader } from './checks/checks-reader.ts';

/** 1990-01-01T00:00:00Z. */
export const earliestTime = 631_152_000;
/** The year 5138; the same number in milliseconds is in 1973. */
export const latestTime = 1e11;
/** Largest number accepted as a time. */
export const largestTime = 1e15;

const year = 365.25 * 86_400;

/** The fault of `now` as a message; null if there is none. */
export function nowFault(now: number): string | null {
  if (now >= earliestTime && now <= latestTime) return null;
  return `must be epoch seconds, from ${earliestTime} (1990) on; got ${now}${cause(now)}`;
}

/** The fault of a past time as a message; null if there is none. */
export function pastFault(time: number, now: number): string | null {
  if (time >= earliestTime && time <= now) return null;
  const range = `must be epoch seconds from ${earliestTime} (1990) to now, ${now}; got ${time}`;
  if (time > now && time <= latestTime) return `${range}, which is ${time - now} s after now`;
  return `${range}${cause(time)}`;
}

function cause(time: number): string {
  if (time > latestTime) return `: this looks like epoch milliseconds, divide by 1000 (${Math.round(time / 1000)})`;
  return time < earliestTime ? ', which is before 1990: is it in another unit, or counted from another start?' : '';
}

interface LoggedPages {
  readonly now: number;
  readonly lastCrawl: Float64Array;
  readonly observations: ChecksReader;
  readonly events: ChecksReader;
  readonly history: CheckHistory;
}

/**
 * Refuses times of a log that cannot be epoch seconds; `at` gives the path of a page's property.
 */
export function refuseImplausibleTimes(
  { now, lastCrawl, observations, events, history }: LoggedPages,
  at: (page: number, name: string) => PropertyKey[],
  refuse: Refuse,
): void {
  const fault = nowFault(now);
  if (fault !== null) {
    refuse(['now'], 'implausible-time', fault, now);
    return;
  }
  const refused = (i: number, name: string, time: number): boolean => {
    const wrong = Number.isNaN(time) ? null : pastFault(time, now);
    if (wrong !== null)
      refuse(at(i, name), 'implausible-time', name === 'lastCrawl' ? wrong : `every time of it ${wrong}`, time);
    return wrong !== null;
  };
  for (let i = 0; i < lastCrawl.length; i++) {
    const observed = observations.counts[i] >= 0;
    // report only the first fault of a page
    if (observed)
      refused(i, 'observations', observations.earliest[i]) || refused(i, 'observations', observations.latest[i]);
    else
      refused(i, 'lastCrawl', lastCrawl[i]) ||
        refused(i, 'events', events.earliest[i]) ||
        refused(i, 'events', events.latest[i]);
    const span = observed || events.counts[i] >= 0 ? 0 : spanOf(history, i);
    if (now - span >= earliestTime) continue;
    const message =
      `must not reach back behind 1990; the elapsed times come to ${Math.round(span / year)} years: ` +
      'they look like milliseconds, and seconds are expected';
    refuse(at(i, 'checks'), 'implausible-time', message, span);
  }
}

/** Total elapsed time of page i's checks. */
function spanOf({ offsets, elapsed }: CheckHistory, i: number): number {
  let span = 0;
  for (let k = offsets[i]; k < offsets[i + 1]; k++) span += elapsed[k];
  return span;
}

/** Refuses an id that an earlier row has. */
export function refuseDuplicateIds(
  ids: readonly (string | undefined)[] | null,
  at: (page: number, name: string) => readonly PropertyKey[],
  refuse: Refuse,
  row = 'page',
): void {
  if (ids === null) return;
  const seen = new Map<string, number>();
  for (const [i, id] of ids.entries()) {
    if (id === undefined) continue;
    const before = seen.get(id);
    if (before === undefined) seen.set(id, i);
    else refuse([...at(i, 'id')], 'duplicate', `${row} ${i} has the id of ${row} ${before}: ${id}`, id);
  }
}
