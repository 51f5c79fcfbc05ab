import { describe, expect, it } from 'vitest';
import { type CrawlPlan, type CrawlPlanProblem, plainPages } from '../../../src/solvers/crawl-plan/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { standardNormal } from '../../../src/solvers/numerics/random/random-variates.ts';
import { type ObjectiveName, objectiveNames } from '../../../src/solvers/pages/objectives/index.ts';
import { checkHistory } from '../../check-history.ts';
import { simulatePages } from '../../oracles/simulated-pages.ts';
import { certifiedPlan } from './certified-plan.ts';

const day = 86_400;
const now = 1_760_000_000;

/** Pages of known rates, fetched for the last time at even shares of a day before now. */
function problemOf(rates: readonly number[], options: Partial<CrawlPlanProblem> = {}): CrawlPlanProblem {
  const pages = rates.length;
  return {
    ...plainPages(pages),
    now,
    interval: day,
    slotsByCrawler: Uint32Array.of(pages),
    history: checkHistory(rates.map(() => [])),
    changeRate: Float64Array.from(rates),
    lastCrawl: Float64Array.from(rates, (_, i) => now - (day * (i + 0.5)) / pages),
    evenShare: 0,
    ...options,
  };
}

describe('the steady intervals of a plan', () => {
  it.each(objectiveNames)(
    'under %s are as long as they may be where no page counts, and no page at all without an even share',
    (objective) => {
      {
        const weight = new Float64Array(2);
        const options = { objective, weight, lastCrawl: new Float64Array(2).fill(Number.NaN) };
        const { fetchInterval } = certifiedPlan(problemOf([1e-9, 1e-4], { ...options, evenShare: 0.05 }));
        expect([...fetchInterval]).toEqual([20 * day, 20 * day]);
        const forEver = certifiedPlan(problemOf([1e-9, 1e-4], options));
        expect([...forEver.fetchInterval, ...forEver.intervalIfChanged]).toEqual(Array(4).fill(Number.NaN));
      }
    },
  );

  it('under delay go with 1/√(wλ), whatever the rates', () => {
    const rates = [1e-7, 1e-6, 3e-5, 2e-4, 1e-2];
    const weight = Float64Array.of(1, 2, 1, 0.5, 3);
    const { fetchInterval } = certifiedPlan(problemOf(rates, { objective: 'delay', weight }));
    const products = rates.map((rate, i) => fetchInterval[i] * Math.sqrt(weight[i] * rate));
    for (const product of products) expect(product / products[0]).toBeCloseTo(1, 6);
  });

  it.each(objectiveNames)(
    'under %s are the best for the crawls: no exchange between two pages is better',
    (objective) => {
      const rates = [1e-6, 1e-5, 4e-5, 2e-4];
      const { fetchInterval } = certifiedPlan(problemOf(rates, { objective }));
      const frequency = Array.from(fetchInterval, (interval) => (Number.isNaN(interval) ? 0 : 1 / interval));
      expect(frequency.reduce((sum, f) => sum + f, 0) * day).toBeCloseTo(rates.length, 6);
      const best = longRun(objective, rates, frequency);
      for (let i = 0; i < rates.length; i++) {
        for (let j = 0; j < rates.length; j++) {
          for (const step of [0.01, 0.3]) {
            const moved = [...frequency];
            moved[i] -= step * frequency[i];
            moved[j] += step * frequency[i];
            expect(longRun(objective, rates, moved)).toBeGreaterThanOrEqual(best * (1 - 1e-9));
          }
        }
      }
    },
  );
});

/** Cost a unit of time of pages at even fetches, in closed forms written here anew. */
function longRun(objective: ObjectiveName, rates: readonly number[], frequency: readonly number[]): number {
  return rates.reduce((sum, rate, i) => sum + evenCost(objective, rate / frequency[i]), 0);
}

function evenCost(objective: ObjectiveName, y: number): number {
  const stale = y < Number.POSITIVE_INFINITY ? 1 - (1 - Math.exp(-y)) / y : 1;
  switch (objective) {
    case 'freshness':
      return stale;
    case 'delay':
      return y / 2;
    case 'harmonic':
      return Math.log1p(y);
  }
}

describe('four hundred feeds, one fetch a feed and day', () => {
  // how far a sample lets the wait fall is (Σ√λ)²/(n Σλ), here to 6.1 h; a lognormal's own value is e^{−σ²/4}, 6.8 h
  const random = seededRandom(2);
  const rates = Array.from({ length: 400 }, () => Math.exp(1.5 * standardNormal(random)) / day);
  const days = 20;
  const problem = (objective: ObjectiveName): CrawlPlanProblem =>
    problemOf(rates, { objective, interval: days * day, slotsByCrawler: Uint32Array.of(400 * days), evenShare: 0.02 });
  /** Mean hours that an item waits, simulated. */
  const waited = (plan: Pick<CrawlPlan, 'slotTime' | 'slotPage'>): number => {
    const { delay } = simulatePages({
      updates: rates.map((rate) => ({ type: 'poisson', rate })),
      lastCrawlAge: problem('delay').lastCrawl.map((time) => now - time),
      policy: { type: 'schedule', times: plan.slotTime.map((time) => time - now), pages: plan.slotPage },
      duration: days * day,
      replications: 2,
      seed: 1,
    });
    return delay.mean / 3600;
  };

  it('wait 12 hours in turn, and at most 6.5 under delay, as the plan says itself', () => {
    const plan = certifiedPlan(problem('delay'));
    const turns = {
      slotTime: plan.slotTime.map((_, k) => now + (k * day) / 400),
      slotPage: plan.slotPage.map((_, k) => 399 - (k % 400)),
    };
    const inTurn = waited(turns);
    const planned = waited(plan);
    expect(Math.abs(inTurn - 12)).toBeLessThan(0.3);
    expect(planned).toBeLessThan(6.5);
    const { meanDelay } = plan;
    if (meanDelay === null) throw new Error('no meanDelay');
    const total = rates.reduce((sum, rate) => sum + rate, 0);
    const told = rates.reduce((sum, rate, i) => sum + rate * meanDelay[i], 0) / total / 3600;
    expect(Math.abs(told - planned)).toBeLessThan(0.03 * planned);
    // the least that any even spacing can reach: 12 h · (Σ√λ)²/(n Σλ)
    const root = rates.reduce((sum, rate) => sum + Math.sqrt(rate), 0);
    expect(planned).toBeGreaterThan(0.97 * ((12 * root * root) / (400 * total)));
    expect(planned).toBeLessThan(1.03 * ((12 * root * root) / (400 * total)));
  });
});
