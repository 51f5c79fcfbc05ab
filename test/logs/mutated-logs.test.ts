/**
 * One odd line, one odd header, one odd page: whatever stands in it, the other pages are read as without it, every line
 * is either a fetch or counted in a note, and the log is not refused.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planRequest } from '../../src/logs/plan-request.ts';
import { readLog } from '../../src/logs/read-log.ts';
import { readSitemaps } from '../../src/logs/sitemaps/read-sitemaps.ts';

const day = 86_400;
const start = Date.UTC(2026, 4, 1, 6) / 1000;
const runs = 100;

interface Fetch {
  readonly url: string;
  readonly time: number;
  readonly status: number;
  readonly version: number;
  /** A wrong header or cell of the odd page. */
  readonly odd?: string;
}

const iso = (time: number): string => new Date(1000 * time).toISOString().replace('.000Z', 'Z');
const stamp = (time: number): string => iso(time).replaceAll(/\D/g, '');
const http = (time: number): string => new Date(1000 * time).toUTCString();
const java = (time: number): string =>
  new Date(1000 * time).toUTCString().replace(/^(\w+), (\d+) (\w+) (\d+) ([\d:]+) GMT$/, '$1 $3 $2 $5 UTC $4');
const sha1 = (version: number): string =>
  version.toString(16).padStart(40, 'a0b1c2d3e4f5061728394a5b6c7d8e9f00112233'.slice(0, 38));

/** A log format: how it writes a fetch, which value of a line can be odd, and its header. */
interface Format {
  readonly name: string;
  /** Lines without a fetch, beside blank ones. */
  readonly empty?: RegExp;
  readonly head?: string;
  /** Whether odd lines next to each other may count as one, since nothing tells where a record ends. */
  readonly joins?: true;
  line(fetch: Fetch): string;
}

/** The separators of the rows of a list. */
const brackets = /^[\s[\],]*$/;

const formats: readonly Format[] = [
  {
    name: 'csv',
    head: 'url,time,status,hash,last_modified\n',
    line: ({ url, time, status, version, odd }) =>
      `${url},${iso(time)},${status},${sha1(version)},${odd === undefined ? http(start - day).replace(',', '') : cell(odd)}\n`,
  },
  {
    name: 'json',
    empty: brackets,
    joins: true,
    line: ({ url, time, status, version, odd }) =>
      `${JSON.stringify({ url, time, status, hash: sha1(version), ...(odd !== undefined && { last_modified: odd, changed: odd }) })}\n`,
  },
  {
    name: 'json of several lines a row',
    empty: brackets,
    joins: true,
    head: '[\n',
    line: ({ url, time, status, version, odd }) =>
      `${JSON.stringify({ url, time, status, meta: { depth: 1 }, hash: sha1(version), last_modified: odd }, null, 2)},\n`,
  },
  {
    name: 'json on one line',
    empty: brackets,
    joins: true,
    head: '[',
    line: ({ url, time, status, version, odd }) =>
      `${JSON.stringify({ url, time, status, hash: sha1(version), last_modified: odd })},`,
  },
  {
    name: 'access-log',
    line: ({ url, time, status, odd = '-' }) =>
      `10.0.0.7 - - [${http(time).replace(/^\w+, (\d+) (\w+) (\d+) ([\d:]+) GMT$/, '$1/$2/$3:$4 +0000')}] "GET ${url.slice(17)} HTTP/1.1" ${status} 512 "${odd.replaceAll(/["\\\n]/g, '')}" "bot/1"\n`,
  },
  {
    name: 'cdx',
    head: ' CDX N b a m s k r M S V g\n',
    line: ({ url, time, status, version, odd = 'text/html' }) =>
      `example,x)/ ${stamp(time)} ${url} ${odd.replaceAll(/\s/g, '') || '-'} ${status} ${sha1(version)} - - 9 9 x.warc.gz\n`,
  },
  {
    name: 'heritrix',
    line: ({ url, time, status, version, odd = '-' }) =>
      `${iso(time + 2).replace('Z', '.917Z')}   ${status} 1270 ${url} LL http://x.example/ text/html #002 ${stamp(time)}123+421 sha1:${sha1(version)} ${odd.replaceAll(/\s/g, '') || '-'} -\n`,
  },
  {
    name: 'warc',
    joins: true,
    line: ({ url, time, status, version, odd }) => {
      const content = `HTTP/1.1 ${status} OK\r\n${odd === undefined ? '' : `Last-Modified: ${odd.replaceAll(/[\r\n]/g, ' ')}\r\n`}\r\nbody`;
      return `WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: ${url}\r\nWARC-Date: ${iso(time)}\r\nWARC-Payload-Digest: sha1:${sha1(version)}\r\nContent-Length: ${content.length}\r\n\r\n${content}\r\n\r\n`;
    },
  },
  {
    name: 'nutch',
    empty: /^(?:\s.*)?$/s,
    joins: true,
    line: ({ url, time, version, odd }) =>
      `${url}\tVersion: 7\nStatus: 2 (db_fetched)\nFetch time: ${java(time + day)}\nModified time: ${odd?.replaceAll(/\s/g, ' ') ?? 'Thu Jan 01 00:00:00 UTC 1970'}\nRetries since fetch: 0\nRetry interval: 86400 seconds (1 days)\nSignature: ${sha1(version).slice(8)}\nMetadata: \n\n`,
  },
  {
    name: 'storm-crawler',
    empty: brackets,
    joins: true,
    line: ({ url, time, status, version, odd }) =>
      `${JSON.stringify({
        url,
        status: 'FETCHED',
        nextFetchDate: iso(time + day),
        metadata: {
          lastProcessedDate: [iso(time)],
          signature: [sha1(version).slice(8)],
          'fetch.statusCode': [String(status)],
          ...(odd !== undefined && { 'last-modified': [odd] }),
        },
      })}\n`,
  },
  {
    name: 'browsertrix',
    empty: brackets,
    joins: true,
    head: '{"format": "json-pages-1.0", "id": "pages", "title": "All Pages", "hasText": true}\n',
    line: ({ url, time, status, version, odd }) =>
      `${JSON.stringify({ id: odd ?? 'a', url, ts: iso(time), status, text: `text ${version}`, title: odd ?? 'a' })}\n`,
  },
  {
    name: 'feeds',
    head: 'feed,published,lastFetch\n',
    line: ({ url, time, odd = '' }) => `${url},${iso(time)},${cell(odd)}\n`,
  },
];

