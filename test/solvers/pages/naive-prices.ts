/**
 * What no crawls within limits can beat, by the plainest method: the dual function over dense lists. Each price in turn
 * comes by bisection, until none moves.
 */
import type { Random } from '../../../src/solvers/numerics/random/random.ts';

/** Costs of a page crawled f times a unit of time, and the f that is best at a price. */
export interface NaivePage {
  readonly cost: (f: number) => number;
  readonly bestAt: (price: number) => number;
  /** Positions of the limits that count its crawls. */
  readonly limits: readonly number[];
}

/** w·λ/(2f): the mean delay. */
export const byDelay = (k: number, limits: readonly number[]): NaivePage => ({
  cost: (f) => k / f,
  bestAt: (price) => Math.sqrt(k / price),
  limits,
});

/** w·ln(1 + λ/f): harmonic. */
export const byHarmonic = (w: number, rate: number, limits: readonly number[]): NaivePage => ({
  cost: (f) => w * Math.log1p(rate / f),
  bestAt: (price) => {
    // w·λ·g² = price·(1 + λ·g)
    const half = price / (2 * w);
    return 1 / (half + Math.sqrt(half * half + price / (w * rate)));
  },
  limits,
});

/** The most that the dual function reaches of min Σ cost within the limits. */
export function naiveBound(pages: readonly NaivePage[], limit: readonly number[]): number {
  const price = limit.map(() => 1e-9);
  const of = ({ limits }: NaivePage): number => limits.reduce((sum, h) => sum + price[h], 0);
  const spent = (h: number): number =>
    pages.filter(({ limits }) => limits.includes(h)).reduce((sum, page) => sum + page.bestAt(of(page)), 0);
  const members = limit.map((_, h) => pages.some(({ limits }) => limits.includes(h)));
  for (let round = 0, moved = 1; moved > 1e-13 && round < 3000; round++) {
    moved = 0;
    for (const h of price.keys()) {
      if (!members[h]) continue;
      const before = price[h];
      let [low, high] = [-200, 100];
      while (high - low > 1e-14 * Math.max(1, Math.abs(low))) {
        const middle = (low + high) / 2;
        price[h] = Math.exp(middle);
        if (spent(h) > limit[h]) low = middle;
        else high = middle;
      }
      price[h] = high < -199 ? 0 : Math.exp(high);
      moved = Math.max(moved, Math.abs(price[h] - before) / Math.max(price[h], before, 1e-300));
    }
  }
  let bound = 0;
  for (const page of pages) {
    const f = page.bestAt(of(page));
    bound += page.cost(f) + of(page) * f;
  }
  return bound - price.reduce((sum, each, h) => sum + each * limit[h], 0);
}

/** Hosts, each with all it lies within, the inner ones first: any host within any that come after it. */
export function randomGroups(random: Random, hosts: number): Int32Array[] {
  const next = Array.from({ length: hosts }, (_, h) =>
    Array.from({ length: hosts - h - 1 }, (_, k) => h + 1 + k).filter(() => random() < 0.4),
  );
  const all = (h: number): number[] => [h, ...next[h].flatMap(all)];
  const lists = next.map((_, h) => [...new Set(all(h))].sort((a, b) => a - b));
  return lists.map((list) => Int32Array.from(list));
}
