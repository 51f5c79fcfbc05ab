import { describe, expect, it } from 'vitest';
import { planRequest } from '../../src/logs/plan-request.ts';
import { type LoggedPage, readLog } from '../../src/logs/read-log.ts';
import { hostQualities, pagesWithSignals, qualityRequest } from '../../src/logs/sitemaps/log-signals.ts';
import { readSitemaps } from '../../src/logs/sitemaps/read-sitemaps.ts';

const june1 = Date.parse('2026-06-01T00:00:00Z') / 1000;
const day = 86_400;

/** Each page by its path, with the times of its fetches from a moment on and the number of its versions. */
const versionsOf = (pages: readonly LoggedPage[], start: string) =>
  pages.map(({ id, observations }) => [
    id.replace(/^http:\/\/127\.0\.0\.1:\d+/, ''),
    observations.toJSON().map(({ time }) => time - Date.parse(start) / 1000),
    new Set(observations.toJSON().map(({ signature }) => signature)).size,
  ]);

// samples below are written by hand, in the form that each format's documentation gives, unless they are `recorded`
describe('a crawl.log of Heritrix', () => {
  const line = (status: string, url: string, fetched: string, digest = 'sha1:AAAA'): string =>
    `2026-06-01T00:00:09.917Z ${status.padStart(5)} 1270 ${url} LL http://x.example/ text/html #002 ${fetched} ${digest} - -`;

  it('is read by the beginning of each fetch, its digest and its status', () => {
    const log = readLog([
      [
        line('200', 'http://x.example/a', '20260601000007123+421'),
        line('200', 'http://x.example/a', '20260602000007123+40', 'sha1:BBBB'),
        line('-2', 'http://x.example/a', '-'),
        line('-9998', 'http://x.example/private', '-', '-'),
        line('1', 'dns:x.example', '20260601000000000+10'),
      ].join('\n'),
    ]);
    expect(log.format.name).toBe('heritrix');
    expect(log.pages).toHaveLength(1);
    expect(log.pages[0].observations.toJSON()).toEqual([
      { time: june1 + 7, status: 200, signature: 'sha1:v1' },
      { time: june1 + 9.917, status: 0, signature: 'sha1:v1' },
      { time: june1 + day + 7, status: 200, signature: 'sha1:v2' },
    ]);
    expect(log.notes.join(' ')).toMatch(/not fetched \(code -9998\)/);
    expect(log.notes.join(' ')).toMatch(/dns: lookups/);
  });

  it('is read as Heritrix writes it: two crawls of a site of which one page changed', () => {
    // recorded: crawl.log of two runs of Heritrix 3.13.0 over a site on the loopback interface
    const recorded = `2026-11-24T11:50:10.034Z   200         33 http://127.0.0.1:8765/robots.txt P http://127.0.0.1:8765/ text/plain #008 20261124115007937+1396 sha1:QNUPEWDCWVD2GEOJGNNVCDZCUVA3TOVR - -
2026-11-24T11:50:17.390Z   200        189 http://127.0.0.1:8765/ - - text/html #019 20261124115017045+108 sha1:LBNONLYYY4VB54L2772ZL5ZTS7GDN2YL - 2t
2026-11-24T11:50:18.076Z   404          2 http://127.0.0.1:8765/favicon.ico PI http://127.0.0.1:8765/robots.txt text/html #004 20261124115018062+9 sha1:7UJIMNJVODCXAN4ZXJ3JTEZDW7DUI6YG - -
2026-11-24T11:50:18.249Z   200         16 http://127.0.0.1:8765/news L http://127.0.0.1:8765/ text/html #019 20261124115018242+3 sha1:LHAIZHUGJLNVQKJG5SLDF5MUMN66GPYQ - -
2026-11-24T11:50:18.519Z   200         15 http://127.0.0.1:8765/still L http://127.0.0.1:8765/ text/html #019 20261124115018509+5 sha1:GY3P6WRC7LCCRQBJUMEQITPXG5VDNVF2 - -
2026-11-24T11:50:18.789Z   404          2 http://127.0.0.1:8765/gone L http://127.0.0.1:8765/ text/html #019 20261124115018780+3 sha1:7UJIMNJVODCXAN4ZXJ3JTEZDW7DUI6YG - -
2026-11-24T11:50:19.060Z   301          0 http://127.0.0.1:8765/moved L http://127.0.0.1:8765/ unknown #019 20261124115019048+7 sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ - -
2026-11-24T11:50:19.306Z -9998          - http://127.0.0.1:8765/private L http://127.0.0.1:8765/ unknown #023 - - - -
2026-11-24T11:50:19.333Z   200         15 http://127.0.0.1:8765/a%20b?c=1&d=2 L http://127.0.0.1:8765/ text/html #023 20261124115019313+14 sha1:GY3P6WRC7LCCRQBJUMEQITPXG5VDNVF2 - -
2026-11-24T11:52:41.624Z   200         33 http://127.0.0.1:8765/robots.txt P http://127.0.0.1:8765/ text/plain #002 20261124115238846+1586 sha1:QNUPEWDCWVD2GEOJGNNVCDZCUVA3TOVR - -
2026-11-24T11:52:50.851Z   200        189 http://127.0.0.1:8765/ - - text/html #017 20261124115249645+18 sha1:LBNONLYYY4VB54L2772ZL5ZTS7GDN2YL - 2t
2026-11-24T11:52:51.007Z   404          2 http://127.0.0.1:8765/favicon.ico PI http://127.0.0.1:8765/robots.txt text/html #012 20261124115250994+7 sha1:7UJIMNJVODCXAN4ZXJ3JTEZDW7DUI6YG - -
2026-11-24T11:52:51.196Z   200         16 http://127.0.0.1:8765/news L http://127.0.0.1:8765/ text/html #003 20261124115251184+3 sha1:AVH3U4LT2NHXHJ7MARTLULVBW3XIXLWD - -
2026-11-24T11:52:51.364Z   200         15 http://127.0.0.1:8765/still L http://127.0.0.1:8765/ text/html #001 20261124115251353+7 sha1:GY3P6WRC7LCCRQBJUMEQITPXG5VDNVF2 - -
2026-11-24T11:52:51.566Z   404          2 http://127.0.0.1:8765/gone L http://127.0.0.1:8765/ text/html #014 20261124115251497+34 sha1:7UJIMNJVODCXAN4ZXJ3JTEZDW7DUI6YG - -
2026-11-24T11:52:51.866Z   301          0 http://127.0.0.1:8765/moved L http://127.0.0.1:8765/ unknown #011 20261124115251746+73 sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ - -
2026-11-24T11:52:52.245Z -9998          - http://127.0.0.1:8765/private L http://127.0.0.1:8765/ unknown #003 - - - -
2026-11-24T11:52:52.445Z   200         15 http://127.0.0.1:8765/a%20b?c=1&d=2 L http://127.0.0.1:8765/ text/html #007 20261124115252347+63 sha1:GY3P6WRC7LCCRQBJUMEQITPXG5VDNVF2 - -
`;
    const { pages, notes, format } = readLog([recorded]);
    expect(format.name).toBe('heritrix');
    expect(versionsOf(pages, '2026-11-24T11:50:00Z')).toEqual([
      ['/', [17, 169], 1],
      ['/favicon.ico', [18, 170], 1],
      ['/news', [18, 171], 2],
      ['/still', [18, 171], 1],
      ['/gone', [18, 171], 1],
      ['/moved', [19, 171], 1],
      ['/a%20b?c=1&d=2', [19, 172], 1],
    ]);
    expect(notes.join(' ')).toMatch(/2 passed over: prerequisites, such as robots\.txt/);
    expect(notes.join(' ')).toMatch(/not fetched \(code -9998\)/);
    expect(notes.join(' ')).not.toMatch(/cannot be read/);
  });
});

