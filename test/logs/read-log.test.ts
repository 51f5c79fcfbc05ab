import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DelimitedRowReader } from '../../src/logs/formats/delimited.ts';
import { detectFormat } from '../../src/logs/formats/log-formats.ts';
import { LogRefusal } from '../../src/logs/log-record.ts';
import { dayRange, logSummary } from '../../src/logs/log-summary.ts';
import { readLog } from '../../src/logs/read-log.ts';
import { parseTime, TimeParser } from '../../src/logs/time-parser.ts';

const june1 = Date.UTC(2026, 5, 1) / 1000;

describe('an access log', () => {
  const combined = (time: string, request: string, status: number, bytes: number, agent: string): string =>
    `10.0.0.7 - - [${time}] "${request}" ${status} ${bytes} "-" "${agent}"`;
  const lines = [
    combined('01/Jun/2026:02:00:00 +0200', 'GET /a HTTP/1.1', 200, 10, 'bot/1'),
    combined('01/Jun/2026:03:00:00 +0200', 'GET /a HTTP/1.1', 304, 0, 'bot/1'),
    combined('01/Jun/2026:04:00:00 +0200', 'GET /a HTTP/1.1', 200, 12, 'bot/1'),
    combined('01/Jun/2026:04:30:00 +0200', 'GET /b HTTP/1.1', 200, 12, 'bot/1'),
    combined('01/Jun/2026:05:00:00 +0200', 'HEAD /a HTTP/1.1', 200, 0, 'bot/1'),
    combined('01/Jun/2026:05:00:00 +0200', 'GET /a HTTP/1.1', 500, 0, 'bot/1'),
  ];

  it('takes 200 after conditional requests for a change, the zone from each line, and GETs alone', () => {
    const log = readLog([lines.join('\n')], { base: 'https://x.example' });
    expect(log.format.name).toBe('access-log');
    expect(JSON.parse(JSON.stringify(log.pages))).toEqual([
      {
        id: 'https://x.example/a',
        host: 'x.example',
        observations: [
          { time: june1, status: 200, changed: true },
          { time: june1 + 3600, status: 304 },
          { time: june1 + 7200, status: 200, changed: true },
          { time: june1 + 10_800, status: 500 },
        ],
      },
      { id: 'https://x.example/b', host: 'x.example', observations: [{ time: june1 + 9000, status: 200 }] },
    ]);
    expect(log.notes.join(' ')).toContain(
      '1 passed over: requests other than GET, of another resource, such as "HEAD /a".',
    );
  });

  it('refuses a log in which nothing tells a change, unless the bytes are to tell it', () => {
    const plain = `${lines[0]}\n${lines[2]}`;
    expect(() => readLog([plain])).toThrow('nothing tells a changed page from an unchanged one: no status 304');
    const [{ observations }] = readLog([plain], { signature: 'bytes' }).pages;
    expect(observations.toJSON().map(({ signature }) => signature)).toEqual(['v1', 'v2']);
  });
});

describe('a WARC file', () => {
  const record = (type: string, date: string, digest: string, block: string): string =>
    `WARC/1.0\r\nWARC-Type: ${type}\r\nWARC-Target-URI: http://x.example/\r\nWARC-Date: ${date}\r\n` +
    `WARC-Payload-Digest: sha1:${digest}\r\nContent-Length: ${block.length}\r\n\r\n${block}\r\n\r\n`;

  it('is read by its records’ lengths, whatever their contents say', () => {
    const http =
      'HTTP/1.1 200 OK\r\nLast-Modified: Sun, 31 May 2026 23:00:00 GMT\r\n\r\nWARC/1.0\r\nWARC-Type: response\r\n';
    const text =
      record('request', '2026-06-01T00:00:00Z', 'Q', 'GET / HTTP/1.1\r\n\r\n') +
      record('response', '2026-06-01T00:00:00Z', 'A', http) +
      record('revisit', '2026-06-02T00:00:00Z', 'A', 'HTTP/1.1 200 OK\r\n\r\n');
    const log = readLog([text]);
    expect(log.pages[0].observations.toJSON()).toEqual([
      { time: june1, status: 200, signature: 'sha1:v1', lastModified: june1 - 3600 },
      { time: june1 + 86_400, status: 200, signature: 'sha1:v1' },
    ]);
  });

  it.each(['-5', '-999999999999', '1.5', 'many'])('counts a record that says a length of %s', (length) => {
    const broken = record('response', '2026-06-02T00:00:00Z', 'B', 'x').replace('Length: 1', `Length: ${length}`);
    const whole = record('response', '2026-06-01T00:00:00Z', 'A', 'HTTP/1.1 200 OK\r\n\r\n');
    expect(() => readLog([whole + broken + whole])).toThrow('record 2: it does not begin with WARC/1.x and headers');
  });
});

