/**
 * Apache Nutch's `readdb -dump`, as text (one block a URL), `-format csv` or `-format json`: the last fetch of each URL.
 * The time of that fetch is the fetch time (the next one) less the retry interval; several dumps one after the other give
 * several fetches.
 */
import type { FetchCollector } from '../fetch-collector.ts';
import { excerpt, type LogOptions } from '../log-record.ts';
import { parseTime } from '../time-parser.ts';
import { chooseReader, LineReader, type LogFormat, type LogReader } from './format.ts';
import { openRowReader } from './rows.ts';

const head = /^(\S+)\tVersion: \d+$/;
const anyHead = /^\S+\tVersion: \d+\s*$/m;
const field = /^(Status|Fetch time|Modified time|Retry interval|Signature): ?(.*)$/;
/** Any line of a block but the first; metadata are indented. */
const blockLine =
  /^(?:$|\s|(?:Status|Fetch time|Modified time|Retries since fetch|Retry interval|Score|Signature|Metadata):)/;
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

/** The fields of an entry, by names in lower case without blanks, whatever the dump's format. */
type Entry = ReadonlyMap<string, string>;

const plain = (name: string): string => name.toLowerCase().replaceAll(' ', '');

function open({ zone }: LogOptions, fetches: FetchCollector): LogReader {
  const initialCount = fetches.count;
  const take = (entry: Entry, number: number): void => takeEntry(entry, number, zone, fetches);
  const takeRow = (row: object, number: number): void =>
    take(new Map(Object.entries(row).map(([name, value]) => [plain(name), String(value ?? '')])), number);
  const onEnd = (): void => {
    if (fetches.count === initialCount) return;
    fetches.note(
      'Taken from each entry: the page, its last fetch (fetch time less retry interval), status, signature and modified time.',
    );
    fetches.note('A crawldb keeps the last fetch of a page alone: pass dumps of several days for its history.');
  };
  return chooseReader((text) =>
    anyHead.test(text) ? textReader(take, onEnd, fetches) : openRowReader(fetches, { onRow: takeRow, onEnd }),
  );
}

function textReader(
  take: (entry: Entry, number: number) => void,
  onEnd: () => void,
  fetches: FetchCollector,
): LogReader {
  /** The block being read, and the number of its first line; a block without a head is skipped as one fault. */
  let block: Map<string, string> | 'fault' | null = null;
  let [page, blockNumber] = ['', 0];
  const close = (): void => {
    if (block instanceof Map) take(block.set('url', page), blockNumber);
    block = null;
  };
  const read = (text: string, number: number): void => {
    const line = text.trimEnd();
    const nextPage = head.exec(line)?.[1];
    const [, name, value = ''] = field.exec(line) ?? [];
    // a blank line or a repeated field ends a block
    if (
      line === '' ||
      nextPage !== undefined ||
      (block instanceof Map && name !== undefined && block.has(plain(name)))
    ) {
      close();
    }
    if (nextPage !== undefined) [block, page, blockNumber] = [new Map(), nextPage, number];
    else if (block instanceof Map && name !== undefined) block.set(plain(name), value.trim());
    else if (block === null && line !== '' && (name === 'Status' || !blockLine.test(line))) {
      block = 'fault';
      fetches.fault(number, `no line "<URL><tab>Version: <number>" before ${excerpt(line)}`);
    }
  };
  const end = (): void => {
    close();
    onEnd();
  };
  return new LineReader(read, end, true);
}

function takeEntry(entry: Entry, number: number, zone: string | undefined, fetches: FetchCollector): void {
  const of = (...names: readonly string[]): string => names.map((each) => entry.get(each)).find(Boolean) ?? '';
  const [page, nextFetchTime, modifiedTime] = [of('url'), of('fetchtime'), of('modifiedtime')];
  // 2 (db_fetched) as text
  const name = /\((\w+)\)/.exec(of('status'))?.[1] ?? of('statusname');
  const interval = /^[\d.]+(?= seconds|$)/.exec(of('retryintervalseconds', 'retryinterval'))?.[0];
  const status = statuses.get(name);
  const time = javaDate(nextFetchTime, zone) - Number(interval);
  if (status === undefined && name !== '') {
    fetches.passOver(name === 'db_unfetched' ? 'not fetched yet' : `status ${name.slice(0, 40)}`);
  } else if (page === '' || status === undefined) {
    fetches.fault(number, `no URL, or no status such as db_fetched: ${excerpt(Object.fromEntries(entry))}`);
  } else if (!Number.isFinite(time)) {
    const hint = /[A-Z]{3,5} \d{4}$/.test(nextFetchTime)
      ? '; a zone whose name is not unique is told by --zone, such as +02:00'
      : '';
    fetches.fault(
      number,
      `${excerpt(page)} has no Fetch time (${excerpt(nextFetchTime)}) or no Retry interval in seconds (${excerpt(interval ?? '')})${hint}`,
    );
  } else {
    // the crawldb has 1970 if the server sent no Last-Modified
    const lastModified = / 1970$/.test(modifiedTime) ? undefined : javaDate(modifiedTime, zone) || modifiedTime;
    const signature = status === '200' ? of('signature') : undefined;
    fetches.add({ page, time, status, signature, lastModified }, number);
  }
}

/** `Mon Jun 01 00:00:19 UTC 2026`; the name of a zone that is not unique is that of the log. */
function javaDate(text: string, zone: string | undefined): number {
  const time = parseTime(text, 'UTC');
  const zoneName = /[A-Z]{3,5}(?= \d{4}$)/;
  return Number.isNaN(time) && zone !== undefined ? parseTime(text.replace(zoneName, zone), 'UTC') : time;
}

export const nutch: LogFormat = {
  name: 'nutch',
  title: 'a dump of Nutch’s crawldb (readdb -dump)',
  hasFixedDates: true,
  recognises: ({ line, names }) => head.test(line) || (names.has('statusname') && names.has('fetchtime')),
  open,
};