describe('a pages.jsonl of Browsertrix', () => {
  const head = '{"format": "json-pages-1.0", "id": "pages", "title": "All Pages", "hasText": true}';
  const page = (ts: string, more: object): string =>
    JSON.stringify({ id: 'a', url: 'https://x.example/', ts, ...more });

  it('is read as its packer writes it: two captures of which one page changed', () => {
    // recorded: pages/pages.jsonl by py-wacz 0.6.0 (--detect-pages --text) of a capture by warcio 1.8.1
    const recorded = String.raw`{"format": "json-pages-1.0", "id": "pages", "title": "Pages", "hasText": true}
{"url": "http://127.0.0.1:8766/", "title": "/", "text": "The council met on Tuesday evening to hear what the harbour needs before the winter storms arrive again. The council met on Tuesday evening to hear what the harbour needs before the winter storms arrive again. The council met on Tuesday evening to hear what the harbour needs before the winter storms arrive again.\n", "ts": "2026-11-24T11:56:56Z", "id": "bS52XGwBM8EiAAfGU4T6sE"}
{"url": "http://127.0.0.1:8766/news", "title": "/news", "text": "The council met on Tuesday evening to hear what the harbour needs before the winter storms arrive again. The council met on Tuesday evening to hear what the harbour needs before the winter storms arrive again. Edition 1 of this page was printed for the readers of the town. Edition 1 of this page was printed for the readers of the town.\n", "ts": "2026-11-24T11:56:56Z", "id": "imtDdgoy32isLJ2YKdUT5m"}
{"url": "http://127.0.0.1:8766/", "title": "/", "text": "The council met on Tuesday evening to hear what the harbour needs before the winter storms arrive again. The council met on Tuesday evening to hear what the harbour needs before the winter storms arrive again. The council met on Tuesday evening to hear what the harbour needs before the winter storms arrive again.\n", "ts": "2026-11-24T11:56:58Z", "id": "bPRTrmERmAzcRwtUCD3ykb"}
{"url": "http://127.0.0.1:8766/news", "title": "/news", "text": "The council met on Tuesday evening to hear what the harbour needs before the winter storms arrive again. The council met on Tuesday evening to hear what the harbour needs before the winter storms arrive again. Edition 2 of this page was printed for the readers of the town. Edition 2 of this page was printed for the readers of the town.\n", "ts": "2026-11-24T11:56:58Z", "id": "gB2SGRXvZnWcdvHob37rcV"}
`;
    const { pages, notes, format } = readLog([recorded]);
    expect(format.name).toBe('browsertrix');
    expect(versionsOf(pages, '2026-11-24T11:56:56Z')).toEqual([
      ['/', [0, 2], 1],
      ['/news', [0, 2], 2],
    ]);
    expect(notes.join(' ')).not.toMatch(/cannot be read/);
  });

  it('without texts is refused, and told what would have a digest', () => {
    expect(() => readLog([[head, page('2026-06-01T00:00:00Z', { text: '' })].join('\n')])).toThrow(
      /--text to-pages.*cdxj/,
    );
  });

  it('has an index as its packer writes it: two pages, of which one changed', () => {
    // recorded: indexes/index.cdx.gz of a WACZ by py-wacz 0.6.0, of a capture by warcio 1.8.1
    const recorded = `1,0,0,127:45611)/ 20261124101258 {"url": "http://127.0.0.1:45611/", "mime": "text/html", "status": "200", "digest": "sha1:OWCEQFCNWOL7UWTBYDSKH64QXCHHFKHK", "length": "427", "offset": "0", "filename": "rec.warc.gz", "recordDigest": "sha256:392e5d7557a45e28c8f33f61d24d0462feb7d5319cdc8569acefdaf56ea7fe66"}
1,0,0,127:45611)/ 20261124101300 {"url": "http://127.0.0.1:45611/", "mime": "text/html", "status": "200", "digest": "sha1:OWCEQFCNWOL7UWTBYDSKH64QXCHHFKHK", "length": "427", "offset": "1731", "filename": "rec.warc.gz", "recordDigest": "sha256:063f2c061d1373e65ced52c9a74e8f2d22cfe30fb500bbde6f1c8a795325e287"}
1,0,0,127:45611)/news 20261124101258 {"url": "http://127.0.0.1:45611/news", "mime": "text/html", "status": "200", "digest": "sha1:CHZUCHU5IL3PSOUEY5SIOMMIQPVLFZHH", "length": "427", "offset": "863", "filename": "rec.warc.gz", "recordDigest": "sha256:0b74df356c953874d0075151c9553d6dae9fdc95ceb34b4da369e6265f323436"}
1,0,0,127:45611)/news 20261124101300 {"url": "http://127.0.0.1:45611/news", "mime": "text/html", "status": "200", "digest": "sha1:VDNXY5VDYBRDTYFH2MXJQB3XGAHLKDUZ", "length": "428", "offset": "2593", "filename": "rec.warc.gz", "recordDigest": "sha256:335fdcf37bd9627bc5df29c9bbc6730cd5db58b940c887c6939184592f1d77aa"}
`;
    const { pages, notes } = readLog([recorded]);
    expect(versionsOf(pages, '2026-11-24T10:12:58Z')).toEqual([
      ['/', [0, 2], 1],
      ['/news', [0, 2], 2],
    ]);
    expect(notes.join(' ')).not.toMatch(/cannot be read/);
  });
});

