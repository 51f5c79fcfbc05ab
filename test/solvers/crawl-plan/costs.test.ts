import { describe, expect, it } from 'vitest';
import { crawlPlan } from '../../../src/index.ts';
import {
  type CrawlPlanProblem,
  type FetchCosts,
  plainPages,
  slotsOfSpending,
} from '../../../src/solvers/crawl-plan/index.ts';
import { checkHistory } from '../../../src/solvers/estimation/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { type ObjectiveName, objectiveNames } from '../../../src/solvers/pages/objectives/index.ts';
import { certifiedPlan } from './certified-plan.ts';

const day = 86_400;
const now = 1_760_000_000;

/** Pages of known rates under a budget, fetched for the last time at even shares of a day before now. */
function problemOf(
  rates: readonly number[],
  costs: FetchCosts,
  more: Partial<CrawlPlanProblem> = {},
): CrawlPlanProblem {
  const pages = rates.length;
  return {
    ...plainPages(pages),
    now,
    interval: day,
    slotsByCrawler: Uint32Array.of(slotsOfSpending(costs, day, more.availability?.spans ?? null, 100_000)),
    costs,
    history: checkHistory(rates.map(() => [])),
    changeRate: Float64Array.from(rates),
    lastCrawl: Float64Array.from(rates, (_, i) => now - (day * (i + 0.5)) / pages),
    evenShare: 0,
    ...more,
  };
}

/** ∫₀ᵃ c by Simpson's rule on the definitions of the objectives. */
function costOf(objective: ObjectiveName, rate: number, age: number): number {
  const c = (a: number): number => {
    const y = rate * a;
    if (objective === 'freshness') return 1 - Math.exp(-y);
    if (objective === 'delay') return y;
    return objective === 'age' ? a - (1 - Math.exp(-y)) / rate : Math.log(1 + y) + y / (1 + y);
  };
  let sum = 0;
  const steps = 400;
  for (let k = 0; k <= steps; k++) sum += c((age * k) / steps) * (k === 0 || k === steps ? 1 : k % 2 === 1 ? 4 : 2);
  return (sum * age) / (3 * steps);
}

