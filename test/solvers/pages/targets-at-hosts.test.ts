/** The least crawls where hosts with limits have pages of several targets: all are kept, and the bound proves it. */
import { describe, expect, it } from 'vitest';
import { crawlPlan, verify } from '../../../src/index.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { meetTarget } from '../../../src/solvers/pages/targets/index.ts';

/** Pages that leave w/(1 + f/r): at a price p, 1 + f/r = √(w/(r p)). */
function pagesOf(random: () => number) {
  const pages = 6 + Math.floor(20 * random());
  const rate = Float64Array.from({ length: pages }, () => Math.exp(3 * random()));
  const weight = rate.map((each) => each * Math.exp(2 * random() - 1));
  const wanting = {
    pages,
    crawlsAt: (i: number, price: number) => rate[i] * Math.max(0, Math.sqrt(weight[i] / (rate[i] * price)) - 1),
    leftAt: (i: number, crawls: number) => weight[i] / (1 + crawls / rate[i]),
  };
  return { wanting, weight };
}

/** Σ of some values by group; those of group −1 are left out. */
function sums(values: Float64Array, of: Int32Array, groups: number): Float64Array {
  const sum = new Float64Array(groups);
  for (const [i, g] of of.entries()) if (g >= 0) sum[g] += values[i];
  return sum;
}

describe('hosts with pages of several targets', () => {
  it('are kept with all targets, at the least crawls', () => {
    let binding = 0;
    for (let seed = 1; seed <= 80; seed++) {
      const random = seededRandom(seed);
      const { wanting, weight } = pagesOf(random);
      const drawn = (groups: number) => Int32Array.from(weight, () => Math.floor(random() * (groups + 1)) - 1);
      const [of, host] = [drawn(3), drawn(2)];
      const limit = sums(weight, of, 3).map((each) => each * (0.2 + 0.6 * random()));
      const most = weight.reduce((sum, each) => sum + each, 0) * (0.3 + 0.5 * random());
      const asked = { wanting, whole: random() < 0.5 ? Number.POSITIVE_INFINITY : most, own: { of, limit }, start: 1 };
      const free = meetTarget({ ...asked, hosts: null, budget: unlimitedBudget() });
      if (!free.met) throw new Error('missed');
      const allowed = sums(free.crawls, host, 2).map((each) => 0.1 + each * (0.7 + 0.5 * random()));
      const found = meetTarget({ ...asked, hosts: { of: host, limit: allowed }, budget: unlimitedBudget() });
      if (!found.met) continue;
      const left = found.crawls.map((each, i) => wanting.leftAt(i, each));
      expect(left.reduce((sum, each) => sum + each, 0) / asked.whole, `seed ${seed}`).toBeLessThan(1 + 1e-9);
      for (const [g, each] of sums(left, of, 3).entries())
        expect(each, `seed ${seed}`).toBeLessThanOrEqual(limit[g] * (1 + 1e-9));
      for (const [h, each] of sums(found.crawls, host, 2).entries())
        expect(each, `seed ${seed}`).toBeLessThanOrEqual(allowed[h] * (1 + 1e-9));
      expect(found.bound ?? 0, `seed ${seed}`).toBeGreaterThan(found.total * (1 - 1e-9));
      if (found.total > free.total * (1 + 1e-9)) binding++;
    }
    expect(binding).toBeGreaterThan(20);
  });

  it('are out of reach just where all targets together take more than the one host of all pages allows', () => {
    for (let seed = 1; seed <= 120; seed++) {
      const random = seededRandom(seed);
      const { wanting, weight } = pagesOf(random);
      const own = { of: Int32Array.from(weight, (_, i) => i % 2), limit: new Float64Array(2) };
      own.limit.set(sums(weight, own.of, 2).map((each) => each * (0.2 + 0.6 * random())));
      const asked = { wanting, whole: Number.POSITIVE_INFINITY, own, start: 1 };
      // without limits each group takes its own least
      const free = meetTarget({ ...asked, hosts: null, budget: unlimitedBudget() });
      if (!free.met) throw new Error('missed');
      const share = Math.exp(0.2 * (random() - 0.5) * random() ** 2);
      const hosts = { of: new Int32Array(weight.length), limit: Float64Array.of(free.total * share) };
      const found = meetTarget({ ...asked, hosts, budget: unlimitedBudget() });
      expect(found.met, `seed ${seed}: ${share} of what they take`).toBe(share > 1);
    }
  });

  it('have plans that keep the targets, with the even share of pages that are not worth their price', async () => {
    const day = 86_400;
    const now = 1_795_478_400;
    for (let seed = 1; seed <= 60; seed++) {
      const random = seededRandom(seed);
      const pages = Array.from({ length: 9 }, (_, i) => ({
        id: `page ${i}`,
        changeRate: (0.2 + 4 * random()) / day,
        weight: 0.5 + random(),
        class: i % 3 === 0 ? 'fast' : 'slow',
        ...(i < 6 && { host: 'b.example' }),
        lastCrawl: now,
      }));
      const hosts = [{ host: 'b.example', maxRate: 1e-4 + 2e-4 * random() }];
      const targets = [
        { class: 'fast', staleness: 0.3 + 0.2 * random() },
        { class: 'slow', staleness: 0.3 + 0.4 * random() },
      ];
      const asks = seed % 3 === 0 ? { target: { staleness: 0.35 + 0.4 * random() } } : { targets };
      const request = { now, interval: day, hosts, pages, ...asks };
      expect(await verify('crawl-plan', request, await crawlPlan(request)), JSON.stringify(request)).toEqual([]);
    }
  });
});
