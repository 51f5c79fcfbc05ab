/**
 * Crawl logs → pages with their observations, as crawl-plan takes them. Pure: texts in, plain objects out, in any
 * JavaScript engine; the command line and the console use the same code.
 */
import type { Observation } from '../solvers/estimation/index.ts';
import { accessLog } from './formats/access-log.ts';
import { cdx } from './formats/cdx.ts';
import { delimited } from './formats/delimited.ts';
import type { LogFormat } from './formats/format.ts';
import { jsonLog } from './formats/json-rows.ts';
import { nutch } from './formats/nutch.ts';
import { stormCrawler } from './formats/storm-crawler.ts';
import { warc } from './formats/warc.ts';
import { type LogOptions, type LogRecord, LogRefusal, type RecordedLog, shown } from './log-record.ts';
import { logClock } from './log-times.ts';

/** In this order: the first that recognises a log's beginning reads it. */
const logFormats: readonly LogFormat[] = [warc, nutch, cdx, accessLog, stormCrawler, jsonLog, delimited];

export interface LoggedPage {
  readonly id: string;
  /** Of a URL; other ids have none. */
  readonly host?: string;
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

/** How much of a log is looked at to tell its format. */
const beginningLength = 64 * 1024;

/** The format of a log, by its beginning. */
export function recognised(text: string): LogFormat | undefined {
  const beginning = text.slice(0, beginningLength);
  return logFormats.find((format) => format.recognises(beginning));
}

/**
 * Reads the parts of one log, such as its files, all in one format.
 *
 * @param texts each decoded; a WARC as one character a byte
 * @param name of the format; left out: it is recognised
 * @throws LogRefusal where the log, a time or a column cannot be told apart
 */
export function readLog(texts: readonly string[], options: LogOptions = {}, name?: string): CrawlLog {
  const wanted = name === undefined ? undefined : logFormats.find((format) => format.name === name);
  const names = logFormats.map((format) => format.name).join(', ');
  if (name !== undefined && wanted === undefined) throw new LogRefusal(`no format ${shown(name)}; there are ${names}`);
  const filled = texts.filter((text) => text.trim() !== '');
  if (filled.length === 0) throw new LogRefusal('the log is empty');
  const formats = filled.map((text) => wanted ?? recognised(text));
  const unknown = formats.indexOf(undefined);
  if (unknown >= 0) {
    throw new LogRefusal(
      `no format is known that begins with ${shown(filled[unknown].slice(0, 60))}; --format names one of ${names}`,
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
    const { time, status } = observation;
    if (status !== undefined && status !== 304 && (status < 200 || status > 299)) failed++;
    from = Math.min(from, time);
    to = Math.max(to, time);
    const known = pages.get(record.page);
    if (known === undefined) pages.set(record.page, [observation]);
    else known.push(observation);
  }
  if (untimed * 10 > records.length) {
    const first = records.find((record) => !Number.isFinite(clock.read(record.time)));
    throw new LogRefusal(`${untimed} of ${records.length} times cannot be read, such as ${shown(first?.time)}`);
  }
  const notes = new Set([...parts.flatMap((part) => part.notes), ...clock.said]);
  const passedOver = new Map<string, number>();
  for (const part of parts)
    for (const [why, count] of part.passedOver) passedOver.set(why, (passedOver.get(why) ?? 0) + count);
  for (const [why, count] of passedOver) notes.add(`${count} passed over: ${why}.`);
  if (unreadable > 0) notes.add(`${unreadable} lines cannot be read${example}.`);
  if (untimed > 0) notes.add(`${untimed} fetches have no time that can be read.`);
  const list = Array.from(pages, ([id, observations]) => pageOf(id, observations));
  return { format, pages: list, fetches: records.length - untimed, failed, from, to, notes: [...notes] };
}

function pageOf(id: string, observations: Observation[]): LoggedPage {
  observations.sort((a, b) => a.time - b.time);
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]+)/i.exec(id)?.[1].toLowerCase();
  return { id, ...(host !== undefined && { host }), observations };
}

const truths: Readonly<Record<string, boolean>> = { true: true, false: false, yes: true, no: false, 1: true, 0: false };

function observationOf(
  { status, signature, lastModified, changed }: LogRecord,
  time: number,
  readModified: (value: string | number) => number,
): Observation | null {
  if (!Number.isFinite(time)) return null;
  const code = Number(status ?? Number.NaN);
  const modified = lastModified === undefined ? Number.NaN : readModified(lastModified);
  const verdict = changed === undefined ? undefined : truths[String(changed).toLowerCase()];
  return {
    time,
    ...(Number.isInteger(code) && code >= 0 && code <= 999 && { status: code }),
    // A signature longer than the contract allows is cut: its beginning tells as much.
    ...(signature !== undefined && { signature: signature.slice(0, 512) }),
    ...(Number.isFinite(modified) && { lastModified: modified }),
    ...(verdict !== undefined && { changed: verdict }),
  };
}
