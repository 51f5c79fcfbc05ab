/**
 * Crawl logs → pages with their observations, as crawl-plan takes them. Pure: texts in, plain objects out, in any
 * JavaScript engine; the command line and the console use the same code.
 */
import { type Observation, sawPage } from '../solvers/estimation/changes/fetches.ts';
import { withAlwaysChanged } from './always-changed.ts';
import { hostOf, PageNames } from './equal-urls.ts';
import type { LogFormat } from './formats/format.ts';
import { logFormats, recognised } from './formats/recognised.ts';
import { type LogOptions, type LogRecord, LogRefusal, type RecordedLog, shown } from './log-record.ts';
import { logClock } from './log-times.ts';

/** What else people call a format. */
const otherNames: Readonly<Record<string, string>> = {
  ndjson: 'json',
  jsonl: 'json',
  jsonlines: 'json',
  jl: 'json',
  tsv: 'csv',
};

export interface LoggedPage {
  readonly id: string;
  /** Of a URL; other ids have none. */
  readonly host?: string;
  /** What it counts for, where a column says. */
  readonly weight?: number;
  readonly observations: readonly Observation[];
}

export interface CrawlLog {
  readonly format: LogFormat;
  /** By their first fetch. */
  readonly pages: readonly LoggedPage[];
  readonly fetches: number;
  /** Fetches with a status other than 2xx and 304. */
  readonly failed: number;
  /** Epoch seconds of the first and the last fetch. */
  readonly from: number;
  readonly to: number;
  /** What was taken for granted, passed over, or could not be read, in whole sentences. */
  readonly notes: readonly string[];
}

/**
 * Reads the parts of one log, such as its files, all in one format.
 *
 * @param texts each decoded; a WARC as one character a byte
 * @param name of the format; left out: it is recognised
 * @throws LogRefusal where the log, a time or a column cannot be told apart
 */
export function readLog(texts: readonly string[], options: LogOptions = {}, name?: string): CrawlLog {
  const called = name === undefined ? undefined : (otherNames[name] ?? name);
  const wanted = logFormats.find((format) => format.name === called);
  const names = logFormats.map((format) => format.name).join(', ');
  if (name !== undefined && wanted === undefined) throw new LogRefusal(`no format ${shown(name)}; there are ${names}`);
  const filled = texts.filter((text) => text.trim() !== '');
  if (filled.length === 0) throw new LogRefusal('the log is empty');
  const formats = filled.map((text) => wanted ?? recognised(text));
  const unknown = formats.indexOf(undefined);
  if (unknown >= 0) {
    if (/<(urlset|sitemapindex)[\s>]/.test(filled[unknown].slice(0, 2000))) {
      throw new LogRefusal(
        'this is a sitemap, which tells what the site says and not what fetches found',
        'the log, and --sitemap with this file',
      );
    }
    throw new LogRefusal(
      `no format is known that begins with ${shown(filled[unknown].slice(0, 60))}`,
      `--format with one of ${names}`,
    );
  }
  const [format] = formats;
  if (format === undefined || formats.some((each) => each !== format)) {
    throw new LogRefusal(`the parts have different formats: ${formats.map((each) => each?.name).join(', ')}`);
  }
  const parts = filled.map((text) => format.read(text, options));
  return assemble(format, parts, options);
}

