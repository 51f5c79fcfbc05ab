import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stillToMake, Waits } from '../../src/crawlee/follow-plan.ts';
import {
  CrawlLog,
  FreshPages,
  followPlan,
  followTable,
  type RequestRunner,
  type TablePool,
} from '../../src/crawlee/index.ts';
import { readLog } from '../../src/logs/read-log.ts';

const run = promisify(execFile);
/** Where `.ci/run` installs Crawlee. */
const installed = resolve('artefacts/crawlee/node_modules/@crawlee/http');

interface HttpContext {
  readonly request: { readonly url: string; readonly userData: { readonly page?: unknown } };
  readonly response: { readonly statusCode: number; readonly headers: Record<string, string> };
  readonly body: string | Uint8Array;
}

interface Crawlee {
  readonly HttpCrawler: new (
    options: object,
    configuration: object,
  ) => RequestRunner & { readonly autoscaledPool?: TablePool };
  readonly Configuration: new (options: object) => object;
  readonly log: { setLevel(level: number): void };
}

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

  it('follows a plan made from its own log, never early, and asks conditionally', async () => {
    const load = createRequire(join(installed, 'index.js'));
    const { HttpCrawler, Configuration, log: crawleeLog }: Crawlee = load('@crawlee/http');
    const { MemoryStorage }: { MemoryStorage: new (options: object) => object } = load('@crawlee/memory-storage');
    crawleeLog.setLevel(0);
    const file = join(work, 'log.ndjson');
    const log = new CrawlLog(file);
    const crawler = new HttpCrawler(
      {
        maxRequestRetries: 0,
        additionalMimeTypes: ['application/octet-stream'],
        autoscaledPoolOptions: { maybeRunIntervalSecs: 0.02 },
        requestHandler: (context: HttpContext) => void log.add(context),
        failedRequestHandler: (context: HttpContext) => void log.add(context),
      },
      new Configuration({ storageClient: new MemoryStorage({ persistStorage: false }) }),
    );
    const paths = ['/fast', '/slow', '/down'];
    const page = (path: string) => ({
      id: `${url}${path}`,
      fetchInterval: null,
      intervalIfUnchanged: null,
      intervalIfChanged: null,
    });
    const begin = Date.now() / 1000;
    const schedule = Array.from({ length: 12 }, (_, k) => ({ time: begin + 0.5 + 0.1 * k, page: k % 3 }));
    await followPlan({ pages: paths.map(page), schedule }, crawler, { log });
    const first = readLog([readFileSync(file, 'utf8')]);
    // Of the four fetches of /down at most those are left out that come after its failure is known.
    expect(first.failed).toBeGreaterThanOrEqual(2);
    expect(first.fetches).toBe(8 + first.failed);

    const plan = join(work, 'plan.json');
    const words = ['src/cli.ts', 'plan', file, '--crawls', '8', '--interval', '2s', '--json'];
    const { stdout } = await run(process.execPath, words);
    writeFileSync(plan, stdout);
    const { solution } = JSON.parse(stdout);
    await followPlan(solution, crawler, { log });
    const lines = readFileSync(file, 'utf8').trim().split('\n').slice(first.fetches);
    // Of those that are overdue by the time the plan is there, one a page.
    expect(lines.length).toBeGreaterThanOrEqual(
      new Set(solution.schedule.map((slot: { page: number }) => slot.page)).size,
    );
    expect(lines.length).toBeLessThanOrEqual(8);
    for (const line of lines) expect(JSON.parse(line).time).toBeGreaterThanOrEqual(solution.schedule[0].time);
    const asked = fetched.get('/slow') ?? [];
    expect(asked[0]).toBeUndefined();
    expect(asked.at(-1)).toBe('"0"');
    expect(readFileSync(file, 'utf8')).toContain('"status":304');
  });

  it('keeps pages fresh by a price: the one that changes is fetched more often, a failing one is left be', async () => {
    const load = createRequire(join(installed, 'index.js'));
    const { HttpCrawler, Configuration }: Crawlee = load('@crawlee/http');
    const { MemoryStorage }: { MemoryStorage: new (options: object) => object } = load('@crawlee/memory-storage');
    const state = join(work, 'pages.json');
    const pages = new FreshPages(state, { perDay: 86_400 * 15 });
    const stop = new AbortController();
    let answers = 0;
    const failed = new Set<string>();
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
          failed.add(context.request.url.slice(url.length));
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
    expect([...failed]).toEqual(['/down']);
    const kept: { pages: Record<string, { belief: unknown }> } = JSON.parse(readFileSync(state, 'utf8'));
    expect(Object.keys(kept.pages).sort()).toEqual([...urls].sort());
  });
});

describe('a plan that is followed late', () => {
  it('has each page once that is overdue, nothing that was done, and the delay of each host', () => {
    const id = (url: string) => ({ id: url, fetchInterval: null, intervalIfUnchanged: null, intervalIfChanged: null });
    const pages = ['http://a/1', 'http://a/2', 'http://b/3'].map(id);
    const schedule = [0, 1, 2, 0, 0].map((page, k) => ({ time: 3 * k, page }));
    const last = (page: string) => (page === 'http://a/2' ? 3.5 : Number.NEGATIVE_INFINITY);
    const left = stillToMake({ pages, schedule }, 10, last, (page) => page, new Waits(() => 0));
    // a's fetches are 3 s apart: the one at 12 waits for the overdue one, made at 10
    expect(left).toEqual([
      { time: 0, page: 0 },
      { time: 6, page: 2 },
      { time: 13, page: 0 },
    ]);
  });
});

