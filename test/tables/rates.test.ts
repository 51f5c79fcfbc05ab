/** `tables rates` against the likelihood maximised by bisection, page by page, on checks regular and irregular. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requireDefined } from '../require-defined.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { rowsOf, run, wordsOf } from './run.ts';
import { day, likeliestRate, simulatedLog, start } from './simulated-log.ts';

const folder = temporaryFolder();

const words = ['--id', 'url', '--time', 'at', '--time-format', 'epoch-seconds', '--rate-unit', 'day'];

describe('tables rates', () => {
  it('gives every page the rate that is likeliest, its interval and its checks', async () => {
    const { checks, lines } = simulatedLog();
    const log = join(folder, 'log.csv');
    writeFileSync(log, `url,at,changed,status\n${lines.join('\n')}\n`);
    const out = join(folder, 'rates.ndjson');
    const { code, err } = await run('rates', log, ...words, '--changed', 'changed', '--status', 'status', '--out', out);
    expect(code, err).toBe(0);
    expect(err).toMatch(/\d+ fetches of 200 pages, \d+ failed, from 2026-01-01T/);
    const rows = rowsOf(out);
    expect(rows.length).toBe(200);
    let quiet = 0;
    for (const row of rows) {
      const own = requireDefined(checks.get(row.id));
      expect(row.checks).toBe(own.length);
      expect(row.changes).toBe(own.filter(({ changed }) => changed).length);
      const rate = likeliestRate(own);
      if (rate === null) {
        quiet++;
        expect(row.rateLow).toBe(0);
        continue;
      }
      expect(Math.abs(row.rate / rate - 1), row.id).toBeLessThan(1e-9);
      expect(row.rateLow).toBeLessThan(row.rate);
      expect(row.rateHigh).toBeGreaterThan(row.rate);
      // the bias-reduced form of regular checks
      const [n, x] = [own.length, row.changes];
      if (own.every(({ elapsed }) => elapsed === 1)) {
        expect(row.rate).toBeCloseTo(-Math.log((n - x + 0.5) / (n + 0.5)), 8);
      }
    }
    expect(quiet).toBeGreaterThan(0);
    // its output is the table that the others take
    const priceRun = await run('price', out, ...wordsOf('--id id --rate rate --rate-unit day --crawls 50 --per day'));
    expect(priceRun.code, priceRun.err).toBe(0);
  });

  it('feeds a plan whose last crawls are timestamps as well as epoch seconds', async () => {
    const pages = join(folder, 'stamped.csv');
    writeFileSync(
      pages,
      `url,rate,at,seconds\na,1,2026-01-05T00:00:00Z,${start + 4 * day}\nb,2,2026-01-06T12:00:00Z,${start + 5.5 * day}\n`,
    );
    const nextFetches = async (...last: string[]) => {
      const out = join(folder, 'plan.ndjson');
      const options = [...wordsOf('--id url --rate rate --rate-unit day --crawls 2 --per day --out'), out];
      const { code, err } = await run('plan', pages, ...options, ...last);
      expect(code, err).toBe(0);
      const lines = readFileSync(out, 'utf8').trimEnd().split('\n');
      return lines
        .map((line) => JSON.parse(line))
        .map(({ url, nextFetch }) => [url, nextFetch])
        .sort();
    };
    const bySeconds = await nextFetches('--last-crawl', 'seconds');
    expect(bySeconds[0][1]).toBeGreaterThan(start + 4 * day);
    expect(await nextFetches('--last-crawl', 'at', '--last-crawl-format', 'utc')).toEqual(bySeconds);
    const elsewhere = await run(
      ...wordsOf(
        'sql --dialect spark --last-crawl-format utc --id url --rate rate --rate-unit day --crawls 2 --per day',
      ),
    );
    expect(elsewhere.code).toBe(2);
  });

  it('compares signatures, in UTC timestamps as well, and refuses times that cannot be meant', async () => {
    const log = join(folder, 'signed.ndjson');
    const rows = ['a', 'a', 'b', 'b', 'c'].map((hash, i) =>
      JSON.stringify({ url: 'x', at: `2026-01-0${i + 1}T00:00:00Z`, hash }),
    );
    writeFileSync(log, `${rows.join('\n')}\n`);
    const out = join(folder, 'signed-rates.ndjson');
    const utc = ['--id', 'url', '--time', 'at', '--time-format', 'utc', '--rate-unit', 'day', '--signature', 'hash'];
    const { code, err } = await run('rates', log, ...utc, '--out', out);
    expect(code, err).toBe(0);
    const row = JSON.parse(readFileSync(out, 'utf8'));
    expect([row.checks, row.changes, row.lastCrawl]).toEqual([4, 2, Date.UTC(2026, 0, 5) / 1000]);
    expect(row.rate).toBeCloseTo(-Math.log(2.5 / 4.5), 8);

    const milliseconds = join(folder, 'ms.csv');
    writeFileSync(milliseconds, `url,at,changed\nx,${1000 * start},1\nx,${1000 * (start + day)},1\n`);
    const refusal = await run('rates', milliseconds, ...words, '--changed', 'changed', '--out', out);
    expect(refusal.code).toBe(2);
    expect(refusal.err).toContain('is --time-format another');
    expect(JSON.parse(readFileSync(out, 'utf8')).checks).toBe(4);
    const missing = await run('rates', milliseconds, ...words, '--changed', 'moved', '--out', out);
    expect(missing.err).toContain('there is no column "moved"; there are url, at, changed: did you mean changed?');
  });

  it('does not guess columns, but suggests one of the usual name', async () => {
    const log = join(folder, 'scraped.csv');
    writeFileSync(log, 'url,scraped_at,etag\nx,2026-01-01T00:00:00Z,a\n');
    const rest = ['--time-format', 'utc', '--rate-unit', 'day', '--out', join(folder, 'none.csv')];
    const errorOf = async (...named: string[]) => (await run('rates', log, ...rest, ...named)).err;
    const there = 'there are url, scraped_at, etag: did you mean';
    expect(await errorOf('--signature', 'etag')).toContain(`--id is needed: it names a column; ${there} url?`);
    expect(await errorOf('--id', 'url', '--signature', 'etag')).toContain(
      `--time is needed: it names a column; ${there} scraped_at?`,
    );
    expect(await errorOf('--id', 'url', '--time', 'scraped_at')).toContain(
      `--changed or --signature, one of the two; ${there} etag?`,
    );
    expect(await errorOf('--id', 'urls', '--time', 'scraped_at', '--signature', 'etag')).toContain(
      `there is no column "urls"; ${there} url?`,
    );
  });

  it('honours the offset of a timestamp, and reads one without as UTC', async () => {
    const log = join(folder, 'offsets.csv');
    const stamps = ['2026-01-01T00:00:00', '2026-01-02T02:00:00+02:00', '2026-01-02T20:00:00-04:00'];
    writeFileSync(log, `url,at,changed\n${stamps.map((at) => `x,"${at}",0`).join('\n')}\n`);
    const out = join(folder, 'offsets.ndjson');
    const utc = ['--id', 'url', '--time', 'at', '--time-format', 'utc', '--rate-unit', 'day', '--changed', 'changed'];
    const { code, err } = await run('rates', log, ...utc, '--out', out);
    expect(code, err).toBe(0);
    expect(err).toContain('from 2026-01-01T00:00:00.000Z to 2026-01-03T00:00:00.000Z');
    const row = JSON.parse(readFileSync(out, 'utf8'));
    // two days watched
    expect(row.rate).toBeCloseTo(0.5 / 2, 12);
  });

  it('takes a 304 for no change, compares with the last signature known, and keeps every page', async () => {
    const entries: object[] = [];
    const add = (id: string, status: number, time: number, signature?: string) =>
      entries.push({ url: id, at: start + time * day, status, ...(signature !== undefined && { signature }) });
    for (let n = 0; n < 30; n++) {
      if (n % 2 === 0) add('by turns', 200, n, 'aaa');
      else add('by turns', 304, n);
      // changes every 5 days, asked conditionally
      if (n % 5 === 0) add('every fifth', 200, n, `v${n}`);
      else add('every fifth', 304, n);
      if (n === 0) add('once brought', 200, n, 'bbb');
      else add('once brought', 304, n);
      add('down', 500, n);
    }
    add('new', 200, 7, 'ccc');
    const log = join(folder, 'n304.ndjson');
    writeFileSync(log, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    const out = join(folder, 'n304-rates.ndjson');
    const result = await run('rates', log, ...words, '--signature', 'signature', '--status', 'status', '--out', out);
    expect(result.code, result.err).toBe(0);
    const rows = rowsOf(out);
    const of = (id: string) => requireDefined(rows.find((row) => row.id === id));
    expect(rows.length).toBe(5);
    expect(of('by turns')).toMatchObject({ checks: 29, changes: 0, rateLow: 0 });
    expect(of('every fifth')).toMatchObject({ checks: 29, changes: 5 });
    expect(of('once brought')).toMatchObject({ checks: 29, changes: 0 });
    // all pages together: (0 + 5 + 0 and half a change each) in 3 × 29 days
    for (const id of ['new', 'down']) {
      expect(of(id)).toMatchObject({ checks: 0, changes: 0, rateLow: 0, rateHigh: null });
      expect(of(id).rate).toBeCloseTo(6.5 / 87, 12);
    }
    expect(of('new').lastCrawl).toBe(start + 7 * day);
    expect(of('down').lastCrawl).toBe(start + 29 * day);
  });
});
