/** Clocks on walls by the names of their time zones: the IANA data of the JavaScript engine, through Intl. */
import * as z from 'zod';
import type { Refuse } from '../../contract/refusals.ts';

export const timeZoneName = z.string().min(1).max(100);

/** The clock of a zone; null where there is no such zone. */
export function clockOf(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return null;
  }
}

export function refuseTimeZone(timeZone: string, refuse: Refuse): void {
  const message = `must be a time zone of the IANA data base, such as Europe/Berlin; got ${timeZone}`;
  refuse(['timeZone'], 'out-of-range', message, timeZone);
}

/** Seconds that the clock on the wall is ahead of UTC. */
export function offsetAt(clock: Intl.DateTimeFormat, time: number): number {
  const whole = Math.floor(time);
  const parts: Partial<Record<string, number>> = {};
  for (const { type, value } of clock.formatToParts(new Date(1000 * whole))) parts[type] = Number(value);
  const { year = 1970, month = 1, day: date = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, date, hour, minute, second) / 1000 - whole;
}