const urlset = (entries: readonly (readonly [string, string | null])[]): string =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries
    .map(([loc, at]) => `<url><loc>${loc}</loc>${at === null ? '' : `<lastmod>${at}</lastmod>`}</url>`)
    .join('\n')}</urlset>`;

describe('sitemaps', () => {
  it('of an index are named where they are missing, and one moment for all pages is noted', () => {
    const index =
      '<sitemapindex><sitemap><loc>https://x.example/a.xml.gz</loc></sitemap><sitemap><loc>https://x.example/b.xml</loc></sitemap></sitemapindex>';
    const same = urlset(Array.from({ length: 12 }, (_, i) => [`https://x.example/${i}`, '2026-06-01']));
    const { notes } = readSitemaps([
      { name: 'index.xml', text: index },
      { name: 'folder/a.xml', text: same },
    ]);
    expect(notes.join(' ')).toMatch(/1 sitemaps of an index were not given, such as b\.xml/);
    expect(notes.join(' ')).toMatch(/folder\/a\.xml gives all its 12 pages one lastmod/);
  });

  it('are read as their generator writes them: an index and its two files', () => {
    // recorded: the program of the npm package sitemap 9.0.1, with --index --limit=2
    const texts = [
      '<?xml version="1.0" encoding="UTF-8"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://x.example/maps/sitemap-0.xml</loc></sitemap><sitemap><loc>https://x.example/maps/sitemap-1.xml</loc></sitemap></sitemapindex>',
      '<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"><url><loc>https://x.example/</loc><lastmod>2026-11-24T10:00:00.000Z</lastmod><changefreq>daily</changefreq><priority>0.8</priority></url><url><loc>https://x.example/a?b=1&amp;c=2</loc><lastmod>2026-11-20T08:30:00.000Z</lastmod></url></urlset>',
      '<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"><url><loc>https://x.example/quiet</loc></url></urlset>',
    ];
    const names = ['index.xml', 'sitemap-0.xml', 'sitemap-1.xml'];
    const at = (text: string): number => Date.parse(text) / 1000;
    const { signals, notes } = readSitemaps(texts.map((text, k) => ({ name: names[k], text })));
    expect([...signals]).toEqual([
      ['https://x.example/', [[at('2026-11-24T10:00:00Z'), at('2026-11-24T10:00:00Z')]]],
      ['https://x.example/a?b=1&c=2', [[at('2026-11-20T08:30:00Z'), at('2026-11-20T08:30:00Z')]]],
      ['https://x.example/quiet', []],
    ]);
    expect(notes).toEqual(['1 entries have no lastmod.']);
  });

  it('that are a page of HTML, or say nothing, are refused; broken entries are counted', () => {
    expect(() => readSitemaps([{ name: 'x.xml', text: '<!doctype html><p>404' }])).toThrow(
      /x\.xml is no sitemap.*doctype/,
    );
    expect(() => readSitemaps([{ name: 'x.xml', text: urlset([['https://x.example/', null]]) }])).toThrow(
      /signals nothing/,
    );
    const hostile = `${urlset([['https://x.example/', '2026-06-01']])}<url><lastmod>x</lastmod></url><url><loc>y</loc><lastmod>0000-99-99</lastmod></url><url><loc>`;
    expect(readSitemaps([{ name: 'x.xml', text: hostile }]).notes.join(' ')).toMatch(
      /2 entries have no loc, or a lastmod/,
    );
  });

  it('get their quality from a log: checks with the signals before them', () => {
    const csv = Array.from(
      { length: 30 },
      (_, k) => `https://x.example/,${june1 + day * k},200,${k % 3 === 0 ? k : k - (k % 3)}`,
    );
    const log = readLog([['url,time,status,signature', ...csv].join('\n')]);
    const lastmods = Array.from({ length: 10 }, (_, k) => new Date(1000 * (june1 + day * 3 * k - 600)).toISOString());
    const texts = lastmods.map((at, k) => ({
      name: `${k}.xml`,
      text: urlset([
        ['https://x.example/', at],
        [`https://x.example/new`, at],
      ]),
    }));
    const sitemaps = readSitemaps(texts);
    const request = qualityRequest(log, sitemaps);
    const [{ checks = [] } = {}, ...rest] = request?.pages ?? [];
    expect(rest).toEqual([]);
    // every third check had changed, ten minutes after its signal
    expect(checks.map(([, changed, said]) => [changed, said])).toEqual(
      Array.from({ length: 29 }, (_, k) => ((k + 1) % 3 === 0 ? [1, 1] : [0, 0])),
    );
    const quality = hostQualities({
      hosts: [{ host: 'x.example', precision: { value: 0.9 }, recall: { value: 0.8 }, signals: 12 }],
    });
    const pages = pagesWithSignals(log.pages, sitemaps, quality, june1 + 5 * day);
    expect(pages.map((page) => [page.id, 'signals' in page ? page.signals?.length : undefined])).toEqual([
      ['https://x.example/', 2],
      ['https://x.example/new', undefined],
    ]);
    expect(
      hostQualities({ hosts: [{ host: 'x', precision: { value: 1 }, recall: { value: 1 }, signals: 3 }] }),
    ).toEqual([]);
  });
});

