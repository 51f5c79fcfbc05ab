/** Parses and writes numbers in the unit of the contract: durations may be `6h`. */
import { durationSeconds } from '../../schemas/words/durations.ts';
import { duration } from '../../schemas/words/numbers.ts';
import type { Schema } from '../api/json.ts';
import { kindOf, type Meaning } from '../contract/meaning.ts';

/** The number that a typed text means; undefined if it means none. */
export function parseNumberText(text: string, meaning: Meaning): number | undefined {
  if (text.trim() === '') return undefined;
  const number = Number(text);
  if (Number.isFinite(number)) return number;
  return kindOf(meaning) === 'span' ? durationSeconds(text) : undefined;
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

/** The number in words beside the input, such as `6 h`; empty where it would repeat the digits. */
export function numberInWords(value: unknown, meaning: Meaning): string {
  if (typeof value !== 'number' || !Number.isFinite(value)) return '';
  const kind = kindOf(meaning);
  if (kind === 'moment') return value > 0 && value < 2e11 ? moment.format(value * 1000) : '';
  return kind === 'span' && value >= 60 ? duration(value) : '';
}

/** The value of an input of type datetime-local, in the local zone. */
export function localMoment(value: unknown): string {
  if (typeof value !== 'number' || !(value > 0 && value < 2e11)) return '';
  const offset = new Date(value * 1000).getTimezoneOffset() * 60;
  return new Date((value - offset) * 1000).toISOString().slice(0, 16);
}

/** Larger defaults and bounds are shown as no cap. */
const maxNamedBound = 9e15;
/** A smaller bound says only that 0 is not allowed. */
const minNamedBound = 1e-9;

/** A default as a placeholder: `default 1 d`, `no cap`. */
export function defaultInWords(value: unknown, meaning: Meaning): string {
  if (typeof value === 'number' && value >= maxNamedBound) return 'no cap';
  return `default ${numberInWords(value, meaning) || String(value)}`;
}

/** The bounds of a number in words: `greater than 0`, `at least 2, at most 40`. */
export function boundsInWords(schema: Schema): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const parts: string[] = [];
  if (typeof exclusiveMinimum === 'number') parts.push(`greater than ${exclusiveMinimum}`);
  if (typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER) {
    parts.push(minimum > 0 && minimum < minNamedBound ? 'greater than 0' : `at least ${minimum}`);
  }
  if (typeof exclusiveMaximum === 'number') parts.push(`less than ${exclusiveMaximum}`);
  if (typeof maximum === 'number' && maximum < 1e9) parts.push(`at most ${maximum}`);
  return parts.join(', ');
}
