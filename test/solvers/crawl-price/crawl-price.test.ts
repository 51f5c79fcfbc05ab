/** The price from a histogram against exact prices of the pages, which know nothing of buckets. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../../property-seed.ts';
import { solveFrequencies } from '../../../src/solvers/access-frequencies/index.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { priceOfRate } from '../../../src/solvers/crawl-price/index.ts';
import { objectiveNames, stalenessCost } from '../../../src/solvers/pages/objectives/index.ts';
import { certifyCrawlPrice } from '../../oracles/crawl-price.ts';
import { requireDefined } from '../../require-defined.ts';
import {
  exactPrice,
  histogramFrom,
  histogramOf,
  lognormalPages,
  naiveRate,
  type Page,
  problemOf,
  rescaledCost,
} from './tables-of-pages.ts';

const budget = unlimitedBudget();

describe('the interval of a page', () => {
  it('is concave as a rate, as the proofs say', () => {
    for (const objective of objectiveNames) {
      const { intervalAt } = stalenessCost(objective);
      const phi = (u: number): number => 1 / intervalAt(1, Math.exp(u), 1);
      for (let u = objective === 'freshness' ? 0.05 : -20; u < 20; u += 0.1) {
        const [a, b, c] = [u, u + 0.05, u + 0.1].map(Math.exp);
        const chord = phi(u) + (phi(u + 0.1) - phi(u)) * ((b - a) / (c - a));
        expect(phi(u + 0.05), `${objective} at ${a}`).toBeGreaterThan(chord);
      }
    }
  });
});

describe('the price of a crawl', () => {
  it.each(objectiveNames)('for %s lies in its bracket, and the plan costs between bound and value', (objective) => {
    const pages = lognormalPages(400, 7);
    for (const rate of [1, 150, 4000]) {
      const exact = exactPrice(pages, objective, rate);
      const best = rescaledCost(pages, objective, exact, rate);
      for (const width of [1, 0.1, 0.01]) {
        const problem = problemOf(histogramOf(pages, width).histogram, objective, rate);
        const answer = priceOfRate(problem, budget);
        const [low, high] = answer.priceBracket;
        const where = `${objective}, rate ${rate}, width ${width}`;
        expect(low, where).toBeLessThanOrEqual(exact);
        expect(high, where).toBeGreaterThanOrEqual(exact);
        const { value, bound } = answer.objective;
        const slack = 1e-9 * best;
        expect(bound, where).toBeLessThanOrEqual(best + slack);
        const planned = rescaledCost(pages, objective, answer.price, rate);
        expect(planned, where).toBeLessThanOrEqual(value + slack);
        expect(planned, where).toBeGreaterThanOrEqual(best - slack);
        expect(certifyCrawlPrice(problem, answer), where).toEqual([]);
      }
    }
  });

  it('agrees with the exact solver of access-frequencies', () => {
    const pages = lognormalPages(3000, 3);
    const rate = 1000;
    const exact = solveFrequencies(
      {
        accessTime: { type: 'deterministic', value: 1 / rate },
        changeRate: Float64Array.from(pages, (page) => page.changeRate),
        weight: Float64Array.from(pages, (page) => page.changeRate * page.ratio),
        policy: 'deterministic',
        minFrequency: 0,
      },
      budget,
    );
    if (exact.status === 'infeasible') throw new Error('no answer');
    const price = exact.multiplier / rate;
    for (const [width, error, gap] of [
      [0.1, 5e-3, 1e-3],
      [0.02, 1e-3, 5e-5],
      [0.001, 5e-5, 1e-7],
    ]) {
      const answer = priceOfRate(problemOf(histogramOf(pages, width).histogram, 'freshness', rate), budget);
      expect(answer.priceBracket[0]).toBeLessThanOrEqual(price * (1 + 1e-12));
      expect(answer.priceBracket[1]).toBeGreaterThanOrEqual(price * (1 - 1e-12));
      expect(Math.abs(answer.price / price - 1)).toBeLessThan(error);
      expect(answer.objective.gap).toBeLessThan(gap);
      expect(answer.objective.bound).toBeLessThanOrEqual(exact.objective.value * (1 + 1e-12));
      expect(answer.objective.value).toBeGreaterThanOrEqual(exact.objective.value * (1 - 1e-12));
      const { pages: idle, bracket } = answer.withoutCrawl;
      expect(bracket[0]).toBeLessThanOrEqual(exact.starved);
      expect(bracket[1]).toBeGreaterThanOrEqual(exact.starved);
      expect(Math.abs(idle - exact.starved)).toBeLessThanOrEqual(bracket[1] - bracket[0]);
    }
  });

  it('holds on any table: ties, one page, ratios from 1e−12 to 1e+12', () => {
    const page = fc.record({
      changeRate: fc.double({ min: -4, max: 4, noNaN: true }).map((x) => 10 ** x),
      ratio: fc.oneof(
        fc.double({ min: -12, max: 12, noNaN: true }).map((x) => 10 ** x),
        fc.constantFrom(1, 2, 1e-12, 1e12),
      ),
      host: fc.constant(0),
    });
    fc.assert(
      fc.property(
        fc.array(page, { minLength: 1, maxLength: 20 }),
        fc.double({ min: -5, max: 2, noNaN: true }),
        fc.constantFrom(0.01, 0.3, 3),
        fc.constantFrom(...objectiveNames),
        (pages, exponent, width, objective) => {
          const total = pages.reduce((sum, { changeRate }) => sum + changeRate, 0);
          const problem = problemOf(histogramOf(pages, width).histogram, objective, total * 10 ** exponent);
          const answer = priceOfRate(problem, budget);
          const spent = (price: number): number =>
            pages.reduce((sum, each) => sum + each.changeRate * naiveRate(objective, each.ratio, price), 0);
          // what the pages spend falls in the price: the bracket holds the exact one
          expect(spent(answer.priceBracket[0])).toBeGreaterThanOrEqual(problem.rate * (1 - 1e-6));
          expect(spent(answer.priceBracket[1])).toBeLessThanOrEqual(problem.rate * (1 + 1e-6));
          expect(certifyCrawlPrice(problem, answer)).toEqual([]);
          const cost = rescaledCost(pages, objective, answer.price, problem.rate);
          expect(cost).toBeLessThanOrEqual(answer.objective.value * (1 + 1e-7));
          expect(cost).toBeGreaterThanOrEqual(requireDefined(answer.objective.bound, 'bound') * (1 - 1e-7));
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each([1e-12, 5e-4])(
    'is cheap to prove where pages all but equal get a crawl in thousands of changes (± %s)',
    (width) => {
      const histogram = {
        pages: Float64Array.of(1000),
        changeRate: Float64Array.of(10),
        weight: Float64Array.of(1000),
        changeRateLogRatio: Float64Array.of(10 * Math.log(100)),
        ratioMin: Float64Array.of(100 * (1 - width)),
        ratioMax: Float64Array.of(100 * (1 + width)),
      };
      let before = 1000;
      for (const rate of [0.001, 0.01, 0.1, 0.3, 0.6]) {
        const { objective } = priceOfRate(problemOf(histogram, 'freshness', rate), budget);
        // so rare a crawl spares its page's whole ratio
        expect(Math.abs(objective.value - (1000 - 100 * rate))).toBeLessThan(rate * (1e-5 + 400 * width));
        expect(objective.value).toBeLessThan(before);
        before = objective.value;
      }
    },
  );

  it('is proved to second order in the width of the buckets, to third where all pages are crawled', () => {
    const pages = lognormalPages(100_000, 5);
    for (const [objective, gap, ratio] of [
      ['freshness', 5e-8, 200],
      ['delay', 1e-11, 5000],
      ['harmonic', 1e-11, 5000],
    ] as const) {
      const [wide, narrow] = [0.02, 0.001].map((width) => {
        const answer = priceOfRate(problemOf(histogramOf(pages, width).histogram, objective, 30_000), budget);
        return requireDefined(answer.objective.gap, 'gap');
      });
      expect(narrow).toBeLessThan(gap);
      expect(wide / narrow).toBeGreaterThan(ratio);
    }
  });
});

describe('hosts with a limit', () => {
  const pages = lognormalPages(900, 23, { hosts: 3 });

  it('pay their own price, and the rest shares what they leave', () => {
    const { histogram, host } = histogramOf(pages, 0.02, true);
    const maxRate = Float64Array.of(5, 1e6, 30);
    const rate = 300;
    const problem = { objective: 'freshness' as const, rate, histogram, host, maxRate };
    const answer = priceOfRate(problem, budget);
    expect(certifyCrawlPrice(problem, answer)).toEqual([]);
    expect(answer.hosts.map(({ limited }) => limited)).toEqual([true, false, true]);
    for (const limited of [0, 2]) {
      const own = exactPrice(
        pages.filter((page) => page.host === limited),
        'freshness',
        maxRate[limited],
      );
      expect(Math.abs(answer.hosts[limited].price / own - 1)).toBeLessThan(1e-4);
    }
    const free: Page[] = pages.filter((page) => page.host === 1);
    expect(Math.abs(answer.price / exactPrice(free, 'freshness', rate - 35) - 1)).toBeLessThan(1e-4);
    expect(answer.hosts.reduce((sum, each) => sum + each.rate, 0)).toBeCloseTo(rate, 9);
  });

  it.each([[[10]], [[0.1, 0.1, 0.1]]])(
    'of %j, which are the whole rate, leave nothing, and the rest as it is',
    (limits) => {
      const sure: Page[] = limits.map((_, host) => ({ changeRate: 100, ratio: 10, host }));
      const all = [...sure, { changeRate: 100, ratio: 0.001, host: limits.length }];
      const { histogram, host } = histogramOf(all, 0.02, true);
      const rate = limits.length === 1 ? limits[0] : 0.3;
      const problem = {
        objective: 'freshness' as const,
        rate,
        histogram,
        host,
        maxRate: Float64Array.of(...limits, 5),
      };
      const answer = priceOfRate(problem, budget);
      expect(certifyCrawlPrice(problem, answer)).toEqual([]);
      expect(answer.scale).toBe(1);
      expect(answer.hosts.map(({ rate }) => rate)).toEqual([...limits, 0]);
    },
  );

  it('leave a price of 0 where they cannot take all crawls', () => {
    const { histogram, host } = histogramOf(pages, 0.05, true);
    const problem = { objective: 'delay' as const, rate: 300, histogram, host, maxRate: Float64Array.of(5, 6, 7) };
    const answer = priceOfRate(problem, budget);
    expect(answer.price).toBe(0);
    expect(answer.warnings.map(({ code }) => code)).toEqual(['crawls-unused']);
    expect(certifyCrawlPrice(problem, answer)).toEqual([]);
    const costs = [0, 1, 2].map((at) => {
      const own = pages.filter((page) => page.host === at);
      return rescaledCost(own, 'delay', exactPrice(own, 'delay', problem.maxRate[at]), problem.maxRate[at]);
    });
    const best = costs.reduce((sum, each) => sum + each, 0);
    expect(answer.objective.bound).toBeLessThanOrEqual(best * (1 + 1e-12));
    expect(answer.objective.value).toBeGreaterThanOrEqual(best * (1 - 1e-12));
    expect(answer.objective.gap).toBeLessThan(1e-4);
  });

  it('spend no more than the rate where a price lets pages jump from nothing to more than their limits', () => {
    // three pages of one ratio, each crawled at least once in some forty changes or not at all
    const rows = [0, 1, 2].map((host) => ({ host, cells: [1, 1, 2, Math.log(2), 2, 2] }));
    const { histogram, host } = histogramFrom(rows);
    for (const rate of [1e-12, 1e-6, 1e-3, 2.5e-3]) {
      const maxRate = Float64Array.of(1e-7, 1e-3, 2e-3);
      const answer = priceOfRate({ objective: 'freshness', rate, histogram, host, maxRate }, budget);
      const spent = answer.hosts.reduce((sum, each) => sum + each.rate, 0);
      expect(spent / rate).toBeCloseTo(1, 12);
      for (const each of answer.hosts) expect(each.rate).toBeLessThanOrEqual(maxRate[each.host] * (1 + 1e-12));
      // such rare crawls save their whole weight over the change rate
      expect(answer.objective.value).toBeCloseTo(6 - 2 * rate, 14);
      expect(answer.objective.bound).toBeLessThanOrEqual(6 - 2 * rate + 1e-14);
    }
  });
});
