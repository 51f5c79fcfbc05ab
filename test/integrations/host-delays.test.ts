/** Delays of hosts inside crawlers: Crawlee's class and Scrapy's middleware, by what a host refuses. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { number } from '../../src/console/api/read.ts';
import { HostDelays } from '../../src/crawlee/index.ts';
import { estimatesHostLimits } from '../../src/index.ts';
import { nextDelay } from '../../src/solvers/host-limits/next-delay.ts';
import { listeningService } from '../service/test-service.ts';
import { spawnSite } from './scrapy-site.ts';

const run = promisify(execFile);
const python = 'artefacts/python/bin/python';
const crawlee = resolve('artefacts/crawlee/node_modules/@crawlee/http');

/** A host that bears a request every `every` seconds, `burst` at once, and may say when to come back. */
function bucket(every: number, burst: number, tells: boolean) {
  let tokens = burst;
  let last = 0;
  return (time: number): { readonly status: number; readonly retryAfter?: string } => {
    tokens = Math.min(burst, tokens + (time - last) / every);
    last = time;
    if (tokens < 1) return { status: 429, ...(tells && { retryAfter: String(Math.ceil((1 - tokens) * every)) }) };
    tokens--;
    return { status: 200 };
  };
}

describe('delays of hosts', () => {
  it.each([false, true])(
    'keep to a bucket of tokens: few refusals, most of the rate; told when to come back: %s',
    (tells) => {
      const delays = new HostDelays();
      const host = bucket(3, 10, tells);
      const url = 'https://a.example/x';
      let refusals = 0;
      let time = 0;
      const requests = 6000;
      for (let k = 0; k < requests; k++) {
        time = delays.take(url, time);
        const answer = host(time);
        if (answer.status === 429) refusals++;
        time += 0.05;
        delays.note(url, answer, time);
      }
      expect(refusals / requests).toBeLessThan(0.06);
      expect(((requests - refusals) * 3) / time).toBeGreaterThan(0.6);
    },
  );

  it('leave a host that refuses nothing as it is, and begin with what is known', () => {
    const delays = new HostDelays({ least: 0.5, delays: { 'b.example': 7 } });
    let time = 0;
    for (let k = 0; k < 500; k++) {
      time = delays.take('https://a.example/', time);
      delays.note('https://a.example/', { status: 200 }, time);
    }
    expect(time).toBeCloseTo(499 * 0.5, 6);
    delays.take('https://b.example/', 0);
    expect(delays.take('https://b.example/', 0)).toBe(7);
    expect(delays.delays()).toMatchObject({ 'a.example': 0.5, 'b.example': 7 });
  });

  it('wait as Retry-After says, a number or a date', () => {
    const delays = new HostDelays();
    delays.note('https://a.example/', { status: 503, retryAfter: '90' }, 1000);
    expect(delays.take('https://a.example/', 1001)).toBe(1090);
    delays.note('https://c.example/', { status: 429, retryAfter: new Date(2_000_000).toUTCString() }, 1000);
    expect(delays.take('https://c.example/', 1001)).toBe(2000);
  });

  it.skipIf(!existsSync(crawlee))('hold Crawlee itself back', async () => {
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
    const { HttpCrawler, Configuration, log } = await import(`${crawlee}/index.mjs`);
    log.setLevel(0);
    const delays = new HostDelays();
    const crawler = new HttpCrawler(
      {
        maxConcurrency: 1,
        maxRequestRetries: 1,
        useSessionPool: false,
        preNavigationHooks: [(context: Parameters<HostDelays['before']>[0]) => delays.before(context)],
        postNavigationHooks: [(context: Parameters<HostDelays['add']>[0]) => delays.add(context)],
        requestHandler: () => undefined,
      },
      new Configuration({ persistStorage: false }),
    );
    await crawler.run([0, 1, 2].map((page) => `http://127.0.0.1:${address.port}/${page}`));
    site.close();
    expect(asked.length).toBeGreaterThanOrEqual(3);
    expect(asked[2] - asked[1]).toBeGreaterThanOrEqual(1000);
  });
});

