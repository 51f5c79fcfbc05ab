/**
 * Converts times of a log to epoch seconds, one by one. The unit of numbers follows from their size (seconds,
 * milliseconds, …, and a spreadsheet's days since 1899, of 1990 to 2100 do not overlap). Dates such as 4/5/2026 are kept in both readings until a number above 12
 * decides. Supported are ISO 8601, 14 and 17 digits, the clock of access logs, and dates with names of
 * months: the three of HTTP (RFC 9110, 5.6.7), mail's (RFC 5322, with its zones), Java's and JavaScript's.
 */
import { clockOf, offsetAt } from '../schemas/words/wall-clock.ts';
import { excerpt, LogRefusal } from './log-record.ts';

const daySeconds = 86_400;
const earliest = Date.UTC(1990, 0, 1) / 1000;
const latest = Date.UTC(2100, 0, 1) / 1000;
/** Units of numbers: how many a second, and the number of 1970. */
const units: readonly (readonly [name: string, parts: number, epoch: number])[] = [
  ['epoch seconds', 1, 0],
  ['epoch milliseconds', 1e3, 0],
  ['epoch microseconds', 1e6, 0],
  ['epoch nanoseconds', 1e9, 0],
  ['days of a spreadsheet', 1 / daySeconds, 25_569],
];
const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Offsets from UTC in hours of zone names with one meaning in mail (RFC 5322, 4.3) or in practice. */
const zoneHours: Readonly<Record<string, number>> = {
  ...{ ut: 0, utc: 0, gmt: 0, wet: 0, est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7 },
  ...{ akst: -9, akdt: -8, hst: -10, west: 1, bst: 1, cet: 1, mez: 1, cest: 2, mesz: 2, eet: 2, eest: 3, msk: 3 },
  ...{ hkt: 8, sgt: 8, jst: 9, kst: 9, aest: 10, aedt: 11, nzst: 12, nzdt: 13 },
};

/** A name or an offset; a name after it, or in brackets, repeats it and is ignored. */
const zone =
  '(?<zone>(?:utc|gmt)?[+-]\\d\\d?(?::?\\d\\d)?|[a-z]{1,5})?(?:\\s*\\([a-z ]+\\)|\\[[\\w/+-]+\\]| [a-z]{3,4})?';
const clock =
  '(?<hour>\\d{1,2}):(?<minute>\\d\\d)(?::(?<second>\\d\\d)(?:[.,](?<fraction>\\d+))?)?(?:\\s*(?<half>[ap])\\.?m\\.?)?';
const weekday = '(?:\\p{L}{2,9}(?!\\p{L})\\s*[.,]?\\s*)?';
const namedMonth = '(?<month>[a-z]{3})[a-z]*\\.?';

/**
 * The formats; no text matches two of them. Day and month may be swapped where they are `one` and `other`. Times
 * without a zone are UTC where there is a group `utc`, and in the caller's zone otherwise.
 */
