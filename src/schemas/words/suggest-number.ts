/** Suggests the number behind a string: a numeric string, an ISO time, or a duration or rate with its unit. */
import { unitSeconds } from './durations.ts';

/** Seconds of a unit, by its long or short name. */
const unitOf = (name: string): number => unitSeconds[name[0].toLowerCase()];

/** `; did you mean 86400 (1 d in seconds)?`; empty if nothing is recognised. */
export function suggestNumber(value: unknown): string {
  if (typeof value !== 'string' || value.length > 40) return '';
  const text = value.trim();
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return `; did you mean ${Number(text)}, without quotes?`;
  const duration = /^(\d+(?:\.\d+)?)\s*(s|sec|second|m|min|minute|h|hour|d|day|w|week)s?$/i.exec(text);
  if (duration !== null) return `; did you mean ${Number(duration[1]) * unitOf(duration[2])} (${text} in seconds)?`;
  const rate = /^(\d+(?:\.\d+)?)\s*(?:\/|per )\s*(s|sec|second|m|min|minute|h|hour|d|day|w|week)$/i.exec(text);
  if (rate !== null) {
    return `; did you mean ${Number((Number(rate[1]) / unitOf(rate[2])).toPrecision(4))} (${text} in changes a second)?`;
  }
  if (!/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/.test(text)) return '';
  // A time without a zone is read as UTC, and the message says so.
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(text) || !/\d\d:\d\d/.test(text);
  const milliseconds = Date.parse(hasZone ? text : `${text.replace(' ', 'T')}Z`);
  if (!Number.isFinite(milliseconds)) return '';
  return `; did you mean ${milliseconds / 1000} (${text}${hasZone ? '' : ' UTC'} in epoch seconds)?`;
}
