/** Two pages that share their slots anew, against all ways to do so. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { wholeOf } from '../../../src/solvers/crawl-schedule/improving/part.ts';
import { shareSlots } from '../../../src/solvers/crawl-schedule/improving/share-slots.ts';
import { Timetable } from '../../../src/solvers/crawl-schedule/table/timetable.ts';
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';

const slots = 9;

/** Two pages with slots by chance; gaps cost their squares, or what bends both ways. */
function drawn(random: Random, convex: boolean, hosts: readonly number[] | null) {
  const weight = Float64Array.of(0.2 + random(), 0.2 + 3 * random());
  const cost = (length: number): number => (convex ? length ** 2 : Math.sin(9 * length) + length);
  const slotTime = Float64Array.from({ length: slots }, () => random()).sort();
  const page = Int32Array.from({ length: slots }, () => (random() < 0.1 ? -1 : Math.floor(2 * random())));
  const table = new Timetable(
    {
      slotTime,
      interval: 1,
      weight,
      stale: {
        gap: (_, from, to) => cost(to - Math.max(0, from)),
        staleAt: (_, from, to) => (convex ? 2 * (to - Math.max(0, from)) : Number.NaN),
      },
      hosts:
        hosts === null ? null : { of: Int32Array.from(hosts), delay: Float64Array.of(0, 0), from: new Float64Array(2) },
    },
    page.slice(),
  );
  const costOf = (ways: ArrayLike<number>): number => {
    const last = [0, 0];
    let sum = 0;
    for (let s = 0; s < slots; s++) {
      if (ways[s] < 0) continue;
      sum += weight[ways[s]] * cost(slotTime[s] - last[ways[s]]);
      last[ways[s]] = slotTime[s];
    }
    return sum + weight[0] * cost(1 - last[0]) + weight[1] * cost(1 - last[1]);
  };
  return { table, page, costOf };
}

/** The least cost of all ways in which both have at least so many of the slots used. */
function leastOf(page: Int32Array, least: number, costOf: (ways: ArrayLike<number>) => number): number {
  const used = [...page.keys()].filter((s) => page[s] >= 0);
  let best = Number.POSITIVE_INFINITY;
  for (let code = 0; code < 2 ** used.length; code++) {
    const ways = Int32Array.from(page);
    for (const [k, s] of used.entries()) ways[s] = (code >> k) & 1;
    const second = used.filter((_, k) => ((code >> k) & 1) === 1).length;
    if (second >= least && used.length - second >= least) best = Math.min(best, costOf(ways));
  }
  return best;
}

const limits = (table: Timetable, least: number) => ({
  least: Int32Array.of(least, least),
  allow: (i: number) => table.crawlsOf(i) < slots,
  changed: () => {},
});

describe('two pages that share their slots anew', () => {
  it.each([true, false])('reach the least of all ways (convex %s)', (convex) => {
    const random = seededRandom(3);
    let bettered = 0;
    for (let round = 0; round < 60; round++) {
      const { table, page, costOf } = drawn(random, convex, null);
      const { gained } = shareSlots(table, wholeOf(table, 2), limits(table, 0), unlimitedBudget());
      expect(costOf(table.page)).toBeCloseTo(leastOf(page, 0, costOf), 10);
      expect(costOf(page) - costOf(table.page)).toBeCloseTo(gained, 10);
      if (gained > 0) bettered++;
    }
    expect(bettered).toBeGreaterThan(30);
  });

  it('keep the crawls that they must have', () => {
    const random = seededRandom(4);
    for (let round = 0; round < 40; round++) {
      const { table, page, costOf } = drawn(random, true, null);
      const had = [table.crawlsOf(0), table.crawlsOf(1)];
      shareSlots(table, wholeOf(table, 2), limits(table, 3), unlimitedBudget());
      for (const i of [0, 1]) expect(table.crawlsOf(i)).toBeGreaterThanOrEqual(Math.min(3, had[i]));
      expect(costOf(table.page)).toBeLessThanOrEqual(costOf(page));
    }
  });

  it('leave them as they are where two hosts ask for delays', () => {
    const { table, page } = drawn(seededRandom(5), true, [0, 1]);
    expect(shareSlots(table, wholeOf(table, 2), limits(table, 0), unlimitedBudget()).pairs).toBe(0);
    expect([...table.page]).toEqual([...page]);
  });
});
