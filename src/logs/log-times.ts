/**
 * Times of a log → epoch seconds, one by one as they are read. The unit of numbers is told by their size (seconds,
 * milliseconds, … of 1990 to 2100 do not overlap). Dates with slashes are kept in both readings until a number above 12
 * tells which one is right. Known are ISO 8601, 14 and 17 digits, the clock of access logs, and dates with names of
 * months: the three of HTTP (RFC 9110, 5.6.7), mail's (RFC 5322, with its zones), Java's and JavaScript's.
 */
import { clockOf, offsetAt } from '../words/wall-clock.ts';
import { LogRefusal, shown } from './log-record.ts';

const earliest = Date.UTC(1990, 0, 1) / 1000;
const latest = Date.UTC(2100, 0, 1) / 1000;
const units: readonly (readonly [string, number])[] = [
  ['seconds', 1],
  ['milliseconds', 1e3],
  ['microseconds', 1e6],
  ['nanoseconds', 1e9],
];
const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Hours ahead of UTC, of names that are unique in mail (RFC 5322, 4.3). */
const zoneHours: Readonly<Record<string, number>> = {
  ut: 0,
  utc: 0,
  gmt: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};

/** Letters of the military count as UTC: they were used in both directions (RFC 5322, 4.3). */
const zone = '(ut|utc|gmt|[ecmp][sd]t|[a-ik-z]|(?:utc|gmt)?[+-]\\d\\d(?::?\\d\\d)?)?(?:\\s*\\([a-z ]+\\))?';
const clock = '(\\d{1,2}):(\\d\\d)(?::(\\d\\d)(?:[.,](\\d+))?)?';
const numeric = /^[+-]?\d+(\.\d+)?([eE][+]?\d+)?$/;
const compact = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})?$/;
const iso = new RegExp(`^(\\d{4})-(\\d\\d)-(\\d\\d)(?:[T ]\\s*${clock})?\\s*${zone}$`, 'i');
const common = new RegExp(`^(\\d\\d)\\/([a-z]{3})\\/(\\d{4}):${clock} ${zone}$`, 'i');
const slashed = new RegExp(`^(\\d{1,2})\\/(\\d{1,2})\\/(\\d{4})[ ,T]+${clock}\\s*${zone}$`, 'i');
const dotted = new RegExp(`^(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})[ ,T]+${clock}\\s*${zone}$`, 'i');
/** `Sun, 26 Apr 2026 18:00:00 GMT` and `Sunday, 26-Apr-26 18:00:00 GMT`. */
const dayMonth = new RegExp(
  `^(?:[a-z]+,?\\s+)?(\\d{1,2})[ -]([a-z]{3})[a-z]*[ -](\\d{4}|\\d\\d),?\\s+${clock}\\s*${zone}$`,
  'i',
);
/** `Sun Apr 26 18:00:00 2026`, with a zone before or after the year, and `Sun Apr 26 2026 18:00:00 GMT+0200 (CEST)`. */
const monthDay = new RegExp(
  `^[a-z]{3,9},?\\s+([a-z]{3})[a-z]*\\s+(\\d{1,2}),?\\s+${clock}\\s*${zone}\\s*(\\d{4})$`,
  'i',
);
const monthDayYear = new RegExp(
  `^[a-z]{3,9},?\\s+([a-z]{3})[a-z]*\\s+(\\d{1,2}),?\\s+(\\d{4})\\s+${clock}\\s*${zone}$`,
  'i',
);

/** Seconds that a zone is ahead of UTC; NaN where the name says none. */
function zoneOffset(name: string): number {
  if (name.length === 1) return 0;
  const known = zoneHours[name.toLowerCase()];
  if (known !== undefined) return 3600 * known;
  const found = /^(?:utc|gmt)?([+-])(\d\d):?(\d\d)?$/i.exec(name);
  if (found === null) return Number.NaN;
  const seconds = 3600 * Number(found[2]) + 60 * Number(found[3] ?? 0);
  return found[1] === '-' ? -seconds : seconds;
}

const monthOf = (name: string): number => monthNames.indexOf(name.toLowerCase()) + 1;

/** The offsets of a zone by local time; those of an hour are looked up once. */
class WallClock {
  readonly #clock: Intl.DateTimeFormat;
  readonly #offsets = new Map<number, number>();

