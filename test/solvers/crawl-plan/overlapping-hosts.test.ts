/** Hosts that overlap in part, an address and a CDN: all their limits hold, and their prices add. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { planCrawls } from '../../../src/solvers/crawl-plan/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { byDelay, byHarmonic, naiveBound, randomGroups } from '../pages/naive-prices.ts';
import { certifyCrawlPlan } from './certify-plan.ts';
import { randomProblem } from './small-plans.ts';

describe('hosts that overlap in part', () => {
  it.each(['delay', 'harmonic', 'freshness'] as const)(
    'have plans for %s as good as their bound, which a naive dual finds too',
    (objective) => {
      let [bound, proved] = [0, 0];
      for (let seed = 1; seed <= 30; seed++) {
        const random = seededRandom(seed);
        const slots = 80;
        const free = { ...randomProblem(random, 16, slots, true), objective } as const;
        const hostGroups = randomGroups(random, 6);
        const host = Int32Array.from(free.host, () => Math.floor(7 * random()) - 1);
        const hostRate = Float64Array.from(hostGroups, () => (slots * random()) / free.interval);
        const names = ['a', 'b', 'c', 'd', 'e', 'f'];
        const problem = { ...free, host, hostName: names, hostDelay: new Float64Array(6), hostRate, hostGroups };
        const answer = planCrawls(problem, unlimitedBudget());
        if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
        expect(certifyCrawlPlan(problem, answer)).toEqual([]);
        const { longRun, plan } = answer;
        const taken = new Float64Array(6);
        for (const [i, gap] of plan.fetchInterval.entries())
          for (const h of hostGroups[host[i]] ?? []) taken[h] += Number.isNaN(gap) ? 0 : 1 / gap;
        for (const [h, most] of hostRate.entries()) {
          expect(taken[h]).toBeLessThanOrEqual(most * (1 + 1e-9));
          if (taken[h] > most * (1 - 1e-9)) bound++;
        }
        if (objective === 'freshness') {
          // what a page takes jumps at its last price: no prices prove more there
          expect(longRun?.gap ?? Number.NaN).toBeLessThan(0.002);
          proved += Number((longRun?.gap ?? 1) < 1e-8);
          continue;
        }
        expect(longRun?.gap ?? Number.NaN).toBeLessThan(1e-8);
        proved++;
        const pages = Array.from(host, (h, i) => {
          const [rate, w] = [free.changeRate[i] * free.interval, free.weight[i]];
          const limits = [...(hostGroups[h] ?? []), 6];
          return objective === 'delay' ? byDelay((w * rate) / 2, limits) : byHarmonic(w, rate, limits);
        });
        const least = naiveBound(pages, [...hostRate.map((each) => each * free.interval), slots]);
        expect((longRun?.value ?? Number.NaN) / least).toBeCloseTo(1, 8);
      }
      expect(bound).toBeGreaterThan(30);
      expect(proved).toBeGreaterThan(26);
    },
  );
});
