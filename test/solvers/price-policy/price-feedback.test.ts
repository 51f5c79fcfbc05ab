/** Pages that are fetched when they are due at a price, and a price that is held by feedback alone. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { priceOfRate } from '../../../src/solvers/crawl-price/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { dueAge, nextPrice } from '../../../src/solvers/price-policy/index.ts';
import { histogramOf, problemOf } from '../crawl-price/tables-of-pages.ts';

const pages = 2000;
/** Rates are lognormal, σ 1.5; the unit of time is the mean interval T wanted at first. */
function lognormalRates(count: number): Float64Array {
  const random = seededRandom(11);
  return Float64Array.from({ length: count }, () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.exp(1.5 * normal);
  });
}

interface Options {
  readonly window: number;
  readonly windows: number;
  readonly firstPrice: number;
  /** Fetches wanted in a window, by its number. */
  readonly wanted: (window: number) => number;
  /** By how many windows workers see the price late. */
  readonly late?: number;
  /** Whether the sum since the start is made good; left out: not. */
  readonly inSum?: boolean;
  /** Left out: 2,000 pages. */
  readonly count?: number;
  /** A window at whose start the price and the sum are lost, and the price that takes their place. */
  readonly restart?: { readonly window: number; readonly price: number };
}

/** Fetches by window. A page's due age moves with the price at once, as a worker sees it. */
function crawl(options: Options): number[] {
  const { window, windows, firstPrice, wanted, late = 0, inSum = false, count: pages = 2000, restart } = options;
  const rates = lognormalRates(pages);
  const random = seededRandom(5);
  const last = Float64Array.from(rates, () => -random());
  const prices = [firstPrice];
  const seen: number[] = [];
  let ahead = 0;
  for (let n = 0; n < windows; n++) {
    if (n === restart?.window) {
      prices[n] = restart.price;
      ahead = 0;
    }
    const price = prices[Math.max(0, n - late)];
    let count = 0;
    for (let i = 0; i < pages; i++) {
      const age = dueAge(rates[i], 1, price);
      for (let at = Math.max(last[i] + age, n * window); at < (n + 1) * window; at += age) {
        last[i] = at;
        count++;
      }
    }
    seen.push(count);
    prices.push(nextPrice({ price: prices[n], seen: count, wanted: wanted(n), pages, ahead: inSum ? ahead : 0 }));
    ahead += count - wanted(n);
  }
  return seen;
}

/** What crawl-price answers for the first pages, or all, at one fetch of each in a unit of time. */
function askedPrice(count: number): number {
  const table = Array.from(lognormalRates(count), (changeRate) => ({ changeRate, ratio: 1 / changeRate, host: 0 }));
  const { histogram } = histogramOf(table, 0.25);
  return priceOfRate(problemOf(histogram, 'freshness', count), unlimitedBudget()).price;
}

const mean = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;

describe('a price held by feedback', () => {
  for (const window of [0.05, 0.1, 0.5]) {
    it(`keeps the fetches within 2% of those wanted over five mean intervals, in windows of ${window}`, () => {
      const wanted = pages * window;
      const seen = crawl({ window, windows: 40 / window, firstPrice: 0.2, wanted: () => wanted });
      for (let from = 15 / window; from + 5 / window <= seen.length; from += 5 / window) {
        expect(Math.abs(mean(seen.slice(from, from + 5 / window)) / wanted - 1)).toBeLessThan(0.02);
      }
      // The ripple of windows beside that of counting alone.
      const settled = seen.slice(15 / window);
      const spread = Math.sqrt(mean(settled.map((each) => (each - mean(settled)) ** 2)));
      expect(spread).toBeLessThan(1.5 * Math.sqrt(wanted));
    });
  }

  it('corrects a price a hundred times off, a budget halved in mid-run, and a delayed price', () => {
    const window = 0.1;
    const halfway = 300;
    const wanted = (n: number): number => (n < halfway ? 1 : 0.5) * pages * window;
    for (const firstPrice of [0.002, 20]) {
      const seen = crawl({ window, windows: 600, firstPrice, wanted, late: 1 });
      expect(Math.abs(mean(seen.slice(200, 300)) / wanted(0) - 1)).toBeLessThan(0.02);
      expect(Math.abs(mean(seen.slice(450, 600)) / wanted(halfway) - 1)).toBeLessThan(0.02);
    }
  });

  it('makes up for all excess fetches since the start, if `ahead` counts them', () => {
    const wanted = 0.5 * pages;
    const sumOf = (inSum: boolean): number => {
      const seen = crawl({ window: 0.5, windows: 200, firstPrice: 0.05, wanted: () => wanted, inSum });
      return Math.abs(seen.reduce((sum, each) => sum + each, 0) / (200 * wanted) - 1);
    };
    expect(sumOf(true)).toBeLessThan(0.005);
    expect(sumOf(false)).toBeGreaterThan(0.01);
  });

  it('goes on after a restart that lost price and sum, at the price that crawl-price names', () => {
    const window = 0.1;
    const wanted = (): number => pages * window;
    const run = (price: number) =>
      crawl({ window, windows: 210, firstPrice: 0.2, wanted, restart: { window: 160, price } });
    const off = (seen: readonly number[]): number => Math.abs(mean(seen.slice(160)) / wanted() - 1);
    expect(off(run(askedPrice(pages)))).toBeLessThan(0.02);
    // without asking: the first price again
    expect(off(run(0.02))).toBeGreaterThan(0.05);
  });

  it('holds for 30,000 pages from the price of a fifteenth of them', () => {
    const wanted = 15_000;
    const seen = crawl({ window: 0.5, windows: 8, firstPrice: askedPrice(pages), wanted: () => wanted, count: 30_000 });
    expect(Math.abs(mean(seen.slice(2)) / wanted - 1)).toBeLessThan(0.02);
  });
});
