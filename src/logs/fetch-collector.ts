/**
 * Where the formats put the fetches that they read. Each becomes numbers at once (page, time, status, signature,
 * Last-Modified, flag), and nothing keeps its text: 31 bytes a fetch, and the names of the pages.
 */
import { earliestModified, signatureNumber, unknownStatus } from '../solvers/estimation/index.ts';
import { hostOf, PageNames } from './equal-urls.ts';
import { type LogOptions, type LogRecord, LogRefusal, shown } from './log-record.ts';
import { LogClock } from './log-times.ts';
import { PageFetches } from './page-fetches.ts';

/** Rows of a block of columns. */
const blockRows = 65_536;
/** Statuses while a log is read: of a revisit, and of a row that has none where other rows do. */
const revisit = 1000;
const blank = 1001;
/** Of the lines of a log, or of its times, this share may be at fault. */
const mostFaults = 0.1;

interface Block {
  readonly page: Uint32Array;
  readonly time: Float64Array;
  /** The time where a date with slashes has its day first; null while the block has no such date. */
  dayFirst: Float64Array | null;
  readonly status: Int16Array;
  readonly signature: Float64Array;
  readonly lastModified: Float64Array;
  readonly changed: Int8Array;
}

/** A page of a log with its fetches in order of time. */
export interface LoggedPage {
  readonly id: string;
  /** Of a URL; other ids have none. */
  readonly host?: string;
  /** What it counts for, where a column says. */
  readonly weight?: number;
  readonly observations: PageFetches;
}

const truths = new Map([
  ...['true', 'yes', 't', 'y', '1'].map((text) => [text, 1] as const),
  ...['false', 'no', 'f', 'n', '0'].map((text) => [text, 0] as const),
]);

export class FetchCollector {
  readonly #clock: LogClock;
  readonly #modifiedClock: LogClock;
  readonly #names: PageNames;
  readonly #weights: number[] = [];
  readonly #blocks: Block[] = [];
  readonly #passedOver = new Map<string, { count: number; example: string }>();
  readonly #notes = new Set<string>();
  #rows = 0;
  #faults = 0;
  #firstFault = '';
  #oddTimes = 0;
  #firstOddTime = '';
  #oddHeaders = 0;
  #firstOddHeader = '';
  #blanks = 0;
  #statuses = 0;

  constructor(options: LogOptions) {
    this.#clock = new LogClock(options.zone);
    this.#modifiedClock = new LogClock(options.zone ?? 'UTC');
    this.#names = new PageNames(options.fragments === 'keep');
  }

  /** Fetches taken so far. */
  get count(): number {
    return this.#rows;
  }