function assemble(format: LogFormat, parts: readonly RecordedLog[], options: LogOptions): CrawlLog {
  const records = parts.flatMap((part) => part.records);
  const unreadable = parts.reduce((sum, part) => sum + part.unreadableCount, 0);
  const faults = parts.flatMap((part) => part.unreadable);
  const example = faults.length > 0 ? ` (the first is line ${faults[0].line}: ${faults[0].why})` : '';
  if (unreadable > 0 && unreadable * 10 > records.length + unreadable) {
    throw new LogRefusal(
      `${unreadable} of ${records.length + unreadable} lines cannot be read as ${format.title}${example}`,
    );
  }
  if (records.length === 0) throw new LogRefusal(`${format.title}, but it has no fetch in it`);
  const telling = ({ status, signature, lastModified, changed }: LogRecord): boolean =>
    Number(status) === 304 || signature !== undefined || lastModified !== undefined || changed !== undefined;
  if (!records.some(telling)) {
    throw new LogRefusal(
      'nothing tells a changed page from an unchanged one: no status 304, no signature, no Last-Modified, no verdict',
    );
  }
  const clock = logClock(
    records.map(({ time }) => time),
    options.zone,
  );
  const modified = records.flatMap(({ lastModified }) => (lastModified === undefined ? [] : [lastModified]));
  const modifiedClock = logClock(modified, options.zone);
  const pages = new Map<string, Observation[]>();
  const weights = new Map<string, number>();
  const names = new PageNames();
  let untimed = 0;
  let failed = 0;
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const record of records) {
    const observation = observationOf(record, clock.read(record.time), modifiedClock.read);
    if (observation === null) {
      untimed++;
      continue;
    }
    const { time } = observation;
    if (isFailed(observation)) failed++;
    from = Math.min(from, time);
    to = Math.max(to, time);
    const name = names.of(record.page);
    const known = pages.get(name);
    if (known === undefined) pages.set(name, [observation]);
    else known.push(observation);
    const weight = Number(record.weight ?? Number.NaN);
    if (weight >= 0 && weight < Number.POSITIVE_INFINITY) weights.set(name, weight);
  }
  if (untimed * 10 > records.length) {
    const first = records.find((record) => !Number.isFinite(clock.read(record.time)));
    throw new LogRefusal(`${untimed} of ${records.length} times cannot be read, such as ${shown(first?.time)}`);
  }
  const notes = new Set([...parts.flatMap((part) => part.notes), ...(format.readsDates ? [] : clock.said)]);
  const passedOver = new Map<string, number>();
  for (const part of parts)
    for (const [why, count] of part.passedOver) passedOver.set(why, (passedOver.get(why) ?? 0) + count);
  for (const [why, count] of passedOver) notes.add(`${count} passed over: ${why}.`);
  if (unreadable > 0) notes.add(`${unreadable} lines cannot be read${example}.`);
  if (untimed > 0) notes.add(`${untimed} fetches have no time that can be read.`);
  const list = Array.from(pages, ([id, observations]) => pageOf(id, observations, weights.get(id)));
  const inferred = withAlwaysChanged(list);
  for (const note of [...names.notes, ...inferred.notes]) notes.add(note);
  return { format, pages: inferred.pages, fetches: records.length - untimed, failed, from, to, notes: [...notes] };
}

/** The log without what comes after a moment, for a plan that starts there; the log itself where nothing does. */
export function logUntil(log: CrawlLog, now: number): CrawlLog {
  if (log.to <= now) return log;
  const pages = log.pages
    .map((page) => ({ ...page, observations: page.observations.filter(({ time }) => time <= now) }))
    .filter(({ observations }) => observations.length > 0);
  if (pages.length === 0) throw new LogRefusal('every line of the log is later than --now');
  const times = pages.flatMap(({ observations }) => observations.map(({ time }) => time));
  const fetches = times.length;
  const to = times.reduce((last, time) => Math.max(last, time), Number.NEGATIVE_INFINITY);
  const failed = pages.reduce((sum, { observations }) => sum + observations.filter(isFailed).length, 0);
  return { ...log, pages, fetches, failed, to, notes: [...log.notes, laterNote(log.fetches - fetches)] };
}

const laterNote = (count: number): string =>
  `--now lies inside the log: ${count} later ${count === 1 ? 'line is' : 'lines are'} ignored.`;

const isFailed = ({ status }: Observation): boolean => !sawPage(status);

function pageOf(id: string, observations: Observation[], weight: number | undefined): LoggedPage {
  observations.sort((a, b) => a.time - b.time);
  const host = hostOf(id);
  return { id, ...(host !== undefined && { host }), ...(weight !== undefined && { weight }), observations };
}

const truths = new Map([
  ...['true', 'yes', '1'].map((text) => [text, true] as const),
  ...['false', 'no', '0'].map((text) => [text, false] as const),
]);

function observationOf(
  { status, signature, lastModified, changed }: LogRecord,
  time: number,
  readModified: (value: string | number) => number,
): Observation | null {
  if (!Number.isFinite(time)) return null;
  const code = Number(status ?? Number.NaN);
  const modified = lastModified === undefined ? Number.NaN : readModified(lastModified);
  const verdict = changed === undefined ? undefined : truths.get(String(changed).toLowerCase());
  return {
    time,
    ...(Number.isInteger(code) && code >= 0 && code <= 999 && { status: code }),
    // A signature longer than the contract allows is cut: its beginning tells as much.
    ...(signature !== undefined && { signature: signature.slice(0, 512) }),
    ...(Number.isFinite(modified) && { lastModified: modified }),
    ...(verdict !== undefined && { changed: verdict }),
  };
}
