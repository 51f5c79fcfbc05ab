/** Label, quantity and unit of a number of the contract, and numbers written in that unit. */
import { day } from '../../schemas/words/durations.ts';
import { countText, duration, figure, share } from '../../schemas/words/numbers.ts';
import { isRecord, type Schema } from '../api/json.ts';
import { textAt } from '../api/read.ts';
import { dateTime } from '../words/dates.ts';

/** Range of the what-if slider of a number: its two ends, or a factor by which it goes down and up. */
export interface LeverRange {
  readonly from?: number;
  readonly to?: number;
  readonly factor?: number;
}

export interface Meaning {
  /** The name on labels, such as `crawler rate`. */
  readonly label: string;
  readonly quantity: string;
  /** Empty for a number without a unit, or in the caller's unit. */
  readonly unit: string;
  readonly role: 'first' | 'advanced' | '';
  readonly lever: LeverRange | undefined;
}

/** `crawlerRate` → `crawler rate`. */
export const spellName = (name: string): string =>
  name.replaceAll(/([a-z0-9])([A-Z])/g, (_, head: string, letter: string) => `${head} ${letter.toLowerCase()}`);

/** The caller's unit of time, which has no name. */
const callersUnit = 'time';

/** What a schema says of the property of this name. */
export function meaningOf(name: string, schema: Schema): Meaning {
  const unit = textAt(schema, 'x-unit');
  const role = schema['x-role'];
  const lever = schema['x-lever'];
  return {
    label: textAt(schema, 'x-label') || spellName(name),
    quantity: textAt(schema, 'x-quantity'),
    unit: unit === callersUnit ? '' : unit,
    role: role === 'first' || role === 'advanced' ? role : '',
    lever: isRecord(lever) ? lever : undefined,
  };
}

type Kind = 'moment' | 'span' | 'rate' | 'part' | 'other';
const parts = ['share', 'probability'];

/** How a number of this meaning is written. */
export function kindOf({ quantity, unit }: Pick<Meaning, 'quantity' | 'unit'>): Kind {
  if (unit === 'epoch seconds') return 'moment';
  if (unit === 'seconds') return 'span';
  if (unit === '1/second') return 'rate';
  return parts.includes(quantity) ? 'part' : 'other';
}

/** `1/time` → `per time unit`, `cost/time` → `cost per time unit`. */
const perInWords = (unit: string): string =>
  unit
    .replace(/^1\//, 'per ')
    .replace('/', ' per ')
    .replace(/\bper time$/, 'per time unit');

/** The unit in the heading of a column of such numbers. */
export function unitInWords(meaning: Meaning): string {
  switch (kindOf(meaning)) {
    case 'moment':
      return 'local time';
    case 'span':
      return '';
    case 'rate':
      return 'per day';
    case 'part':
      return meaning.unit;
    case 'other':
      return meaning.quantity === 'count' && meaning.unit === meaning.label ? '' : perInWords(meaning.unit);
  }
}

/** A number in a cell, without the unit that the heading has. */
export function cellText(value: number, meaning: Meaning): string {
  if (Number.isNaN(value)) return '–';
  switch (kindOf(meaning)) {
    case 'moment':
      return dateTime(value);
    case 'span':
      return duration(value);
    case 'rate':
      return figure(value * day, 3);
    case 'part':
      return share(value, 3);
    case 'other':
      return figure(value);
  }
}

/** A number with its unit, for use outside tables. */
export function valueText(value: number, meaning: Meaning): string {
  const text = cellText(value, meaning);
  const unit = unitInWords(meaning);
  const kind = kindOf(meaning);
  if (text === '–' || kind === 'moment' || kind === 'span' || unit === '') return text;
  if (meaning.quantity === 'count') return countText(value, unit.replace(/s$/, ''), unit);
  return `${text} ${unit}`;
}