describe.skipIf(!existsSync(python))('delays of hosts in Scrapy', () => {
  const folder = resolve('integrations/scrapy');
  const environment = { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };

  it('take the steps of estimates/host-limits', async () => {
    const steps = [
      { delay: 1, borne: 1, requests: 100, refusals: 0 },
      { delay: 1, borne: 2, requests: 100, refusals: 1 },
      { delay: 0.5, borne: 1, requests: 40, refusals: 2 },
      { delay: 3, borne: 3, requests: 0, refusals: 0 },
      { delay: 0.1, borne: 0.1, requests: 100, refusals: 0 },
    ];
    const code = `import json, sys
from scrapy_crawl_optimizer.hosts import Host, next_delay
print(json.dumps([next_delay(Host(since=0, **each), 0.095) for each in json.loads(sys.argv[1])]))`;
    const { stdout } = await run(python, ['-c', code, JSON.stringify(steps)], { env: environment });
    const found: unknown = JSON.parse(stdout);
    const own = steps.map((each) => nextDelay({ ...each, increase: 0.1, tolerated: 0.01, least: 0.095 }));
    expect(found).toEqual(own.map((each) => expect.closeTo(each, 12)));
  });

  /** What Scrapy was told by a site that refuses its third page for a second, and what it asked a service. */
  async function crawled(...service: string[]): Promise<Crawled> {
    const work = mkdtempSync(join(tmpdir(), 'scrapy-delays-'));
    const { site, url } = await spawnSite(python);
    try {
      const words = [join(folder, 'tests/by_limits.py'), url, ...service];
      const { stdout } = await run(resolve(python), words, { env: environment, cwd: work });
      return JSON.parse(stdout);
    } finally {
      site.kill();
      rmSync(work, { recursive: true });
    }
  }

  it('hold Scrapy itself back for as long as the host asks', async () => {
    const { told } = await crawled();
    expect(told.map(([status]) => status).filter((status) => status === 429)).toHaveLength(1);
    const [, , refusedAt] = told.find(([status]) => status === 429) ?? [0, 0, Number.NaN];
    // one request may have left before the answer came
    const later = told.filter(([, asked]) => asked > refusedAt).slice(1);
    expect(later.length).toBeGreaterThanOrEqual(2);
    for (const [, asked] of later) expect(asked - refusedAt).toBeGreaterThan(0.9);
  });

  it('are those that a service finds in the requests of Scrapy itself', async () => {
    const service = await listeningService();
    try {
      const { told, asked } = await crawled(service.url);
      const [{ row, said, inForce }] = asked;
      // it is asked after a hundred requests whose delay is in force, with all that were seen
      expect(row.requests.length).toBeGreaterThanOrEqual(100);
      expect(row.requests.length).toBeLessThanOrEqual(told.length);
      expect(row.requests.filter(({ status }) => status === 429)).toMatchObject([{ retryAfter: 1 }]);
      const { solution } = estimatesHostLimits({ hosts: [row] });
      expect(said).toBe(number(solution, 'hosts', 0, 'nextDelay'));
      expect(inForce).toBe(Math.max(said, 0.002));
    } finally {
      await service.server.close();
    }
  });

  it('stay as they are where the service does not answer', async () => {
    const code = `from scrapy_crawl_optimizer.hosts import ask_delay
print(ask_delay("http://127.0.0.1:1", "a.example", [{"time": 1e9, "status": 200}], 1.0, 0.0))`;
    const { stdout } = await run(python, ['-c', code], { env: environment });
    expect(stdout.trim()).toBe('None');
  });
});

interface Crawled {
  /** Of each fetch: its status, when it was asked for, and when it was there. */
  readonly told: readonly (readonly [status: number, from: number, to: number])[];
  readonly asked: readonly {
    readonly row: {
      readonly host: string;
      readonly requests: { readonly time: number; readonly status: number; readonly retryAfter?: number }[];
      readonly delay: number;
      readonly since: number;
    };
    readonly said: number;
    readonly inForce: number;
  }[];
}