describe('costs of fetches', () => {
  it('that are all k are the budget divided by k', () => {
    const rates = Array.from({ length: 30 }, (_, i) => 1e-6 * 1.3 ** i);
    for (const k of [1, 2.5, 1e-3]) {
      const costs = { cost: new Float64Array(30).fill(k), ifChanged: new Float64Array(30), spending: 48 * k };
      const priced = certifiedPlan(problemOf(rates, costs));
      const { costs: _, ...plain } = problemOf(rates, costs, { slotsByCrawler: Uint32Array.of(48) });
      const counted = certifiedPlan(plain);
      expect(Array.from(priced.slotPage)).toEqual(Array.from(counted.slotPage));
      expect(priced.objective / counted.objective).toBeCloseTo(1, 12);
      for (let i = 0; i < 30; i++) {
        const [one, other] = [priced, counted].map((plan) => plan.fetchInterval[i]);
        expect(Number.isNaN(one)).toBe(Number.isNaN(other));
        if (!Number.isNaN(one)) expect(one / other).toBeCloseTo(1, 6);
      }
      expect((priced.shadowPrice * k) / counted.shadowPrice).toBeCloseTo(1, 7);
      expect(priced.spent).toBeCloseTo(48 * k, 9);
    }
  });

  it.each(objectiveNames)('under %s make each interval the best at the price of a unit, on a grid', (objective) => {
    const rates = [2e-6, 1e-5, 4e-5, 1.5e-4, 6e-4];
    const costs = {
      cost: Float64Array.of(1, 4, 0.5, 2, 1),
      ifChanged: Float64Array.of(0, 3, 2, 0, 5),
      spending: 30,
    };
    const plan = certifiedPlan(problemOf(rates, costs, { objective }));
    const price = plan.shadowPrice * day;
    let spent = 0;
    for (const [i, rate] of rates.entries()) {
      const perSecond = (age: number): number =>
        (costOf(objective, rate, age) + price * (costs.cost[i] + costs.ifChanged[i] * (1 - Math.exp(-rate * age)))) /
        age;
      const own = plan.fetchInterval[i];
      if (Number.isNaN(own)) {
        for (let age = 0.01 / rate; age < 20 / rate; age *= 1.2) expect(perSecond(age)).toBeGreaterThan(1 - 1e-6);
        continue;
      }
      spent += (costs.cost[i] + costs.ifChanged[i] * (1 - Math.exp(-rate * own))) / own;
      for (let age = own / 30; age < own * 30; age *= 1.07) {
        expect(perSecond(age)).toBeGreaterThan(perSecond(own) * (1 - 1e-6));
      }
    }
    expect(spent * day).toBeCloseTo(30, 5);
  });

  it('are kept with delays, windows, deadlines and beliefs, on many instances', () => {
    const random = seededRandom(2);
    let dearest = 0;
    for (let trial = 0; trial < 25; trial++) {
      const pages = 2 + Math.floor(20 * random());
      const rates = Array.from({ length: pages }, () => 10 ** (-7 + 4 * random()));
      const cost = Float64Array.from(rates, () => 10 ** (2 * random() - 1));
      const ifChanged = cost.map((each) => (random() < 0.5 ? 0 : each * 3 * random()));
      const total = cost.reduce((sum, each) => sum + each, 0);
      const costs = { cost, ifChanged, spending: total * (0.5 + 4 * random()) };
      const plan = certifiedPlan(
        problemOf(rates, costs, {
          objective: objectiveNames[trial % 4],
          changeRate: Float64Array.from(rates, (rate) => (random() < 0.5 ? rate : Number.NaN)),
          history: checkHistory(rates.map(() => [[day, random() < 0.5 ? 1 : 0]])),
          evenShare: 0.05,
          host: Int32Array.from(rates, () => (random() < 0.5 ? 0 : -1)),
          hostName: ['h'],
          hostDelay: Float64Array.of(1800),
          ...(trial % 3 === 0 && {
            availability: {
              spans: Float64Array.of(3600, 20_000, 50_000, 80_000),
              pageFrom: new Float64Array(pages),
              hostSpans: [null],
            },
          }),
        }),
      );
      expect(plan.spent ?? Infinity).toBeLessThanOrEqual(costs.spending * (1 + 1e-9));
      dearest = Math.max(dearest, (plan.spent ?? 0) / costs.spending);
    }
    expect(dearest).toBeGreaterThan(0.9);
  });

  it('spend all, and more on what is worth more by unit', () => {
    const rates = Array.from({ length: 40 }, () => 2e-5);
    const cost = Float64Array.from(rates, (_, i) => (i < 20 ? 1 : 9));
    const costs = { cost, ifChanged: new Float64Array(40), spending: 200 };
    const plan = certifiedPlan(problemOf(rates, costs));
    expect(plan.spent ?? 0).toBeGreaterThan(185);
    const [cheap, dear] = [0, 20].map((from) =>
      plan.crawls.slice(from, from + 20).reduce((sum, each) => sum + each, 0),
    );
    expect(cheap).toBeGreaterThan(3 * dear);
    // an unchanged page is cheaper: pages that seldom change gain by it
    const equal = crawlPlan({
      now,
      interval: day,
      spending: 40,
      evenShare: 0,
      pages: [1e-6, 1e-5, 1e-4].map((changeRate) => ({
        changeRate,
        cost: { unchanged: 0.2, changed: 3.2 },
        lastCrawl: now - day,
      })),
    });
    expect(equal.solution?.spent ?? Infinity).toBeLessThanOrEqual(40);
    expect(equal.objective?.bound ?? Infinity).toBeLessThanOrEqual(equal.objective?.value ?? 0);
    expect(equal.longRun?.bound ?? Infinity).toBeLessThanOrEqual(equal.longRun?.value ?? 0);
  });

  it('need spending, and as much as pays for a fetch', () => {
    const pages = [{ changeRate: 1e-5, cost: 2 }];
    expect(() => crawlPlan({ now, interval: day, crawls: 3, pages })).toThrow();
    expect(() => crawlPlan({ now, interval: day, spending: 1, pages })).toThrow();
    expect(() => crawlPlan({ now, interval: day, spending: 4, crawls: 2, pages })).toThrow();
    expect(crawlPlan({ now, interval: day, spending: 4, pages }).solution?.spent).toBe(4);
  });
});
