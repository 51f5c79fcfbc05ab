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
import { clockOf, offsetAt } from '../../../words/wall-clock.ts';
import type { Refuse } from '../../contract/refusals.ts';
import { strictObject } from '../../contract/strict-object.ts';
import { list } from '../list.ts';

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
/** Longest interval that windows are worked out for, and most spans of all hosts together. */
const longestInterval = 400 * day;
const mostSpans = 100_000;
const clockTime = z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/);

export const windowList = list(
  strictObject({
    days: list(z.enum(weekdays), { minItems: 1, maxItems: 7 }, 'days')
      .optional()
      .describe('Days on which it starts; left out: all'),
    from: clockTime.describe('Start, "HH:MM" in timeZone'),
    to: clockTime.describe('End; on the next day if not after from'),
  }),
  { minItems: 1, maxItems: 100 },
  'windows {days?, from, to}',
);

type Windows = z.output<typeof windowList>;

/** Works windows out for one request, each set of them once. */
export class WindowSpans {
  readonly #known = new Map<string, Float64Array>();
  readonly #zones = new Map<string, Intl.DateTimeFormat | null>();
  readonly #now: number;
  readonly #interval: number;
  readonly #refuse: Refuse;
  #total = 0;

  constructor(now: number, interval: number, refuse: Refuse) {
    this.#now = now;
    this.#interval = interval;
    this.#refuse = refuse;
  }

  /**
   * Openings and closings in turn, in seconds from now, rising; empty where there are none, in no known zone, or
   * refused.
   */
  of(windows: Windows, timeZone: string, path: readonly PropertyKey[]): Float64Array {
    const key = JSON.stringify([windows, timeZone]);
    const before = this.#known.get(key);
    if (before !== undefined) return before;
    const spans = this.#workOut(windows, timeZone, path);
    this.#known.set(key, spans);
    return spans;
  }

  #workOut(windows: Windows, timeZone: string, path: readonly PropertyKey[]): Float64Array {
    const none = new Float64Array(0);
    const clock = this.#clock(timeZone);
    if (clock === null) return none;
    if (this.#interval > longestInterval) {
      const message = `windows are worked out for intervals of at most ${longestInterval} s; got ${this.#interval}`;
      this.#refuse(path, 'too-large', message, this.#interval);
      return none;
    }
    this.#total += Math.ceil(this.#interval / day + 3) * windows.length;
    if (this.#total > mostSpans) {
      const message = `all windows together have more than ${mostSpans} spans in the interval: use fewer, or a shorter interval`;
      this.#refuse(path, 'too-large', message, this.#total);
      return none;
    }
    return merged(this.#spans(windows, clock), this.#interval);
  }

  #spans(windows: Windows, clock: Intl.DateTimeFormat): [number, number][] {
    const spans: [number, number][] = [];
    const firstDay = Math.floor((this.#now + offsetAt(clock, this.#now)) / day) - 1;
    const days = Math.ceil(this.#interval / day) + 2;
    for (let d = firstDay; d <= firstDay + days; d++) {
      for (const window of windows) {
        // the day 0 was a Thursday
        if (window.days !== undefined && !window.days.includes(weekdays[(((d + 4) % 7) + 7) % 7])) continue;
        const from = seconds(window.from);
        const to = seconds(window.to) > from ? seconds(window.to) : seconds(window.to) + day;
        const open = Math.max(...momentsOf(clock, d * day + from));
        const close = Math.min(...momentsOf(clock, d * day + to));
        spans.push([open - this.#now, close - this.#now]);
      }
    }
    return spans;
  }

  #clock(timeZone: string): Intl.DateTimeFormat | null {
    let clock = this.#zones.get(timeZone);
    if (clock === undefined) {
      clock = clockOf(timeZone);
      this.#zones.set(timeZone, clock);
    }
    return clock;
  }
}

function seconds(clock: string): number {
  return 3600 * Number(clock.slice(0, 2)) + 60 * Number(clock.slice(3));
}

/**
 * When the clock on the wall shows a time: once, twice, or, where it is left out, what either offset would make of it.
 */
function momentsOf(clock: Intl.DateTimeFormat, wall: number): number[] {
  const candidates = [wall - offsetAt(clock, wall - day), wall - offsetAt(clock, wall + day)];
  const real = candidates.filter((time) => time + offsetAt(clock, time) === wall);
  return real.length > 0 ? real : candidates;
}

/** Spans that overlap or touch made one, cut to the interval. */
function merged(spans: readonly [number, number][], interval: number): Float64Array {
  const ordered = spans
    .map(([open, close]): [number, number] => [Math.max(0, open), Math.min(interval, close)])
    .filter(([open, close]) => open < close)
    .sort(([a], [b]) => a - b);
  const result: number[] = [];
  for (const [open, close] of ordered) {
    if (result.length > 0 && open <= result[result.length - 1]) {
      result[result.length - 1] = Math.max(result[result.length - 1], close);
    } else result.push(open, close);
  }
  return Float64Array.from(result);
}
