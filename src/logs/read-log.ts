/**
 * Reads crawl logs into pages with their fetches, the input of crawl-plan. Pure code for any JavaScript engine, shared by
 * the command line, the service and the console. Logs are read in pieces and their text is not kept.
 */
import { failureNotes } from '../schemas/words/failure-notes.ts';
import { checksFromFetches, type FailingPages, failingPages, sawPage } from '../solvers/estimation/index.ts';
import { lacksEvidence, markAlwaysChanged } from './always-changed.ts';
import { FetchCollector, ignoredNoteEnding, type LoggedPage } from './fetch-collector.ts';
import type { LogFormat, LogReader } from './formats/format.ts';
import { detectFormat, logFormats, sniffLength } from './formats/log-formats.ts';
import { excerpt, type LogOptions, LogRefusal } from './log-record.ts';
import { PageFetches } from './page-fetches.ts';
import { clockSkew } from './time-parser.ts';

export type { LoggedPage } from './fetch-collector.ts';

export interface CrawlLog {
  readonly format: LogFormat;
  /** In order of their first fetch. */
  readonly pages: readonly LoggedPage[];
  readonly fetches: number;
  /** Fetches with a status other than 2xx and 304. */
  readonly failedFetches: number;
  /** Times of the first and the last fetch, epoch seconds. */
  readonly from: number;
  readonly to: number;
  /** Sentences about what was assumed, skipped or unreadable. */
  readonly notes: readonly string[];
}

/** Reads the parts of one log, such as its files, in one format and piece by piece. */
export class LogParser {
  readonly #options: LogOptions;
  readonly #requiredFormat: LogFormat | undefined;
  readonly #fetches: FetchCollector;
  #format: LogFormat | undefined;
  #reader: LogReader | null = null;
  /** Whether the part's lines end with a carriage return alone. */
  #hasReturns = false;
  /** Text of a part's beginning, until its format is detected. */
  #beginning = '';
  /** Fetches taken before the part, and whether the part was truncated. */
  #countBefore = 0;
  #isCut = false;

  /**
   * @param name name of the format; if left out, it is detected
   * @throws LogRefusal for an unknown format or zone
   */
  constructor(options: LogOptions = {}, name?: string) {
    this.#options = options;
    this.#requiredFormat = logFormats.find((format) => [format.name, ...(format.aliases ?? [])].includes(name ?? ''));
    if (name !== undefined && this.#requiredFormat === undefined) {
      throw new LogRefusal(`no format ${excerpt(name)}; there are ${formatNames}`);
    }
    this.#fetches = new FetchCollector(options);
  }

  /** Starts another part, with its name for messages. */
  beginPart(name: string): void {
    this.#fetches.part = name;
  }

  /** Notes that a part was truncated, after its last piece. */
  noteCut(): void {
    this.#isCut = true;
  }

  /** The format; undefined until it is detected. */
  get format(): LogFormat | undefined {
    return this.#format;
  }

