/**
 * Apache Nutch's `readdb -dump`, as text (one block a URL), `-format csv` or `-format json`: the last fetch of each URL.
 * The time of that fetch is the fetch time (the next one) less the retry interval; several dumps one after the other give
 * several fetches.
 */
import type { FetchCollector } from '../fetch-collector.ts';
import { excerpt, type LogOptions } from '../log-record.ts';
import { readMoment } from '../log-times.ts';
import { namedRows } from './delimited.ts';
import { firstLine, Lines, type LogFormat, type LogReader } from './format.ts';
import { isRow, JsonRows } from './json-rows.ts';

const head = /^(\S+)\tVersion: \d+$/;
const field = /^(Status|Fetch time|Modified time|Retry interval|Signature): ?(.*)$/;
/** Any line of a block but the first; metadata are indented. */
const ofBlock =
  /^(?:$|\s|(?:Status|Fetch time|Modified time|Retries since fetch|Retry interval|Score|Signature|Metadata):)/;
const csvHead = /^"?url"?[,;]"?status code"?[,;]"?status name"?[,;]"?fetch time"?[,;]/i;
const jsonHead = /^\s*\[?\s*\{\s*"url".*"statusName"\s*:.*"fetchTime"\s*:/s;

/** Statuses of the crawldb that give the result of the last fetch. */
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
}

type Take = (entry: Entry, number: number) => void;

function open({ zone }: LogOptions, fetches: FetchCollector): LogReader {
  const before = fetches.count;
  const take: Take = (entry, number) => takeEntry(entry, number, zone, fetches);
  let reader: LogReader | null = null;
  return {
    push(text) {
      reader ??= csvHead.test(text)
        ? csvReader(take, fetches)
        : jsonHead.test(text)
          ? jsonReader(take, fetches)
          : textReader(take, fetches);
      reader.push(text);
    },
    end() {
      reader?.end();
      if (fetches.count === before) return;
      fetches.note(
        'Taken from each entry: the page, its last fetch (fetch time less retry interval), status, signature and modified time.',
      );
      fetches.note('A crawldb keeps the last fetch of a page alone: pass dumps of several days for its history.');
    },
  };
}

function textReader(take: Take, fetches: FetchCollector): LogReader {
  let [page, begun] = ['', 0];
  /** Whether the current block's first line is unreadable. */
  let isLost = false;
  const fields = new Map<string, string>();
  const of = (name: string): string => fields.get(name) ?? '';
  const close = (): void => {
    if (page === '') return;
    const status = /\((\w+)\)/.exec(of('Status'))?.[1] ?? '';
    const interval = /^(\d+) seconds/.exec(of('Retry interval'))?.[1] ?? '';
    const dates = { next: of('Fetch time'), modified: of('Modified time') };
    take({ page, status, ...dates, interval, signature: of('Signature') }, begun);
    page = '';
  };
  const read = (text: string, number: number): void => {
    const line = text.trimEnd();
    const opened = head.exec(line);
    if (opened !== null) {
      close();
      [page, begun, isLost] = [opened[1], number, false];
      fields.clear();
      return;
    }
    const [, name, value = ''] = field.exec(line) ?? [];
    // a blank line or a repeated field ends a block
    if (line === '' || (name !== undefined && fields.has(name))) close();
    if (line === '') isLost = false;
    else if (page !== '' && name !== undefined) fields.set(name, value.trim());
    else if (page === '' && !isLost && (name === 'Status' || !ofBlock.test(line))) {
      isLost = true;
      fetches.fault(number, `no line "<URL><tab>Version: <number>" before ${excerpt(line)}`);
    }
  };
  return new Lines(read, close, true);
}

/** Readers of the two formats whose entries have names. */
function csvReader(take: Take, fetches: FetchCollector): LogReader {
  const fault = (number: number, why: string): void => fetches.fault(number, why);
  const takeRow = (row: Readonly<Record<string, string>>, number: number): void => {
    const values = new Map(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value]));
    const of = (name: string): string => values.get(name) ?? '';
    const entry = {
      page: of('url'),
      status: of('status name'),
      next: of('fetch time'),
      modified: of('modified time'),
      interval: of('retry interval seconds') || of('retry interval'),
      signature: of('signature'),
    };
    take(entry, number);
  };
  return namedRows(takeRow, fault, () => {});
}

function jsonReader(take: Take, fetches: FetchCollector): LogReader {
  const fault = (number: number, why: string): void => fetches.fault(number, why);
  const takeRow = (row: unknown, number: number): void => {
    if (!isRow(row)) {
      fault(number, `no JSON object: ${excerpt(row)}`);
      return;
    }
    const of = (name: string): string => String(row[name] ?? '');
    const entry = {
      page: of('url'),
      status: of('statusName'),
      next: of('fetchTime'),
      modified: of('modifiedTime'),
      interval: of('retryIntervalSeconds'),
      signature: of('signature'),
    };
    take(entry, number);
  };
  return new JsonRows(takeRow, fault);
}

function takeEntry(entry: Entry, number: number, zone: string | undefined, fetches: FetchCollector): void {
  const { page, status: name, next, interval, signature } = entry;
  const status = statuses.get(name);
  if (status === undefined && name !== '') {
    fetches.passOver(name === 'db_unfetched' ? 'not fetched yet' : `status ${name.slice(0, 40)}`);
    return;
  }
  const time = javaDate(next, zone) - Number(interval === '' ? Number.NaN : interval);
  if (page === '' || status === undefined) {
    fetches.fault(number, `no URL, or no status such as db_fetched: ${excerpt(entry)}`);
  } else if (!Number.isFinite(time)) {
    const hint = /[A-Z]{3,5} \d{4}$/.test(next)
      ? '; a zone whose name is not unique is told by --zone, such as +02:00'
      : '';
    fetches.fault(
      number,
      `${excerpt(page)} has no Fetch time (${excerpt(next)}) or no Retry interval in seconds (${excerpt(interval)})${hint}`,
    );
  } else {
    // the crawldb has 1970 if the server sent no Last-Modified
    const modified = javaDate(entry.modified, zone);
    const lastModified = Number.isFinite(modified) ? modified : entry.modified;
    fetches.add(
      {
        page,
        time,
        status,
        ...(status === '200' && { signature }),
        ...(!/ 1970$/.test(entry.modified) && { lastModified }),
      },
      number,
    );
  }
}

/** `Mon Jun 01 00:00:19 UTC 2026`; zones other than UTC and GMT have names that are not unique. */
function javaDate(text: string, zone: string | undefined): number {
  const named = /^(\w{3} \w{3} +\d{1,2} [\d:]{8}) (\w+) (\d{4})$/.exec(text.trim());
  if (named === null || /^(?:UTC|GMT)$/.test(named[2])) return readMoment(text, 'UTC');
  return zone === undefined ? Number.NaN : readMoment(`${named[1]} ${zone} ${named[3]}`, zone);
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
