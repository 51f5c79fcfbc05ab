/**
 * Collects the fetches that the formats read. Each is converted to numbers at once (page, time, status, signature,
 * Last-Modified, flag) and its text is dropped: 31 bytes a fetch, plus the names of the pages.
 */
import { earliestModified, isMissing, signatureNumber, unknownStatus } from '../solvers/estimation/index.ts';
import { hostOf, PageNames } from './canonical-url.ts';
import { statusOf } from './formats/http-status.ts';
import { excerpt, type LogOptions, type LogRecord, LogRefusal } from './log-record.ts';
import { LogClock } from './log-times.ts';
import { PageFetches } from './page-fetches.ts';

/** Rows of a block of columns. */
const blockRows = 65_536;
/** Times of Last-Modified headers that are remembered. */
const maxTimes = 65_536;
/** Internal statuses while reading: a revisit record, and a row without a status although other rows have one. */
const revisit = 1000;
const blank = 1001;
/** How the sentence about values that cannot be meant ends. */
export const uncounted = 'count for nothing.';
/** Largest share of unreadable lines, or of invalid times; with more, the log is refused. */
const maxFaultShare = 0.1;

interface Block {
  readonly page: Uint32Array;
  readonly time: Float64Array;
  /** The time of a date with slashes if read day first; null if the block has no such date. */
  dayFirst: Float64Array | null;
  readonly status: Int16Array;
  readonly signature: Float64Array;
  readonly lastModified: Float64Array;
  readonly changed: Int8Array;
}

/** A page of a log with its fetches in order of time. */
export interface LoggedPage {
  readonly id: string;
  /** Host of a URL; undefined for other ids. */
  readonly host?: string;
  /** Weight, if a column has it. */
  readonly weight?: number;
  readonly observations: PageFetches;
}

/** Words for changed (1) and unchanged (0). */
const verdicts = new Map([
  ...['true', 'yes', 't', 'y', '1', 'changed', 'modified', 'updated', 'new'].map((text) => [text, 1] as const),
  ...['false', 'no', 'f', 'n', '0', 'unchanged', 'unmodified', 'not modified', 'same'].map(
    (text) => [text, 0] as const,
  ),
]);

/** A count of occurrences, with the first as an example. */
class Occurrences {
  count = 0;
  first = '';

  add(first: () => string): void {
    if (this.count++ === 0) this.first = first();
  }

  /** A sentence about them, if there are any. */
  describe(sentence: (count: number, first: string) => string): string[] {
    return this.count > 0 ? [sentence(this.count, this.first)] : [];
  }
}

export class FetchCollector {
  /** Name of the part being read, if the log has several. */
  part = '';
  readonly #clock: LogClock;
  readonly #modifiedClock: LogClock;
  readonly #modifiedTimes = new Map<string | number, number>();
  readonly #names: PageNames;
  readonly #weights: number[] = [];
  readonly #blocks: Block[] = [];
  readonly #passedOver = new Map<string, Occurrences>();
  readonly #notes = new Set<string>();
  readonly #faults = new Occurrences();
  readonly #oddTimes = new Occurrences();
  readonly #oddHeaders = new Occurrences();
  readonly #oddVerdicts = new Occurrences();
  readonly #oddWeights = new Occurrences();
  readonly #oddStatuses = new Occurrences();
  readonly #slashed = new Occurrences();
  readonly #blanks = new Occurrences();
  /** The last line with a fault. */
  #faultyLine = 0;
  #faultyPart = '';
  #rows = 0;
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

