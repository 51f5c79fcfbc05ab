/**
 * Apache Nutch's `readdb -dump`, as text (one block a URL), `-format csv` or `-format json`: the last fetch of each URL.
 * The time of that fetch is the fetch time (the next one) less the retry interval; several dumps one after the other give
 * several fetches. Pages under PlanFetchSchedule (integrations/nutch) bring their last fetches.
 */
import type { FetchCollector } from '../fetch-collector.ts';
import { type LogOptions, LogRefusal } from '../log-record.ts';
import { readMoment } from '../log-times.ts';
import { DelimitedRows } from './delimited.ts';
import { firstLine, Lines, type LogFormat, type LogReader } from './format.ts';
import { isRow, JsonRows } from './json-rows.ts';
import { notedFetches, notedFetchesName } from './noted-fetches.ts';

const head = /^(\S+)\tVersion: \d+$/;
const field = /^(Status|Fetch time|Modified time|Retry interval|Signature): ?(.*)$/;
/** A line of a page's metadata, which a dump indents. */
const noted = new RegExp(`^\\s+${notedFetchesName.replace('.', '\\.')}=(.*)$`);
const csvHead = /^"?url"?,"?status code"?,"?status name"?,"?fetch time"?,/i;
const jsonHead = /^\s*\[?\s*\{\s*"url".*"statusName"\s*:.*"fetchTime"\s*:/s;

/** Statuses of the crawldb that say what the last fetch saw. */
const statuses = new Map(
  Object.entries({
    db_fetched: '200',
    db_notmodified: '304',
    db_gone: '404',
    db_redir_temp: '302',
    db_redir_perm: '301',
  }),
);

/** An entry of the crawldb, whatever the dump's format. */
interface Entry {
  readonly page: string;
  readonly status: string;
  readonly next: string;
  readonly modified: string;
  /** Seconds between two fetches. */
  readonly interval: string;
  readonly signature: string;
  readonly fetches: string;
}

function open(options: LogOptions, fetches: FetchCollector): LogReader {
  let lastAlone = false;
  const take = (entry: Entry, number: number): void => {
    if (!takeHistory(entry, fetches)) lastAlone = takeLast(entry, number, options.zone, fetches) || lastAlone;
  };
  let reader: LogReader | null = null;
  return {
    push(text) {
      reader ??= csvHead.test(text)
        ? csvReader(take, fetches)
        : jsonHead.test(text)
          ? jsonReader(take, fetches)
          : textReader(take);
      reader.push(text);
    },
    end() {
      reader?.end();
      if (!lastAlone) return;
      fetches.note(
        'Taken from each entry: the page, its last fetch (fetch time less retry interval), status, signature and modified time.',
      );
      fetches.note('A crawldb keeps the last fetch of a page alone: pass dumps of several days for its history.');
    },
  };
}

type Take = (entry: Entry, number: number) => void;

function textReader(take: Take): LogReader {
  let [page, begun] = ['', 0];
  let fields = new Map<string, string>();
  const close = (): void => {
    if (page === '') return;
    const of = (name: string): string => fields.get(name) ?? '';
    const status = /\((\w+)\)/.exec(of('Status'))?.[1] ?? '';
    const interval = /^(\d+) seconds/.exec(of('Retry interval'))?.[1] ?? '';
    const dates = { next: of('Fetch time'), modified: of('Modified time') };
    take({ page, status, ...dates, interval, signature: of('Signature'), fetches: of(notedFetchesName) }, begun);
  };
  return new Lines((line, number) => {
    const opened = head.exec(line);
    if (opened !== null) {
      close();
      [page, begun, fields] = [opened[1], number, new Map()];
      return;
    }
    const found = field.exec(line);
    if (found !== null) fields.set(found[1], found[2].trim());
    const history = noted.exec(line);
    if (history !== null) fields.set(notedFetchesName, history[1]);
  }, close);
}

function csvReader(take: Take, fetches: FetchCollector): LogReader {
  let names: readonly string[] | null = null;
  const row = (cells: readonly string[], number: number): void => {
    if (names === null) {
      names = cells.map((name) => name.trim().toLowerCase());
      return;
    }
    const known = names;
    const of = (name: string): string => cells[known.indexOf(name)] ?? '';
    if (cells.length < known.length) fetches.fault(number, `${cells.length} cells under ${known.length} names`);
    else
      take(
        {
          page: of('url'),
          status: of('status name'),
          next: of('fetch time'),
          modified: of('modified time'),
          interval: of('retry interval seconds'),
          signature: of('signature'),
          fetches: '',
        },
        number,
      );
  };
  return new DelimitedRows(row, () => {}, ',');
}

function jsonReader(take: Take, fetches: FetchCollector): LogReader {
  return new JsonRows(
    (row, number) => {
      if (!isRow(row)) return fetches.fault(number, 'no JSON object');
      const of = (name: string): string => (row[name] === undefined || row[name] === null ? '' : String(row[name]));
      return take(
        {
          page: of('url'),
          status: of('statusName'),
          next: of('fetchTime'),
          modified: of('modifiedTime'),
          interval: of('retryIntervalSeconds'),
          signature: of('signature'),
          fetches: '',
        },
        number,
      );
    },
    (number, why) => fetches.fault(number, why),
  );
}

/** Takes the fetches that the integration noted; whether there are any. */
function takeHistory({ page, fetches: list }: Entry, fetches: FetchCollector): boolean {
  const history = notedFetches(page, list.split(' '));
  for (const record of history) fetches.add(record);
  return history.length > 0;
}

/** Takes the last fetch; whether the entry has one. */
function takeLast(entry: Entry, number: number, zone: string | undefined, fetches: FetchCollector): boolean {
  const { page, status: name } = entry;
  const status = statuses.get(name);
  if (status === undefined) {
    fetches.passOver(name === 'db_unfetched' ? 'not fetched yet' : `status ${name || 'unknown'}`);
    return false;
  }
  const time = javaDate(entry.next, zone) - Number(entry.interval === '' ? Number.NaN : entry.interval);
  if (page === '' || !Number.isFinite(time)) {
    fetches.fault(number, `${page} has no Fetch time or no Retry interval in seconds`);
    return false;
  }
  const modified = javaDate(entry.modified, zone);
  // A crawldb writes 1970 where the server said nothing.
  const lastModified = Number.isFinite(modified) ? { lastModified: modified } : {};
  fetches.add({ page, time, status, ...(status === '200' && { signature: entry.signature }), ...lastModified });
  return true;
}

/** `Mon Jun 01 00:00:19 UTC 2026`; zones other than UTC and GMT have names that are not unique. */
function javaDate(text: string, zone: string | undefined): number {
  const named = /^(\w{3} \w{3} +\d{1,2} [\d:]{8}) (\w+) (\d{4})$/.exec(text.trim());
  if (named === null || /^(?:UTC|GMT)$/.test(named[2])) return readMoment(text, 'UTC');
  if (zone === undefined)
    throw new LogRefusal(
      `times like ${JSON.stringify(text)} name a zone that is not unique`,
      '--zone with its offset, such as +02:00',
    );
  return readMoment(`${named[1]} ${zone} ${named[3]}`, zone);
}

export const nutch: LogFormat = {
  name: 'nutch',
  title: 'a dump of Nutch’s crawldb (readdb -dump)',
  readsDates: true,
  recognises: (beginning) => {
    const line = firstLine(beginning);
    return head.test(line) || csvHead.test(line) || jsonHead.test(beginning.slice(0, 4096));
  },
  open,
};
