/** Parses durations and times as written on a command line. */
import { day } from '../../solvers/day.ts';

export { day };

/** By the first letter of the unit; a number alone is in seconds. */
export const unitSeconds: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: day, w: 7 * day };

/** Parses `3600`, `90m`, `6h` or `1d` into seconds; undefined for anything else. */
export function durationSeconds(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)([smhdw]?)$/.exec(text);
  return match === null ? undefined : Number(match[1]) * unitSeconds[match[2]];
}

/** Parses `2026-06-11` or `2026-06-11T08:00:00Z` into epoch seconds; UTC if there is no zone. */
export function momentSeconds(text: string): number | undefined {
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(Z|[+-]\d\d:\d\d)?$/.exec(text);
  if (match === null) return undefined;
  const [, day, clock = '00:00', zone = 'Z'] = match;
  const milliseconds = Date.parse(`${day}T${clock}${zone}`);
  return Number.isFinite(milliseconds) ? milliseconds / 1000 : undefined;
}
