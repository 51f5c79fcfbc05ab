/** Gains and crawl points of quasi-deterministic pages against every set of crawl points. */
import { describe, expect, it } from 'vitest';
import {
  type QuasiPage,
  quasiCrawlPoints,
  quasiGains,
  quasiGreedy,
  quasiWorkspace,
} from '../../../src/solvers/crawl-allocation/gains/quasi-deterministic.ts';
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { bestQuasiCosts } from './heap-greedy.ts';
import { naiveQuasiCost } from './naive-allocation.ts';

function page(times: number[], probabilities: number[], staleAtStart: number, interval = 1): QuasiPage {
  const pad = [9, 9, 9];
  return {
    times: Float64Array.from([...pad, ...times]),
    probabilities: Float64Array.from([...pad, ...probabilities]),
    from: pad.length,
    to: pad.length + times.length,
    staleAtStart,
    interval,
  };
}

function randomPage(count: number, random: Random, interval = 1): [QuasiPage, number[], number[], number] {
  const times = Array.from({ length: count }, () => random() * interval).sort((a, b) => a - b);
  if (count > 0 && random() < 0.3) times[0] = 0;
  const probabilities = times.map(() => (random() < 0.2 ? Math.round(random()) : random()));
  const stale = random() < 0.3 ? Math.round(random()) : random();
  return [page(times, probabilities, stale, interval), times, probabilities, stale];
}

/** A(0), A(1), … from the gains. */
function costs(work: ReturnType<typeof quasiWorkspace>, from: QuasiPage, count: number): number[] {
  const gains = new Float64Array(count + 1);
  const written = quasiGains(work, from, gains, 0);
  const found = [0];
  for (let x = written - 1; x >= 0; x--) found.unshift(found[0] + gains[x]);
  for (let x = 1; x < written; x++) expect(gains[x]).toBeLessThanOrEqual(gains[x - 1]);
  return found;
}

/** A(0), …, A(count + 1): where the gains end nothing is stale any more. */
function allCosts(work: ReturnType<typeof quasiWorkspace>, from: QuasiPage, count: number): number[] {
  const found = costs(work, from, count);
  return [...found, ...new Array<number>(count + 2 - found.length).fill(0)];
}

describe('quasi-deterministic pages', () => {
  it('reach the least staleness over all sets of crawl points, with convex gains', () => {
    const random = seededRandom(3);
    const work = quasiWorkspace();
    for (let trial = 0; trial < 150; trial++) {
      const count = Math.floor(random() * 8);
      const interval = random() < 0.5 ? 1 : 24;
      const [from, times, probabilities, stale] = randomPage(count, random, interval);
      const found = allCosts(work, from, count);
      const best = new Array<number>(count + 2).fill(Number.POSITIVE_INFINITY);
      for (let set = 0; set < 2 ** (count + 1); set++) {
        const crawled = new Set<number>();
        for (let j = 0; j <= count; j++) if ((set >> j) & 1) crawled.add(j);
        const cost = naiveQuasiCost(interval, times, probabilities, stale, crawled);
        best[crawled.size] = Math.min(best[crawled.size], cost);
      }
      if (interval === 1) {
        // the recursion that the greedy of many-pages.test.ts and the benchmark build on
        bestQuasiCosts(times, probabilities, stale).forEach((cost, x) => {
          expect(Math.abs(cost - best[x])).toBeLessThan(1e-13);
        });
      }
      best.forEach((cost, x) => {
        expect(Math.abs(found[x] - cost), JSON.stringify({ times, probabilities, stale, x })).toBeLessThan(1e-13);
        const points = quasiCrawlPoints(work, from, x);
        expect([...points]).toEqual([...points].sort((a, b) => a - b));
        const chosen = naiveQuasiCost(interval, times, probabilities, stale, new Set(points));
        expect(Math.abs(chosen - cost)).toBeLessThan(1e-13);
      });
    }
  });

  it('with many updates follow the same programme, solved by divide and conquer', () => {
    const random = seededRandom(5);
    const work = quasiWorkspace();
    for (const count of [23, 24, 25, 60, 130]) {
      const [from, times, probabilities, stale] = randomPage(count, random);
      const found = allCosts(work, from, count);
      for (const x of [1, 2, 5, 17, count]) {
        const points = new Set(quasiCrawlPoints(work, from, x));
        expect(Math.abs(naiveQuasiCost(1, times, probabilities, stale, points) - found[x])).toBeLessThan(1e-12);
        // no single crawl point can be moved for the better
        for (const point of points) {
          for (let j = 0; j <= count; j += 3) {
            if (points.has(j)) continue;
            const moved = new Set(points);
            moved.delete(point);
            moved.add(j);
            expect(naiveQuasiCost(1, times, probabilities, stale, moved)).toBeGreaterThanOrEqual(found[x] - 1e-12);
          }
        }
      }
    }
  });

  it('under the greedy rule add the best next point each time, never better than the optimum', () => {
    const random = seededRandom(8);
    const work = quasiWorkspace();
    let worse = 0;
    for (let trial = 0; trial < 100; trial++) {
      const count = 1 + Math.floor(random() * 7);
      const [from, times, probabilities, stale] = randomPage(count, random);
      const order = new Int32Array(count + 1);
      const gains = new Float64Array(count + 1);
      const written = quasiGreedy(work, from, gains, 0, order);
      const found = allCosts(work, from, count);
      const crawled = new Set<number>();
      for (let x = 0; x < written; x++) {
        const before = naiveQuasiCost(1, times, probabilities, stale, crawled);
        let best = before;
        for (let j = 0; j <= count; j++) {
          if (!crawled.has(j)) {
            best = Math.min(best, naiveQuasiCost(1, times, probabilities, stale, new Set([...crawled, j])));
          }
        }
        crawled.add(order[x]);
        const after = naiveQuasiCost(1, times, probabilities, stale, crawled);
        expect(Math.abs(after - best)).toBeLessThan(1e-13);
        expect(Math.abs(before - after - gains[x])).toBeLessThan(1e-13);
        expect(after).toBeGreaterThanOrEqual(found[x + 1] - 1e-13);
        if (after > found[x + 1] + 1e-6) worse++;
      }
      // nothing is left to gain: every point that can be stale has been crawled
      expect(naiveQuasiCost(1, times, probabilities, stale, crawled)).toBeLessThan(1e-13);
    }
    expect(worse).toBeGreaterThan(0);
  });
});