const forms = [
  // 2026-04-26T18:00:00Z, 2026/04/26 18:00, 2026-4-26
  `(?<year>\\d{4})(?<mark>[-/.])(?<month>\\d\\d?)\\k<mark>(?<day>\\d\\d?)(?:[T ]\\s*${clock})?\\s*${zone}`,
  // 20260426180000, with milliseconds in some archives; 20260426T180000Z
  '(?<year>\\d{4})(?<month>\\d\\d)(?<day>\\d\\d)(?:T?(?<hour>\\d\\d)(?<minute>\\d\\d)(?<second>\\d\\d)?(?:\\d{3})?Z?)?(?<utc>)',
  // 26/Apr/2026:18:00:00 +0000
  `(?<day>\\d\\d)/(?<month>[a-z]{3})/(?<year>\\d{4}):${clock} ${zone}`,
  // 4/26/2026 18:00, 26-04-2026
  `(?<one>\\d\\d?)(?<mark>[-/])(?<other>\\d\\d?)\\k<mark>(?<year>\\d{4})(?:[ ,T]+${clock})?\\s*${zone}`,
  // 26.04.2026 18:00
  `(?<day>\\d\\d?)\\.(?<month>\\d\\d?)\\.(?<year>\\d{4})(?:[ ,T]+${clock})?\\s*${zone}`,
  // Sun, 26 Apr 2026 18:00:00 GMT and Sunday, 26-Apr-26 18:00:00 GMT
  `${weekday}(?<day>\\d\\d?)[ -]${namedMonth}[ -](?<year>\\d{4}|\\d\\d)(?:,?\\s+${clock})?\\s*${zone}`,
  // Sun Apr 26 18:00:00 2026, with a zone before the year or none
  `${weekday}${namedMonth}\\s+(?<day>\\d\\d?),?\\s+${clock}\\s*${zone}\\s*(?<year>\\d{4})(?<utc>)`,
  // Sun Apr 26 2026 18:00:00 GMT+0200 (CEST), April 26, 2026
  `${weekday}${namedMonth}\\s+(?<day>\\d\\d?),?\\s+(?<year>\\d{4})(?:(?:,|\\s+at)?\\s+${clock})?\\s*${zone}`,
].map((source) => new RegExp(`^${source}$`, 'iu'));

/** The parts that a format finds in a text, by name of the group. */
type Parts = Readonly<Partial<Record<string, string>>>;

/** The format of most logs, for Date.parse, which is fast; up to day 28, because Date.parse accepts 30 February. */
const isoTime = /^\d{4}-\d\d-(?:[01]\d|2[0-8])T\d\d:\d\d:\d\dZ$/;

/** Offset of a zone from UTC in seconds; NaN for an unknown name. */
function zoneOffset(name: string): number {
  // military letters count as UTC, because they were used with both signs (RFC 5322, 4.3)
  if (name.length === 1) return 0;
  const hours = zoneHours[name.toLowerCase()];
  if (hours !== undefined) return 3600 * hours;
  const match = /^(?:utc|gmt)?([+-])(\d\d?):?(\d\d)?$/i.exec(name);
  if (match === null) return Number.NaN;
  const seconds = 3600 * Number(match[2]) + 60 * Number(match[3] ?? 0);
  return match[1] === '-' ? -seconds : seconds;
}

/**
 * Offset of a named zone from UTC in seconds, by local time: the first of two if the time occurs twice. Null for an
 * unknown zone.
 */
function offsetsOf(zoneName: string): ((local: number) => number) | null {
  const fixedOffset = zoneOffset(zoneName);
  if (!Number.isNaN(fixedOffset)) return () => fixedOffset;
  const wallClock = clockOf(zoneName);
  if (wallClock === null) return null;
  const offsets = new Map<number, number>();
  return (local) => {
    // zones change at multiples of a quarter of an hour
    const quarter = Math.floor(local / 900);
    let offset = offsets.get(quarter);
    if (offset === undefined) {
      // try the offsets half a day before and after; one is right unless the time does not exist
      const [earlierOffset, laterOffset] = [-43_200, 43_200].map((shift) => offsetAt(wallClock, local + shift));
      offset = offsetAt(wallClock, local - earlierOffset) === earlierOffset ? earlierOffset : laterOffset;
      offsets.set(quarter, offset);
    }
    return offset;
  };
}

/** Tolerated clock skew in seconds: a time less than this after `now` counts as `now`. */
export const clockSkew = 600;

/** Whether epoch seconds lie from 1990 to 2100. */
export const isPlausible = (time: number): boolean => time >= earliest && time < latest;

