import { describe, expect, it } from 'vitest';
import { crawlPlan, estimatesChangeRates, verify } from '../../../src/index.ts';
import { changed } from '../../../src/solvers/estimation/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { standardExponential } from '../../../src/solvers/numerics/random/random-variates.ts';
import { memoryPrior } from '../../../src/solvers/pages/evidence/believe.ts';
import { beliefsOf, CheckFilter } from '../../../src/solvers/pages/evidence/index.ts';

const day = 86_400;
const now = 1_770_000_000;

/** A fetch a day, the changes of which count so much; 0 for none. */
const daily = (matters: readonly number[]) =>
  [0, ...matters].map((each, k) => ({
    time: now - day * (matters.length - k),
    changed: each > 0,
    ...(each > 0 && { matters: each }),
  }));

function rateOf(observations: ReturnType<typeof daily>, more: object = {}): number {
  const { solution } = estimatesChangeRates({ pages: [{ observations }], ...more });
  const rows: unknown = solution?.pages;
  if (!Array.isArray(rows)) throw new TypeError('rows expected');
  return Number(rows[0].rate) * day;
}

describe('changes that count less than whole', () => {
  it('enter the rate by their sizes: at regular checks −ln(1 − Σm/n)', () => {
    const sizes = [0, 0.1, 0, 1, 0, 0, 0.5, 0, 0, 0.1];
    expect(rateOf(daily(sizes))).toBeCloseTo(-Math.log(1 - 1.7 / 10), 9);
    const prior = { shape: 2, rate: 3 * day };
    // the posterior mode in ln λ, found by trying
    const posterior = (rate: number): number =>
      2 * Math.log(rate) - 3 * rate + 1.7 * Math.log(-Math.expm1(-rate)) - 8.3 * rate;
    const found = rateOf(daily(sizes), { prior });
    for (const by of [0.999, 1.001]) expect(posterior(found * by)).toBeLessThan(posterior(found));
  });

  it('give in the mean the rate of those that matter, where a change matters with a chance', () => {
    const random = seededRandom(5);
    let sum = 0;
    const pages = 300;
    for (let i = 0; i < pages; i++) {
      let next = standardExponential(random) / 0.05;
      const sizes = Array.from({ length: 200 }, (_, k) => {
        if (next > k + 1) return 0;
        while (next <= k + 1) next += standardExponential(random) / 0.05;
        return 0.3;
      });
      sum += rateOf(daily(sizes)) / pages;
    }
    // of checks that find a change three tenths count: −ln(1 − .3·(1 − e^−.05))
    expect(sum / -Math.log(1 - 0.3 * -Math.expm1(-0.05))).toBeCloseTo(1, 1);
    expect(Math.abs(sum - 0.015)).toBeLessThan(0.001);
  });

  it('below the cut-off are none', () => {
    const sizes = [0, 0.1, 0, 1, 0, 0.15, 0.5, 0, 0, 0.1];
    const without = sizes.map((each) => (each < 0.2 ? 0 : each));
    expect(rateOf(daily(sizes), { leastMatters: 0.2 })).toBe(rateOf(daily(without)));
    expect(rateOf(daily(sizes), { leastMatters: 0.2 })).toBeLessThan(rateOf(daily(sizes)));
  });

  it('leave a belief whose mean and variance are those of the mixture on a fine grid', () => {
    for (const matters of [0.1, 0.6, 1]) {
      const beliefs = beliefsOf(1, { ...memoryPrior(0.2 / day, day), forgetting: new Float64Array(4) });
      const filter = new CheckFilter(beliefs);
      filter.take(0, 3 * day, 0);
      const [a, b] = [beliefs.shape[0], beliefs.scale[0] / day];
      filter.take(0, 2 * day, changed, matters);
      // ∫ over λ = e^θ of gamma(a, b) times m·(1 − e^{−2λ})/P + (1 − m)·e^{−2λ}/(1 − P)
      let [mass, stale] = [0, 0];
      const grid = Array.from({ length: 40_000 }, (_, k) => Math.exp(-40 + k * 0.0012));
      const density = grid.map((rate) => Math.exp(a * Math.log(rate) - b * rate));
      for (const [k, rate] of grid.entries()) {
        mass += density[k];
        stale += density[k] * -Math.expm1(-2 * rate);
      }
      stale /= mass;
      let [mean, square] = [0, 0];
      for (const [k, rate] of grid.entries()) {
        const seen = -Math.expm1(-2 * rate);
        const weight = (density[k] / mass) * ((matters * seen) / stale + ((1 - matters) * (1 - seen)) / (1 - stale));
        mean += weight * rate;
        square += weight * rate * rate;
      }
      const [shape, scale] = [beliefs.shape[0], beliefs.scale[0] / day];
      expect(shape / scale / mean).toBeCloseTo(1, 4);
      expect(shape / scale ** 2 / (square - mean * mean)).toBeCloseTo(1, 3);
    }
  });

  it('bring a page whose banner changes daily fewer fetches than one whose text does, in plans that verify', () => {
    const pages = [0.05, 1].map((size, i) => ({
      id: `${i}`,
      observations: daily(Array.from({ length: 30 }, (_, k) => (k % 5 === 0 ? 0 : size))),
    }));
    const others = Array.from({ length: 6 }, (_, i) => ({
      id: `other ${i}`,
      observations: daily(Array.from({ length: 30 }, (_, k) => (k % (4 + i) === 0 ? 0.4 : 0))),
    }));
    const request = { now, interval: 7 * day, crawls: 16, objective: 'delay' as const, pages: [...pages, ...others] };
    const answer = crawlPlan(request);
    const rows: unknown = answer.solution?.pages;
    if (!Array.isArray(rows)) throw new TypeError('rows expected');
    expect(rows[0].changeRate).toBeLessThan(0.2 * rows[1].changeRate);
    expect(rows[0].crawls).toBeLessThan(rows[1].crawls);
    expect(verify('crawl-plan', request, answer)).toEqual([]);
    const rates = { pages: request.pages };
    expect(verify('estimates/change-rates', rates, estimatesChangeRates(rates))).toEqual([]);
  });

  it('are refused outside of 0 to 1', () => {
    const observations = [{ time: now - day, changed: true, matters: 1.5 }];
    expect(() => estimatesChangeRates({ pages: [{ observations }] })).toThrow(/matters/);
  });
});
