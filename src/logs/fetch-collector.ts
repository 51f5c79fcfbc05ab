/**
 * Collects the fetches that the formats read. Each is converted to numbers at once (page, time, status, signature,
 * Last-Modified, flag) and its text is dropped: 31 bytes a fetch, plus the names of the pages.
 */
import { columnsOf, earliestModified, isMissing, signatureNumber, unknownStatus } from '../solvers/estimation/index.ts';
import { detachText, hostOf, PageIndex } from './canonical-url.ts';
import { parseStatus } from './formats/http-status.ts';
import { excerpt, type LogOptions, type LogRecord, LogRefusal, Tally, type UserAgent } from './log-record.ts';
import { PageFetches } from './page-fetches.ts';
import { TimeParser } from './time-parser.ts';

/** Times of Last-Modified headers that are remembered. */
const maxTimes = 65_536;
/** Internal statuses while reading: a revisit record, and a row without a status although other rows have one. */
const revisitStatus = 1000;
const blankStatus = 1001;
/** Ending of a note about implausible values; the refusal of a log without evidence of changes quotes these notes. */
export const ignoredNoteEnding = 'count for nothing.';
/** Largest share of unreadable lines, or of invalid times; with more, the log is refused. */
const maxFaultShare = 0.1;

/** First lines from which the crawler's user agent is determined. */
const maxPendingLines = 1000;
/** Largest share of lines from other user agents if none was chosen. */
const maxOtherShare = 0.1;

type Numbers = Float64Array | Int16Array | Int8Array | Uint32Array;

/** A growing column of numbers. */
class Column<Values extends Numbers> {
  readonly #create: (length: number) => Values;
  values: Values;

  constructor(create: (length: number) => Values) {
    this.#create = create;
    this.values = create(1024);
  }

  set(row: number, value: number): void {
    if (row >= this.values.length) {
      const longer = this.#create(2 * this.values.length);
      longer.set(this.values);
      this.values = longer;
    }
    this.values[row] = value;
  }

  /** The values of these rows; frees the column. */
  take(rows: Uint32Array): Values {
    const selection = this.#create(rows.length);
    for (let k = 0; k < rows.length; k++) selection[k] = this.values[rows[k]];
    this.values = this.#create(0);
    return selection;
  }
}

/** A page of a log with its fetches in order of time. */
export interface LoggedPage {
  readonly id: string;
  /** Host of a URL; undefined for other ids. */
  readonly host?: string;
  /** Weight, if a column has it. */
  readonly weight?: number;
  readonly observations: PageFetches;
  /** Times of a feed's entries, ascending; it has no observations. */
  readonly events?: readonly number[];
  /** Last fetch of a feed. */
  readonly lastCrawl?: number;
}

/** Words for changed (1) and unchanged (0). */
const verdicts = new Map([
  ...['true', 'yes', 't', 'y', '1', 'changed', 'modified', 'updated', 'new'].map((text) => [text, 1] as const),
  ...['false', 'no', 'f', 'n', '0', 'unchanged', 'unmodified', 'not modified', 'same'].map(
    (text) => [text, 0] as const,
  ),
]);

/** The note about each kind of oddity, by its count and first example. */
const sentences = {
  line: (count, first) => `${count} lines cannot be read (the first is ${first}).`,
  time: (count, first) => `${count} fetches have no time from 1990 to 2100, such as ${first}: left out.`,
  date: (count, first) => `${count} dates do not say which number is the day, such as ${first}: left out.`,
  header: (count, first) =>
    `${count} Last-Modified headers are no time from 1995 to their fetch, such as ${first}: they ${ignoredNoteEnding}`,
  verdict: (count, first) =>
    `${count} verdicts are neither true nor false, such as ${first}: they ${ignoredNoteEnding}`,
  weight: (count, first) => `${count} weights are no number from 0 on, such as ${first}: they ${ignoredNoteEnding}`,
  status: (count, first) => `${count} statuses are not understood, such as ${first}: they ${ignoredNoteEnding}`,
  early: (count, first) => `${count} entries are dated after their feed's last fetch, such as ${first}: left out.`,
  blank: (count, first) =>
    `${count} fetches have no status where others do, such as ${first}: taken for fetches without an answer.`,
} satisfies Record<string, (count: number, first: string) => string>;
type Oddity = keyof typeof sentences;