const cell = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Ten pages over three weeks, each with changes of its own rhythm; 304s where it is an access log. */
function fetchesOf({ name }: Format): Fetch[] {
  const list: Fetch[] = [];
  for (let k = 0; k < 21; k++) {
    for (let p = 0; p < 10; p++) {
      const version = 1000 * p + Math.floor(k / (p + 1));
      const isSame = k > 0 && k % (p + 1) !== 0;
      const status = name === 'access-log' && isSame ? 304 : 200;
      list.push({ url: `https://x.example/page-${p}`, time: start + day * k + 60 * p, status, version });
    }
  }
  return list;
}

const oddText = fc.oneof(
  fc.constantFrom(
    ...['', ' ', '0', '-1', '9999', '1e300', 'NaN', 'null', '-', '\\N', 'now', 'maybe', '2026-02-30T00:00:00Z'],
    ...['Thu, 01 Jan 1970 00:00:01 GMT', 'Tue, 01 Jan 1980 00:00:00 GMT', '31/12/9999 00:00:00', '01/02/2026 10:00:00'],
    ...'W/" " \' { [ } ] <html> \u0000 \ufffd ☃ __proto__ % %zz'.split(' '),
    'x'.repeat(20_000),
  ),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);

/** Lines that are no fetch, or a damaged fetch of a page of their own. */
const oddLine = ({ line }: Format): fc.Arbitrary<string> => {
  const own = line({ url: 'https://x.example/odd', time: start + day, status: 200, version: 77_000 });
  const at = fc.nat(Math.max(0, own.length - 2));
  return fc.oneof(
    fc
      .constantFrom(
        ...'x " """ , { } [ ] {"a": null 17 [] {} "text" \u0000\u0000 <html> # WARC/1.0'.split(' '),
        ...['[['.repeat(3000), '{"a":'.repeat(3000), 'y'.repeat(50_000), 'HTTP/1.1 200 OK', ' CDX N b', '\tVersion: 7'],
      )
      .map((text) => `${text}\n`),
    // cut off, with another character, or with another time
    at.map((end) => `${own.slice(0, end).replaceAll('\n', ' ').trimEnd()}\n`),
    fc.tuple(at, oddText).map(([k, odd]) => `${(own.slice(0, k) + odd + own.slice(k + 1)).trimEnd()}\n`),
    fc
      .constantFrom('0', '-5', '1e15', 'soon', '9999-12-31T00:00:00Z', '1970-01-01T00:00:00Z', '')
      .map((time) =>
        own.replaceAll(/2026-05-\d\d[T ][\d:.]+Z|20260502\d{6}|17776\d{5}|\d\d\/May\/2026:[\d:]+ \+0000/g, time),
      ),
  );
};

