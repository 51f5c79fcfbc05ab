/**
 * The pages.jsonl of a WACZ, as Browsertrix Crawler writes it. A header line comes first, then one page a line with
 * url, ts and, with `--text to-pages`, the text, which serves as the signature. Source: WACZ specification 1.1, section
 * "pages.jsonl".
 */
import type { FetchCollector } from '../fetch-collector.ts';
import { excerpt, type LogOptions, LogRefusal } from '../log-record.ts';
import type { LogFormat, LogReader } from './format.ts';
import { type JsonRow, JsonRowReader } from './json-rows.ts';

function open(_options: LogOptions, fetches: FetchCollector): LogReader {
  let hasText = false;
  const onRow = (row: JsonRow, number: number): void => {
    const { url, ts, status, text } = row;
    if (row.format !== undefined && url === undefined) return;
    if (typeof url !== 'string' || (typeof ts !== 'string' && typeof ts !== 'number')) {
      fetches.fault(number, `no url or no ts: ${excerpt(row)}`);
      return;
    }
    const signature = typeof text === 'string' && text !== '' ? text : undefined;
    if (signature !== undefined) hasText = true;
    const code = typeof status === 'string' || typeof status === 'number' ? { status } : {};
    fetches.add({ page: url, time: ts, signature, ...code }, number);
  };
  const onEnd = (): void => {
    if (fetches.count === 0 || hasText) return;
    throw new LogRefusal(
      'the pages have no text, so that nothing tells a change: crawl with --text to-pages, or give the index ' +
        '(indexes/index.cdxj in the WACZ), which has digests',
    );
  };
  return new JsonRowReader(fetches, { onRow, onEnd });
}

export const browsertrix: LogFormat = {
  name: 'browsertrix',
  title: 'a pages.jsonl of Browsertrix',
  recognises: ({ line }) => /"format"\s*:\s*"json-pages-/.test(line),
  open,
};