export class FetchCollector {
  /** Name of the part being read, if the log has several. */
  part = '';
  readonly #clock: TimeParser;
  readonly #modifiedClock: TimeParser;
  readonly #modifiedTimes = new Map<string | number, number>();
  readonly #names: PageIndex;
  readonly #weights: number[] = [];
  readonly #page = new Column((length) => new Uint32Array(length));
  readonly #time = new Column((length) => new Float64Array(length));
  readonly #status = new Column((length) => new Int16Array(length));
  readonly #signature = new Column((length) => new Float64Array(length));
  readonly #lastModified = new Column((length) => new Float64Array(length));
  readonly #changed = new Column((length) => new Int8Array(length));
  /** Rows whose day and month may be swapped, and their times if they are. */
  readonly #dayFirstTimes: [row: number, dayFirst: number][] = [];
  readonly #skips = new Tally<string>();
  readonly #oddities = new Tally<Oddity>();
  readonly #notes = new Set<string>();
  /** The last line with a fault. */
  #faultyLine = '';
  #rowCount = 0;
  #statusCount = 0;
  /** Time of the last fetch of each feed, by page; NaN if not known. Empty for a log of fetches. */
  readonly #lastFetches: number[] = [];
  readonly #options: LogOptions;
  /** Lines by user agent. */
  readonly #agentLines = new Map<string, number>();
  /** The crawler's user agent; null until determined. */
  #ownAgent: string | null = null;
  /** Fetches that wait until the crawler's user agent is determined. */
  #pending: (readonly [record: LogRecord, line: number])[] = [];
  /** Whether fetches have the size of their answers, which could serve as the signature. */
  hasSizes = false;

  constructor(options: LogOptions) {
    this.#options = options;
    this.#clock = new TimeParser(options.zone);
    this.#modifiedClock = new TimeParser(options.zone ?? 'UTC');
    this.#names = new PageIndex(options.fragments === 'keep');
  }

  /** Fetches and entries taken so far. */
  get count(): number {
    return this.#rowCount + this.#pending.length;
  }

