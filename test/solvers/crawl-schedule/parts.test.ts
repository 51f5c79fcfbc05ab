/** What each host's pages have is improved by itself. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { partsByHost, wholeOf } from '../../../src/solvers/crawl-schedule/exchange-slots.ts';
import { fromStart } from '../../../src/solvers/crawl-schedule/stale-time.ts';
import { Timetable } from '../../../src/solvers/crawl-schedule/timetable.ts';
import { transferSlots } from '../../../src/solvers/crawl-schedule/transfer-slots.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';

const slots = 12;
/** Two pages of each of two hosts, and one of none. */
const hostOf = Int32Array.of(0, 0, 1, 1, -1);
const weight = Float64Array.of(1, 3, 2, 5, 1);

function tableOf(page: Int32Array): Timetable {
  const hosts = { of: hostOf, delay: Float64Array.of(2, 2), from: Float64Array.of(0, 0) };
  const stale = {
    gap: (_: number, from: number, to: number) => (to - (from === fromStart ? 0 : from)) ** 2,
    staleAt: (_: number, from: number, to: number) => 2 * (to - (from === fromStart ? 0 : from)),
  };
  const slotTime = Float64Array.from({ length: slots }, (_, s) => s);
  return new Timetable({ slotTime, interval: slots, weight, stale, hosts }, page);
}

const costOf = (table: Timetable): number => weight.reduce((sum, w, i) => sum + w * table.staleTime(i), 0);
const limits = { least: new Int32Array(5), allow: () => true, changed: () => {} };

describe('parts of a timetable', () => {
  it('are the slots and pages of each host, and of none', () => {
    const table = tableOf(Int32Array.of(0, 2, 1, 3, 4, -1, 0, 2, 1, 3, 4, 4));
    const parts = partsByHost(table, 5).map((part) => [[...part.slots], [...part.pages]]);
    expect(parts).toEqual([
      [
        [0, 2, 6, 8],
        [0, 1],
      ],
      [
        [1, 3, 7, 9],
        [2, 3],
      ],
      [[4, 10, 11], [4]],
    ]);
    expect([...wholeOf(table, 5).slots]).toEqual(Array.from({ length: slots }, (_, s) => s));
  });

  it('end where no slot of a host is better had by its other page, each host in its own slots', () => {
    const random = seededRandom(31);
    let changed = 0;
    for (let round = 0; round < 30; round++) {
      const page = Int32Array.from({ length: slots }, (_, s) => (s % 2) * 2 + (random() < 0.5 ? 0 : 1));
      const table = tableOf(page.slice());
      for (const part of partsByHost(table, 5)) transferSlots(table, part, limits, costOf(table), unlimitedBudget());
      const least = costOf(table);
      for (let s = 0; s < slots; s++) {
        if (table.page[s] !== page[s]) changed++;
        expect(hostOf[table.page[s]]).toBe(s % 2);
        const other = table.page.slice();
        other[s] ^= 1;
        expect(costOf(tableOf(other))).toBeGreaterThanOrEqual(least * (1 - 1e-12));
      }
    }
    expect(changed).toBeGreaterThan(50);
  });
});
