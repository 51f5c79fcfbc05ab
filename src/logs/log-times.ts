/**
 * Times of a log → epoch seconds. Their unit, order of day and month, and zone are found from all of them together,
 * since one time alone may not tell. Numbers are told by their size (seconds, milliseconds, … of 1990 to 2100 do not
 * overlap), and dates with slashes by a number above 12. What cannot be told apart is refused.
 */
import { LogRefusal, shown } from './log-record.ts';

/** How times are read, and in words what was found. */
interface LogClock {
  /** Epoch seconds; NaN where the value is no time. */
  read(value: string | number): number;
  readonly said: readonly string[];
}

const earliest = Date.UTC(1990, 0, 1) / 1000;
const latest = Date.UTC(2100, 0, 1) / 1000;
const units: readonly (readonly [string, number])[] = [
  ['seconds', 1],
  ['milliseconds', 1e3],
  ['microseconds', 1e6],
  ['nanoseconds', 1e9],
];
const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const numeric = /^[+-]?\d+(\.\d+)?([eE][+]?\d+)?$/;
const compact = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})?$/;
const iso =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i;
const common = /^(\d\d)\/([A-Za-z]{3})\/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-]\d{4})$/;
const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})[ ,T]+(\d{1,2}):(\d\d)(?::(\d\d))?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i;
const httpDate = /^[A-Za-z]{3}, (\d{1,2}) ([A-Za-z]{3}) (\d{4}) (\d\d):(\d\d):(\d\d) (?:GMT|UTC|([+-]\d{4}))$/;
const unixDate = /^[A-Za-z]{3} ([A-Za-z]{3}) +(\d{1,2}) (\d\d):(\d\d):(\d\d) ([A-Z]{1,5}) (\d{4})$/;

/** Seconds that a zone is ahead of UTC; NaN where the name says none. */
function zoneOffset(zone: string): number {
  if (/^(Z|UTC|GMT)$/i.test(zone)) return 0;
  const found = /^([+-])(\d\d):?(\d\d)?$/.exec(zone);
  if (found === null) return Number.NaN;
  const seconds = 3600 * Number(found[2]) + 60 * Number(found[3] ?? 0);
  return found[1] === '-' ? -seconds : seconds;
}

/** Epoch seconds of a date in UTC; NaN where the calendar has no such moment. */
function moment(parts: readonly [number, number, number, number, number, number]): number {
  const [year, month, day, hour, minute, second] = parts;
  const at = Date.UTC(year, month - 1, day, hour, minute, Math.min(second, 59)) / 1000;
  const back = new Date(at * 1000);
  const fits = back.getUTCMonth() === month - 1 && back.getUTCDate() === day && back.getUTCHours() === hour;
  return fits && back.getUTCMinutes() === minute && second <= 60 ? at : Number.NaN;
}

const monthOf = (name: string): number => monthNames.indexOf(name.toLowerCase()) + 1;
const numbers = (texts: readonly (string | undefined)[]): number[] => texts.map((text) => Number(text ?? 0));

function unitOf(values: readonly number[]): readonly [string, number] | null {
  for (const unit of units)
    if (values.every((value) => value / unit[1] >= earliest && value / unit[1] < latest)) return unit;
  return null;
}

/** Whether days come before months, from dates with slashes; refuses where no date tells. */
function dayFirst(texts: readonly string[]): boolean {
  let first = false;
  let second = false;
  for (const text of texts) {
    const found = slashed.exec(text);
    if (found === null) continue;
    if (Number(found[1]) > 12) first = true;
    if (Number(found[2]) > 12) second = true;
  }
  if (first !== second) return first;
  const why = first ? 'some have the day first, others the month' : 'no number is above 12';
  throw new LogRefusal(
    `dates like ${shown(texts[0])} do not say which number is the day (${why}): write them as YYYY-MM-DD`,
  );
}

/**
 * A clock for these times.
 *
 * @param zone of times that name none; left out, such times are taken as UTC, and that is said
 * @throws LogRefusal
 */
export function logClock(times: readonly (string | number)[], zone: string | undefined): LogClock {
  const assumed = zone === undefined ? 0 : zoneOffset(zone);
  if (Number.isNaN(assumed)) throw new LogRefusal(`a zone must be UTC or like +02:00; got ${shown(zone)}`);
  const said: string[] = [];
  const isNumber = (value: string | number): boolean =>
    typeof value === 'number' || (numeric.test(value) && !compact.test(value));
  const counted = times.filter(isNumber).map(Number);
  const unit = counted.length > 0 ? unitOf(counted) : null;
  if (counted.length > 0 && unit === null) {
    const [low, high] = [Math.min(...bounds(counted)), Math.max(...bounds(counted))];
    throw new LogRefusal(
      `numbers from ${low} to ${high} are no epoch time between 1990 and 2100 in one unit (seconds to nanoseconds)`,
    );
  }
  if (unit !== null) said.push(`Times are epoch ${unit[0]}.`);
  const texts = times.filter((value): value is string => typeof value === 'string' && !isNumber(value));
  const dates = texts.filter((text) => slashed.test(text.trim()));
  const daysFirst = dates.length > 0 && dayFirst(dates);
  if (dates.length > 0) said.push(`Dates with slashes have the ${daysFirst ? 'day' : 'month'} first.`);
  if (texts.some((text) => isZoneless(text.trim()))) {
    said.push(`Times without a zone are taken as ${zone ?? 'UTC'}.`);
  }
  const offsetOf = (name: string | undefined): number => (name === undefined ? assumed : zoneOffset(name));
  const read = (value: string | number): number => {
    if (isNumber(value)) return unit === null ? Number.NaN : Number(value) / unit[1];
    return readText(String(value).trim(), offsetOf, daysFirst);
  };
  return { read, said };
}

function bounds(values: readonly number[]): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

function isZoneless(text: string): boolean {
  const found = iso.exec(text) ?? slashed.exec(text);
  return found !== null && found.at(-1) === undefined;
}

function readText(text: string, offsetOf: (zone: string | undefined) => number, daysFirst: boolean): number {
  let found = compact.exec(text);
  if (found !== null) {
    const [year, month, day, hour, minute, second] = numbers(found.slice(1, 7));
    return moment([year, month, day, hour, minute, second]) + Number(found[7] ?? 0) / 1000;
  }
  found = iso.exec(text);
  if (found !== null) {
    const [year, month, day, hour, minute, second] = numbers(found.slice(1, 7));
    return moment([year, month, day, hour, minute, second]) + Number(`0.${found[7] ?? 0}`) - offsetOf(found[8]);
  }
  found = common.exec(text);
  if (found !== null) {
    const [day, , year, hour, minute, second] = numbers(found.slice(1, 7));
    return moment([year, monthOf(found[2]), day, hour, minute, second]) - offsetOf(found[7]);
  }
  found = slashed.exec(text);
  if (found !== null) {
    const [one, two, year, hour, minute, second] = numbers(found.slice(1, 7));
    const [day, month] = daysFirst ? [one, two] : [two, one];
    return moment([year, month, day, hour, minute, second]) - offsetOf(found[7]);
  }
  found = httpDate.exec(text);
  if (found !== null) {
    const [day, , year, hour, minute, second] = numbers(found.slice(1, 7));
    return moment([year, monthOf(found[2]), day, hour, minute, second]) - offsetOf(found[7] ?? 'UTC');
  }
  found = unixDate.exec(text);
  if (found === null) return Number.NaN;
  const [, day, hour, minute, second, , year] = numbers(found.slice(1, 8));
  return moment([year, monthOf(found[1]), day, hour, minute, second]) - offsetOf(found[6]);
}
