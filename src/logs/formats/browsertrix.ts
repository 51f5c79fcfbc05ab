/**
 * The pages.jsonl of a WACZ, as Browsertrix Crawler writes it. A header line comes first, then a page a line with url,
 * ts and, with `--text to-pages`, the text. A page's text is its signature. Source: WACZ specification 1.1, section
 * "pages.jsonl".
 */
import { LogRefusal, RecordCollector, shown } from '../log-record.ts';
import { firstLine, type LogFormat } from './format.ts';
import { jsonRows } from './json-rows.ts';

/** Two hashes of 32 bits over the text (FNV-1a, forwards and backwards), for telling texts apart. */
function digestOf(text: string): string {
  let one = 0x811c9dc5;
  let two = 0x811c9dc5;
  for (let k = 0; k < text.length; k++) {
    one = Math.imul(one ^ text.charCodeAt(k), 0x01000193);
    two = Math.imul(two ^ text.charCodeAt(text.length - 1 - k), 0x01000193);
  }
  return [one, two].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('');
}

export const browsertrix: LogFormat = {
  name: 'browsertrix',
  title: 'a pages.jsonl of Browsertrix',
  recognises: (beginning) => /"format"\s*:\s*"json-pages-/.test(firstLine(beginning)),
  read(text) {
    const collected = new RecordCollector();
    for (const [number, row] of jsonRows(text, collected)) {
      const { url, ts, status, text: said } = row;
      if (row.format !== undefined && url === undefined) continue;
      if (typeof url !== 'string' || (typeof ts !== 'string' && typeof ts !== 'number')) {
        collected.fault(number, `no url or no ts: ${shown(row)}`);
        continue;
      }
      const told = typeof said === 'string' && said !== '';
      collected.records.push({
        page: url,
        time: ts,
        ...((typeof status === 'string' || typeof status === 'number') && { status }),
        ...(told && { signature: digestOf(said) }),
      });
    }
    if (collected.records.length > 0 && collected.records.every(({ signature }) => signature === undefined)) {
      throw new LogRefusal(
        'the pages have no text, so that nothing tells a change: crawl with --text to-pages, or give the index ' +
          '(indexes/index.cdxj in the WACZ), which has digests',
      );
    }
    return collected;
  },
};
