/**
 * Windows: daily or weekly spans in which fetches are allowed, by the clock of a time zone, as spans of seconds from
 * `now`.
 *
 * A window starts on each of its days at `from` and ends at `to`, on the next day where `to` is not after `from`. Where
 * clocks change, a time that comes twice opens a window the second time and closes it the first. A time that is left
 * out opens it late and closes it early. What is allowed lies in the window by the clock on the wall, always.
 */
import * as z from 'zod';
import { day } from '../../../solvers/day.ts';
import { list } from '../../contract/list.ts';
import { refusals } from '../../contract/refusals.ts';
import { choice, strictObject } from '../../contract/strict-object.ts';
import { clockOf, offsetAt } from '../../words/wall-clock.ts';

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
/** Maximum interval with windows, seconds; a window at every quarter of an hour then takes some .2 s. */
export const maxWindowedInterval = 400 * day;
const clockTime = z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/);

export const windowList = list(
  strictObject('CrawlPlanWindow', {
    days: list(choice('CrawlPlanDay', weekdays), { minItems: 1, maxItems: 7 })
      .optional()
      .describe('Days on which it starts; left out: all'),
    from: clockTime.describe('Start, "HH:MM" in timeZone'),
    to: clockTime.describe('End; on the next day if not after from'),
  }),
  { minItems: 1, maxItems: 100 },
);

export const timeZoneName = z
  .string()
  .min(1)
  .max(100)
  .check(({ value, issues }) => {
    if (clockOf(value) !== null) return;
    const message = `must be a time zone of the IANA data base, such as Europe/Berlin; got ${value}`;
    refusals(issues)([], 'out-of-range', message, value);
  });

type Windows = z.output<typeof windowList>;

/**
 * Alternating opening and closing times in seconds from now, ascending; empty if no window is in the interval.
 *
 * O(days · windows), plus a date formatted for each quarter of an hour at which a window begins or ends.
 */
export function windowSpans(windows: Windows, clock: Intl.DateTimeFormat, now: number, interval: number): Float64Array {
  const firstDay = Math.floor((now + offsetAt(clock, now)) / day) - 1;
  const lastDay = firstDay + Math.ceil(interval / day) + 2;
  const offset = offsetsOf(clock);
  const times = windows.map(({ days, from, to }) => {
    const [start, end] = [seconds(from), seconds(to)];
    return { days, start, end: end > start ? end : end + day };
  });
  const spans: [number, number][] = [];
  for (let d = firstDay; d <= lastDay; d++) {
    // day 0 of the epoch was a Thursday
    const weekday = weekdays[(((d + 4) % 7) + 7) % 7];
    for (const { days, start, end } of times) {
      if (days !== undefined && !days.includes(weekday)) continue;
      const open = Math.max(...momentsOf(offset, d * day + start));
      const close = Math.min(...momentsOf(offset, d * day + end));
      spans.push([open - now, close - now]);
    }
  }
  return mergeSpans(spans, interval);
}

/** Offset of a zone from UTC; since 1990, clocks have changed at quarters of an hour only. */
function offsetsOf(clock: Intl.DateTimeFormat): (time: number) => number {
  const offsetByQuarter = new Map<number, number>();
  return (time) => {
    const quarter = Math.floor(time / 900);
    const offset = offsetByQuarter.get(quarter) ?? offsetAt(clock, 900 * quarter);
    offsetByQuarter.set(quarter, offset);
    return offset;
  };
}

function seconds(clock: string): number {
  return 3600 * Number(clock.slice(0, 2)) + 60 * Number(clock.slice(3));
}

/**
 * The times at which local time has a value: one, two, or, for a skipped value, those by either offset.
 */
function momentsOf(offset: (time: number) => number, wall: number): number[] {
  const candidates = [wall - offset(wall - day), wall - offset(wall + day)];
  const real = candidates.filter((time) => time + offset(time) === wall);
  return real.length > 0 ? real : candidates;
}

/** Merges overlapping or adjacent spans and clips them to the interval. */
function mergeSpans(spans: readonly [number, number][], interval: number): Float64Array {
  const sortedSpans = spans
    .map(([open, close]): [number, number] => [Math.max(0, open), Math.min(interval, close)])
    .filter(([open, close]) => open < close)
    .sort(([a], [b]) => a - b);
  const result: number[] = [];
  for (const [open, close] of sortedSpans) {
    if (result.length > 0 && open <= result[result.length - 1]) {
      result[result.length - 1] = Math.max(result[result.length - 1], close);
    } else result.push(open, close);
  }
  return Float64Array.from(result);
}
