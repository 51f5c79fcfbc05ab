import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { type FreshnessProblem, solveFreshness } from '../../../src/solvers/freshness/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { requireDefined } from '../../require-defined.ts';
import { naiveIntervals, ratioInterval } from './naive-sequence.ts';
import { type Changes, type Crawl, probed } from './probed-crawl.ts';

const solve = (problem: FreshnessProblem) => solveFreshness(problem, unlimitedBudget()).solution;

const kinds: readonly Changes[] = ['poisson', 'bursts', 'site-wide', 'drifting'];
const crawl: Crawl = { changes: 'poisson', pages: 60, days: 8, probesADay: 30, interval: 2 };

/** Five standard errors above 5% of so many runs. */
const mostMisses = (runs: number): number => 0.05 * runs + 5 * Math.sqrt(0.05 * 0.95 * runs);

/** Probes at times 0, 1, 2, … */
function plain(current: Uint8Array, weight: Float64Array): FreshnessProblem {
  const count = current.length;
  return {
    time: Float64Array.from({ length: count }, (_, i) => i),
    host: new Int32Array(count).fill(-1),
    hosts: [],
    current,
    weight,
    confidence: 0.95,
  };
}

describe('freshness by probes', () => {
  it.each(kinds)('has the interval of the theorem, written anew, where changes are %s', (changes) => {
    const { problem, freshness } = probed({ ...crawl, changes }, seededRandom(7));
    const last = requireDefined(naiveIntervals([...problem.current], [...freshness], 0.05).at(-1));
    const { value, interval, probes } = solve(problem).freshness;
    expect(probes).toBe(problem.current.length);
    expect(interval[0]).toBeCloseTo(Math.max(0, last.low), 12);
    expect(interval[1]).toBeCloseTo(Math.min(1, last.high), 12);
    expect(value).toBeCloseTo(problem.current.reduce((sum, each) => sum + each, 0) / probes, 12);
  });

  it.each(kinds)('is covered at every look in 95 of 100 crawls, where changes are %s', (changes) => {
    const random = seededRandom(20);
    const runs = 300;
    let missed = 0;
    for (let run = 0; run < runs; run++) {
      const { problem, freshness } = probed({ ...crawl, changes }, random);
      const all = naiveIntervals([...problem.current], [...freshness], 0.05);
      if (all.some(({ low, high, target }) => target < low || target > high)) missed++;
    }
    expect(missed).toBeLessThanOrEqual(0.05 * runs);
  });

  it('is covered at every look, by weights of any spread, with the ends of a bisection', () => {
    const random = seededRandom(24);
    let missed = 0;
    const runs = 300;
    for (let run = 0; run < runs; run++) {
      const count = 400;
      const heavy = Float64Array.from({ length: count }, () => Math.exp(3 * random()));
      // Heavy pages are staler, so that the weighted mean is not the plain one.
      const chance = heavy.map((weight) => 0.95 - 0.02 * weight);
      const moments = heavy.reduce((sum, weight) => sum + weight, 0);
      const truth = heavy.reduce((sum, weight, i) => sum + weight * chance[i], 0) / moments;
      const current = Uint8Array.from(chance, (each) => (random() < each ? 1 : 0));
      const { interval, value } = solve(plain(current, heavy)).freshness;
      expect(requireDefined(value)).toBeGreaterThanOrEqual(interval[0]);
      expect(requireDefined(value)).toBeLessThanOrEqual(interval[1]);
      if (truth < interval[0] || truth > interval[1]) missed++;
      if (run > 5) continue;
      const [low, high] = ratioInterval([...current], [...heavy], 0.05);
      expect(interval[0]).toBeCloseTo(low, 9);
      expect(interval[1]).toBeCloseTo(high, 9);
    }
    expect(missed).toBeLessThanOrEqual(mostMisses(runs));
  });

  it('is as with equal weights where all weights are the same, and in [0, 1] with one probe', () => {
    const current = Uint8Array.from({ length: 500 }, (_, i) => (i % 7 === 0 ? 0 : 1));
    const one = solve(plain(current, new Float64Array(500).fill(1))).freshness;
    const thousand = solve(plain(current, new Float64Array(500).fill(1000))).freshness;
    expect(thousand).toEqual(one);
    expect(solve(plain(Uint8Array.of(1), Float64Array.of(1))).freshness).toMatchObject({ interval: [0, 1] });
  });

  it('is by host what the host’s probes alone give', () => {
    const { problem } = probed(crawl, seededRandom(26));
    const host = problem.host.map((_, i) => (i % 3) - 1);
    const { byHost } = solve({ ...problem, host, hosts: ['a', 'b'] });
    for (const [h, { host: name, ...estimate }] of byHost.entries()) {
      const own = problem.current.filter((_, i) => host[i] === h);
      expect([name, estimate]).toEqual(['ab'[h], solve(plain(own, new Float64Array(own.length).fill(1))).freshness]);
    }
  });
});
