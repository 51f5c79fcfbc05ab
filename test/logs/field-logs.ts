/**
 * Small logs as the field writes them, a kind each, and what is right: by page the checks and the changes among them.
 * Every name and address is invented.
 */

/** The right numbers of checks and changes, by page. */
type Right = Readonly<Record<string, readonly [checks: number, changes: number]>>;

export interface FieldLog {
  readonly kind: string;
  readonly text: string;
  readonly right: Right;
  /** A note that the reading of the log must give. */
  readonly said?: RegExp;
  /** Whether it is a table that `tables rates` takes: columns url, time (ISO 8601), status and hash. */
  readonly isTable?: true;
  /** The format of the table's times, if not ISO 8601. */
  readonly timeFormat?: 'epoch-seconds';
}

const day = (k: number): string => `2026-05-${String(k + 1).padStart(2, '0')}`;
const at = (k: number): string => `${day(k)}T06:00:00Z`;
const page = 'https://x.example/';
const sha1 = '3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ';
const other = 'GLWMDG4MKBODCSNNKNKDDN24HUOAMEZH';
const hex = 'da39a3ee5e6b4b0d3255bfef95601890afd80709';

/** Rows of one page, a day apart. */
const rows = (list: readonly object[]): string =>
  list.map((row, k) => JSON.stringify({ url: page, time: at(k), ...row })).join('\n');

const same = { status: 200, hash: 'a' };

/** A table of hashes; undefined for a null. */
const hashes = (list: readonly (string | null)[], status: string | number = 200): string =>
  rows(list.map((hash) => ({ status, hash })));

const stamp = (k: number): string => day(k).replaceAll('-', '').concat('060000');
const cdx = (lines: readonly string[]): string => [' CDX N b a m s k r M S V g', ...lines].join('\n');
const capture = (k: number, digest: string, status = '200', mime = 'text/html', url = page): string =>
  `example,x)/ ${stamp(k)} ${url} ${mime} ${status} ${digest} - - 9 9 x.warc.gz`;

/** A response or request, after a header of its own. */
const warcRecord = (type: string, head: string, k: number, content: string, time = at(k)): string =>
  `WARC/1.1\r\nWARC-Type: ${type}\r\nWARC-Target-URI: ${page}\r\nWARC-Date: ${time}\r\n${head}\r\nContent-Length: ${content.length}\r\n\r\n${content}\r\n\r\n`;
const warc = (records: readonly (readonly [head: string, http: string])[]): string =>
  records.map(([head, content], k) => warcRecord('response', head, k, content)).join('');

const noPair = 'WARC-IP-Address: 10.0.0.7';
const http = (k: number, more = ''): string =>
  `HTTP/1.1 200 OK\r\nDate: Fri, 0${k + 1} May 2026 06:00:00 GMT\r\n${more}\r\nbody`;

const access = (k: number, status: number, agent = 'bot', path = '/a', client = '10.0.0.7 - -'): string =>
  `${client} [${day(k).slice(8)}/May/2026:06:00:00 +0000] "GET ${path} HTTP/1.1" ${status} 10 "-" "${agent}"`;

const storm = (k: number, status: string, code = '200'): object => ({
  url: page,
  status,
  nextFetchDate: at(k + 1),
  metadata: { lastProcessedDate: [at(k)], signature: ['aa'], 'fetch%2EstatusCode': [code] },
});

const stormFields = {
  ...{ url: [page], status: ['FETCHED'], nextFetchDate: [at(2)] },
  ...{ 'metadata.lastProcessedDate': [at(1)], 'metadata.signature': ['aa'] },
};

const nutchJson = (k: number): object => ({
  ...{ url: page, statusCode: 2, statusName: 'db_fetched', fetchTime: `Fri May 0${k + 2} 06:00:00 UTC 2026` },
  ...{ modifiedTime: 'Thu Jan 01 00:00:00 UTC 1970', retryIntervalSeconds: 86_400 },
  signature: `0000000000000000000000000000000${k >> 1}`,
});
const nutchCsv = (k: number): string =>
  `"${page}",2,"db_fetched",Fri May 0${k + 2} 06:00:00 UTC 2026,Thu Jan 01 00:00:00 UTC 1970,0,86400.0,1.0,1.0,"0000000000000000000000000000000${k >> 1}","_pst_:success(1), lastModified=0|||"`;

