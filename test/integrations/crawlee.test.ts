import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FreshPages, HostDelays, type RequestRunner } from '../../src/crawlee/index.ts';

/** npm install --no-save --prefix artefacts/crawlee @crawlee/http@3 @crawlee/memory-storage@3 */
const installed = resolve('artefacts/crawlee/node_modules/@crawlee/http');

interface HttpContext {
  readonly request: { readonly url: string; readonly userData: { readonly page?: unknown } };
  readonly response: { readonly statusCode: number; readonly headers: Record<string, string> };
  readonly body: string | Uint8Array;
}

interface Crawlee {
  readonly HttpCrawler: new (options: object, configuration: object) => RequestRunner;
  readonly Configuration: new (options: object) => object;
  readonly log: { setLevel(level: number): void };
}

if (!existsSync(installed)) console.log('Crawlee is skipped: no artefacts/crawlee');

describe.skipIf(!existsSync(installed))('crawl-optimizer/crawlee, in Crawlee itself', () => {
  const fetched = new Map<string, (string | undefined)[]>();
  let site: Server;
  let url = '';
  let work = '';

  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), 'crawlee-'));
    // /fast is another at every second fetch, /slow never, /down is an error.
    site = createServer((request, response) => {
      const path = request.url ?? '';
      const seen = fetched.get(path) ?? [];
      fetched.set(path, [...seen, request.headers['if-none-match']]);
      const etag = `"${path === '/fast' ? Math.floor(seen.length / 2) : 0}"`;
      // a 304 has no content-type, as from most servers
      if (request.headers['if-none-match'] !== etag) response.setHeader('content-type', 'text/html');
      if (path === '/down') response.writeHead(500).end();
      else if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
      else response.writeHead(200, { etag }).end(`version ${etag} of ${path}`);
    });
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
    const address = site.address();
    url = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
  });
  afterAll(() => {
    site.close();
    rmSync(work, { recursive: true });
  });

  it('keeps pages fresh by a price: the one that changes is fetched more often, a failing one is left be', async () => {
    const load = createRequire(join(installed, 'index.js'));
    const { HttpCrawler, Configuration }: Crawlee = load('@crawlee/http');
    const { MemoryStorage }: { MemoryStorage: new (options: object) => object } = load('@crawlee/memory-storage');
    const state = join(work, 'pages.json');
    const pages = new FreshPages(state, { perDay: 86_400 * 15 });
    const stop = new AbortController();
    let answers = 0;
    const failures = new Set<string>();
    const seen = (context: HttpContext): void => {
      pages.add(context);
      if (++answers === 60) stop.abort();
    };
    const crawler = new HttpCrawler(
      {
        maxRequestRetries: 0,
        additionalMimeTypes: ['application/octet-stream'],
        requestHandler: seen,
        failedRequestHandler: (context: HttpContext) => {
          failures.add(context.request.url.slice(url.length));
          seen(context);
        },
      },
      new Configuration({ storageClient: new MemoryStorage({ persistStorage: false }) }),
    );
    const before = new Map(Array.from(fetched, ([path, asked]) => [path, asked.length]));
    const since = (path: string): number => (fetched.get(path) ?? []).length - (before.get(path) ?? 0);
    const urls = ['/fast', '/slow', '/down'].map((path) => `${url}${path}`);
    await pages.run(crawler, urls, stop.signal);
    expect(since('/fast')).toBeGreaterThan(since('/slow'));
    expect(since('/fast')).toBeGreaterThan(since('/down'));
    expect(since('/slow')).toBeGreaterThan(1);
    expect([...failures]).toEqual(['/down']);
    const kept: { pages: Record<string, { belief: unknown }> } = JSON.parse(readFileSync(state, 'utf8'));
    expect(Object.keys(kept.pages).sort()).toEqual([...urls].sort());
  });

  it('is held back by what a host asks', async () => {
    const asked: number[] = [];
    const site = createServer((_, response) => {
      asked.push(Date.now());
      const refuses = asked.length === 2;
      response.writeHead(refuses ? 429 : 200, { 'content-type': 'text/html', ...(refuses && { 'retry-after': '1' }) });
      response.end('a page');
    });
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
    const address = site.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const { HttpCrawler, Configuration, log }: Crawlee = createRequire(join(installed, 'index.js'))('@crawlee/http');
    log.setLevel(0);
    const delays = new HostDelays();
    const crawler = new HttpCrawler(
      {
        maxConcurrency: 1,
        maxRequestRetries: 1,
        useSessionPool: false,
        preNavigationHooks: [(context: Parameters<HostDelays['waitForTurn']>[0]) => delays.waitForTurn(context)],
        postNavigationHooks: [(context: Parameters<HostDelays['recordFetch']>[0]) => delays.recordFetch(context)],
        requestHandler: () => undefined,
      },
      new Configuration({ persistStorage: false }),
    );
    const requests = [0, 1, 2].map((page) => {
      const path = `http://127.0.0.1:${address.port}/${page}`;
      return { url: path, uniqueKey: path, headers: {}, userData: { page: path } };
    });
    await crawler.run(requests, { purgeRequestQueue: false });
    site.close();
    expect(asked.length).toBeGreaterThanOrEqual(3);
    expect(asked[2] - asked[1]).toBeGreaterThanOrEqual(1000);
  });
});
