import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coin, probeOf, uniform } from '../../../src/solvers/freshness/index.ts';

interface Vectors {
  readonly coins: readonly { seed: string; unit: string; period: number; arm: string }[];
  readonly probes: readonly { seed: string; cell: number; time: number; page: number }[];
}
/** From scripts/reference/coin.py; the clients and the SQL are held against the same file. */
const { coins, probes }: Vectors = JSON.parse(readFileSync('test/fixtures/coin.json', 'utf8'));

describe('the coin of a trial', () => {
  it('falls as in Python, for every seed, unit and period', () => {
    expect(coins.length).toBeGreaterThan(200);
    for (const { seed, unit, period, arm } of coins) expect(coin(seed, unit, period), `${seed} ${unit}`).toBe(arm);
  });

  it('is fair, from page to page and from period to period', () => {
    const pages = Array.from({ length: 20_000 }, (_, i) => coin('a', `page ${i}`, 7) === 'plan');
    const periods = Array.from({ length: 20_000 }, (_, k) => coin('a', 'page', k) === 'plan');
    for (const tosses of [pages, periods]) {
      // Five standard errors of 20,000 tosses.
      expect(Math.abs(tosses.filter(Boolean).length - 10_000)).toBeLessThan(5 * Math.sqrt(5000));
      const repeats = tosses.filter((toss, i) => i > 0 && toss === tosses[i - 1]).length;
      expect(Math.abs(repeats - 10_000)).toBeLessThan(5 * Math.sqrt(5000));
    }
  });
});

describe('the probes of a trial', () => {
  it('are due as in Python', () => {
    for (const { seed, cell, time, page } of probes) {
      const probe = probeOf(seed, cell, 1);
      expect(probe.time).toBe(cell + time);
      expect(probe.place).toBe(page);
    }
  });

  it('come one in each cell, at moments spread evenly', () => {
    const moments = Array.from({ length: 5000 }, (_, cell) => {
      const { time } = probeOf('a', cell, 10);
      expect(Math.floor(time / 10)).toBe(cell);
      return time / 10 - cell;
    });
    const mean = moments.reduce((sum, each) => sum + each, 0) / moments.length;
    expect(Math.abs(mean - 0.5)).toBeLessThan(5 / Math.sqrt(12 * moments.length));
  });
});

describe('a number from a text', () => {
  it('is the first thirteen digits of its MD5, for any text', () => {
    const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(texts, (text) => {
        const hex = createHash('md5').update(text).digest('hex');
        expect(uniform(text)).toBe(Number.parseInt(hex.slice(0, 13), 16) / 2 ** 52);
      }),
      { numRuns: 500 },
    );
  });
});