describe('a crawl database', () => {
  const dump = (status: string, day: string): string => `https://x.example/\tVersion: 7
Status: ${status}
Fetch time: ${day} 12:00:00 UTC 2026
Modified time: Mon Jun 01 00:00:00 UTC 2026
Retries since fetch: 0
Retry interval: 86400 seconds (1 days)
Score: 1.0
Signature: 3f786850e387550fdab836ed7e6dc881
Metadata:

`;

  it('of Nutch gives a fetch a dump, one interval before the next', () => {
    const log = readLog([dump('2 (db_fetched)', 'Tue Jun 02'), dump('6 (db_notmodified)', 'Wed Jun 03')]);
    expect(log.format.name).toBe('nutch');
    expect(log.pages[0].observations.toJSON()).toEqual([
      { time: june1 + 43_200, status: 200, signature: 'md5:v1', lastModified: june1 },
      { time: june1 + 129_600, status: 304, lastModified: june1 },
    ]);
  });

  it('of Nutch is read in a zone whose name is unique, and refused in another until the zone is said', () => {
    const text = dump('2 (db_fetched)', 'Tue Jun 02');
    expect(readLog([text.replaceAll('UTC', 'CEST')]).from).toBe(june1 + 36_000);
    const several = text.replaceAll('UTC', 'IST');
    expect(() => readLog([several])).toThrow('a zone whose name is not unique is told by --zone');
    expect(readLog([several], { zone: '+02:00' }).from).toBe(june1 + 36_000);
  });

  const source = (fields: object): string =>
    JSON.stringify({ _source: { nextFetchDate: '2026-06-03T00:00:00Z', ...fields } });

  // as the index escapes names, and in the lower case of later versions
  it.each(['fetch%2EstatusCode', 'fetch%2Estatuscode'])('of StormCrawler gives what its metadata kept (%s)', (name) => {
    const text = [
      source({
        url: 'https://x.example/',
        status: 'FETCHED',
        metadata: {
          [name === 'fetch%2EstatusCode' ? 'lastProcessedDate' : 'lastprocesseddate']: ['2026-06-01T00:00:00Z'],
          signature: ['ab'],
          [name]: ['304'],
          'last-modified': ['Sun, 31 May 2026 23:00:00 GMT'],
        },
      }),
      source({ url: 'https://x.example/new', status: 'DISCOVERED', metadata: {} }),
    ].join('\n');
    const log = readLog([text]);
    expect(log.format.name).toBe('storm-crawler');
    expect(log.pages[0].observations.toJSON()).toEqual([
      { time: june1, status: 304, signature: 'v1', lastModified: june1 - 3600 },
    ]);
    expect(log.notes.join(' ')).toContain('1 passed over: not fetched yet.');
  });

  it('of StormCrawler without the time of the fetch is refused with what would keep it', () => {
    const text = source({ url: 'https://x.example/', status: 'FETCHED', metadata: {} });
    expect(() => readLog([text])).toThrow('metadata.persist');
  });
});

describe('an access log of several user agents', () => {
  const line = (agent: string, status: number, path: string): string =>
    `1.2.3.4 - - [01/Jun/2026:00:00:00 +0000] "GET ${path} HTTP/1.1" ${status} 12 "-" "${agent}"`;
  const text = [
    line('ours/1.0', 304, '/a'),
    line('ours/1.1', 200, '/a'),
    line('ours/1.1', 304, '/b'),
    line('other', 200, '/a'),
  ].join('\n');

  it('is refused with a list of the agents by number of lines, in words that fit every interface', () => {
    try {
      readLog([text]);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(LogRefusal);
      const { reason, agents } = Object(error);
      expect(agents).toEqual([
        { agent: 'ours/1.1', lines: 2 },
        { agent: 'ours/1.0', lines: 1 },
        { agent: 'other', lines: 1 },
      ]);
      expect(reason).toContain('3 user agents');
      expect(reason).not.toContain('--');
    }
  });

  it('is read for all versions of a crawler by their common text', () => {
    const log = readLog([text], { agent: 'ours' });
    expect(log.fetches).toBe(3);
  });

  it('whose zone is not named is said without an option of the command line', () => {
    const rows = 'url,time,hash\nx,2026-06-01 00:00:00,a\nx,2026-06-02 00:00:00,b\n';
    expect(readLog([rows]).notes.join(' ')).toContain('taken as UTC; if they are local times, say --zone');
    expect(readLog([rows], { zone: 'UTC' }).notes.join(' ')).toContain('taken as UTC.');
  });
});

