/** The parts for Crawlee that need no Crawlee: its objects are stood in for by the few methods that are called. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CrawlLog, FreshPages, followTable, type PageRequest } from '../../src/crawlee/index.ts';
import { readLog } from '../../src/logs/read-log.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const work = temporaryFolder();

describe('the log of Crawlee', () => {
  it('reads an answer of Playwright or Puppeteer, whose status and headers are functions', () => {
    const path = join(work, 'log.ndjson');
    const log = new CrawlLog(path);
    const request = { url: 'http://a/', userData: {} };
    const response = { status: () => 203, headers: () => ({ 'last-modified': 'Fri, 13 Feb 2009 23:31:30 GMT' }) };
    expect(log.add({ request, response, body: 'text' })).toMatchObject({ status: 203, lastModified: 1_234_567_890 });
    expect(log.add({ request })).toMatchObject({ status: 0 });
    expect(readLog([readFileSync(path, 'utf8')])).toMatchObject({ fetches: 2, failedFetches: 1 });
  });
});

describe('FreshPages', () => {
  it('fetches every page, keeps what it knows from run to run, and lets a failing page wait longer', async () => {
    const path = join(work, 'pages.json');
    const fetches: string[] = [];
    const run = async (urls: readonly string[]): Promise<void> => {
      const pages = new FreshPages(path, { perDay: 10 });
      const stop = new AbortController();
      const crawler = {
        run: async (requests: readonly PageRequest[]) => {
          for (const request of requests) {
            fetches.push(request.url);
            pages.add({ request, response: { statusCode: request.url === 'http://a/down' ? 500 : 200 }, body: 'same' });
          }
          stop.abort();
        },
      };
      await pages.run(crawler, urls, stop.signal);
    };
    const startTime = Date.now() / 1000;
    await run(['http://a/', 'http://a/down']);
    expect(fetches).toEqual(['http://a/', 'http://a/down']);
    const stored: Record<string, { due: number }> = JSON.parse(readFileSync(path, 'utf8')).pages;
    const pause = (page: string): number => stored[page].due - startTime;
    expect(pause('http://a/')).toBeGreaterThan(3600);
    expect(pause('http://a/down')).toBeGreaterThan(1.9 * pause('http://a/'));
    // no page that is known is due: only the new one is fetched
    await run(['http://a/', 'http://a/new']);
    expect(fetches.slice(2)).toEqual(['http://a/new']);
    expect(() => new FreshPages(path, { perDay: 0 })).toThrow('perDay must be above 0; got 0');
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