  /** Takes a fetch, unless its time is none. */
  add({ page, time, status, signature, lastModified, changed, weight }: LogRecord): void {
    const at = this.#clock.read(time);
    if (Number.isNaN(at)) {
      if (this.#oddTimes++ === 0) this.#firstOddTime = `${shown(time)} of ${shown(page)}`;
      return;
    }
    const row = this.#rows++ % blockRows;
    const block = row === 0 ? this.#newBlock() : this.#blocks[this.#blocks.length - 1];
    const position = this.#names.positionOf(page);
    const signed = signature === undefined ? Number.NaN : signatureNumber(signature);
    const flag = changed === undefined ? undefined : truths.get(String(changed).toLowerCase());
    const modified = lastModified === undefined ? Number.NaN : this.#modifiedTime(lastModified, at);
    block.page[row] = position;
    block.time[row] = at;
    if (!Number.isNaN(this.#clock.dayFirstTime)) {
      block.dayFirst ??= new Float64Array(blockRows).fill(Number.NaN);
      block.dayFirst[row] = this.#clock.dayFirstTime;
    }
    block.signature[row] = signed;
    block.lastModified[row] = modified;
    block.changed[row] = flag ?? -1;
    block.status[row] = this.#code(status, signed >= 0 || flag === 1 || modified >= 0);
    const counts = Number(weight ?? Number.NaN);
    if (counts >= 0 && counts < Number.POSITIVE_INFINITY) this.#weights[position] = counts;
  }

  /** A line, or a record of another kind, that is no fetch of this crawler. */
  passOver(reason: string, example = ''): void {
    const known = this.#passedOver.get(reason);
    if (known === undefined) this.#passedOver.set(reason, { count: 1, example });
    else known.count++;
  }

  /** A line that cannot be read. */
  fault(line: number, why: string): void {
    if (this.#faults++ === 0) this.#firstFault = ` (the first is line ${line}: ${why})`;
  }

  /** What was taken for granted, in a whole sentence. */
  note(sentence: string): void {
    this.#notes.add(sentence);
  }

  #newBlock(): Block {
    const block = {
      page: new Uint32Array(blockRows),
      time: new Float64Array(blockRows),
      dayFirst: null,
      status: new Int16Array(blockRows),
      signature: new Float64Array(blockRows),
      lastModified: new Float64Array(blockRows),
      changed: new Int8Array(blockRows),
    };
    this.#blocks.push(block);
    return block;
  }

  /** Last-Modified in epoch seconds; what cannot be meant costs the header alone. */
  #modifiedTime(value: string | number, fetched: number): number {
    const time = this.#modifiedClock.read(value);
    if (time >= earliestModified && time <= fetched) return time;
    if (this.#oddHeaders++ === 0) this.#firstOddHeader = shown(value);
    return Number.NaN;
  }

  /** The status of a fetch, 0 for one without an answer. */
  #code(status: string | number | undefined, tells: boolean): number {
    if (status === undefined) return unknownStatus;
    if (status === 'revisit') return revisit;
    const text = String(status).trim();
    const code = /^(?:HTTP\/\d(?:\.\d)?\s+)?(-?\d{1,5})(?:\.0+)?(?:\s|$)/i.exec(text)?.[1];
    if (code !== undefined) {
      this.#statuses++;
      return Math.max(0, Math.min(999, Number(code)));
    }
    if (/error|fail|time|refused|reset|dns|abort/i.test(text)) return 0;
    if (tells || /^ok|success|fetched/i.test(text)) return unknownStatus;
    this.#blanks++;
    return blank;
  }

  /**
   * The pages of all that was read, by their first fetch, and what is to be said of it.
   *
   * @param title of the format, for refusals; @param readsDates whether the format's own dates go without saying
   * @throws LogRefusal
   */
  pages(title: string, readsDates: boolean): { readonly pages: LoggedPage[]; readonly notes: string[] } {
    const lines = this.#rows + this.#oddTimes + this.#faults;
    if (this.#faults > mostFaults * lines) {
      throw new LogRefusal(`${this.#faults} of ${lines} lines cannot be read as ${title}${this.#firstFault}`);
    }
    if (this.#oddTimes > mostFaults * lines) {
      throw new LogRefusal(
        `${this.#oddTimes} of ${lines} times are none from 1990 to 2100, such as ${this.#firstOddTime}`,
      );
    }
    if (this.#rows === 0) throw new LogRefusal(`${title}, but it has no fetch in it`);
    const hasDayFirst = this.#clock.hasDayFirst() === true;
    const all = this.#grouped(hasDayFirst);
    return { pages: all, notes: this.#sentences(readsDates) };
  }

  #sentences(readsDates: boolean): string[] {
    const say = (count: number, sentence: string): string[] => (count > 0 ? [sentence] : []);
    const passed = Array.from(this.#passedOver, ([why, { count, example }]) => {
      return `${count} passed over: ${why}${example === '' ? '' : `, such as ${shown(example)}`}.`;
    });
    return [
      ...this.#notes,
      ...(readsDates ? [] : this.#clock.notes),
      ...passed,
      ...say(this.#faults, `${this.#faults} lines cannot be read${this.#firstFault}.`),
      ...say(
        this.#oddTimes,
        `${this.#oddTimes} fetches have no time from 1990 to 2100, such as ${this.#firstOddTime}: left out.`,
      ),
      ...say(
        this.#oddHeaders,
        `${this.#oddHeaders} Last-Modified headers are no time from 1995 to their fetch, such as ${this.#firstOddHeader}: those headers count for nothing.`,
      ),
      ...say(
        this.#statuses > 0 ? this.#blanks : 0,
        `${this.#blanks} fetches have no status where others do: taken for fetches without an answer.`,
      ),
      ...this.#names.notes,
    ];
  }

  /** The rows sorted by page, then by time; revisits and blanks get their statuses. */
  #grouped(hasDayFirst: boolean): LoggedPage[] {
    const { ids } = this.#names;
    const offsets = new Uint32Array(ids.length + 1);
    this.#eachBlock(({ page }, rows) => {
      for (let row = 0; row < rows; row++) offsets[page[row] + 1]++;
    });
    for (let i = 0; i < ids.length; i++) offsets[i + 1] += offsets[i];
    const at = offsets.slice(0, ids.length);
    const count = this.#rows;
    const all = {
      time: new Float64Array(memoryOf(8 * count)),
      status: new Int16Array(memoryOf(2 * count)),
      signature: new Float64Array(memoryOf(8 * count)),
      lastModified: new Float64Array(memoryOf(8 * count)),
      changed: new Int8Array(memoryOf(count)),
    };
    const ofBlank = this.#statuses > 0 ? 0 : unknownStatus;
    this.#eachBlock((block, rows) => {
      for (let row = 0; row < rows; row++) {
        const to = at[block.page[row]]++;
        const dayFirst = block.dayFirst?.[row] ?? Number.NaN;
        all.time[to] = hasDayFirst && !Number.isNaN(dayFirst) ? dayFirst : block.time[row];
        all.status[to] = block.status[row] === blank ? ofBlank : block.status[row];
        all.signature[to] = block.signature[row];
        all.lastModified[to] = block.lastModified[row];
        all.changed[to] = block.changed[row];
      }
    });
    this.#blocks.length = 0;
    const whole = new PageFetches(all);
    const pages = ids.map((id, i): LoggedPage => {
      const fetches = inOrder(whole.slice(offsets[i], offsets[i + 1]));
      resolveRevisits(fetches);
      const host = hostOf(id);
      const weight = this.#weights[i];
      return {
        id,
        ...(host !== undefined && { host }),
        ...(weight !== undefined && { weight }),
        observations: fetches,
      };
    });
    return pages;
  }

  #eachBlock(take: (block: Block, rows: number) => void): void {
    for (const [b, block] of this.#blocks.entries()) take(block, Math.min(blockRows, this.#rows - b * blockRows));
  }
}

/** Memory that a solving thread can read without a copy, where there are such threads. */
const memoryOf = (bytes: number): ArrayBufferLike =>
  typeof SharedArrayBuffer === 'function' ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);

/** Sorts the rows of a page by time, in place; equal times keep their order. */
function inOrder(fetches: PageFetches): PageFetches {
  const { length, time } = fetches;
  let k = 1;
  while (k < length && time[k] >= time[k - 1]) k++;
  if (k >= length) return fetches;
  const order = Uint32Array.from({ length }, (_, row) => row).sort((a, b) => time[a] - time[b] || a - b);
  for (const column of [fetches.time, fetches.status, fetches.signature, fetches.lastModified, fetches.changed]) {
    const before = column.slice();
    for (const [to, from] of order.entries()) column[to] = before[from];
  }
  return fetches;
}

/** A revisit of an archive repeats what the fetch before it found. */
function resolveRevisits({ status }: PageFetches): void {
  let before = unknownStatus;
  for (const [k, code] of status.entries()) {
    if (code === revisit) status[k] = before;
    else before = code;
  }
}
