/** By how much a change matters, in the logs of Crawlee and of Scrapy. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { changedShare, fingerprintOf } from '../../src/crawlee/changed-share.ts';
import { CrawlLog } from '../../src/crawlee/index.ts';
import { readLog } from '../../src/logs/read-log.ts';

const python = 'artefacts/python/bin/python';
const work = mkdtempSync(join(tmpdir(), 'changed-share-'));
afterAll(() => rmSync(work, { recursive: true }));

const words = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, k) => `word${from + k}`).join(' ');
/** A page of 600 words, of which the first so many are others. */
const page = (others: number): string =>
  `<html><script>x = ${others}</script><b>${words(10_000, 10_000 + others)}</b> ${words(others, 600)}</html>`;

describe('the share of a text that changed', () => {
  it('is near the share of its words, 0 for what is not shown and 1 for another text', () => {
    const before = fingerprintOf(page(0));
    expect(changedShare(before, fingerprintOf(page(0).replace('x = 0', 'x = 7')))).toBe(0);
    // in the mean: sixty-four bits are off by a tenth or so
    for (const others of [30, 75, 150]) {
      let sum = 0;
      for (let draw = 0; draw < 30; draw++) {
        const [from, other] = [1000 * draw, 100_000 + 1000 * draw];
        const after = `${words(other, other + others)} ${words(from + others, from + 300)}`;
        sum += changedShare(fingerprintOf(words(from, from + 300)), fingerprintOf(after));
      }
      expect(Math.abs(sum / 30 - others / 300)).toBeLessThan(0.06);
    }
    expect(changedShare(before, fingerprintOf(words(50_000, 50_600)))).toBeGreaterThan(0.6);
    expect(changedShare('0000000000000000', 'ffffffffffffffff')).toBe(1);
  });

  it('is in the log of Crawlee where it is asked for, after a restart too', () => {
    const path = join(work, 'log.ndjson');
    const seen = (body: string) => ({
      request: { url: 'https://a.example/', userData: {} },
      response: { statusCode: 200, headers: {} },
      body,
    });
    new CrawlLog(path, { matters: true }).add(seen(page(0)));
    new CrawlLog(path, { matters: true }).add(seen(page(150)));
    new CrawlLog(path).add(seen(page(160)));
    const { pages, notes } = readLog([readFileSync(path, 'utf8')]);
    const told = pages[0].observations.map(({ matters }) => matters);
    expect(told).toEqual([undefined, changedShare(fingerprintOf(page(0)), fingerprintOf(page(150))), undefined]);
    expect(notes.join(' ')).not.toContain('matters');
  });

  it('is in the export of StormCrawler’s status where its scheduler noted it', () => {
    const fetches = ['1780000000:0', '1780003600:1:0.3284', '1780007200:1', '1780010800:2'];
    const row = {
      url: 'https://a.example/',
      status: 'FETCHED',
      nextFetchDate: '2026-07-01T00:00:00Z',
      metadata: { 'plan%2Efetches': fetches },
    };
    const { pages } = readLog([JSON.stringify(row)]);
    expect(pages[0].observations.map(({ matters }) => matters)).toEqual([undefined, 0.3284, undefined, undefined]);
  });

  it.skipIf(!existsSync(python))('is the same in the log of Scrapy', () => {
    const code = `import json, sys
from crawl_optimizer_scrapy.changed_share import changed_share, fingerprint_of
a, b = sys.argv[1:]
print(json.dumps([fingerprint_of(a), fingerprint_of(b.encode()), changed_share(fingerprint_of(a), fingerprint_of(b))]))`;
    const [a, b] = [page(0), `${page(90)} Älter_als_42 ﬁn`];
    const environment = { ...process.env, PYTHONPATH: resolve('integrations/scrapy'), PYTHONDONTWRITEBYTECODE: '1' };
    const told: unknown = JSON.parse(execFileSync(python, ['-c', code, a, b], { encoding: 'utf8', env: environment }));
    expect(told).toEqual([fingerprintOf(a), fingerprintOf(b), changedShare(fingerprintOf(a), fingerprintOf(b))]);
  });
});