describe('entries of feeds', () => {
  const settings = { now: june1 + 2 * day, interval: day, crawls: 2 };
  const rows = [
    ['https://me@X.example:8443/feed', june1, june1 + day],
    ['https://me@X.example:8443/feed', june1 - day, june1 + day],
    ['https://me@X.example:8443/feed', june1 + 9 * day, june1 + day],
    ['7', 'Sun, 31 May 2026 20:00:01 EDT', ''],
    ['urn:feed:7', june1, null],
  ] as const;
  const entries = [
    {
      id: 'https://me@X.example:8443/feed',
      host: 'x.example:8443',
      events: [june1 - day, june1],
      lastCrawl: june1 + day,
    },
    { id: '7', events: [june1 + 1] },
    { id: 'urn:feed:7', events: [june1] },
  ];

  it.each([
    ['feed,published,lastFetch', ','],
    ['feed_url;published_at;last_updated', ';'],
  ])('become events up to each feed’s last fetch, under delay (%s)', (names, delimiter) => {
    const cell = (value: unknown): string => `"${value ?? ''}"`;
    const log = readLog([[names, ...rows.map((row) => row.map(cell).join(delimiter))].join('\n')]);
    expect(log.format.name).toBe('feeds');
    expect(log.notes.join(' ')).toContain("1 entries are dated after their feed's last fetch");
    expect(planRequest(log, settings)).toMatchObject({ objective: 'delay', pages: entries });
    expect(log).toMatchObject({ from: june1 - day, to: june1 + day });
  });

  it('are read from JSON, and by their format where the names may mean another', () => {
    const json = rows.map(([feed, published, lastFetch]) => ({ feed, published, lastFetch }));
    expect(planRequest(readLog([JSON.stringify(json)]), settings).pages).toEqual(entries);
    const table = `url,updated,lastupdated\na,${june1},${june1 + 1}`;
    expect(() => readLog([table])).toThrow('no column is known to be the time');
    expect(readLog([table], {}, 'feeds').pages[0].events).toEqual([june1]);
  });

  it('without a time are counted, and refused where all are', () => {
    const good = Array.from({ length: 20 }, (_, k) => `a,${june1 + k},`);
    const { notes, pages } = readLog([['feed,published,lastFetch', ...good, 'b,yesterday,', 'c,0,'].join('\n')]);
    expect(notes.join(' ')).toContain(
      '2 fetches have no time from 1990 to 2100, such as "yesterday" in line 22: left out.',
    );
    expect(pages[0].events).toHaveLength(20);
    expect(() => readLog(['feed,published\na,yesterday'])).toThrow('1 of 1 times are none');
  });
});
