/**
 * What a histogram of width .001 can prove at all. In the bucket that holds the price some pages are crawled and some
 * are not. Two laws of ratios there may have the same sums (pages, Σλ, Σw, Σλ ln ratio) and the same ends. They leave
 * optima that differ by more than 1e−9.
 */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { type Histogram, priceOfRate } from '../../../src/solvers/crawl-price/index.ts';
import { stalenessCost } from '../../../src/solvers/pages/objectives/index.ts';
import { histogramOf, lognormalPages, problemOf } from './tables-of-pages.ts';

const { changesBetween, marginal } = stalenessCost('freshness').byChanges;

interface Law {
  readonly ratios: readonly number[];
  readonly shares: readonly number[];
}

/**
 * Of all laws on three points of a grid with this mean and mean logarithm, the two of the least and the largest mean
 * cost.
 */
function extremeLaws(low: number, high: number, mean: number, meanLog: number, price: number): readonly [Law, Law] {
  const points = Array.from({ length: 61 }, (_, i) => low + ((high - low) * i) / 60);
  const first = points.map((point) => (point - mean) / mean);
  const second = first.map((u) => Math.log1p(u) - u);
  const target = meanLog - Math.log(mean);
  const cost = points.map((point) => {
    const y = changesBetween(point, price);
    return y === Infinity ? 0 : point * (marginal(y) - 1);
  });
  let [least, largest] = [Infinity, -Infinity];
  let laws: [Law, Law] | null = null;
  for (let i = 0; i < points.length; i++) {
    for (let j = i + 1; j < points.length; j++) {
      for (let k = j + 1; k < points.length; k++) {
        const [a, b, c, d] = [first[j] - first[i], first[k] - first[i], second[j] - second[i], second[k] - second[i]];
        const [e, f] = [-first[i], target - second[i]];
        const q = (e * d - b * f) / (a * d - b * c);
        const r = (a * f - e * c) / (a * d - b * c);
        if (!(q >= 0 && r >= 0 && q + r <= 1)) continue;
        const law = { ratios: [points[i], points[j], points[k]], shares: [1 - q - r, q, r] };
        const sum = law.shares[0] * cost[i] + q * cost[j] + r * cost[k];
        if (sum < least) laws = [law, laws?.[1] ?? law];
        least = Math.min(least, sum);
        if (sum > largest && laws !== null) laws = [laws[0], law];
        largest = Math.max(largest, sum);
      }
    }
  }
  if (laws === null) throw new Error('no law has these sums');
  return laws;
}

/** The histogram with the row `at` taken apart into points, so that nothing of it is unknown. */
function withLaw(histogram: Histogram, at: number, { ratios, shares }: Law): Histogram {
  const changes = histogram.changeRate[at];
  const points = ratios.flatMap((ratio, k) => (shares[k] > 0 ? [{ ratio, changeRate: changes * shares[k] }] : []));
  const joined = (own: Float64Array, of: (point: (typeof points)[number]) => number): Float64Array =>
    Float64Array.from([...Array.from(own).filter((_, i) => i !== at), ...points.map(of)]);
  return {
    pages: joined(histogram.pages, () => 1),
    changeRate: joined(histogram.changeRate, ({ changeRate }) => changeRate),
    weight: joined(histogram.weight, ({ changeRate, ratio }) => changeRate * ratio),
    changeRateLogRatio: joined(histogram.changeRateLogRatio, ({ changeRate, ratio }) => changeRate * Math.log(ratio)),
    ratioMin: joined(histogram.ratioMin, ({ ratio }) => ratio),
    ratioMax: joined(histogram.ratioMax, ({ ratio }) => ratio),
  };
}

describe('a histogram of lognormal pages', () => {
  const pages = lognormalPages(200_000, 5);
  const rate = 0.3 * pages.length;
  const solve = (histogram: Histogram) => priceOfRate(problemOf(histogram, 'freshness', rate), unlimitedBudget());

  it('of width .001 leaves optima more than 1e−9 apart, so that no proof from it can have that gap', () => {
    const { histogram } = histogramOf(pages, 0.001);
    const { price, objective } = solve(histogram);
    const at = histogram.ratioMin.findIndex((low, i) => low <= price && price <= histogram.ratioMax[i]);
    const changes = histogram.changeRate[at];
    const laws = extremeLaws(
      histogram.ratioMin[at],
      histogram.ratioMax[at],
      histogram.weight[at] / changes,
      histogram.changeRateLogRatio[at] / changes,
      price,
    );
    const [cheap, dear] = laws.map((law) => {
      const sums = withLaw(histogram, at, law);
      const tail = (column: Float64Array): number =>
        column.slice(histogram.pages.length - 1).reduce((a, b) => a + b, 0);
      expect(tail(sums.changeRate) / changes).toBeCloseTo(1, 12);
      expect(tail(sums.weight) / histogram.weight[at]).toBeCloseTo(1, 12);
      expect(tail(sums.changeRateLogRatio) / histogram.changeRateLogRatio[at]).toBeCloseTo(1, 12);
      return solve(sums).objective;
    });
    const apart = ((dear.bound ?? 0) - cheap.value) / cheap.value;
    expect(apart).toBeGreaterThan(1e-9);
    // and what is proved from the row alone is within five times of that
    expect(objective.gap).toBeLessThan(5 * apart);
  });

  it('of width .0004 proves 1e−9', () => {
    const { histogram } = histogramOf(pages, 0.0004);
    expect(solve(histogram).objective.gap).toBeLessThan(1e-9);
  });
});