  /** Fetches read and lines skipped so far. */
  get taken(): number {
    return Array.from(this.#passedOver.values()).reduce((sum, { count }) => sum + count, this.#rows);
  }

  /** Unreadable lines so far, including those with an unreadable time. */
  get faults(): number {
    return this.#faults.count + this.#oddTimes.count;
  }

  /** Adds a fetch; one with an invalid time is counted and dropped. */
  add({ page, time, status, signature, lastModified, changed, weight }: LogRecord, line: number): void {
    const at = this.#clock.read(time);
    if (Number.isNaN(at)) {
      this.#oddTimes.add(() => `${excerpt(time)} of ${excerpt(page)} in ${this.#place(line)}`);
      return;
    }
    const row = this.#rows++ % blockRows;
    const block = row === 0 ? this.#newBlock() : this.#blocks[this.#blocks.length - 1];
    const position = this.#names.positionOf(page);
    const signed = signature === undefined ? Number.NaN : signatureNumber(String(signature));
    const modified = lastModified === undefined ? Number.NaN : this.#modifiedTime(lastModified, at, line);
    const verdict = changed === undefined ? -1 : this.#verdict(changed, line);
    block.page[row] = position;
    block.time[row] = at;
    if (!Number.isNaN(this.#clock.dayFirstTime)) {
      block.dayFirst ??= new Float64Array(blockRows).fill(Number.NaN);
      block.dayFirst[row] = this.#clock.dayFirstTime;
      this.#slashed.add(() => `${excerpt(time)} in ${this.#place(line)}`);
    }
    block.signature[row] = signed;
    block.lastModified[row] = modified;
    block.changed[row] = verdict;
    block.status[row] = this.#code(status, signed >= 0 || verdict === 1 || modified >= 0, line);
    if (weight !== undefined) this.#weigh(position, weight, line);
  }

  /** Skips a line or record that is not a fetch of this crawler. */
  passOver(reason: string, example = ''): void {
    let skipped = this.#passedOver.get(reason);
    if (skipped === undefined) {
      skipped = new Occurrences();
      this.#passedOver.set(reason, skipped);
    }
    skipped.add(() => example);
  }

  /** Counts an unreadable line, once. */
  fault(line: number, why: string): void {
    if (line === this.#faultyLine && this.part === this.#faultyPart) return;
    [this.#faultyLine, this.#faultyPart] = [line, this.part];
    this.#faults.add(() => `${this.#place(line)}: ${why}`);
  }

  /** Adds a sentence about an assumption. */
  note(sentence: string): void {
    this.#notes.add(sentence);
  }

  readonly #place = (line: number): string => `line ${line}${this.part === '' ? '' : ` of ${this.part}`}`;

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

  /** Last-Modified in epoch seconds; an implausible value drops the header, not the fetch. */
  #modifiedTime(value: string | number, fetched: number, line: number): number {
    if (isMissing(String(value))) return Number.NaN;
    // a page has the same header at most of its fetches
    let time = this.#modifiedTimes.get(value) ?? Number.NaN;
    if (Number.isNaN(time)) {
      time = this.#modifiedClock.readSure(value);
      if (this.#modifiedTimes.size >= maxTimes) this.#modifiedTimes.clear();
      this.#modifiedTimes.set(value, time);
    }
    if (time >= earliestModified && time <= fetched) return time;
    this.#oddHeaders.add(() => `${excerpt(value)} in ${this.#place(line)}`);
    return Number.NaN;
  }

  #verdict(value: string | number | boolean, line: number): number {
    const text = String(value).trim().toLowerCase().replaceAll(/[-_]/g, ' ');
    const verdict = verdicts.get(text);
    if (verdict === undefined && !isMissing(text)) {
      this.#oddVerdicts.add(() => `${excerpt(value)} in ${this.#place(line)}`);
    }
    return verdict ?? -1;
  }

  #weigh(position: number, value: string | number, line: number): void {
    const weight = Number(value);
    if (weight >= 0 && weight < Number.POSITIVE_INFINITY) this.#weights[position] = weight;
    else if (!isMissing(String(value))) this.#oddWeights.add(() => `${excerpt(value)} in ${this.#place(line)}`);
  }

  /** The status of a fetch; 0 if there was no answer. */
  #code(status: string | number | undefined, hasEvidence: boolean, line: number): number {
    if (status === undefined) return unknownStatus;
    if (status === 'revisit') return revisit;
    const code = statusOf(status);
    if (!Number.isNaN(code)) {
      this.#statuses++;
      return code;
    }
    const place = (): string => `${excerpt(status)} in ${this.#place(line)}`;
    if (!isMissing(String(status))) this.#oddStatuses.add(place);
    if (hasEvidence) return unknownStatus;
    this.#blanks.add(place);
    return blank;
  }

  /**
   * The pages in order of their first fetch, with sentences about what was assumed, skipped or unreadable.
   *
   * @param title name of the format, for refusals
   * @param readsDates whether the format fixes its date form, so that no note about dates is needed
   * @throws LogRefusal
   */
  pages(title: string, readsDates: boolean): { readonly pages: LoggedPage[]; readonly notes: string[] } {
    const lines = this.#rows + this.faults;
    const [faults, oddTimes] = [this.#faults, this.#oddTimes];
    if (faults.count > maxFaultShare * lines) {
      throw new LogRefusal(
        `${faults.count} of ${lines} lines cannot be read as ${title} (the first is ${faults.first})`,
      );
    }
    if (oddTimes.count > maxFaultShare * lines) {
      throw new LogRefusal(
        `${oddTimes.count} of ${lines} times are none from 1990 to 2100, such as ${oddTimes.first}; read are epoch seconds to nanoseconds, ISO 8601, and the dates of HTTP, mail and access logs`,
      );
    }
    if (this.#rows === 0) throw new LogRefusal(`${title}, but it has no fetch in it`);
    const isOrdered = this.#clock.dateOrder() !== null;
    if (!isOrdered && this.#slashed.count > maxFaultShare * lines) throw this.#clock.orderRefusal();
    const pages = this.#grouped();
    return { pages, notes: this.#sentences(readsDates, isOrdered) };
  }

  #sentences(readsDates: boolean, isOrdered: boolean): string[] {
    const passed = Array.from(this.#passedOver, ([why, { count, first }]) => {
      return `${count} passed over: ${why}${first === '' ? '' : `, such as ${excerpt(first)}`}.`;
    });
    return [
      ...this.#notes,
      ...(readsDates ? [] : this.#clock.notes),
      ...passed,
      ...this.#faults.describe((count, first) => `${count} lines cannot be read (the first is ${first}).`),
      ...this.#oddTimes.describe(
        (count, first) => `${count} fetches have no time from 1990 to 2100, such as ${first}: left out.`,
      ),
      ...(isOrdered
        ? []
        : this.#slashed.describe(
            (count, first) => `${count} dates do not say which number is the day, such as ${first}: left out.`,
          )),
      ...this.#oddHeaders.describe(
        (count, first) =>
          `${count} Last-Modified headers are no time from 1995 to their fetch, such as ${first}: they ${uncounted}`,
      ),
      ...this.#oddVerdicts.describe(
        (count, first) => `${count} verdicts are neither true nor false, such as ${first}: they ${uncounted}`,
      ),
      ...this.#oddWeights.describe(
        (count, first) => `${count} weights are no number from 0 on, such as ${first}: they ${uncounted}`,
      ),
      ...this.#oddStatuses.describe(
        (count, first) => `${count} statuses are not understood, such as ${first}: they ${uncounted}`,
      ),
      ...(this.#statuses > 0
        ? this.#blanks.describe(
            (count, first) =>
              `${count} fetches have no status where others do, such as ${first}: taken for fetches without an answer.`,
          )
        : []),
      ...this.#names.notes,
    ];
  }

  /** Sorts the rows by page and time, and resolves the statuses of revisits and blanks. */
  #grouped(): LoggedPage[] {
    const { ids } = this.#names;
    const timeOf = ({ time, dayFirst }: Block, row: number): number =>
      dayFirst === null ? time[row] : this.#clock.resolve(time[row], dayFirst[row]);
    const offsets = new Uint32Array(ids.length + 1);
    this.#eachBlock((block, rows) => {
      for (let row = 0; row < rows; row++) if (!Number.isNaN(timeOf(block, row))) offsets[block.page[row] + 1]++;
    });
    for (let i = 0; i < ids.length; i++) offsets[i + 1] += offsets[i];
    const at = offsets.slice(0, ids.length);
    const count = offsets[ids.length];
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
        const time = timeOf(block, row);
        if (Number.isNaN(time)) continue;
        const to = at[block.page[row]]++;
        all.time[to] = time;
        all.status[to] = block.status[row] === blank ? ofBlank : block.status[row];
        all.signature[to] = block.signature[row];
        all.lastModified[to] = block.lastModified[row];
        all.changed[to] = block.changed[row];
      }
    });
    this.#blocks.length = 0;
    const everyFetch = new PageFetches(all);
    const pages = ids.flatMap((id, i): LoggedPage[] => {
      if (offsets[i] === offsets[i + 1]) return [];
      const observations = inOrder(everyFetch.slice(offsets[i], offsets[i + 1]));
      const host = hostOf(id);
      const weight = this.#weights[i];
      return [{ id, ...(host !== undefined && { host }), ...(weight !== undefined && { weight }), observations }];
    });
    if (all.status.includes(revisit)) resolveRevisits(pages);
    return pages;
  }

  #eachBlock(take: (block: Block, rows: number) => void): void {
    for (const [b, block] of this.#blocks.entries()) take(block, Math.min(blockRows, this.#rows - b * blockRows));
  }
}

/** Shared memory if available, so that worker threads read it without a copy. */
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

/**
 * A revisit record has the status of the fetch with its signature, which may be of another page; without one, that of
 * the fetch before it.
 */
function resolveRevisits(pages: readonly LoggedPage[]): void {
  const everywhere = new Map<number, number>();
  const statuses = pages.map(({ observations: { status, signature } }) => {
    const own = new Map<number, number>();
    for (const [k, code] of status.entries()) {
      if (code === revisit || !(signature[k] >= 0)) continue;
      own.set(signature[k], code);
      everywhere.set(signature[k], code);
    }
    return own;
  });
  for (const [i, { observations }] of pages.entries()) {
    const { status, signature } = observations;
    let before = unknownStatus;
    for (const [k, code] of status.entries()) {
      if (code === revisit) status[k] = statuses[i].get(signature[k]) ?? everywhere.get(signature[k]) ?? before;
      before = status[k];
    }
  }
}