  constructor(clock: Intl.DateTimeFormat) {
    this.#clock = clock;
  }

  /** Seconds that a clock which shows `local` is ahead of UTC: of a time that comes twice, as of the first. */
  offset(local: number): number {
    // zones change at whole quarters of an hour
    const quarter = Math.floor(local / 900);
    let offset = this.#offsets.get(quarter);
    if (offset === undefined) {
      // half a day before and after: one of the two is right, unless the time does not exist
      const [before, after] = [offsetAt(this.#clock, local - 43_200), offsetAt(this.#clock, local + 43_200)];
      offset = offsetAt(this.#clock, local - before) === before ? before : after;
      this.#offsets.set(quarter, offset);
    }
    return offset;
  }
}

/** How far a clock may be ahead: a time so little after `now` is `now`. */
export const clockSkew = 600;

/** Reads times one by one. */
export class LogClock {
  /** Of times that name no zone: seconds ahead of UTC, or the clock on the wall by which they are. */
  readonly #assumed: number;
  readonly #wallClock: WallClock | null;
  readonly #zone: string | undefined;
  readonly #byUnit = units.map(() => 0);
  #zoneless = 0;
  /** Dates with slashes that can only have the day, or the month, first. */
  #dayFirst = 0;
  #monthFirst = 0;
  #slashedExample = '';
  /** The last time read, with the day first: NaN where it was no date with slashes. */
  dayFirstTime = Number.NaN;

  /**
   * @param zoneName of times that name none: UTC where it is left out, and that is said
   * @throws LogRefusal
   */
  constructor(zoneName: string | undefined) {
    this.#zone = zoneName;
    this.#assumed = zoneName === undefined ? 0 : zoneOffset(zoneName);
    const clock = zoneName !== undefined && Number.isNaN(this.#assumed) ? clockOf(zoneName) : null;
    this.#wallClock = clock === null ? null : new WallClock(clock);
    if (Number.isNaN(this.#assumed) && clock === null) {
      throw new LogRefusal(`a zone must be UTC, like +02:00 or like Europe/Berlin; got ${shown(zoneName)}`);
    }
  }

  /** Epoch seconds, a date with slashes with its month first; NaN where the value is no time from 1990 to 2100. */
  read(value: string | number): number {
    this.dayFirstTime = Number.NaN;
    const text = typeof value === 'string' ? value.trim() : '';
    const isNumber = typeof value === 'number' || (numeric.test(text) && !(text.length >= 14 && compact.test(text)));
    const time = isNumber ? this.#ofNumber(Number(value)) : this.#ofText(text);
    return time >= earliest && time < latest ? time : Number.NaN;
  }

  #ofNumber(value: number): number {
    const at = units.findIndex(([, parts]) => value >= earliest * parts && value < latest * parts);
    if (at < 0) return Number.NaN;
    this.#byUnit[at]++;
    return value / units[at][1];
  }

  #ofText(text: string): number {
    let found = iso.exec(text);
    if (found !== null) return this.#moment(found[1], found[2], found[3], found.slice(4, 8), found[8]);
    found = compact.exec(text);
    if (found !== null) return this.#moment(found[1], found[2], found[3], found.slice(4, 8), 'Z');
    found = common.exec(text);
    if (found !== null) return this.#moment(found[3], monthOf(found[2]), found[1], found.slice(4, 8), found[8]);
    found = slashed.exec(text);
    if (found !== null) return this.#ofSlashed(text, found);
    found = dotted.exec(text);
    if (found !== null) return this.#moment(found[3], found[2], found[1], found.slice(4, 8), found[8]);
    found = dayMonth.exec(text);
    if (found !== null)
      return this.#moment(fullYear(found[3]), monthOf(found[2]), found[1], found.slice(4, 8), found[8]);
    found = monthDay.exec(text);
    if (found !== null)
      return this.#moment(found[8], monthOf(found[1]), found[2], found.slice(3, 7), found[7] ?? 'GMT');
    found = monthDayYear.exec(text);
    if (found === null) return Number.NaN;
    return this.#moment(found[3], monthOf(found[1]), found[2], found.slice(4, 8), found[8]);
  }

  #ofSlashed(text: string, found: readonly string[]): number {
    const [, one, two, year] = found;
    const monthFirst = this.#moment(year, one, two, found.slice(4, 8), found[8]);
    this.dayFirstTime = this.#moment(year, two, one, found.slice(4, 8), found[8]);
    if (this.#slashedExample === '') this.#slashedExample = text;
    if (Number.isNaN(monthFirst) && !Number.isNaN(this.dayFirstTime)) this.#dayFirst++;
    if (Number.isNaN(this.dayFirstTime) && !Number.isNaN(monthFirst)) this.#monthFirst++;
    // a time that has one reading alone has the other as well, until it is known which is right
    return Number.isNaN(monthFirst) ? this.dayFirstTime : monthFirst;
  }

  /** Epoch seconds; NaN where the calendar has no such moment. */
  #moment(
    year: string | number,
    month: string | number,
    day: string | number,
    [hour = 0, minute = 0, second = 0, fraction = '']: readonly (string | number | undefined)[],
    zoneName: string | undefined,
  ): number {
    if (zoneName === undefined) this.#zoneless++;
    const [y, m, d, h, min, s] = [year, month, day, hour, minute, second].map(Number);
    const fits = m >= 1 && m <= 12 && d >= 1 && d <= daysIn(y, m) && h <= 23 && min <= 59 && s <= 60;
    if (!fits) return Number.NaN;
    const local = Date.UTC(y, m - 1, d, h, min, Math.min(s, 59)) / 1000;
    const assumed = this.#wallClock === null ? this.#assumed : this.#wallClock.offset(local);
    return local + Number(`0.${fraction || 0}`) - (zoneName === undefined ? assumed : zoneOffset(zoneName));
  }

  /**
   * Whether dates with slashes have the day first; undefined where there were none.
   *
   * @throws LogRefusal where nothing tells, or a tenth of them say otherwise
   */
  hasDayFirst(): boolean | undefined {
    if (this.#slashedExample === '') return undefined;
    const [least, most] = [Math.min(this.#dayFirst, this.#monthFirst), Math.max(this.#dayFirst, this.#monthFirst)];
    if (most > 0 && 10 * least < most) return this.#dayFirst === most;
    const why = most > 0 ? 'some have the day first, others the month' : 'no number is above 12';
    throw new LogRefusal(
      `dates like ${shown(this.#slashedExample)} do not say which number is the day (${why}): write them as YYYY-MM-DD`,
    );
  }

  /** What was found, in whole sentences. */
  get notes(): string[] {
    const used = units.flatMap(([name], k) => (this.#byUnit[k] > 0 ? [{ name, count: this.#byUnit[k] }] : []));
    used.sort((a, b) => b.count - a.count);
    const notes: string[] = [];
    if (used.length > 0) {
      const others = used.slice(1).map(({ name, count }) => `${count} of them ${name}`);
      notes.push(`Times are epoch ${[used[0].name, ...others].join(', ')}.`);
    }
    if (this.#slashedExample !== '')
      notes.push(`Dates with slashes have the ${this.hasDayFirst() ? 'day' : 'month'} first.`);
    if (this.#zoneless > 0) {
      const hint = this.#zone === undefined ? '; if they are local times, say --zone with theirs, such as +02:00' : '';
      notes.push(`Times without a zone are taken as ${this.#zone ?? 'UTC'}${hint}.`);
    }
    return notes;
  }
}

const daysIn = (year: number, month: number): number =>
  month === 2 ? new Date(Date.UTC(year, 2, 0)).getUTCDate() : 30 + ((month + (month >> 3)) & 1);

/** Two digits name the year that is at most fifty years ahead of now (RFC 9110, 5.6.7): of dates in logs, 1977 to 2076. */
const fullYear = (digits: string): number =>
  digits.length > 2 ? Number(digits) : Number(digits) + (Number(digits) > 76 ? 1900 : 2000);

/** One moment, such as of an option, in epoch seconds; NaN where the text is none. */
export function readMoment(text: string, zoneName: string | undefined): number {
  const reader = new LogClock(zoneName);
  const time = reader.read(text);
  return reader.hasDayFirst() === true ? reader.dayFirstTime : time;
}
