/**
 * Small logs as the field writes them, a kind each, and what is right: by page the checks and the changes among them.
 * Every name and address is invented.
 */

export interface FieldLog {
  readonly kind: string;
  readonly text: string;
  /** Checks and changes, by page. */
  readonly right: Readonly<Record<string, readonly [checks: number, changes: number]>>;
  /** What must be said of it. */
  readonly said?: RegExp;
  /** Whether it is a table that `tables rates` takes: columns url, time (ISO 8601), status and hash. */
  readonly isTable?: true;
  /** Of its times, where they are not ISO 8601. */
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

/** A table of hashes; undefined for a null. */
const hashes = (list: readonly (string | null)[], status: string | number = 200): string =>
  rows(list.map((hash) => ({ status, hash })));

const stamp = (k: number): string => day(k).replaceAll('-', '').concat('060000');
const cdx = (lines: readonly string[]): string => [' CDX N b a m s k r M S V g', ...lines].join('\n');
const capture = (k: number, digest: string, status = '200', mime = 'text/html', url = page): string =>
  `example,x)/ ${stamp(k)} ${url} ${mime} ${status} ${digest} - - 9 9 x.warc.gz`;

const warc = (records: readonly (readonly [head: string, http: string])[]): string =>
  records
    .map(([head, http], k) =>
      [
        'WARC/1.1',
        'WARC-Type: response',
        `WARC-Target-URI: ${page}`,
        `WARC-Date: ${at(k)}`,
        head,
        `Content-Length: ${http.length}`,
        '',
        http,
        '',
        '',
      ].join('\r\n'),
    )
    .join('');
const http = (k: number, more = ''): string =>
  `HTTP/1.1 200 OK\r\nDate: Fri, 0${k + 1} May 2026 06:00:00 GMT\r\n${more}\r\nbody`;

/** A record that names the other of its pair, or none. */
const warcRecord = (type: string, pair: string | undefined, k: number, content: string, time = at(k)): string =>
  [
    'WARC/1.1',
    `WARC-Type: ${type}`,
    ...(pair === undefined ? [] : [`${type === 'request' ? 'WARC-Concurrent-To' : 'WARC-Record-ID'}: ${pair}`]),
    `WARC-Target-URI: ${page}`,
    `WARC-Date: ${time}`,
    `Content-Length: ${content.length}`,
    '',
    content,
    '',
    '',
  ].join('\r\n');

const storm = (k: number, status: string, code = '200'): object => ({
  url: page,
  status,
  nextFetchDate: at(k + 1),
  metadata: { lastProcessedDate: [at(k)], signature: ['aa'], 'fetch%2EstatusCode': [code] },
});

const nutchJson = (k: number): string =>
  JSON.stringify({
    url: page,
    statusCode: 2,
    statusName: 'db_fetched',
    fetchTime: `Fri May 0${k + 2} 06:00:00 UTC 2026`,
    modifiedTime: 'Thu Jan 01 00:00:00 UTC 1970',
    retryIntervalSeconds: 86_400,
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

export const fieldLogs: readonly FieldLog[] = [
  {
    kind: 'a 304 with a hash of its own',
    text: rows(['a', 'e', 'a', 'e', 'a'].map((hash) => ({ status: hash === 'e' ? 304 : 200, hash }))),
    right: { [page]: [4, 0] },
    isTable: true,
  },
  {
    kind: 'weak entity tags',
    text: hashes(['"a1"', 'W/"a1"', '"a1"', 'w/"a1"']),
    right: { [page]: [3, 0] },
    isTable: true,
  },
  {
    kind: 'suffixes of codings',
    text: hashes(['"a1"', '"a1-gzip"', '"a1;br"', '"a2"']),
    right: { [page]: [3, 1] },
    isTable: true,
  },
  {
    kind: 'hashes that are none',
    text: hashes(['aa', 'NULL', 'N/A', '-', 'nan', null, 'bb']),
    right: { [page]: [1, 1] },
    isTable: true,
  },
  {
    kind: 'digests with and without prefix and case',
    text: hashes([`sha1:${sha1}`, sha1, sha1.toLowerCase(), `SHA1:${sha1}`]),
    right: { [page]: [3, 0] },
    isTable: true,
  },
  {
    kind: 'digests in two bases',
    text: hashes([`sha1:${sha1}`, hex, `sha1:${hex.toUpperCase()}`]),
    right: { [page]: [2, 0] },
  },
  {
    kind: 'two algorithms',
    text: hashes([hex, 'd41d8cd98f00b204e9800998ecf8427e', 'd41d8cd98f00b204e9800998ecf8427e']),
    right: { [page]: [1, 0] },
    isTable: true,
  },
  {
    kind: 'statuses with reasons',
    text: rows(
      ['200 OK', '304 Not Modified', '404 Not Found', '200 OK'].map((status, k) => ({ status, hash: `${k >> 1}` })),
    ),
    right: { [page]: [2, 1] },
    isTable: true,
  },
  {
    kind: 'a timeout without a status',
    text: rows([
      { status: 200, hash: 'a' },
      { status: null, hash: null },
      { status: 200, hash: 'a' },
    ]),
    right: { [page]: [1, 0] },
    said: /1 fetches have no status where others do/,
    isTable: true,
  },
  {
    kind: 'Last-Modified in the other two forms, and one of 1970',
    text: rows([
      { status: 200, last_modified: 'Sunday, 26-Apr-26 18:00:00 GMT' },
      { status: 200, last_modified: 'Fri May  1 18:00:00 2026' },
      { status: 200, last_modified: 'fri, 1 may 2026 18:00 UTC' },
      { status: 200, last_modified: 'Thu, 01 Jan 1970 00:00:01 GMT' },
    ]),
    right: { [page]: [3, 1] },
    said: /1 Last-Modified headers are no time from 1995 to their fetch/,
  },
  {
    kind: 'a constant Last-Modified beside other content',
    text: rows(
      ['a', 'b', 'b', 'c'].map((hash) => ({ status: 200, hash, last_modified: 'Sat, 01 Jan 2000 00:00:00 GMT' })),
    ),
    right: { [page]: [3, 2] },
  },
  {
    kind: 'one time of 0 among many',
    text: [{ url: page, time: 0, status: 200, hash: 'z' }, ...many].map((row) => JSON.stringify(row)).join('\n'),
    right: { [page]: [39, 0] },
    said: /1 fetches have no time from 1990 to 2100, such as 0 of "https:\/\/x\.example\/" in line 1/,
    isTable: true,
    timeFormat: 'epoch-seconds',
  },
  { kind: 'a byte order mark', text: `\ufeff${hashes(['a', 'a', 'b'])}`, right: { [page]: [2, 1] }, isTable: true },
  {
    kind: 'arrays that follow one another, the last one cut',
    text: `[${hashes(['a', 'a']).replace('\n', ',')}][${many
      .slice(0, 12)
      .map((row) => JSON.stringify(row))
      .join(',')},{"url": "htt`,
    right: { [page]: [12, 0] },
    said: /1 lines cannot be read .* ends within a value/,
  },
  {
    kind: 'records of a CDX index that are no pages, and revisits',
    text: cdx([
      capture(0, sha1),
      `dns:x.example ${stamp(1)} dns:x.example text/dns - ${other} - - 9 9 x.warc.gz`,
      capture(1, sha1, '-', 'warc/revisit'),
      capture(2, other, '404'),
      capture(3, other, '-', 'warc/revisit'),
      capture(4, sha1),
    ]),
    right: { [page]: [2, 0] },
    said: /1 passed over: dns: records/,
  },
  {
    kind: 'POST in a CDXJ index',
    text: [0, 1, 2]
      .flatMap((k) => [
        `example,x)/ ${stamp(k)} {"url":"${page}","status":"200","digest":"A"}`,
        `example,x)/ ${stamp(k)} {"url":"${page}","status":"200","digest":"B","method":"POST"}`,
      ])
      .join('\n'),
    right: { [page]: [2, 0] },
    said: /3 passed over: requests other than GET/,
  },
  {
    kind: 'a blank in a type of a CDX index',
    text: cdx([
      ...Array.from({ length: 20 }, (_, k) => capture(k, sha1)),
      capture(20, sha1, '200', 'text/html; charset=utf-8'),
    ]),
    right: { [page]: [19, 0] },
    said: /1 lines cannot be read .*neither three digits nor -/,
  },
  {
    kind: 'the JSON of a CDX server',
    text: JSON.stringify([
      ['urlkey', 'timestamp', 'original', 'mimetype', 'statuscode', 'digest'],
      ...[sha1, sha1, other].map((digest, k) => ['example,x)/', stamp(k), page, 'text/html', '200', digest]),
    ]),
    right: { [page]: [2, 1] },
  },
  {
    kind: 'block digests, which cover the Date',
    text: warc([0, 1, 2].map((k) => [`WARC-Block-Digest: sha1:${k % 2 ? sha1 : other}`, http(k)])),
    right: { [page]: [2, 0] },
  },
  {
    kind: 'folded headers',
    text: warc([sha1, sha1, other].map((digest, k) => [`WARC-Payload-Digest:\r\n sha1:${digest}`, http(k)])),
    right: { [page]: [2, 1] },
  },
  {
    kind: 'a Last-Modified of 0 in a WARC',
    text: warc([0, 1].map((k) => [`WARC-Payload-Digest: sha1:${sha1}`, http(k, 'Last-Modified: 0\r\n')])),
    right: { [page]: [1, 0] },
    said: /2 Last-Modified headers/,
  },
  {
    kind: 'StormCrawler: a failure with the code of the fetch before, first a page not fetched yet',
    text: [
      { url: 'https://x.example/new', status: 'DISCOVERED', nextFetchDate: at(0) },
      storm(0, 'FETCHED'),
      storm(1, 'FETCH_ERROR'),
      storm(2, 'FETCHED'),
    ]
      .map((row) => JSON.stringify(row))
      .join('\n'),
    right: { [page]: [1, 0] },
    said: /1 passed over: not fetched yet/,
  },
  {
    kind: 'StormCrawler: the answer of a search',
    text: JSON.stringify({
      took: 3,
      hits: { total: 2, hits: [storm(0, 'FETCHED'), storm(1, 'FETCHED')].map((_source) => ({ _source })) },
    }),
    right: { [page]: [1, 0] },
  },
  { kind: 'Nutch: readdb -dump -format json', text: [0, 1, 2, 3].map(nutchJson).join('\n'), right: { [page]: [3, 1] } },
  {
    kind: 'Nutch: readdb -dump -format csv',
    text: [
      'Url,Status code,Status name,Fetch Time,Modified Time,Retries since fetch,Retry interval seconds,Retry interval days,Score,Signature,Metadata',
      ...[0, 1, 2, 3].map(nutchCsv),
    ].join('\n'),
    right: { [page]: [3, 1] },
  },
  {
    kind: 'blanks in paths of an access log',
    text: [200, 304, 200]
      .map(
        (status, k) =>
          `10.0.0.7 - - [0${k + 1}/May/2026:06:00:00 +0000] "GET /my file HTTP/1.1" ${status} 10 "-" "bot"`,
      )
      .join('\n'),
    right: { '/my%20file': [2, 1] },
  },
  {
    kind: 'spellings of one URL',
    text: ['https://x.example', 'HTTPS://X.example:443/#top', 'https://x.example/./']
      .map((url, k) => JSON.stringify({ url, time: at(k), status: 200, hash: 'a' }))
      .join('\n'),
    right: { 'https://x.example': [2, 0] },
    said: /2 URLs are joined/,
  },
  {
    kind: 'POST in a WARC, told by its request record',
    text: [0, 1, 2]
      .map((k) =>
        [
          warcRecord('response', `<urn:uuid:get-${k}>`, k, http(k)),
          warcRecord('request', `<urn:uuid:get-${k}>`, k, 'GET / HTTP/1.1\r\nHost: x.example\r\n\r\n'),
          warcRecord('response', `<urn:uuid:post-${k}>`, k, `${http(k)} of a form ${k}`),
          warcRecord('request', `<urn:uuid:post-${k}>`, k, 'POST / HTTP/1.1\r\nHost: x.example\r\n\r\na=1'),
        ].join(''),
      )
      .join(''),
    right: { [page]: [2, 0] },
    said: /3 passed over: requests other than GET/,
  },
  {
    kind: 'POST in a WARC whose requests come first and name no record',
    text: [0, 1, 2]
      .map((k) =>
        [
          warcRecord('request', undefined, k, 'GET / HTTP/1.1\r\n\r\n'),
          warcRecord('response', undefined, k, http(k)),
          warcRecord('request', undefined, k, 'POST / HTTP/1.1\r\n\r\na=1', `${day(k)}T07:00:00Z`),
          warcRecord('response', undefined, k, `${http(k)} of a form ${k}`, `${day(k)}T07:00:00Z`),
        ].join(''),
      )
      .join(''),
    right: { [page]: [2, 0] },
    said: /3 passed over: requests other than GET/,
  },
  {
    kind: 'StormCrawler: a bulk file',
    text: [
      { index: { _index: 'status', _id: '1' } },
      storm(0, 'FETCHED'),
      { update: { _index: 'status', _id: '1' } },
      { doc: storm(1, 'FETCHED'), doc_as_upsert: true },
      { delete: { _index: 'status', _id: '2' } },
    ]
      .map((row) => JSON.stringify(row))
      .join('\n'),
    right: { [page]: [1, 0] },
  },
  {
    kind: 'zones of mail, also of the military',
    text: ['Fri, 1 May 2026 02:00:00 EDT', 'Sat, 2 May 2026 06:00:00 B', 'Sun, 3 May 2026 06:00:00 Z']
      .map((time) => JSON.stringify({ url: page, time, status: 200, hash: 'a' }))
      .join('\n'),
    right: { [page]: [2, 0] },
  },
  {
    kind: 'methods other than GET',
    text: rows(['GET', 'POST', 'GET'].map((method) => ({ status: 200, method, hash: method }))),
    right: { [page]: [1, 0] },
    said: /1 passed over: requests other than GET/,
  },
  {
    kind: 'other spellings of entity tags',
    text: hashes(['W/ "a1"', '&quot;a1&quot;', "'a1'", '"a1--gzip-br"', '"a1-gz"', '"a1:brotli"']),
    right: { [page]: [5, 0] },
  },
  {
    kind: 'other spellings of digests',
    text: hashes([
      'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:',
      'SHA256:E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855',
      'sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ',
    ]),
    right: { [page]: [2, 0] },
  },
  {
    kind: 'other words for no hash',
    text: hashes(['aa', '<null>', '(none)', '#N/A', 'n.a.', 'unknown', 'missing', 'empty', 'aa']),
    right: { [page]: [1, 0] },
    isTable: true,
  },
  {
    kind: 'statuses in words',
    text: rows(
      ['OK', 'Not Modified', 'Not Found', 'timeout', 'ok'].map((status) => ({
        status,
        hash: status === 'ok' || status === 'OK' ? 'a' : '',
      })),
    ),
    right: { [page]: [2, 0] },
  },
  {
    kind: 'dates of many kinds, in a table parted by semicolons, after a line for a spreadsheet',
    text: [
      'sep=;',
      'url;time;status;hash',
      ...[
        '2026/05/01 06:00',
        '20260502T060000Z',
        '5/13/2026 6:00:00 PM',
        'May 14, 2026 6:00 AM',
        '15.05.2026, 06:00',
      ].map((time) => `${page};${time};200;a`),
    ].join('\r\n'),
    right: { [page]: [4, 0] },
    said: /Dates with slashes have the month first/,
  },
  {
    kind: 'a comment before a table parted by strokes, and a verdict that is none',
    text: `# made by a crawler: 3 rows\nurl|time|changed\n${['yes', 'unchanged', 'maybe', 'no'].map((verdict, k) => `${page}|${at(k)}|${verdict}`).join('\n')}`,
    right: { [page]: [2, 0] },
    said: /1 verdicts are neither true nor false, such as "maybe" in line 5/,
  },
  {
    kind: 'exports of MongoDB, and headers as lists of one',
    text: rows([
      { time: { $date: at(0) }, etag: ['"a"'] },
      { time: { $date: { $numberLong: String(Date.parse(at(1))) } }, etag: ['"a"'] },
    ]),
    right: { [page]: [1, 0] },
  },
  {
    kind: 'a few requests of another user agent',
    text: Array.from(
      { length: 24 },
      (_, k) =>
        `10.0.0.7 - - [${day(k).slice(8)}/May/2026:06:00:00 +0000] "GET /a HTTP/1.1" ${k % 2 ? 304 : 200} 10 "-" "${k === 4 ? 'Mozilla' : 'bot'}"`,
    ).join('\n'),
    right: { '/a': [22, 10] },
    said: /1 passed over: of other user agents than "bot"/,
  },
  {
    kind: 'a quote that is not closed',
    text: ['url,time,hash', `"${page}no end`, ...Array.from({ length: 12 }, (_, k) => `"${page}",${at(k)},"a"`)].join(
      '\n',
    ),
    right: { [page]: [11, 0] },
    said: /1 lines cannot be read \(the first is line 2: a quoted cell is not closed/,
  },
  {
    kind: 'Nutch: readdb -dump -format csv, as older versions part it',
    text: [
      'Url;Status code;Status name;Fetch Time;Modified Time;Retries since fetch;Retry interval;Score;Signature;Metadata',
      ...[0, 1].map(
        (k) =>
          `"${page}";2;"db_fetched";Fri May 0${k + 2} 06:00:00 UTC 2026;Thu Jan 01 00:00:00 UTC 1970;0;86400;1.0;"aa";""`,
      ),
    ].join('\n'),
    right: { [page]: [1, 0] },
  },
  {
    kind: 'statuses with a protocol, with quotes, and none beside a hash',
    text: rows(
      ['HTTP/1.1 200 OK', '"200"', 'HTTP/2 404', null, '404 (Not Found)', 'HTTP/1.1 304 Not Modified', '200'].map(
        (status) => ({ status, hash: status === null ? 'b' : 'a' }),
      ),
    ),
    right: { [page]: [4, 2] },
    isTable: true,
  },
  {
    kind: 'statuses in words, among them a failure with the hash of an error page',
    text: rows(
      ['OK', 'Not Modified', 'Forbidden', 'timed out', 'fetched'].map((status) => ({
        status,
        hash: status === 'Forbidden' ? 'z' : 'a',
      })),
    ),
    right: { [page]: [2, 0] },
    isTable: true,
  },
  {
    kind: 'a status column called http, and a content hash by another name',
    text: [200, 404, 200]
      .map((http, k) => JSON.stringify({ final_url: page, crawled: at(k), http, body_md5: 'a' }))
      .join('\n'),
    right: { [page]: [1, 0] },
    said: /status is "http", signature is "body_md5"/,
  },
  {
    kind: 'a status that is not understood',
    text: hashes(['a', 'a'], 'skipped by rule 7b'),
    right: { [page]: [1, 0] },
    said: /2 statuses are not understood, such as "skipped by rule 7b"/,
  },
  {
    kind: 'dates and hours in columns of their own, beside the duration of the request',
    text: [
      'date,time,request_time,url,status,hash',
      ...[0, 1, 2].map((k) => `${day(k)},06:00:00,0.${k},${page},200,a`),
    ].join('\n'),
    right: { [page]: [2, 0] },
  },
  {
    kind: 'Last-Modified in other zones and spellings',
    text: rows(
      [
        'Thu, 30 Apr 2026 20:00:00 CEST',
        'thu , 30 april 2026 18:00 GMT; length=4711',
        '"Thu,30 Apr 2026 18:00:00 GMT"',
        'Thu, 30 Apr 2026 20:00:00 GMT+2',
        'Do, 30 Apr 2026 18:00:00 GMT',
      ].map((last_modified) => ({ status: 200, last_modified })),
    ),
    right: { [page]: [5, 1] },
  },
  {
    kind: 'a Last-Modified whose day and month may be swapped, beside a hash',
    text: rows([1, 2].map(() => ({ status: 200, hash: 'a', last_modified: '04/05/2026 10:00' }))),
    right: { [page]: [1, 0] },
    said: /2 Last-Modified headers are no time/,
  },
  {
    kind: 'entity tags as programs print them',
    text: hashes(['"a1"', 'W/a1', '"W/a1"', '[\'"a1"\']', 'b\'"a1"\'', '%22a1%22', '"a1/gzip"', '"a1"-gzip', '"a1']),
    right: { [page]: [8, 0] },
  },
  {
    kind: 'digests as shells, databases and certificates print them',
    text: hashes([
      hex,
      `${hex}  -`,
      `\\x${hex}`,
      `{SHA1}${hex}`,
      `sha1sum:${hex}`,
      hex.replaceAll(/(..)(?=.)/g, '$1:').toUpperCase(),
    ]),
    right: { [page]: [5, 0] },
  },
  {
    kind: 'NaN of another language in JSON',
    text: rows([{ hash: 'a' }, { hash: 'none' }, { hash: 'a' }].map((row) => ({ ...row, status: 200 }))).replace(
      '"none"',
      'NaN',
    ),
    right: { [page]: [1, 0] },
  },
  {
    kind: 'lines that end with a carriage return alone, and blanks before quotes',
    text: ['url, time, status, hash', ...[0, 1, 2].map((k) => `"${page}", "${at(k)}", 200, "a,${k >> 1}"`)].join('\r'),
    right: { [page]: [2, 1] },
  },
  {
    kind: 'tables that were appended with their names',
    text: [0, 2].map((k) => `url,time,hash\n${page},${at(k)},a\n${page},${at(k + 1)},a`).join('\n'),
    right: { [page]: [3, 0] },
  },
  {
    kind: 'the JSON of a CDX server with the key to resume at',
    text: JSON.stringify(
      [
        ['timestamp', 'original', 'statuscode', 'digest'],
        ...[0, 1].map((k) => [stamp(k), page, '200', sha1]),
        [],
        ['example%2Cx%29%2F'],
      ],
      null,
      1,
    ),
    right: { [page]: [1, 0] },
  },
  {
    kind: 'captures as objects, with a revisit',
    text: ['200', '-', '404']
      .map((status, k) =>
        JSON.stringify({ urlkey: 'x', timestamp: stamp(k), url: page, status, digest: k < 2 ? sha1 : other }),
      )
      .join('\n'),
    right: { [page]: [1, 0] },
  },
  {
    kind: 'a CDX index without its usual columns or a header',
    text: [0, 1].map((k) => `${stamp(k)} ${page} 200 ${sha1}`).join('\n'),
    right: { [page]: [1, 0] },
  },
  {
    kind: 'CDXJ with times in ISO 8601, and a body that was posted',
    text: [0, 1, 2]
      .map(
        (k) =>
          `(example,x)/ ${at(k)} response {"uri":"${page}","hsc":200,"sha":"${k === 1 ? other : sha1}"${k === 1 ? ',"requestBody":"a=1"' : ''}}`,
      )
      .join('\n'),
    right: { [page]: [1, 0] },
    said: /1 passed over: requests other than GET/,
  },
  {
    kind: 'a revisit of a page that was 404 under another URL',
    text: cdx([
      capture(0, sha1),
      capture(0, other, '404', 'text/html', `${page}gone`),
      capture(1, other, '-', 'warc/revisit'),
      capture(2, sha1),
    ]),
    right: { [page]: [1, 0], [`${page}gone`]: [0, 0] },
  },
  {
    kind: 'a WARC of version 0.18, its bodies in chunks of any size',
    text: warc(
      ['4\r\nbody', '2\r\nbo\r\n2\r\ndy'].map((body, k) => [
        'WARC-IP-Address: 10.0.0.7',
        `HTTP/1.1 200 OK\r\nDate: ${k}\r\nTransfer-Encoding: chunked\r\n\r\n${body}\r\n0\r\n\r\n`,
      ]),
    ).replaceAll('WARC/1.1', 'WARC/0.18'),
    right: { [page]: [1, 0] },
  },
  {
    kind: 'bodies in a content coding, which are compared with none in another',
    text: warc(
      ['', 'Content-Encoding: gzip\r\n', 'Content-Encoding: gzip\r\n'].map((more, k) => [
        'WARC-IP-Address: 10.0.0.7',
        http(k, more),
      ]),
    ),
    right: { [page]: [1, 0] },
  },
  {
    kind: 'StormCrawler: answers of several searches, one of fields alone',
    text: [
      { responses: [{ hits: { hits: [{ _source: storm(0, 'FETCHED') }] } }] },
      {
        hits: {
          hits: [
            {
              fields: {
                url: [page],
                status: ['FETCHED'],
                nextFetchDate: [at(2)],
                'metadata.lastProcessedDate': [at(1)],
                'metadata.signature': ['aa'],
              },
            },
          ],
        },
      },
    ]
      .map((row) => JSON.stringify(row))
      .join('\n'),
    right: { [page]: [1, 0] },
  },
  {
    kind: 'Nutch in a zone with a name, its fields in another order',
    text: [0, 1]
      .map((k) =>
        JSON.stringify({
          statusName: 'db_fetched',
          fetchTime: `Sat May 0${k + 2} 08:00:00 CEST 2026`,
          retryIntervalSeconds: 86_400,
          signature: 'aa',
          url: page,
        }),
      )
      .join('\n'),
    right: { [page]: [1, 0] },
  },
  {
    kind: 'escapes of brackets, and blanks around a URL',
    text: ['https://x.example/?a[]=1', 'https://x.example/?a%5b%5d=1', ' https://X.example/?a[%5D=1 ']
      .map((url, k) => JSON.stringify({ url, time: at(k), status: 200, hash: 'a' }))
      .join('\n'),
    right: { 'https://x.example/?a[]=1': [2, 0] },
  },
  {
    kind: 'names of users with blanks, and virtual hosts, in access logs',
    text: ['10.0.0.7 - Jane Q Doe', 'x.example:443 2001:db8::1 - -', 'x.example 10.0.0.7 - -', '10.0.0.7 - -']
      .flatMap((who, k) =>
        [304, 200].map(
          (status) =>
            `${who} [0${2 * k + (status === 200 ? 2 : 1)}/May/2026:06:00:00 +0000] "GET /a HTTP/1.1" ${status} 10 "-" "bot"`,
        ),
      )
      .join('\n'),
    right: { '/a': [3, 2], 'x.example/a': [3, 2] },
  },
  {
    kind: 'the extended format of IIS, its names again after a restart',
    text: [200, 304, 200]
      .map(
        (status, k) =>
          `#Software: IIS 10.0\r\n#Fields: date time cs-method cs-uri-stem cs-uri-query c-ip cs(User-Agent) sc-status\r\n${day(k)} 06:00:00 GET /a q=1 10.0.0.7 bot/1.0+(x) ${status}\r\n`,
      )
      .join(''),
    right: { '/a?q=1': [2, 1] },
  },
  {
    kind: 'CloudFront: several hosts in one log, and a line of another agent',
    text: [
      '#Version: 1.0',
      '#Fields: date time c-ip cs-method cs(Host) cs-uri-stem sc-status cs(User-Agent) cs-uri-query x-host-header',
      ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((k) =>
        ['a.example', 'b.example'].map((host) =>
          [
            ...[day(k), '06:00:00', '10.0.0.7', 'GET', 'd1.cloudfront.net', '/'],
            ...[
              host === 'a.example' || k === 0 ? 304 : 200,
              k === 9 && host === 'b.example' ? 'Mozilla' : 'bot',
              '-',
              host,
            ],
          ].join('\t'),
        ),
      ),
    ].join('\n'),
    right: { 'a.example/': [9, 0], 'b.example/': [8, 8] },
    said: /1 passed over: of other user agents than "bot"/,
  },
  {
    kind: 'a load balancer of Amazon',
    text: [200, 304, 200]
      .map(
        (status, k) =>
          `h2 ${day(k)}T06:00:00.123456Z app/lb/1 10.0.0.7:2817 10.0.0.1:80 0.000 0.001 0.000 ${status} ${status} 34 366 "GET https://x.example:443/ HTTP/2.0" "bot" - - arn`,
      )
      .join('\n'),
    right: { 'https://x.example:443/': [2, 1] },
  },
  {
    kind: 'an access log behind what syslog writes',
    text: [200, 304, 200]
      .map(
        (status, k) =>
          `May  ${k + 1} 06:00:00 web nginx: 10.0.0.7 - - [0${k + 1}/May/2026:06:00:00 +0000] "GET /a HTTP/1.1" ${status} 10 "-" "bot"`,
      )
      .join('\n'),
    right: { '/a': [2, 1] },
  },
  {
    kind: 'JSON of Caddy: nested objects, paths of several hosts',
    text: ['x.example', 'y.example', 'x.example', 'x.example']
      .map((host, k) =>
        JSON.stringify({
          ts: Date.parse(at(k)) / 1000,
          request: { remote_ip: '10.0.0.7', method: 'GET', host, uri: '/a', headers: { 'User-Agent': ['bot'] } },
          status: 200,
          resp_headers: { Etag: [`"${k >> 1}"`] },
        }),
      )
      .join('\n'),
    right: { 'x.example/a': [2, 1], 'y.example/a': [0, 0] },
  },
  {
    kind: 'JSON of nginx: request lines, host and agent beside them',
    text: [200, 304, 200]
      .map((status, k) =>
        JSON.stringify({
          ...{ time_local: `0${k + 1}/May/2026:06:00:00 +0000`, remote_addr: '10.0.0.7', http_host: 'x.example' },
          ...{ request: 'GET /a?b=1 HTTP/1.1', status: String(status), body_bytes_sent: 10, http_user_agent: 'bot' },
        }),
      )
      .join('\n'),
    right: { 'x.example/a?b=1': [2, 1] },
  },
  {
    kind: 'rows in an envelope',
    text: JSON.stringify({ count: 3, items: [0, 1, 2].map((k) => ({ url: page, time: at(k), hash: `${k >> 1}` })) }),
    right: { [page]: [2, 1] },
  },
  {
    kind: 'records behind separators',
    text: [0, 1, 2].map((k) => `\x1e${JSON.stringify({ url: page, time: at(k), hash: `${k >> 1}` })}`).join('\n'),
    right: { [page]: [2, 1] },
  },
  {
    kind: 'a title before the names, and days of a spreadsheet with a decimal comma',
    text: [
      'Crawl of May 2026',
      'Page URL;Fetch time (UTC);HTTP code;SHA-256 of body',
      ...[0, 1, 2].map((k) => `${page};${46_143 + k},25;200;${k >> 1}`),
    ].join('\n'),
    right: { [page]: [2, 1] },
    said: /1 passed over: before the names of columns, such as "Crawl of May 2026"/,
  },
  {
    kind: 'times as Go prints them',
    text: [0, 1, 2]
      .map((k) => JSON.stringify({ url: page, time: `${day(k)} 06:00:00.123456789 +0000 UTC`, hash: `${k >> 1}` }))
      .join('\n'),
    right: { [page]: [2, 1] },
  },
  {
    kind: 'requests in the Elastic Common Schema',
    text: [200, 304, 200]
      .map((status, k) =>
        JSON.stringify({
          ...{ '@timestamp': at(k), url: { original: page, path: '/', domain: 'x.example' } },
          ...{ http: { request: { method: 'GET' }, response: { status_code: status, bytes: 5 } } },
          ...{ user_agent: { original: 'bot' }, source: { ip: '10.0.0.7' }, host: { name: 'web' } },
        }),
      )
      .join('\n'),
    right: { [page]: [2, 1] },
  },
  {
    kind: 'a row that cannot be read in an array on one line, and hosts beside paths',
    text: `[${many
      .slice(0, 20)
      .map((row, k) => (k === 9 ? '{"url":}' : JSON.stringify({ ...row, url: '/a', host: `${'xy'[k % 2]}.example` })))
      .join(',')}]`,
    right: { 'x.example/a': [9, 0], 'y.example/a': [8, 0] },
    said: /1 lines cannot be read/,
  },
];
