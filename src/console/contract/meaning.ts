/** What the contract says of a number beside its type, and numbers as people say them in that unit. */
import { day } from '../../schemas/words/durations.ts';
import { countText, duration, figure, share } from '../../schemas/words/numbers.ts';
import { isRecord, type Schema } from '../api/json.ts';
import { textAt } from '../api/read.ts';
import { dateTime } from '../words/dates.ts';

/** The values between which a number is varied: two ends, or a factor to either side. */
export interface LeverRange {
  readonly from?: number;
  readonly to?: number;
  readonly factor?: number;
}

export interface Meaning {
  /** What people call it. */
  readonly label: string;
  readonly quantity: string;
  /** Empty where it has none, or the caller's own. */
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

/** What stands in the head of a column of such numbers. */
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

/** A number below its heading. */
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

/** A number that stands alone: with its unit. */
export function valueText(value: number, meaning: Meaning): string {
  const text = cellText(value, meaning);
  const unit = unitInWords(meaning);
  const kind = kindOf(meaning);
  if (text === '–' || kind === 'moment' || kind === 'span' || unit === '') return text;
  if (meaning.quantity === 'count') return countText(value, unit.replace(/s$/, ''), unit);
  return `${text} ${unit}`;
}