  /** Fetches read and lines skipped so far. */
  get recordCount(): number {
    return Array.from(this.#skips.counts.values()).reduce((sum, { count }) => sum + count, this.count);
  }

  /** Unreadable lines so far, including those with an unreadable time. */
  get faults(): number {
    return this.#oddities.of('line').count + this.#oddities.of('time').count;
  }

  /**
   * Adds a fetch. One with an invalid time, with another method than GET, or of another user agent than the crawler's is
   * counted and dropped. HEAD is taken if its headers tell a change.
   */
  add(record: LogRecord, line: number): void {
    const { page, method = 'GET', signature, lastModified, agent } = record;
    const isHead = /^head$/i.test(method) && (signature !== undefined || lastModified !== undefined);
    if (!isHead && !/^get$/i.test(method)) {
      this.passOver('requests other than GET, of another resource', `${method} ${page}`.trim());
    } else if (agent === undefined) this.#take(record, line);
    else {
      this.#agentLines.set(agent, (this.#agentLines.get(agent) ?? 0) + 1);
      this.#pending.push([record, line]);
      const isDetermined = this.#options.agent !== undefined || this.#ownAgent !== null;
      if (isDetermined || this.#pending.length >= maxPendingLines) this.#sift();
    }
  }

  /** The user agents, most lines first. */
  get #agents(): UserAgent[] {
    return Array.from(this.#agentLines, ([agent, lines]) => ({ agent, lines })).sort((a, b) => b.lines - a.lines);
  }

  /** Takes the pending fetches of agents with the text that was chosen, or else of the commonest agent so far. */
  #sift(): void {
    const { agent: text } = this.#options;
    if (text === undefined) this.#ownAgent ??= this.#agents[0]?.agent ?? null;
    for (const [record, line] of this.#pending) {
      const { agent = '' } = record;
      if (text === undefined ? agent === this.#ownAgent : agent.includes(text)) this.#take(record, line);
      else {
        const hint =
          text === undefined ? ` than ${excerpt(this.#ownAgent)} (--agent takes those that contain a text)` : '';
        this.passOver(`of other user agents${hint}`, agent);
      }
    }
    this.#pending = [];
  }

  /** @throws LogRefusal if too many lines are of other agents and none was chosen */
  #checkAgents(): void {
    this.#sift();
    const agents = this.#agents;
    const lines = agents.reduce((sum, each) => sum + each.lines, 0);
    const otherLines = lines - (this.#agentLines.get(this.#ownAgent ?? '') ?? 0);
    if (this.#options.agent !== undefined || otherLines <= maxOtherShare * lines) return;
    const examples = agents.slice(0, 3).map(({ agent }) => excerpt(agent));
    const names = `${examples.join(', ')}${agents.length > examples.length ? ', …' : ''}`;
    throw new LogRefusal(`the log has ${agents.length} user agents (${names})`, '--agent with the crawler’s', agents);
  }

  #take(record: LogRecord, line: number): void {
    const { time, status, lastModified, changed, weight } = record;
    const page = this.#pageOf(record);
    const signature = record.signature ?? this.#sizeOf(record);
    const at = this.#clock.read(time);
    if (Number.isNaN(at)) {
      this.#oddities.add('time', () => `${excerpt(time)} of ${excerpt(page)} in ${this.#place(line)}`);
      return;
    }
    const row = this.#rowCount;
    const position = this.#names.positionOf(page);
    const signatureCode = signature === undefined ? Number.NaN : signatureNumber(String(signature));
    const modifiedTime = lastModified === undefined ? Number.NaN : this.#modifiedTime(lastModified, at, line);
    const verdict = changed === undefined ? -1 : this.#verdict(changed, line);
    this.#page.set(row, position);
    this.#time.set(row, at);
    this.#signature.set(row, signatureCode);
    this.#lastModified.set(row, modifiedTime);
    this.#changed.set(row, verdict);
    this.#status.set(row, this.#code(status, signatureCode >= 0 || verdict === 1 || modifiedTime >= 0, line));
    if (!Number.isNaN(this.#clock.dayFirstTime)) {
      this.#dayFirstTimes.push([row, this.#clock.dayFirstTime]);
      this.#countOddity('date', time, line);
    }
    if (weight !== undefined) this.#weigh(position, weight, line);
    this.#rowCount++;
  }

  /** The page of a fetch; a path follows the base URL or its host. */
  #pageOf({ page, host = '' }: LogRecord): string {
    if (!page.startsWith('/')) return page;
    const { base } = this.#options;
    return base === undefined ? `${host}${page}` : `${base.replace(/\/$/, '')}${page}`;
  }

  /** The size of an answer as its signature, if the caller says so. */
  #sizeOf({ status, bytes }: LogRecord): string | number | undefined {
    if (bytes === undefined) return undefined;
    this.hasSizes = true;
    return this.#options.signature === 'bytes' && Number(status) === 200 ? bytes : undefined;
  }

  /** Adds an entry of a feed; one with an invalid time is counted and dropped. */
  addEntry(feed: string, publishedAt: string | number, lastFetch: string | number | undefined, line: number): void {
    const position = this.#names.positionOf(feed);
    const time = this.#clock.readUnambiguous(publishedAt);
    const last = lastFetch === undefined ? Number.NaN : this.#modifiedClock.readUnambiguous(lastFetch);
    if (!(this.#lastFetches[position] >= last)) this.#lastFetches[position] = last;
    if (Number.isNaN(time)) this.#countOddity('time', publishedAt, line);
    else {
      this.#page.set(this.#rowCount, position);
      this.#time.set(this.#rowCount++, time);
    }
  }

  /** Skips a line or record that is not a fetch of this crawler. */
  passOver(reason: string, example = ''): void {
    this.#skips.add(reason, () => example);
  }

  /** Counts an unreadable line, once. */
  fault(line: number, why: string): void {
    const place = this.#place(line);
    if (place === this.#faultyLine) return;
    this.#faultyLine = place;
    this.#oddities.add('line', () => `${place}: ${why}`);
  }

  /** Adds a sentence about an assumption. */
  note(sentence: string): void {
    this.#notes.add(sentence);
  }

  readonly #place = (line: number): string => `line ${line}${this.part === '' ? '' : ` of ${this.part}`}`;

  #countOddity(kind: Oddity, value: unknown, line: number): void {
    this.#oddities.add(kind, () => `${excerpt(value)} in ${this.#place(line)}`);
  }

  /** Last-Modified in epoch seconds; an implausible value drops the header, not the fetch. */
  #modifiedTime(value: string | number, fetched: number, line: number): number {
    if (isMissing(String(value))) return Number.NaN;
    // a page has the same header at most of its fetches
    let time = this.#modifiedTimes.get(value) ?? Number.NaN;
    if (Number.isNaN(time)) {
      time = this.#modifiedClock.readUnambiguous(value);
      if (this.#modifiedTimes.size >= maxTimes) this.#modifiedTimes.clear();
      this.#modifiedTimes.set(typeof value === 'string' ? detachText(value) : value, time);
    }
    if (time >= earliestModified && time <= fetched) return time;
    this.#countOddity('header', value, line);
    return Number.NaN;
  }

  #verdict(value: string | number | boolean, line: number): number {
    const text = String(value).trim().toLowerCase().replaceAll(/[-_]/g, ' ');
    const verdict = verdicts.get(text);
    if (verdict === undefined && !isMissing(text)) this.#countOddity('verdict', value, line);
    return verdict ?? -1;
  }

  #weigh(position: number, value: string | number, line: number): void {
    const weight = Number(value);
    if (weight >= 0 && weight < Number.POSITIVE_INFINITY) this.#weights[position] = weight;
    else if (!isMissing(String(value))) this.#countOddity('weight', value, line);
  }

  /** The status of a fetch; 0 if there was no answer. */
  #code(status: string | number | undefined, hasEvidence: boolean, line: number): number {
    if (status === undefined) return unknownStatus;
    if (status === 'revisit') return revisitStatus;
    const code = parseStatus(status);
    if (!Number.isNaN(code)) {
      this.#statusCount++;
      return code;
    }
    if (!isMissing(String(status))) this.#countOddity('status', status, line);
    if (hasEvidence) return unknownStatus;
    this.#countOddity('blank', status, line);
    return blankStatus;
  }