describe('rows of one’s own', () => {
  it('are the same as JSON lines, a JSON array, CSV, TSV, and under other names', () => {
    const rows = [
      { url: 'https://x.example/', time: june1, status: 200, hash: 'a' },
      { url: 'https://x.example/', time: june1 + 60, status: 200, hash: 'b' },
    ];
    const csv = (delimiter: string, name: string): string =>
      [`url${delimiter}${name}${delimiter}status${delimiter}hash`]
        .concat(rows.map(({ url, time, status, hash }) => [url, time, status, hash].join(delimiter)))
        .join('\r\n');
    const expected = readLog([rows.map((row) => JSON.stringify(row)).join('\n')]).pages;
    expect(expected[0].observations.toJSON()[1]).toEqual({ time: june1 + 60, status: 200, signature: 'v2' });
    for (const text of [JSON.stringify(rows), csv(',', 'time'), csv('\t', 'Fetched At'), csv(';', 'ts')]) {
      expect(readLog([text]).pages).toEqual(expected);
    }
    expect(readLog([csv(',', 'wann')], { map: { time: 'wann' } }).pages).toEqual(expected);
  });

  it.each([
    ['url,when\nx,1', 'no column is known to be the time'],
    ['url,time\nx,1780272000', 'no column tells whether a page had changed'],
    ['url,time,timestamp,status\nx,1780272000,1780272000,304', 'may each be the time of the fetch'],
    ['url,time,status\nx,12,304', 'times are none from 1990 to 2100'],
    ['url,time,status\nx,01/02/2026 10:00,304', 'do not say which number is the day'],
    ['url,time,status\nx,yesterday,304', 'times are none from 1990 to 2100'],
    ['url,time,status\nx,1780272000,200', 'nothing tells a changed page'],
    ['<html>', 'no format is known'],
    ['<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">', '--sitemap with this file'],
    ['  \n', 'the log is empty'],
  ])('refuse %j: %s', (text, why) => {
    expect(() => readLog([text])).toThrow(why);
  });

  it('may have some lines that cannot be read, which are counted, but not a tenth', () => {
    const line = (k: number): string => JSON.stringify({ url: 'x', time: june1 + k, changed: k % 2 });
    const lines = Array.from({ length: 20 }, (_, k) => line(k));
    expect(readLog([[...lines, '{"url":'].join('\n')]).notes.join(' ')).toContain(
      '1 lines cannot be read (the first is line 21',
    );
    expect(() => readLog([[...lines.slice(0, 5), '{"url":'].join('\n')])).toThrow('1 of 6 lines');
  });
});

