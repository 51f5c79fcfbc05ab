/** Numbers as people write them: durations such as `6h`, moments as dates; by what the contract says the number is in. */
import { duration } from '../../schemas/words/numbers.ts';
import type { Schema } from '../api/json.ts';
import { kindOf, type Meaning } from '../contract/meaning.ts';

const sizes: Readonly<Record<string, number>> = {
  s: 1,
  sec: 1,
  m: 60,
  min: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
};

/** `6h`, `1d 12h`, `90 min` in seconds; undefined for anything else. */
function durationIn(text: string): number | undefined {
  if (!/^\s*(\d+(\.\d+)?\s*(s|sec|m|min|h|d|w)\s*)+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/g)) sum += Number(amount) * sizes[unit];
  return sum;
}

/** `2026-06-11`, `2026-06-11 08:00`, `2026-06-11T08:00:00Z` in epoch seconds; without a zone it is the reader's. */
export function momentIn(text: string): number | undefined {
  const found = /^\s*(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?))?\s*(Z|[+-]\d\d:?\d\d)?\s*$/.exec(text);
  if (found === null) return undefined;
  const [, day, clock = '00:00', zone = ''] = found;
  const milliseconds = Date.parse(`${day}T${clock}${zone}`);
  return Number.isFinite(milliseconds) ? milliseconds / 1000 : undefined;
}

/** What was typed, as the number it means; undefined where it is none. */
export function numberIn(text: string, meaning: Meaning): number | undefined {
  if (text.trim() === '') return undefined;
  const number = Number(text);
  if (Number.isFinite(number)) return number;
  const kind = kindOf(meaning);
  if (kind === 'span') return durationIn(text);
  return kind === 'moment' ? momentIn(text) : undefined;
}

/**
 * One step of the arrow keys: a minute for a moment, a part of a duration, the last digit but one of any other number.
 */
export function stepOf(value: number, meaning: Meaning, integer: boolean): number {
  const kind = kindOf(meaning);
  if (kind === 'moment') return 60;
  if (kind === 'span' && value >= 60) return value >= 86_400 ? 3600 : value >= 3600 ? 300 : 30;
  if (value === 0) return integer ? 1 : 0.1;
  const digits = Math.floor(Math.log10(Math.abs(value))) - 1;
  return 10 ** Math.max(digits, integer ? 0 : -12);
}

const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });

/** The number as people say it, where that differs: `= 6 h`, `= Jun 11, 2026, 08:00`. */
export function numberInWords(value: unknown, meaning: Meaning): string {
  if (typeof value !== 'number' || !Number.isFinite(value)) return '';
  const kind = kindOf(meaning);
  if (kind === 'moment') return value > 0 && value < 2e11 ? moment.format(value * 1000) : '';
  return kind === 'span' && value >= 60 ? duration(value) : '';
}

/** The value of an input of type datetime-local, in the reader's zone. */
export function localMoment(value: unknown): string {
  if (typeof value !== 'number' || !(value > 0 && value < 2e11)) return '';
  const offset = new Date(value * 1000).getTimezoneOffset() * 60;
  return new Date((value - offset) * 1000).toISOString().slice(0, 16);
}

/** Larger defaults and bounds stand for none. */
const mostSaid = 9e15;
/** A smaller bound says only that 0 is not allowed. */
const leastSaid = 1e-9;

/** A default as a placeholder: `default 1 d`, `no cap`. */
export function defaultInWords(value: unknown, meaning: Meaning): string {
  if (typeof value === 'number' && value >= mostSaid) return 'no cap';
  return `default ${numberInWords(value, meaning) || String(value)}`;
}

/** What a number may be: `greater than 0`, `at least 2, at most 40`. */
export function boundsInWords(schema: Schema): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const parts: string[] = [];
  if (typeof exclusiveMinimum === 'number') parts.push(`greater than ${exclusiveMinimum}`);
  if (typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER) {
    parts.push(minimum > 0 && minimum < leastSaid ? 'greater than 0' : `at least ${minimum}`);
  }
  if (typeof exclusiveMaximum === 'number') parts.push(`less than ${exclusiveMaximum}`);
  if (typeof maximum === 'number' && maximum < 1e9) parts.push(`at most ${maximum}`);
  return parts.join(', ');
}