/** The crawl-plan request for the pages whose lines were not changed. */
function otherPages(text: string): { readonly request: string; readonly told: number; readonly notes: string } {
  const log = readLog([text]);
  const settings = { now: start + 30 * day, interval: day, crawls: 5 };
  const { pages } = planRequest(log, settings);
  const request = JSON.stringify(pages.filter(({ id }) => /page-\d$/.test(id)));
  const notes = log.notes.join('\n');
  const counted = Array.from(notes.matchAll(/^(\d+) (?:passed over|lines cannot be read|fetches have no time)/gm));
  return { request, told: log.fetches + counted.reduce((sum, [, count]) => sum + Number(count), 0), notes };
}

describe.each(formats.map((format) => [format.name, format] as const))('a log (%s)', (_, format) => {
  const fetches = fetchesOf(format);
  const good = fetches.map((each) => format.line(each));
  const { head = '', empty = /^\s*$/ } = format;
  const right = otherPages(head + good.join(''));
  const textWith = (list: readonly (readonly [at: number, line: string])[]): string => {
    const units = [...good];
    for (const [at, line] of list) units.splice(at % (good.length + 1), 0, line);
    return head + units.join('');
  };

  it('is read whole', () => {
    expect(right.told).toBe(good.length);
    expect(right.notes).not.toMatch(/cannot be read|left out|count for nothing/);
  });

  it('keeps its other pages, and the one with an odd header', () => {
    const property = fc.property(oddText, fc.nat(), fc.nat(20), (odd, at, k) => {
      const page = { url: 'https://x.example/odd', time: start + day * k, status: 200, version: 5 };
      const remaining = otherPages(textWith([[at, format.line({ ...page, odd })]]));
      expect(remaining.request).toBe(right.request);
      expect(remaining.told).toBe(good.length + 1);
    });
    fc.assert(property, { numRuns: runs, seed: 59 });
  });

  it('keeps its other pages beside a page of one odd line or several, and counts these', () => {
    const property = fc.property(
      // an entry of a feed counts once, however often it is in the log
      fc.uniqueArray(fc.tuple(fc.nat(), oddLine(format)), { minLength: 1, maxLength: 9, selector: ([, line]) => line }),
      (list) => {
        const remaining = otherPages(textWith(list));
        expect(remaining.request).toBe(right.request);
        const odd = list.filter(([, line]) => !empty.test(line));
        const oddLines = odd.reduce((sum, [, line]) => sum + line.trimEnd().split('\n').length, 0);
        if (format.joins !== true) expect(remaining.told).toBe(good.length + odd.length);
        expect(remaining.told).toBeLessThanOrEqual(good.length + oddLines);
        expect(remaining.told).toBeGreaterThanOrEqual(good.length + Math.min(1, odd.length));
      },
    );
    fc.assert(property, { numRuns: runs, seed: 60 });
  });
});

describe('a sitemap', () => {
  const entry = (loc: string, lastmod: string): string => `<url><loc>${loc}</loc><lastmod>${lastmod}</lastmod></url>`;
  const good = Array.from({ length: 12 }, (_, p) => entry(`https://x.example/page-${p}`, iso(start + 60 * p)));
  const wrap = (entries: readonly string[]): string => `<?xml version="1.0"?>\n<urlset>${entries.join('\n')}</urlset>`;
  const signalsOf = (text: string): [string, number] => {
    const { signals, notes } = readSitemaps([{ name: 's.xml', text }]);
    const own = Array.from(signals).filter(([page]) => /page-\d+$/.test(page));
    return [JSON.stringify(own), Number(/(\d+) entries have no loc, or/.exec(notes.join('\n'))?.[1] ?? 0)];
  };
  const [right] = signalsOf(wrap(good));
  const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

  it('keeps its other pages beside an odd entry', () => {
    const property = fc.property(oddText, fc.nat(12), fc.boolean(), (odd, at, inPlace) => {
      const text = inPlace ? entry(escaped(odd), 'soon') : entry('https://x.example/odd', escaped(odd));
      const [signals, unread] = signalsOf(wrap([...good.slice(0, at), text, ...good.slice(at)]));
      expect(signals).toBe(right);
      if (inPlace || !/^(?:\s*|Thu, 01.*|Tue, 01.*|01\/02.*)$/.test(odd)) expect(unread).toBe(1);
    });
    fc.assert(property, { numRuns: runs, seed: 61 });
  });
});