  /**
   * The pages in order of their first fetch, with sentences about what was assumed, skipped or unreadable.
   *
   * @param title name of the format, for refusals
   * @param hasFixedDates whether the format fixes its date form, so that no note about dates is needed
   * @throws LogRefusal
   */
  pages(title: string, hasFixedDates: boolean): { readonly pages: LoggedPage[]; readonly notes: string[] } {
    this.#checkAgents();
    if (this.hasSizes && this.#options.signature === 'bytes') {
      this.note('A page counts as changed when its number of bytes differs: changes of the same length are missed.');
    }
    const lines = this.count + this.faults;
    const [faults, times] = [this.#oddities.of('line'), this.#oddities.of('time')];
    if (faults.count > maxFaultShare * lines) {
      throw new LogRefusal(
        `${faults.count} of ${lines} lines cannot be read as ${title} (the first is ${faults.first})`,
      );
    }
    if (times.count > maxFaultShare * lines) {
      throw new LogRefusal(
        `${times.count} of ${lines} times are none from 1990 to 2100, such as ${times.first}; read are epoch seconds to nanoseconds, ISO 8601, and the dates of HTTP, mail and access logs`,
      );
    }
    if (this.count === 0) throw new LogRefusal(`${title}, but it has no fetch in it`);
    if (this.#clock.dateOrder() !== null) this.#oddities.counts.delete('date');
    if (this.#statusCount === 0) this.#oddities.counts.delete('blank');
    if (this.#oddities.of('date').count > maxFaultShare * lines) throw this.#clock.orderRefusal();
    const pages = this.#groupByPage();
    const skipNotes = Array.from(this.#skips.counts, ([why, { count, first }]) => {
      return `${count} passed over: ${why}${first === '' ? '' : `, such as ${excerpt(first)}`}.`;
    });
    const oddityNotes = Object.entries(sentences).flatMap(([kind, sentence]) => {
      const { count, first } = this.#oddities.of(kind);
      return count > 0 ? [sentence(count, first)] : [];
    });
    const notes = [
      ...this.#notes,
      ...(hasFixedDates ? [] : this.#clock.notes),
      ...skipNotes,
      ...oddityNotes,
      ...this.#names.notes,
    ];
    return { pages, notes };
  }

  /** The fetches by page and in order of time, with the statuses of revisits and blanks resolved. */
  #groupByPage(): LoggedPage[] {
    for (const [row, dayFirst] of this.#dayFirstTimes)
      this.#time.set(row, this.#clock.resolve(this.#time.values[row], dayFirst));
    const { ids } = this.#names;
    const [page, time] = [this.#page.values, this.#time.values];
    const ends = new Uint32Array(ids.length + 1);
    for (let row = 0; row < this.#rowCount; row++) if (time[row] > 0) ends[page[row] + 1]++;
    for (let i = 0; i < ids.length; i++) ends[i + 1] += ends[i];
    const rows = new Uint32Array(ends[ids.length]);
    for (let row = 0; row < this.#rowCount; row++) if (time[row] > 0) rows[ends[page[row]]++] = row;
    const rangeOf = (i: number): [from: number, to: number] => [i === 0 ? 0 : ends[i - 1], ends[i]];
    for (let i = 0; i < ids.length; i++) {
      const ofPage = rows.subarray(...rangeOf(i));
      if (ofPage.some((row, k) => time[row] < time[ofPage[k - 1]])) ofPage.sort((a, b) => time[a] - time[b] || a - b);
    }
    // one column after the other, so that only one is in memory twice
    const fetches = new PageFetches({
      time: this.#time.take(rows),
      status: this.#status.take(rows),
      signature: this.#signature.take(rows),
      lastModified: this.#lastModified.take(rows),
      changed: this.#changed.take(rows),
    });
    const { status } = fetches;
    const blankReplacement = this.#statusCount > 0 ? 0 : unknownStatus;
    for (let k = 0; k < status.length; k++) if (status[k] === blankStatus) status[k] = blankReplacement;
    const pages = ids.flatMap((id, i): LoggedPage[] => {
      const observations = fetches.slice(...rangeOf(i));
      const [host, weight, lastFetch] = [hostOf(id), this.#weights[i], this.#lastFetches[i]];
      const page = { id, ...(host !== undefined && { host }), ...(weight !== undefined && { weight }) };
      if (lastFetch !== undefined) return [{ ...page, ...this.#feedOf(id, observations.time, lastFetch) }];
      return observations.length === 0 ? [] : [{ ...page, observations }];
    });
    if (status.includes(revisitStatus)) resolveRevisits(pages);
    return pages;
  }

  /** A feed's entries up to its last fetch: some pre-announce, and clocks are wrong. */
  #feedOf(id: string, times: Float64Array, lastFetch: number): Omit<LoggedPage, 'id'> {
    const [events, later] = [new Set<number>(), new Set<number>()];
    for (const time of times) (time > lastFetch ? later : events).add(time);
    for (const time of later) this.#oddities.add('early', () => `${excerpt(id)} at ${time}`);
    const observations = new PageFetches(columnsOf([]));
    return { observations, events: Array.from(events), ...(lastFetch > 0 && { lastCrawl: lastFetch }) };
  }
}

/**
 * A revisit record has the status of the fetch with its signature, which may be of another page; without one, that of
 * the fetch before it.
 */
function resolveRevisits(pages: readonly LoggedPage[]): void {
  const statusesOf = (ofPages: readonly LoggedPage[]): Map<number, number> => {
    const statuses = new Map<number, number>();
    for (const { observations } of ofPages) {
      for (const [k, code] of observations.status.entries())
        if (code !== revisitStatus) statuses.set(observations.signature[k], code);
    }
    statuses.delete(Number.NaN);
    return statuses;
  };
  const allStatuses = statusesOf(pages);
  for (const page of pages) {
    const { status, signature } = page.observations;
    const ownStatuses = statusesOf([page]);
    let previousStatus = unknownStatus;
    for (const [k, code] of status.entries()) {
      if (code === revisitStatus)
        status[k] = ownStatuses.get(signature[k]) ?? allStatuses.get(signature[k]) ?? previousStatus;
      previousStatus = status[k];
    }
  }
}