const many = Array.from({ length: 40 }, (_, k) => ({
  url: page,
  time: 1_777_615_200 + 3600 * k,
  status: 200,
  hash: 'a',
}));

/** A log of lines, as text or JSON, with what is right of its pages, or of its only one. */
const log = (
  kind: string,
  right: Right | [checks: number, changes: number],
  lines: string | readonly (string | object)[],
  said?: RegExp,
): FieldLog => ({
  kind,
  text: [lines]
    .flat()
    .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
    .join('\n'),
  right: Array.isArray(right) ? { [page]: right } : right,
  ...(said !== undefined && { said }),
});

/** A log that is also a table for `tables rates`. */
const table = (
  ...[kind, right, text, said, timeFormat]: [...Parameters<typeof log>, FieldLog['timeFormat']?]
): FieldLog => ({ ...log(kind, right, text, said), isTable: true, timeFormat });

export const fieldLogs: readonly FieldLog[] = [
  table(
    'a 304 with a hash of its own',
    [4, 0],
    rows(['a', 'e', 'a', 'e', 'a'].map((hash) => ({ status: hash === 'e' ? 304 : 200, hash }))),
  ),
  table('weak entity tags', [3, 0], hashes(['"a1"', 'W/"a1"', '"a1"', 'w/"a1"'])),
  table('suffixes of codings', [3, 1], hashes(['"a1"', '"a1-gzip"', '"a1;br"', '"a2"'])),
  table('hashes that are none', [1, 1], hashes(['aa', 'NULL', 'N/A', '-', 'nan', null, 'bb'])),
  table(
    'digests with and without prefix and case',
    [3, 0],
    hashes([`sha1:${sha1}`, sha1, sha1.toLowerCase(), `SHA1:${sha1}`]),
  ),
  log('digests in two bases', [2, 0], hashes([`sha1:${sha1}`, hex, `sha1:${hex.toUpperCase()}`])),
  table(
    'two algorithms',
    [1, 0],
    hashes([hex, 'd41d8cd98f00b204e9800998ecf8427e', 'd41d8cd98f00b204e9800998ecf8427e']),
  ),
  table(
    'statuses with reasons',
    [2, 1],
    rows(['200 OK', '304 Not Modified', '404 Not Found', '200 OK'].map((status, k) => ({ status, hash: `${k >> 1}` }))),
  ),
  table(
    'a timeout without a status',
    [1, 0],
    rows([
      { status: 200, hash: 'a' },
      { status: null, hash: null },
      { status: 200, hash: 'a' },
    ]),
    /1 fetches have no status where others do/,
  ),
  log(
    'Last-Modified in the other two forms, and one of 1970',
    [3, 1],
    rows([
      { status: 200, last_modified: 'Sunday, 26-Apr-26 18:00:00 GMT' },
      { status: 200, last_modified: 'Fri May  1 18:00:00 2026' },
      { status: 200, last_modified: 'fri, 1 may 2026 18:00 UTC' },
      { status: 200, last_modified: 'Thu, 01 Jan 1970 00:00:01 GMT' },
    ]),
    /1 Last-Modified headers are no time from 1995 to their fetch/,
  ),
  log(
    'a constant Last-Modified beside other content',
    [3, 2],
    rows(['a', 'b', 'b', 'c'].map((hash) => ({ status: 200, hash, last_modified: 'Sat, 01 Jan 2000 00:00:00 GMT' }))),
  ),
  table(
    'one time of 0 among many',
    [39, 0],
    [{ url: page, time: 0, status: 200, hash: 'z' }, ...many],
    /1 fetches have no time from 1990 to 2100, such as 0 of "https:\/\/x\.example\/" in line 1/,
    'epoch-seconds',
  ),
  table('a byte order mark', [2, 1], `\ufeff${hashes(['a', 'a', 'b'])}`),
  log(
    'arrays that follow one another, the last one cut',
    [12, 0],
    `[${hashes(['a', 'a']).replace('\n', ',')}][${many
      .slice(0, 12)
      .map((row) => JSON.stringify(row))
      .join(',')},{"url": "htt`,
    /1 lines cannot be read .* ends within a value/,
  ),
  log(
    'records of a CDX index that are no pages, and revisits',
    [2, 0],
    cdx([
      capture(0, sha1),
      `dns:x.example ${stamp(1)} dns:x.example text/dns - ${other} - - 9 9 x.warc.gz`,
      capture(1, sha1, '-', 'warc/revisit'),
      capture(2, other, '404'),
      capture(3, other, '-', 'warc/revisit'),
      capture(4, sha1),
    ]),
    /1 passed over: dns: records/,
  ),
  log(
    'POST in a CDXJ index',
    [2, 0],
    [0, 1, 2].flatMap((k) => [
      `example,x)/ ${stamp(k)} {"url":"${page}","status":"200","digest":"A"}`,
      `example,x)/ ${stamp(k)} {"url":"${page}","status":"200","digest":"B","method":"POST"}`,
    ]),
    /3 passed over: requests other than GET/,
  ),
  log(
    'a blank in a type of a CDX index',
    [19, 0],
    cdx([
      ...Array.from({ length: 20 }, (_, k) => capture(k, sha1)),
      capture(20, sha1, '200', 'text/html; charset=utf-8'),
    ]),
    /1 lines cannot be read .*neither three digits nor -/,
  ),
  log(
    'the JSON of a CDX server',
    [2, 1],
    JSON.stringify([
      ['urlkey', 'timestamp', 'original', 'mimetype', 'statuscode', 'digest'],
      ...[sha1, sha1, other].map((digest, k) => ['example,x)/', stamp(k), page, 'text/html', '200', digest]),
    ]),
  ),
  log(
    'block digests, which cover the Date',
    [2, 0],
    warc([0, 1, 2].map((k) => [`WARC-Block-Digest: sha1:${k % 2 ? sha1 : other}`, http(k)])),
  ),
  log(
    'folded headers',
    [2, 1],
    warc([sha1, sha1, other].map((digest, k) => [`WARC-Payload-Digest:\r\n sha1:${digest}`, http(k)])),
  ),
  log(
    'a Last-Modified of 0 in a WARC',
    [1, 0],
    warc([0, 1].map((k) => [`WARC-Payload-Digest: sha1:${sha1}`, http(k, 'Last-Modified: 0\r\n')])),
    /2 Last-Modified headers/,
  ),
  log(
    'StormCrawler: a failure with the code of the fetch before, first a page not fetched yet',
    [1, 0],
    [
      { url: 'https://x.example/new', status: 'DISCOVERED', nextFetchDate: at(0) },
      storm(0, 'FETCHED'),
      storm(1, 'FETCH_ERROR'),
      storm(2, 'FETCHED'),
    ],
    /1 passed over: not fetched yet/,
  ),
  log(
    'StormCrawler: the answer of a search',
    [1, 0],
    JSON.stringify({
      took: 3,
      hits: { total: 2, hits: [storm(0, 'FETCHED'), storm(1, 'FETCHED')].map((_source) => ({ _source })) },
    }),
  ),
  log('Nutch: readdb -dump -format json', [3, 1], [0, 1, 2, 3].map(nutchJson)),
  log(
    'Nutch: readdb -dump -format csv',
    [3, 1],
    [
      'Url,Status code,Status name,Fetch Time,Modified Time,Retries since fetch,Retry interval seconds,Retry interval days,Score,Signature,Metadata',
      ...[0, 1, 2, 3].map(nutchCsv),
    ],
  ),
  log(
    'blanks in paths of an access log',
    { '/my%20file': [2, 1] },
    [200, 304, 200].map((status, k) => access(k, status, 'bot', '/my file')),
  ),
  log(
    'spellings of one URL',
    { 'https://x.example': [2, 0] },
    rows(['https://x.example', 'HTTPS://X.example:443/#top', 'https://x.example/./'].map((url) => ({ url, ...same }))),
    /2 URLs are joined/,
  ),
  log(
    'POST in a WARC, told by its request record',
    [2, 0],
    [0, 1, 2].flatMap((k) => [
      warcRecord('response', `WARC-Record-ID: <urn:uuid:get-${k}>`, k, http(k)),
      warcRecord('request', `WARC-Concurrent-To: <urn:uuid:get-${k}>`, k, 'GET / HTTP/1.1\r\nHost: x.example\r\n\r\n'),
      warcRecord('response', `WARC-Record-ID: <urn:uuid:post-${k}>`, k, `${http(k)} of a form ${k}`),
      warcRecord(
        'request',
        `WARC-Concurrent-To: <urn:uuid:post-${k}>`,
        k,
        'POST / HTTP/1.1\r\nHost: x.example\r\n\r\na=1',
      ),
    ]),
    /3 passed over: requests other than GET/,
  ),
  log(
    'POST in a WARC whose requests come first and name no record',
    [2, 0],
    [0, 1, 2].flatMap((k) => [
      warcRecord('request', noPair, k, 'GET / HTTP/1.1\r\n\r\n'),
      warcRecord('response', noPair, k, http(k)),
      warcRecord('request', noPair, k, 'POST / HTTP/1.1\r\n\r\na=1', `${day(k)}T07:00:00Z`),
      warcRecord('response', noPair, k, `${http(k)} of a form ${k}`, `${day(k)}T07:00:00Z`),
    ]),
    /3 passed over: requests other than GET/,
  ),
  log(
    'StormCrawler: a bulk file',
    [1, 0],
    [
      { index: { _index: 'status', _id: '1' } },
      storm(0, 'FETCHED'),
      { update: { _index: 'status', _id: '1' } },
      { doc: storm(1, 'FETCHED'), doc_as_upsert: true },
      { delete: { _index: 'status', _id: '2' } },
    ],
  ),
  log(
    'zones of mail, also of the military',
    [2, 0],
    rows(
      ['Fri, 1 May 2026 02:00:00 EDT', 'Sat, 2 May 2026 06:00:00 B', 'Sun, 3 May 2026 06:00:00 Z'].map((time) => ({
        time,
        ...same,
      })),
    ),
  ),
  log(
    'methods other than GET',
    [1, 0],
    rows(['GET', 'POST', 'GET'].map((method) => ({ status: 200, method, hash: method }))),
    /1 passed over: requests other than GET/,
  ),
  log(
    'other spellings of entity tags',
    [5, 0],
    hashes(['W/ "a1"', '&quot;a1&quot;', "'a1'", '"a1--gzip-br"', '"a1-gz"', '"a1:brotli"']),
  ),
  log(
    'other spellings of digests',
    [2, 0],
    hashes([
      'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:',
      'SHA256:E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855',
      'sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ',
    ]),
  ),
  table(
    'other words for no hash',
    [1, 0],
    hashes(['aa', '<null>', '(none)', '#N/A', 'n.a.', 'unknown', 'missing', 'empty', 'aa']),
  ),
  log(
    'statuses in words',
    [2, 0],
    rows(
      ['OK', 'Not Modified', 'Not Found', 'timeout', 'ok'].map((status) => ({
        status,
        hash: status === 'ok' || status === 'OK' ? 'a' : '',
      })),
    ),
  ),
  log(
    'dates of many kinds, in a table parted by semicolons, after a line for a spreadsheet',
    [4, 0],
    [
      'sep=;',
      'url;time;status;hash',
      ...'2026/05/01 06:00|20260502T060000Z|5/13/2026 6:00:00 PM|May 14, 2026 6:00 AM|15.05.2026, 06:00'
        .split('|')
        .map((time) => `${page};${time};200;a`),
    ].join('\r\n'),
    /Dates with slashes have the month first/,
  ),
  log(
    'a comment before a table parted by strokes, and a verdict that is none',
    [2, 0],
    `# made by a crawler: 3 rows\nurl|time|changed\n${['yes', 'unchanged', 'maybe', 'no'].map((verdict, k) => `${page}|${at(k)}|${verdict}`).join('\n')}`,
    /1 verdicts are neither true nor false, such as "maybe" in line 5/,
  ),
  log(
    'exports of MongoDB, and headers as lists of one',
    [1, 0],
    rows([
      { time: { $date: at(0) }, etag: ['"a"'] },
      { time: { $date: { $numberLong: String(Date.parse(at(1))) } }, etag: ['"a"'] },
    ]),
  ),
  log(
    'a few requests of another user agent',
    { '/a': [22, 10] },
    Array.from({ length: 24 }, (_, k) => access(k, k % 2 ? 304 : 200, k === 4 ? 'Mozilla' : 'bot')),
    /1 passed over: of other user agents than "bot"/,
  ),
  log(
    'a quote that is not closed',
    [11, 0],
    ['url,time,hash', `"${page}no end`, ...Array.from({ length: 12 }, (_, k) => `"${page}",${at(k)},"a"`)],
    /1 lines cannot be read \(the first is line 2: a quoted cell is not closed/,
  ),
  log(
    'Nutch: readdb -dump -format csv, as older versions part it',
    [1, 0],
    [
      'Url;Status code;Status name;Fetch Time;Modified Time;Retries since fetch;Retry interval;Score;Signature;Metadata',
      ...[0, 1].map(
        (k) =>
          `"${page}";2;"db_fetched";Fri May 0${k + 2} 06:00:00 UTC 2026;Thu Jan 01 00:00:00 UTC 1970;0;86400;1.0;"aa";""`,
      ),
    ],
  ),
  table(
    'statuses with a protocol, with quotes, and none beside a hash',
    [4, 2],
    rows(
      ['HTTP/1.1 200 OK', '"200"', 'HTTP/2 404', null, '404 (Not Found)', 'HTTP/1.1 304 Not Modified', '200'].map(
        (status) => ({ status, hash: status === null ? 'b' : 'a' }),
      ),
    ),
  ),
  table(
    'statuses in words, among them a failure with the hash of an error page',
    [2, 0],
    rows(
      ['OK', 'Not Modified', 'Forbidden', 'timed out', 'fetched'].map((status) => ({
        status,
        hash: status === 'Forbidden' ? 'z' : 'a',
      })),
    ),
  ),
  log(
    'a status column called http, and a content hash by another name',
    [1, 0],
    [200, 404, 200].map((http, k) => ({ final_url: page, crawled: at(k), http, body_md5: 'a' })),
    /status is "http", signature is "body_md5"/,
  ),
  log(
    'a status that is not understood',
    [1, 0],
    hashes(['a', 'a'], 'skipped by rule 7b'),
    /2 statuses are not understood, such as "skipped by rule 7b"/,
  ),
  log(
    'dates and hours in columns of their own, beside the duration of the request',
    [2, 0],
    ['date,time,request_time,url,status,hash', ...[0, 1, 2].map((k) => `${day(k)},06:00:00,0.${k},${page},200,a`)].join(
      '\n',
    ),
  ),
  log(
    'Last-Modified in other zones and spellings',
    [5, 1],
    rows(
      [
        'Thu, 30 Apr 2026 20:00:00 CEST',
        'thu , 30 april 2026 18:00 GMT; length=4711',
        '"Thu,30 Apr 2026 18:00:00 GMT"',
        'Thu, 30 Apr 2026 20:00:00 GMT+2',
        'Do, 30 Apr 2026 18:00:00 GMT',
      ].map((last_modified) => ({ status: 200, last_modified })),
    ),
  ),
  log(
    'a Last-Modified whose day and month may be swapped, beside a hash',
    [1, 0],
    rows([1, 2].map(() => ({ ...same, last_modified: '04/05/2026 10:00' }))),
    /2 Last-Modified headers are no time/,
  ),
  log(
    'entity tags as programs print them',
    [8, 0],
    hashes(['"a1"', 'W/a1', '"W/a1"', '[\'"a1"\']', 'b\'"a1"\'', '%22a1%22', '"a1/gzip"', '"a1"-gzip', '"a1']),
  ),
  log(
    'digests as shells, databases and certificates print them',
    [5, 0],
    hashes([
      hex,
      `${hex}  -`,
      `\\x${hex}`,
      `{SHA1}${hex}`,
      `sha1sum:${hex}`,
      hex.replaceAll(/(..)(?=.)/g, '$1:').toUpperCase(),
    ]),
  ),
  log(
    'NaN of another language in JSON',
    [1, 0],
    rows([{ hash: 'a' }, { hash: 'none' }, { hash: 'a' }].map((row) => ({ ...row, status: 200 }))).replace(
      '"none"',
      'NaN',
    ),
  ),
  log(
    'lines that end with a carriage return alone, and blanks before quotes',
    [2, 1],
    ['url, time, status, hash', ...[0, 1, 2].map((k) => `"${page}", "${at(k)}", 200, "a,${k >> 1}"`)].join('\r'),
  ),
  log(
    'tables that were appended with their names',
    [3, 0],
    [0, 2].map((k) => `url,time,hash\n${page},${at(k)},a\n${page},${at(k + 1)},a`),
  ),
  log(
    'the JSON of a CDX server with the key to resume at',
    [1, 0],
    JSON.stringify(
      [
        ['timestamp', 'original', 'statuscode', 'digest'],
        ...[0, 1].map((k) => [stamp(k), page, '200', sha1]),
        [],
        ['example%2Cx%29%2F'],
      ],
      null,
      1,
    ),
  ),
  log(
    'captures as objects, with a revisit',
    [1, 0],
    ['200', '-', '404'].map((status, k) => ({
      ...{ urlkey: 'x', timestamp: stamp(k), url: page, status, digest: k < 2 ? sha1 : other },
    })),
  ),
  log(
    'a CDX index without its usual columns or a header',
    [1, 0],
    [0, 1].map((k) => `${stamp(k)} ${page} 200 ${sha1}`),
  ),
  log(
    'CDXJ with times in ISO 8601, and a body that was posted',
    [1, 0],
    [0, 1, 2].map(
      (k) =>
        `(example,x)/ ${at(k)} response {"uri":"${page}","hsc":200,"sha":"${k === 1 ? other : sha1}"${k === 1 ? ',"requestBody":"a=1"' : ''}}`,
    ),
    /1 passed over: requests other than GET/,
  ),
  log(
    'a revisit of a page that was 404 under another URL',
    { [page]: [1, 0], [`${page}gone`]: [0, 0] },
    cdx([
      capture(0, sha1),
      capture(0, other, '404', 'text/html', `${page}gone`),
      capture(1, other, '-', 'warc/revisit'),
      capture(2, sha1),
    ]),
  ),
  log(
    'a WARC of version 0.18, its bodies in chunks of any size',
    [1, 0],
    warc(
      ['4\r\nbody', '2\r\nbo\r\n2\r\ndy'].map((body, k) => [
        noPair,
        `HTTP/1.1 200 OK\r\nDate: ${k}\r\nTransfer-Encoding: chunked\r\n\r\n${body}\r\n0\r\n\r\n`,
      ]),
    ).replaceAll('WARC/1.1', 'WARC/0.18'),
  ),
  log(
    'bodies in a content coding, which are compared with none in another',
    [1, 0],
    warc(['', 'Content-Encoding: gzip\r\n', 'Content-Encoding: gzip\r\n'].map((more, k) => [noPair, http(k, more)])),
  ),
  log(
    'StormCrawler: answers of several searches, one of fields alone',
    [1, 0],
    [
      { responses: [{ hits: { hits: [{ _source: storm(0, 'FETCHED') }] } }] },
      { hits: { hits: [{ fields: stormFields }] } },
    ],
  ),
  log(
    'Nutch in a zone with a name, its fields in another order',
    [1, 0],
    [0, 1].map((k) => ({
      ...{ statusName: 'db_fetched', fetchTime: `Sat May 0${k + 2} 08:00:00 CEST 2026` },
      ...{ retryIntervalSeconds: 86_400, signature: 'aa', url: page },
    })),
  ),
  log(
    'escapes of brackets, and blanks around a URL',
    { 'https://x.example/?a[]=1': [2, 0] },
    rows(
      ['https://x.example/?a[]=1', 'https://x.example/?a%5b%5d=1', ' https://X.example/?a[%5D=1 '].map((url) => ({
        url,
        ...same,
      })),
    ),
  ),
  log(
    'names of users with blanks, and virtual hosts, in access logs',
    { '/a': [3, 2], 'x.example/a': [3, 2] },
    ['10.0.0.7 - Jane Q Doe', 'x.example:443 2001:db8::1 - -', 'x.example 10.0.0.7 - -', '10.0.0.7 - -'].flatMap(
      (who, k) => [access(2 * k, 304, 'bot', '/a', who), access(2 * k + 1, 200, 'bot', '/a', who)],
    ),
  ),
  log(
    'the extended format of IIS, its names again after a restart',
    { '/a?q=1': [2, 1] },
    [200, 304, 200]
      .map(
        (status, k) =>
          `#Software: IIS 10.0\r\n#Fields: date time cs-method cs-uri-stem cs-uri-query c-ip cs(User-Agent) sc-status\r\n${day(k)} 06:00:00 GET /a q=1 10.0.0.7 bot/1.0+(x) ${status}\r\n`,
      )
      .join(''),
  ),
  log(
    'CloudFront: several hosts in one log, and a line of another agent',
    { 'a.example/': [9, 0], 'b.example/': [8, 8] },
    [
      '#Version: 1.0',
      '#Fields: date time c-ip cs-method cs(Host) cs-uri-stem sc-status cs(User-Agent) cs-uri-query x-host-header',
      ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((k) =>
        ['a.example', 'b.example'].map((host) =>
          `${day(k)} 06:00:00 10.0.0.7 GET d1.cloudfront.net / ${host === 'a.example' || k === 0 ? 304 : 200} ${k === 9 && host === 'b.example' ? 'Mozilla' : 'bot'} - ${host}`.replaceAll(
            ' ',
            '\t',
          ),
        ),
      ),
    ],
    /1 passed over: of other user agents than "bot"/,
  ),
  log(
    'a load balancer of Amazon',
    { 'https://x.example:443/': [2, 1] },
    [200, 304, 200].map(
      (status, k) =>
        `h2 ${day(k)}T06:00:00.123456Z app/lb/1 10.0.0.7:2817 10.0.0.1:80 0.000 0.001 0.000 ${status} ${status} 34 366 "GET https://x.example:443/ HTTP/2.0" "bot" - - arn`,
    ),
  ),
  log(
    'an access log behind what syslog writes',
    { '/a': [2, 1] },
    [200, 304, 200].map((status, k) => `May  ${k + 1} 06:00:00 web nginx: ${access(k, status)}`),
  ),
  log(
    'JSON of Caddy: nested objects, paths of several hosts',
    { 'x.example/a': [2, 1], 'y.example/a': [0, 0] },
    ['x.example', 'y.example', 'x.example', 'x.example'].map((host, k) => ({
      ts: Date.parse(at(k)) / 1000,
      request: { remote_ip: '10.0.0.7', method: 'GET', host, uri: '/a', headers: { 'User-Agent': ['bot'] } },
      status: 200,
      resp_headers: { Etag: [`"${k >> 1}"`] },
    })),
  ),
  log(
    'JSON of nginx: request lines, host and agent beside them',
    { 'x.example/a?b=1': [2, 1] },
    [200, 304, 200].map((status, k) => ({
      ...{ time_local: `0${k + 1}/May/2026:06:00:00 +0000`, remote_addr: '10.0.0.7', http_host: 'x.example' },
      ...{ request: 'GET /a?b=1 HTTP/1.1', status: String(status), body_bytes_sent: 10, http_user_agent: 'bot' },
    })),
  ),
  log(
    'rows in an envelope',
    [2, 1],
    JSON.stringify({ count: 3, items: [0, 1, 2].map((k) => ({ url: page, time: at(k), hash: `${k >> 1}` })) }),
  ),
  log(
    'records behind separators',
    [2, 1],
    [0, 1, 2].map((k) => `\x1e${JSON.stringify({ url: page, time: at(k), hash: `${k >> 1}` })}`),
  ),
  log(
    'a title before the names, and days of a spreadsheet with a decimal comma',
    [2, 1],
    [
      'Crawl of May 2026',
      'Page URL;Fetch time (UTC);HTTP code;SHA-256 of body',
      ...[0, 1, 2].map((k) => `${page};${46_143 + k},25;200;${k >> 1}`),
    ],
    /1 passed over: before the names of columns, such as "Crawl of May 2026"/,
  ),
  log(
    'times as Go prints them',
    [2, 1],
    [0, 1, 2].map((k) => ({ url: page, time: `${day(k)} 06:00:00.123456789 +0000 UTC`, hash: `${k >> 1}` })),
  ),
  log(
    'requests in the Elastic Common Schema',
    [2, 1],
    [200, 304, 200].map((status, k) => ({
      ...{ '@timestamp': at(k), url: { original: page, path: '/', domain: 'x.example' } },
      ...{ http: { request: { method: 'GET' }, response: { status_code: status, bytes: 5 } } },
      ...{ user_agent: { original: 'bot' }, source: { ip: '10.0.0.7' }, host: { name: 'web' } },
    })),
  ),
  log(
    'a row that cannot be read in an array on one line, and hosts beside paths',
    { 'x.example/a': [9, 0], 'y.example/a': [8, 0] },
    `[${many
      .slice(0, 20)
      .map((row, k) => (k === 9 ? '{"url":}' : JSON.stringify({ ...row, url: '/a', host: `${'xy'[k % 2]}.example` })))
      .join(',')}]`,
    /1 lines cannot be read/,
  ),
];