/** Parses times one by one. */
export class TimeParser {
  /** Offset of times without a zone, seconds. */
  readonly #offset: (local: number) => number;
  readonly #zone: string | undefined;
  readonly #byUnit = units.map(() => 0);
  #zonelessCount = 0;
  /** Number of ambiguous dates that must have the day first, and the month first. */
  #dayFirstCount = 0;
  #monthFirstCount = 0;
  #slashedExample = '';
  /** The format of the last text. */
  #form = forms[0];
  /** The last time if read day first; NaN if day and month of its form cannot be swapped. */
  dayFirstTime = Number.NaN;
  /** Seconds within which the last time lies: 0, or a day for a date alone. */
  span = 0;

  /**
   * @param zoneName zone of times without one; UTC if left out, with a note
   * @throws LogRefusal
   */
  constructor(zoneName: string | undefined) {
    this.#zone = zoneName;
    const offset = offsetsOf(zoneName ?? 'UTC');
    if (offset === null) {
      throw new LogRefusal(`a zone must be UTC, like +02:00 or like Europe/Berlin; got ${excerpt(zoneName)}`);
    }
    this.#offset = offset;
  }

  /** Epoch seconds, dates with slashes read month first; NaN if the value is not a time from 1990 to 2100. */
  read(value: string | number): number {
    this.dayFirstTime = Number.NaN;
    this.span = 0;
    const isoSeconds = typeof value === 'string' && isoTime.test(value) ? Date.parse(value) / 1000 : Number.NaN;
    if (isPlausible(isoSeconds)) return isoSeconds;
    const time = this.#parseNumber(Number(value));
    return Number.isNaN(time) ? this.#parseText(String(value).trim()) : time;
  }

  /** Like `read`, but NaN for an ambiguous date while the order of day and month is unknown. */
  readUnambiguous(value: string | number): number {
    return this.resolve(this.read(value), this.dayFirstTime);
  }

