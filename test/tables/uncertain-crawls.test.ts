/**
 * The interval of the crawls that a target needs, where `tables rates` made the rates. It is held to what the true
 * rates need, which a bisection of its own finds.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { standardExponential, standardNormal } from '../../src/solvers/numerics/random/random-variates.ts';
import { runTables } from '../../src/tables/index.ts';
import { day, start } from './simulated-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'uncertain-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function asked(...words: string[]) {
  const said = { out: '', err: '' };
  const code = await runTables(words, { write: (text) => (said.out += text) }, { write: (text) => (said.err += text) });
  if (code !== 0) throw new Error(said.err);
  return JSON.parse(said.out);
}

/** A table of rates from a log of pages, with a host each, and the true rates. */
async function watched(seed: number, pages: number, checks: number, spread: number) {
  const random = seededRandom(seed);
  const rates = Array.from({ length: pages }, () => Math.exp(spread * standardNormal(random)));
  const lines = rates.flatMap((rate, i) => {
    let time = start;
    const fetches = [`p${i},${time},0`];
    for (let k = 0; k < checks; k++) {
      const gap = 0.3 + standardExponential(random);
      time += gap * day;
      fetches.push(`p${i},${time},${random() < -Math.expm1(-rate * gap) ? 1 : 0}`);
    }
    return fetches;
  });
  const [log, table] = [join(folder, `log-${seed}.csv`), join(folder, `rates-${seed}.csv`)];
  writeFileSync(log, `id,at,changed\n${lines.join('\n')}\n`);
  const columns = ['--id', 'id', '--time', 'at', '--time-format', 'epoch-seconds', '--changed', 'changed'];
  await asked('rates', log, ...columns, '--rate-unit', 'day', '--out', table);
  return { table, rates };
}

const columns = ['--id', 'id', '--rate', 'rate', '--rate-unit', 'day', '--per', 'day'];

/** Crawls a day that leave no more staleness in the mean, by bisection of the price and of each page's interval. */
function neededBy(rates: readonly number[], staleness: number): number {
  const halved = (low: number, high: number, isLow: (x: number) => boolean): number => {
    let [from, to] = [low, high];
    for (let k = 0; k < 60; k++) {
      const middle = Math.sqrt(from * to);
      if (isLow(middle)) from = middle;
      else to = middle;
    }
    return from;
  };
  const at = (price: number) => {
    let [left, crawls] = [0, 0];
    for (const rate of rates) {
      if (price * rate >= 1) {
        left++;
        continue;
      }
      const y = halved(1e-9, 1e3, (gap) => 1 - (1 + gap) * Math.exp(-gap) < price * rate);
      left += 1 + Math.expm1(-y) / y;
      crawls += rate / y;
    }
    return { left: left / rates.length, crawls };
  };
  return at(halved(1e-6, 1e6, (price) => at(price).left < staleness)).crawls;
}

describe('the crawls that keep a target, by a table of estimated rates', () => {
  it.each([
    [1, 4],
    [1, 20],
    [2, 4],
  ])('lie with those of the true rates (spread %d, %i checks)', async (spread, checks) => {
    let [held, outside] = [0, 0];
    for (let seed = 1; seed <= 8; seed++) {
      const { table, rates } = await watched(1000 * checks + seed, 60, checks, spread);
      const { crawls, crawlsInterval: found } = await asked('price', table, ...columns, '--freshness', '0.7');
      const needed = neededBy(rates, 0.3);
      expect(found[0]).toBeLessThanOrEqual(crawls);
      expect(found[1]).toBeGreaterThanOrEqual(crawls);
      expect(found[1] / found[0]).toBeLessThan(4);
      if (found[0] <= needed && needed <= found[1]) held++;
      if (Math.abs(needed / crawls - 1) > 0.1) outside++;
    }
    expect(held).toBeGreaterThanOrEqual(7);
    // what the rates say by themselves is off
    if (checks === 4) expect(outside).toBeGreaterThan(4);
  });

  it('hang on kinds of pages, and the price is the same to rounding as of a table without checks', async () => {
    const { table } = await watched(7, 300, 4, 1);
    const bare = join(folder, 'bare.csv');
    const { readFileSync } = await import('node:fs');
    const [head, ...rows] = readFileSync(table, 'utf8').trim().split('\n');
    const kept = head.split(',').flatMap((name, at) => (name === 'timeWatched' ? [] : [at]));
    writeFileSync(bare, [head, ...rows].map((row) => kept.map((at) => row.split(',')[at]).join(',')).join('\n'));
    for (const target of [
      ['--freshness', '0.7'],
      ['--mean-delay', '8hours'],
      ['--mean-age', '8hours'],
    ]) {
      const { hangsOn, crawlsInterval: _, ...answer } = await asked('price', table, ...columns, ...target);
      const known = await asked('price', bare, ...columns, ...target);
      expect(known.crawlsInterval).toBeUndefined();
      // sums of an engine differ with their order
      expect(answer.crawls / known.crawls).toBeCloseTo(1, 9);
      expect(answer.objective.bound / known.objective.bound).toBeCloseTo(1, 9);
      expect(answer.withoutCrawl).toBe(known.withoutCrawl);
      expect(hangsOn.reduce((sum: number, { pages }: { pages: number }) => sum + pages, 0)).toBe(300);
      expect(hangsOn.map(({ changes }: { changes: number }) => changes).toSorted()).toEqual([0, 1, 2, 3, 4]);
    }
  });

  it.each([
    ['no checks at all', [0, 0, 0, 0]],
    ['more changes than checks', [2, 5, 3, 1]],
    ['less time watched than unchanged', [4, 2, 1, 3]],
    ['times below nothing', [4, -2, -1, -3]],
    ['changes at all checks', [3, 3, 5, 0]],
  ])('have ends that are numbers where the table says %s', async (_, told) => {
    const table = join(folder, 'odd.csv');
    const rows = Array.from({ length: 9 }, (__, i) => `p${i},${10 ** (3 * i - 12)},${told.join(',')}`);
    writeFileSync(table, `id,rate,checks,changes,timeWatched,timeUnchanged\n${rows.join('\n')}\n`);
    const { crawls, crawlsInterval } = await asked('price', table, ...columns, '--freshness', '0.7');
    expect(crawlsInterval[0]).toBeLessThanOrEqual(crawls);
    expect(crawlsInterval[0]).toBeGreaterThan(0);
    expect(crawlsInterval[1]).toBeGreaterThanOrEqual(crawls);
    expect(crawlsInterval[1]).toBeLessThan(Number.MAX_VALUE);
  });

  it('have none where crawls are given', async () => {
    const { table } = await watched(8, 50, 4, 1);
    expect((await asked('price', table, ...columns, '--crawls', '20')).crawlsInterval).toBeUndefined();
  });
});
