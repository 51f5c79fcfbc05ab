import { describe, expect, it } from 'vitest';
import { type Budget, unlimitedBudget } from '../../../src/solvers/budget.ts';
import { keepLeast } from '../../../src/solvers/crawl-schedule/placing/keep-least.ts';
import { Timetable } from '../../../src/solvers/crawl-schedule/table/timetable.ts';

const slots = 20_000;

/** All slots are the first page's; the second must have one. */
function keptWithin(looks: number) {
  const table = new Timetable(
    {
      slotTime: Float64Array.from({ length: slots }, (_, s) => s / slots),
      interval: 1,
      weight: Float64Array.of(1, 1),
      stale: { gap: (_, from, to) => (to - Math.max(0, from)) ** 2, staleAt: (_, from, to) => to - Math.max(0, from) },
      hosts: null,
    },
    new Int32Array(slots),
  );
  let looked = 0;
  const budget: Budget = { ...unlimitedBudget(), stopRequested: () => looked++ >= looks };
  const limits = { least: Int32Array.of(0, 1), allow: () => true, changed: () => {} };
  keepLeast(table, { limits, hosts: null, spare: 0 }, budget);
  return { looked, crawls: [table.crawlsOf(0), table.crawlsOf(1)] };
}

describe('crawls that pages must have', () => {
  it('are looked for under the budget among very many slots', () => {
    const { looked, crawls } = keptWithin(Number.POSITIVE_INFINITY);
    expect(crawls).toEqual([slots - 1, 1]);
    expect(looked).toBeGreaterThanOrEqual(100);
  });

  it.each([0, 1, 4])('are left out where it ends first, and no slot is lost: after look %s', (looks) => {
    expect(keptWithin(looks).crawls).toEqual([slots, 0]);
  });
});