  /** Dates in digits, such as 20260426180000, are outside the ranges of these units. */
  #parseNumber(value: number): number {
    const at = units.findIndex(
      ([, parts, epoch]) => value - epoch >= earliest * parts && value - epoch < latest * parts,
    );
    if (at < 0) return Number.NaN;
    this.#byUnit[at]++;
    const [, parts, epoch] = units[at];
    // a fraction of a day has digits for a millisecond
    return parts < 1 ? Math.round((1000 * (value - epoch)) / parts) / 1000 : value / parts;
  }

  #parseText(text: string): number {
    // most logs have a single format, so try the last one first
    let parts: Parts | undefined = this.#form.exec(text)?.groups;
    for (let k = 0; parts === undefined && k < forms.length; k++) {
      this.#form = forms[k];
      parts = this.#form.exec(text)?.groups;
    }
    if (parts === undefined) {
      // retry without quotes around the time, a parameter after it (`; length=4711`), or a decimal comma
      const bare = text.replace(/^["'\s]+|["'\s]+$|\s*;.*$/g, '').replace(/^(\d+),(\d+)$/, '$1.$2');
      return bare === text ? Number.NaN : this.read(bare);
    }
    const { month, day, one, other, hour } = parts;
    if (hour === undefined) this.span = daySeconds;
    if (one === undefined) return this.#moment(month, day, parts);
    const [time, dayFirst] = [this.#moment(one, other, parts), this.#moment(other, one, parts)];
    this.dayFirstTime = dayFirst;
    if (this.#slashedExample === '') this.#slashedExample = text;
    if (Number.isNaN(time) && !Number.isNaN(dayFirst)) this.#dayFirstCount++;
    if (Number.isNaN(dayFirst) && !Number.isNaN(time)) this.#monthFirstCount++;
    // an impossible reading is replaced by the other until the order is known
    return Number.isNaN(time) ? dayFirst : time;
  }

  /** Epoch seconds; NaN if the date does not exist or is not from 1990 to 2100. */
  #moment(month = '', day = '', parts: Parts): number {
    const { year = '', hour = '0', minute = '0', second = '0', fraction = '', half, zone: zoneName, utc } = parts;
    const [h, min, s] = [hourOf(Number(hour), half), Number(minute), Number(second)];
    const isMidnight = h === 24 && min === 0 && s === 0;
    const local = dayStart(year, month, day) + 3600 * h + 60 * min + Math.min(s, 59);
    if (Number.isNaN(local) || !(isMidnight || (h <= 23 && min <= 59 && s <= 60))) return Number.NaN;
    if (zoneName === undefined && utc === undefined) this.#zonelessCount++;
    const zonelessOffset = utc === undefined ? this.#offset : () => 0;
    const offset = zoneName === undefined ? zonelessOffset(local) : zoneOffset(zoneName);
    const time = local - offset + Number(`0.${fraction}`);
    return isPlausible(time) ? time : Number.NaN;
  }

  /** The order of day and month in dates with slashes; null if undecided, or if a tenth of the dates contradict. */
  dateOrder(): 'day' | 'month' | null {
    if (this.#dayFirstCount > 10 * this.#monthFirstCount) return 'day';
    return this.#monthFirstCount > 10 * this.#dayFirstCount ? 'month' : null;
  }

  /** The refusal if the order is unknown. */
  orderRefusal(): LogRefusal {
    const reason = this.#dayFirstCount > 0 ? 'some have the day first, others the month' : 'no number is above 12';
    return new LogRefusal(
      `dates like ${excerpt(this.#slashedExample)} do not say which number is the day (${reason}): write them as YYYY-MM-DD`,
    );
  }

  /** Chooses between the month-first and the day-first reading; NaN if the order is unknown. */
  resolve(monthFirst: number, dayFirst: number): number {
    if (Number.isNaN(dayFirst)) return monthFirst;
    const order = this.dateOrder();
    if (order === null) return Number.NaN;
    return order === 'day' ? dayFirst : monthFirst;
  }

  /** Sentences about zone and date order. */
  get notes(): string[] {
    const usedUnits = units.flatMap(([name], k) => (this.#byUnit[k] > 0 ? [{ name, count: this.#byUnit[k] }] : []));
    usedUnits.sort((a, b) => b.count - a.count);
    const notes: string[] = [];
    if (usedUnits.length > 0) {
      const otherUnits = usedUnits.slice(1).map(({ name, count }) => `${count} of them ${name.replace('epoch ', '')}`);
      notes.push(`Times are ${[usedUnits[0].name, ...otherUnits].join(', ')}.`);
    }
    const order = this.dateOrder();
    if (order !== null) notes.push(`Dates with slashes have the ${order} first.`);
    if (this.#zonelessCount > 0) {
      const hint = this.#zone === undefined ? '; if they are local times, say --zone with theirs, such as +02:00' : '';
      notes.push(`Times without a zone are taken as ${this.#zone ?? 'UTC'}${hint}.`);
    }
    return notes;
  }
}

/** The hour of the day from a 24-hour or a 12-hour clock. */
function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  return hour >= 1 && hour <= 12 ? (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number.NaN;
}

/** Midnight of a day in local seconds; NaN if the day does not exist. */
function dayStart(year: string, month: string, day: string): number {
  const index = (Number(month) || monthNames.indexOf(month.toLowerCase()) + 1) - 1;
  const date = new Date(Date.UTC(fullYear(year), index, Number(day)));
  return date.getUTCMonth() === index && date.getUTCDate() === Number(day) ? date.getTime() / 1000 : Number.NaN;
}

/** A two-digit year is at most fifty years ahead (RFC 9110, 5.6.7): 1977 to 2076. */
const fullYear = (digits: string): number =>
  digits.length > 2 ? Number(digits) : Number(digits) + (Number(digits) > 76 ? 1900 : 2000);

/** Parses a single time, such as an option, in epoch seconds; NaN if invalid or ambiguous. */
export function parseTime(text: string, zoneName: string | undefined): number {
  return new TimeParser(zoneName).readUnambiguous(text);
}
