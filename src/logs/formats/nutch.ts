/**
 * Apache Nutch's `readdb -dump`: one block a URL, with its last fetch. The time of that fetch is the fetch time (the
 * next one) less the retry interval; several dumps one after the other give several fetches. Pages under
 * PlanFetchSchedule (integrations/nutch) bring their last fetches.
 */
import { RecordCollector } from '../log-record.ts';
import { firstLine, type LogFormat, numberedLines } from './format.ts';
import { notedFetches, notedFetchesName } from './noted-fetches.ts';

const head = /^(\S+)\tVersion: \d+$/;
const field = /^(Status|Fetch time|Modified time|Retry interval|Signature): ?(.*)$/;
/** A line of a page's metadata, which a dump indents. */
const noted = new RegExp(`^\\s+${notedFetchesName.replace('.', '\\.')}=(.*)$`);

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

export const nutch: LogFormat = {
  name: 'nutch',
  title: 'a dump of Nutch’s crawldb (readdb -dump)',
  readsDates: true,
  recognises: (beginning) => head.test(firstLine(beginning)),
  read(text, options) {
    const collected = new RecordCollector();
    let page = '';
    let begun = 0;
    let fields = new Map<string, string>();
    const close = (): void => {
      if (page !== '') take(page, begun, fields, options.zone, collected);
    };
    for (const [number, line] of numberedLines(text)) {
      const opened = head.exec(line);
      if (opened !== null) {
        close();
        [page, begun, fields] = [opened[1], number, new Map()];
        continue;
      }
      const found = field.exec(line);
      if (found !== null) fields.set(found[1], found[2].trim());
      const fetches = noted.exec(line);
      if (fetches !== null) fields.set(notedFetchesName, fetches[1]);
    }
    close();
    // A noted fetch has no status.
    if (collected.records.some(({ status }) => status !== undefined)) {
      collected.notes.push(
        'Taken from each entry: the page, its last fetch (fetch time less retry interval), status, signature and modified time.',
        'A crawldb keeps the last fetch of a page alone: pass dumps of several days for its history.',
      );
    }
    return collected;
  },
};

function take(
  page: string,
  line: number,
  fields: ReadonlyMap<string, string>,
  zone: string | undefined,
  collected: RecordCollector,
): void {
  const history = notedFetches(page, fields.get(notedFetchesName)?.split(' ') ?? []);
  if (history.length > 0) {
    for (const record of history) collected.records.push(record);
    return;
  }
  const name = /\((\w+)\)/.exec(fields.get('Status') ?? '')?.[1] ?? '';
  const status = statuses.get(name);
  if (status === undefined) {
    collected.passOver(name === 'db_unfetched' ? 'not fetched yet' : `status ${name || 'unknown'}`);
    return;
  }
  const next = javaDate(fields.get('Fetch time') ?? '', zone);
  const interval = Number(/^(\d+) seconds/.exec(fields.get('Retry interval') ?? '')?.[1] ?? Number.NaN);
  if (!Number.isFinite(next - interval)) {
    collected.fault(line, `${page} has no Fetch time or no Retry interval in seconds`);
    return;
  }
  const signature = fields.get('Signature');
  const modified = javaDate(fields.get('Modified time') ?? '', zone);
  collected.records.push({
    page,
    time: next - interval,
    status,
    signature: status !== '200' || signature === 'null' || signature === '' ? undefined : signature,
    lastModified: modified > 0 ? modified : undefined,
  });
}

/**
 * `Mon Jun 01 00:00:19 UTC 2026`, as Java's Date writes it; zones other than UTC and GMT have names that are not
 * unique.
 */
function javaDate(text: string, zone: string | undefined): number {
  const found = /^\w{3} (\w{3}) (\d\d) (\d\d:\d\d:\d\d) (\w+) (\d{4})$/.exec(text);
  if (found === null) return Number.NaN;
  const [, month, day, time, name, year] = found;
  const offset = /^(UTC|GMT)$/.test(name) ? 'GMT' : zone?.replace(':', '');
  return offset === undefined ? Number.NaN : Date.parse(`${day} ${month} ${year} ${time} ${offset}`) / 1000;
}
