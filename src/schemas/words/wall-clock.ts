/** Local time by IANA time zone, from the JavaScript engine's data through Intl. */

/** The formatter of a zone's local time; null for an unknown zone. */
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

/** Offset of local time from UTC, seconds. */
export function offsetAt(clock: Intl.DateTimeFormat, time: number): number {
  const whole = Math.floor(time);
  const parts: Partial<Record<string, number>> = {};
  for (const { type, value } of clock.formatToParts(new Date(1000 * whole))) parts[type] = Number(value);
  const { year = 1970, month = 1, day: date = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, date, hour, minute, second) / 1000 - whole;
}