describe('the log of Crawlee', () => {
  it('reads an answer of Playwright or Puppeteer, whose status and headers are functions', () => {
    const folder = mkdtempSync(join(tmpdir(), 'crawlee-log-'));
    const log = new CrawlLog(join(folder, 'log.ndjson'));
    const request = { url: 'http://a/', userData: {} };
    const response = { status: () => 203, headers: () => ({ etag: '"1"' }) };
    expect(log.add({ request, response, body: 'text' })).toMatchObject({ status: 203, validator: '"1"' });
    expect(log.conditionalHeaders('http://a/')).toEqual({ 'if-none-match': '"1"' });
    expect(log.add({ request })).toMatchObject({ status: 0 });
    rmSync(folder, { recursive: true });
  });
});

describe('a page that fails under a plan', () => {
  it('waits for one of its slots, then three, then seven, from where the log stands, and until the next plan', () => {
    const made = (plan: Waits, slots: number, failed: number): string => {
      failures = failed;
      return Array.from({ length: slots }, () => {
        if (plan.leavesOut('a')) return '.';
        plan.tried('a');
        failures++;
        return 'x';
      }).join('');
    };
    let failures = 0;
    const plan = new Waits(() => failures);
    expect(made(plan, 16, 0)).toBe('x.x...x.......x.');
    expect(made(new Waits(() => failures), 20, failures)).toBe('x...................');
    expect(new Waits(() => 2000).leavesOut('a')).toBe(false);
    // begun again: slots that were made are behind it
    const again = new Waits(() => 1);
    const pages = [{ id: 'http://a/', fetchInterval: null, intervalIfUnchanged: null, intervalIfChanged: null }];
    const schedule = [1, 3, 4, 5].map((time) => ({ time, page: 0 }));
    const left = stillToMake(
      { pages, schedule },
      10,
      () => 2,
      (page) => page,
      again,
    );
    expect(left).toEqual([{ time: 4, page: 0 }]);
  });
});

describe('a plan table that FreshPages follows', () => {
  it('fetches its pages by their intervals, no fetch that was made, and no page that it never fetches', async () => {
    const work = mkdtempSync(join(tmpdir(), 'crawlee-table-'));
    const state = join(work, 'pages.json');
    const pages = new FreshPages(state, { perDay: 1 });
    const fetches: string[] = [];
    let stop = new AbortController();
    const crawler = {
      addRequests: async () => {},
      run: async (requests: readonly { url: string; userData: { page: string } }[]) => {
        for (const request of requests) {
          fetches.push(request.url);
          const response = { statusCode: request.url === 'http://a/down' ? 500 : 200, headers: {} };
          pages.add({ request, response, body: 'the same' });
        }
        stop.abort();
      },
    };
    const started = Date.now() / 1000;
    const rows = [
      { id: 'http://a/soon', interval: 2, nextFetch: started - 10 },
      { id: 'http://a/new', interval: 0.5 },
      { id: 'http://a/down', interval: 0.5 },
      { id: 'http://a/later', interval: 1, nextFetch: started + 3000 },
      { id: 'http://a/never', interval: null },
    ];
    await pages.followPlanTable(rows, 3600);
    await pages.run(crawler, [], stop.signal);
    expect(fetches).toEqual(['http://a/soon', 'http://a/new', 'http://a/down']);
    const kept = (): Record<string, { due: number; checked: number }> => JSON.parse(readFileSync(state, 'utf8')).pages;
    const pause = (path: string): number => kept()[`http://a/${path}`].due - kept()[`http://a/${path}`].checked;
    expect(pause('soon')).toBeCloseTo(7200, 3);
    expect(pause('new')).toBeCloseTo(1800, 3);
    // a failure is no check: the pause doubles
    expect(kept()['http://a/down'].due - started).toBeGreaterThanOrEqual(3600);
    // the same table again: a page that failed is still to be fetched at once, and so is a row that is new
    stop = new AbortController();
    await pages.followPlanTable([...rows, { id: 'http://a/added', interval: 1 }], 3600);
    await pages.run(crawler, [], stop.signal);
    expect(fetches.slice(3)).toEqual(['http://a/down', 'http://a/added']);
    await expect(pages.followPlanTable([JSON.parse('{"page":"http://a/"}')], 1)).rejects.toThrow(
      'columns id and interval',
    );
    rmSync(work, { recursive: true });
  });
});

describe('followTable', () => {
  it('holds the pool to the table, pauses at 0, and resumes once', () => {
    const calls: string[] = [];
    const pool = {
      minConcurrency: 1,
      maxConcurrency: 4,
      desiredConcurrency: 1,
      pause: async () => void calls.push('pause'),
      resume: () => void calls.push('resume'),
    };
    const follow = followTable(pool, [6, 3, 0]);
    const seen = [0, 1, 2, 9, 1, 0].map((length) => {
      follow(length);
      return [pool.minConcurrency, pool.desiredConcurrency, pool.maxConcurrency];
    });
    expect(seen).toEqual([6, 3, 3, 3, 3, 6].map((n) => [n, n, n]));
    expect(calls).toEqual(['pause', 'resume']);
    expect(() => followTable(pool, [1, -1])).toThrow('got [1,-1]');
  });
});