  /** Reads the next piece of a part: decoded text, or one character a byte for WARC. */
  push(text: string): void {
    if (this.#reader !== null) {
      this.#reader.push(this.#hasReturns ? text.replaceAll('\r', '\n') : text);
      return;
    }
    this.#beginning += this.#beginning === '' ? text.replace(/^\ufeff/, '') : text;
    if (this.#beginning.length >= sniffLength) this.#open();
  }

  /** Ends a part; the next piece starts another. @throws LogRefusal */
  endPart(): void {
    if (this.#reader === null && this.#beginning.trim() !== '') this.#open();
    this.#beginning = '';
    this.#reader?.end();
    this.#reader = null;
    const { count, part } = this.#fetches;
    if (this.#isCut) {
      const name = part === '' ? 'The log' : part;
      this.#fetches.note(`${name} ends in the middle: its ${count - this.#countBefore} whole fetches are read.`);
    }
    [this.#countBefore, this.#isCut] = [count, false];
  }

  /** @throws LogRefusal if the format, the dates or the columns are ambiguous */
  end(): CrawlLog {
    this.endPart();
    const format = this.#format;
    if (format === undefined) throw new LogRefusal('the log is empty');
    const { pages, notes } = this.#fetches.pages(format.title, format.hasFixedDates === true);
    const hasEvidence = pages.some(
      ({ observations, events }) =>
        events !== undefined || observations.status.includes(304) || !lacksEvidence(observations),
    );
    if (!hasEvidence) {
      const ignoredNotes = notes.filter((note) => note.endsWith(ignoredNoteEnding));
      throw new LogRefusal(
        `nothing tells a changed page from an unchanged one: no status 304, no signature, no Last-Modified, no verdict; let the crawler ask with If-None-Match or If-Modified-Since, or log a hash of the content${ignoredNotes.length > 0 ? `. ${ignoredNotes.join(' ')}` : ''}`,
        this.#fetches.hasSizes && this.#options.signature === undefined
          ? '--signature bytes to tell changes by the size of the answers'
          : '',
      );
    }
    const inferenceNotes = markAlwaysChanged(pages);
    // without the pages in a retry pause, which depends on the start of the plan
    const notesOnFailures = failureNotes({ ...findFailingPages(pages), waitingPages: [] }, (page) =>
      JSON.stringify(pages[page].id),
    );
    return { format, ...withTotals(pages), notes: [...notes, ...inferenceNotes, ...notesOnFailures] };
  }

  #open(): void {
    this.#hasReturns = this.#beginning.includes('\r') && !this.#beginning.includes('\n');
    const beginning = this.#hasReturns ? this.#beginning.replaceAll('\r', '\n') : this.#beginning;
    const format = this.#requiredFormat ?? detectFormat(beginning);
    if (format === undefined) throw unknownFormat(beginning);
    if (this.#format !== undefined && format !== this.#format) {
      throw new LogRefusal(`the parts have different formats: ${this.#format.name}, ${format.name}`);
    }
    this.#format = format;
    this.#reader = format.open(this.#options, this.#fetches);
    this.#beginning = '';
    this.#reader.push(beginning);
  }
}

/** Reads the parts of one log, each whole. @throws LogRefusal */
export function readLog(texts: readonly string[], options: LogOptions = {}, name?: string): CrawlLog {
  const reading = new LogParser(options, name);
  for (const text of texts) {
    // in pieces, so that the text is not held twice
    for (let from = 0; from < text.length; from += pieceLength) reading.push(text.slice(from, from + pieceLength));
    reading.endPart();
  }
  return reading.end();
}

const pieceLength = 2 ** 22;
const formatNames = logFormats.map((format) => format.name).join(', ');

function unknownFormat(beginning: string): LogRefusal {
  if (/<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/.test(beginning.slice(0, 2000))) {
    return new LogRefusal(
      'this is a sitemap, which tells what the site says and not what fetches found',
      'the log, and --sitemap with this file',
    );
  }
  return new LogRefusal(
    `no format is known that begins with ${excerpt(beginning.slice(0, 60))}`,
    `--format with one of ${formatNames}`,
  );
}

/** The pages whose last fetches failed. */
export const findFailingPages = (pages: readonly LoggedPage[]): FailingPages =>
  failingPages(
    pages.map(({ host = '', observations }) => {
      const { failureRun } = checksFromFetches(observations, () => {});
      const { time, length: fetches } = observations;
      return { host, failureRun, firstFetch: time[0], lastFetch: time[fetches - 1], fetches };
    }),
  );

/** The log of some pages, with its totals. */
function withTotals(pages: readonly LoggedPage[]): Omit<CrawlLog, 'format' | 'notes'> {
  let [fetches, failedFetches, from, to] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { observations, events, lastCrawl } of pages) {
    const times = events ?? observations.time;
    fetches += times.length;
    for (const code of observations.status) if (!sawPage(code)) failedFetches++;
    from = Math.min(from, times[0] ?? from);
    to = Math.max(to, lastCrawl ?? times[times.length - 1] ?? to);
  }
  return { pages, fetches, failedFetches, from, to };
}

/**
 * The log up to the start of a plan. If its clock is only slightly ahead, a page's next fetch is dated to the start
 * instead of dropped.
 */
export function truncateLog(log: CrawlLog, now: number): CrawlLog {
  if (log.to <= now) return log;
  const isAhead = log.to <= now + clockSkew;
  const pages = log.pages.flatMap((page): LoggedPage[] => {
    const { observations, events } = page;
    if (events !== undefined) return [{ ...page, events: events.filter((each) => each <= now) }];
    const pastLength = observations.time.filter((each) => each <= now).length;
    const pastFetches = observations.slice(0, isAhead ? pastLength + 1 : pastLength);
    const time = pastFetches.time.map((each) => Math.min(each, now));
    return time.length === 0 ? [] : [{ ...page, observations: new PageFetches({ ...pastFetches, time }) }];
  });
  if (pages.length === 0) throw new LogRefusal('every line of the log is later than --now');
  const cut = withTotals(pages);
  const later = log.fetches - cut.fetches;
  const lines = later === 1 ? 'line is' : 'lines are';
  const note = isAhead
    ? `The clock of the log is up to ${Math.ceil(log.to - now)} s ahead: what it has after now counts as of now.`
    : `--now lies inside the log: ${later} later ${lines} ignored.`;
  return { ...log, ...cut, notes: [...log.notes, note] };
}
