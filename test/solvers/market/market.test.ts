/** One market: fetches and targets are cleared to rounding within hosts' limits, and the bound proves them. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { clearSupply, clearTarget, costBound, type HostLimits } from '../../../src/solvers/market/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';

const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((all, each) => all + each, 0);

/** Pages that leave w/(1 + f/r): at a price p, 1 + f/r = √(w/(r p)); some must be fetched. */
function pagesOf(count: number, seed: number, least = 0) {
  const random = seededRandom(seed);
  const rate = Float64Array.from({ length: count }, () => Math.exp(3 * random()));
  const weight = rate.map((each) => each * Math.exp(2 * random() - 1));
  const demand = {
    pages: count,
    fetchesAt: (i: number, price: number) => rate[i] * Math.max(least, Math.sqrt(weight[i] / (rate[i] * price)) - 1),
    costOf: (i: number, fetches: number) => weight[i] / (1 + fetches / rate[i]),
  };
  return { demand, rate, weight, start: 1, budget: unlimitedBudget() };
}

/** A host for every page, a third of which may take half of what they take without limits. */
function crowded(fetches: Float64Array, hosts: number): HostLimits {
  const of = Int32Array.from(fetches, (_, i) => (i % (hosts + 1)) - 1);
  const taken = new Float64Array(hosts);
  for (const [i, h] of of.entries()) if (h >= 0) taken[h] += fetches[i];
  return {
    of,
    limit: taken.map((each, h) => (h % 3 === 0 ? each / 2 : h % 3 === 1 ? each * 2 : Number.POSITIVE_INFINITY)),
  };
}

describe.each([
  [12, 3],
  [400, 12],
  [60_000, 40],
])('%d pages at %d hosts', (count, hostCount) => {
  const pages = pagesOf(count, count);
  const supply = 0.7 * sum(pages.rate);
  const free = clearSupply({ ...pages, hosts: null }, supply);
  const hosts = crowded(free.fetches, hostCount);
  const tight = clearSupply({ ...pages, hosts }, supply);

  it.each([
    ['without limits', null, free],
    ['with limits', hosts, tight],
  ])('spend a supply at the least cost %s', (_, limits, found) => {
    expect(found.total / supply).toBeCloseTo(1, 11);
    const left = sum(found.fetches.map((each, i) => pages.demand.costOf(i, each)));
    const bound = costBound({ ...pages, hosts: limits }, found, supply);
    expect(bound).toBeLessThanOrEqual(left * (1 + 1e-12));
    expect(bound / left).toBeGreaterThan(1 - 1e-10);
    const taken = new Float64Array(hostCount);
    for (const [i, h] of hosts.of.entries()) if (h >= 0) taken[h] += found.fetches[i];
    for (const [h, most] of (limits?.limit ?? []).entries()) {
      expect(taken[h]).toBeLessThanOrEqual(most * (1 + 1e-9));
      if (found.hostPrice[h] > 0) expect(taken[h] / most).toBeCloseTo(1, 9);
    }
    expect([...found.hostPrice].some((price) => price > found.price)).toBe(limits !== null);
  });

  it.each([null, hosts])('need as few fetches for a target as leave it', (limits) => {
    const problem = { ...pages, hosts: limits };
    const forward = limits === null ? free : tight;
    const left = sum(forward.fetches.map((each, i) => pages.demand.costOf(i, each)));
    const found = clearTarget(problem, left);
    if (!found.feasible) throw new Error('missed');
    expect(found.cost / left).toBeCloseTo(1, 11);
    expect(found.total / supply).toBeCloseTo(1, 10);
    expect(found.bound).toBeLessThanOrEqual(found.total);
    expect(found.bound / found.total).toBeGreaterThan(1 - 1e-9);
    const near = clearTarget({ ...problem, warmStart: { price: found.price * 1.01, host: found.hostPrice } }, left);
    expect(near.feasible && near.total / found.total).toBeCloseTo(1, 10);
  });
});

describe('a market', () => {
  it('at which one price is that of many pages gives them what is left in proportion', () => {
    // each takes its 2 fetches at a price of 1 or less, none above
    const demand = {
      pages: 4,
      fetchesAt: (_: number, price: number) => (price <= 1 ? 2 : 0),
      costOf: (_: number, fetches: number) => 2 - fetches,
    };
    const found = clearSupply({ demand, hosts: null, start: 3, budget: unlimitedBudget() }, 3);
    expect([...found.fetches]).toEqual([0.75, 0.75, 0.75, 0.75].map((each) => expect.closeTo(each, 12)));
    expect(costBound({ demand, hosts: null, start: 3, budget: unlimitedBudget() }, found, 3)).toBeCloseTo(5, 12);
  });

  it('leaves fetches unused at price 0, makes only required ones for a loose target, and reports the least cost in reach', () => {
    const pages = pagesOf(5, 2, 0.1);
    const hosts = { of: new Int32Array(5), limit: Float64Array.of(sum(pages.rate)) };
    const idle = clearSupply({ ...pages, hosts }, 10 * sum(pages.rate));
    expect(idle.price).toBe(0);
    expect(idle.total).toBeCloseTo(hosts.limit[0], 9);
    const none = clearTarget({ ...pages, hosts }, sum(pages.weight));
    expect(none).toMatchObject({ feasible: true, price: Number.POSITIVE_INFINITY });
    expect(none.feasible && none.total).toBeCloseTo(0.1 * sum(pages.rate), 12);
    const missed = clearTarget({ ...pages, hosts }, 1e-3);
    if (missed.feasible) throw new Error('met');
    expect(missed.hostPrice[0]).toBeGreaterThan(0);
    const just = clearTarget({ ...pages, hosts }, missed.minCost);
    expect(just.feasible && just.total).toBeCloseTo(hosts.limit[0], 6);
    expect(just.feasible && just.bound / just.total).toBeGreaterThan(1 - 1e-6);
  });
});
