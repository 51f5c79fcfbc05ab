/** Groups of pages that overlap: their prices add, and prove that no crawls within all limits leave less. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { areNested } from '../../../src/solvers/pages/groups/index.ts';
import { meetTarget } from '../../../src/solvers/pages/targets/index.ts';
import { byDelay, byHarmonic, naiveBound, randomGroups } from './naive-prices.ts';

describe('hosts that overlap', () => {
  it('need as few crawls for a target as their prices prove, and a naive dual says no less', () => {
    let [bound, overlapping] = [0, 0];
    for (let seed = 1; seed <= 170; seed++) {
      const random = seededRandom(seed);
      const hosts = 4 + Math.floor(5 * random());
      const around = randomGroups(random, hosts);
      if (areNested(around)) continue;
      overlapping++;
      const of = Int32Array.from({ length: 25 }, () => Math.floor((hosts + 1) * random()) - 1);
      const pages = Array.from(of, (h) => {
        const limits = [...(around[h] ?? []), hosts];
        const k = 10 ** (3 * random() - 1);
        return seed % 2 === 0 ? byDelay(k, limits) : byHarmonic(k, 10 ** (2 * random()), limits);
      });
      const wanted = new Float64Array(hosts);
      for (const page of pages) for (const h of page.limits) if (h < hosts) wanted[h] += page.bestAt(1);
      const limit = wanted.map((each) => (each > 0 ? each * (0.3 + random()) : 1));
      const free = pages.reduce((sum, page) => sum + page.cost(page.bestAt(1)), 0);
      const wanting = {
        pages: pages.length,
        crawlsAt: (i: number, price: number) => pages[i].bestAt(price),
        leftAt: (i: number, f: number) => pages[i].cost(f),
      };
      const found = meetTarget({
        wanting,
        whole: free * (1.05 + 0.6 * random()),
        hosts: { of, limit, around },
        start: 1,
        budget: unlimitedBudget(),
      });
      if (!found.met) {
        // the least that limits leave: no crawls beyond them count
        expect(naiveBound(pages, [...limit, 1e12]) / found.least).toBeCloseTo(1, 7);
        continue;
      }
      expect(found.bound ?? 0).toBeGreaterThan(0);
      expect(found.total / (found.bound ?? 0)).toBeCloseTo(1, 8);
      expect(naiveBound(pages, [...limit, found.total]) / found.left).toBeCloseTo(1, 8);
      const taken = new Float64Array(hosts);
      for (const [i, f] of found.crawls.entries()) for (const h of around[of[i]] ?? []) taken[h] += f;
      for (const [h, most] of limit.entries()) {
        expect(taken[h]).toBeLessThanOrEqual(most * (1 + 1e-9));
        if (found.hostPrice[h] > 0) bound++;
      }
    }
    expect(overlapping).toBeGreaterThan(80);
    expect(bound).toBeGreaterThan(80);
  });
});
