/** Of very many pages the least crawls keep each target to rounding, and the bound proves them. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { meetTarget } from '../../../src/solvers/pages/targets/index.ts';

const count = 60_000;
const random = seededRandom(3);
// Σ w_i/(1 + f_i/r_i): at a price p, 1 + f/r = √(w/(r p))
const rate = Float64Array.from({ length: count }, () => Math.exp(3 * random()));
const weight = rate.map((each) => each * Math.exp(2 * random() - 1));
const wanting = {
  pages: count,
  crawlsAt: (i: number, price: number) => rate[i] * Math.max(0, Math.sqrt(weight[i] / (rate[i] * price)) - 1),
  leftAt: (i: number, crawls: number) => weight[i] / (1 + crawls / rate[i]),
};
const of = (groups: number) => rate.map((_, i) => i % groups);
const sumOf = (values: ArrayLike<number>) => Array.from(values).reduce((sum, each) => sum + each, 0);

describe('the least crawls of very many pages', () => {
  it.each([0.2, 0.6])('leave %d of all they could, and the bound is theirs', (share) => {
    const whole = share * sumOf(weight);
    const alone = meetTarget({ wanting, whole, hosts: null, start: 1, budget: unlimitedBudget() });
    if (!alone.met) throw new Error('missed');
    const most = (h: number): number => (h === 0 ? alone.total / 30 : Number.POSITIVE_INFINITY);
    const hosts = { of: Int32Array.from(of(11)), limit: Float64Array.from({ length: 11 }, (_, h) => most(h)) };
    for (const more of [{}, { hosts }]) {
      const found = meetTarget({ wanting, whole, hosts: null, start: 1, budget: unlimitedBudget(), ...more });
      if (!found.met) throw new Error('missed');
      const left = sumOf(Array.from(found.crawls, (each, i) => wanting.leftAt(i, each)));
      expect(Math.abs(left / whole - 1)).toBeLessThan(1e-10);
      expect(found.total).toBeCloseTo(sumOf(found.crawls), 3);
      expect(found.bound).toBeLessThanOrEqual(found.total);
      expect((found.bound ?? 0) / found.total).toBeGreaterThan(1 - 1e-9);
    }
  });
});