describe('the clock of a log', () => {
  const at = Date.UTC(2026, 1, 28, 23, 59, 58) / 1000;

  it.each([
    [String(at), 'seconds'],
    [at * 1e3, 'milliseconds'],
    [`${at}000000`, 'microseconds'],
    [at * 1e9, 'nanoseconds'],
  ])('reads %s as epoch %s', (value, unit) => {
    const clock = new TimeParser(undefined);
    expect(clock.read(value)).toBe(at);
    expect(clock.notes).toEqual([`Times are epoch ${unit}.`]);
  });

  it.each([
    '2026-02-28T23:59:58Z',
    '2026-03-01 01:59:58+02:00',
    '2026-03-01T01:59:58.000+0200',
    '2026-02-28 23:59:58',
    '20260228235958',
    '28/Feb/2026:15:59:58 -0800',
    '28/02/2026 23:59:58',
    '2/28/2026 23:59:58 GMT',
    'Sat, 28 Feb 2026 23:59:58 GMT',
    'Sat Feb 28 23:59:58 UTC 2026',
    'February 28, 2026 at 11:59:58 PM',
  ])('reads %s', (text) => {
    expect(parseTime(text, undefined)).toBe(at);
  });

  it.each(['2026-02-30T00:00:00Z', '2026-13-01', '', 'now', '2026-02-28T24:30:00Z'])('does not read %j', (text) => {
    expect(parseTime(text, undefined)).toBeNaN();
  });

  it('is taken by the clock of a zone with a name, in summer and winter, and as of the first where it comes twice', () => {
    const at = (text: string): string => new Date(1000 * parseTime(text, 'Europe/Berlin')).toISOString();
    expect(at('2026-01-15T12:00:00')).toBe('2026-01-15T11:00:00.000Z');
    expect(at('2026-07-15T12:00:00')).toBe('2026-07-15T10:00:00.000Z');
    expect(at('2026-03-29T01:59:00')).toBe('2026-03-29T00:59:00.000Z');
    expect(at('2026-03-29T03:00:00')).toBe('2026-03-29T01:00:00.000Z');
    expect(at('2026-10-25T02:30:00')).toBe('2026-10-25T00:30:00.000Z');
    expect(at('2026-10-25T03:00:00')).toBe('2026-10-25T02:00:00.000Z');
    expect(at('2026-07-15T12:00:00Z')).toBe('2026-07-15T12:00:00.000Z');
    expect(at('7/15/2026 2:00 PM')).toBe('2026-07-15T12:00:00.000Z');
    expect(parseTime('2026-13-01 12:00', 'Europe/Berlin')).toBeNaN();
  });

  it('refuses seconds beside milliseconds', () => {
    const clock = new TimeParser(undefined);
    expect([at, at, at * 1000].map((value) => clock.read(value))).toEqual([at, at, at]);
    expect(clock.notes).toEqual(['Times are epoch seconds, 1 of them milliseconds.']);
  });
});

describe('CSV', () => {
  it('reads quoted cells, line breaks and quotes included', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', ';') });
    const property = fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 1 }), (rows) => {
      const lines = rows.map((row) => row.map((each) => `"${each.replaceAll('"', '""')}"`).join(','));
      const read: string[][] = [];
      const reader = new DelimitedRowReader(
        { fault: (_, why) => expect.unreachable(why), passOver: () => {} },
        { onRow: ({ one, two, three }) => read.push([String(one), String(two), String(three)]) },
      );
      for (const piece of ['one,two,three', ...lines].join('\r\n').match(/[\s\S]{1,7}/g) ?? []) reader.push(piece);
      reader.end();
      expect(read).toEqual(rows);
    });
    fc.assert(property);
  });
});

describe('what is said of a log', () => {
  it('names its days in as few words as are clear', () => {
    const time = (month: number, day: number, year = 2026): number => Date.UTC(year, month - 1, day, 12) / 1000;
    expect(dayRange(time(6, 1), time(6, 10))).toBe('1–10 June 2026');
    expect(dayRange(time(6, 1), time(6, 1))).toBe('1 June 2026');
    expect(dayRange(time(5, 30), time(6, 1))).toBe('30 May – 1 June 2026');
    expect(dayRange(time(12, 31, 2025), time(1, 1))).toBe('31 December 2025 – 1 January 2026');
  });

  it('counts pages, fetches and failures', () => {
    const rows = ['page,time,status', `a,${june1},304`, `a,${june1 + 9},404`].join('\n');
    expect(logSummary(readLog([rows]))).toBe('1 page, 2 fetches, 1 June 2026, 1 failed');
  });

  it('begins with its format, found by the beginning alone', () => {
    expect(detectFormat('{"url":1}')?.name).toBe('json');
    expect(detectFormat('a,b\n1,2')?.name).toBe('csv');
    expect(detectFormat('loc,@timestamp,größe\n1,2,3')?.name).toBe('csv');
    expect(readLog(['{"url":"a","time":"2026-06-01","etag":"v"}'], {}, 'ndjson').format.name).toBe('json');
    expect(() => readLog(['loc,zeitpunkt,etag\nx,2026-06-01 10:00:00,v'])).toThrow('--map time=zeitpunkt');
    expect(() => readLog(['seite,time,etag\nhttps://a.example/,2026-06-01,v'])).toThrow('--map page=seite');
    expect(detectFormat('plain words')).toBeUndefined();
  });
});
