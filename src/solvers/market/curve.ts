/**
 * The trade-off of crawls against cost: points from half to twice a number of crawls, each at its own price.
 *
 * The points lie on a convex curve whose slope is the price. The two ends are clearing prices, found to a thousandth;
 * the prices between them are spaced evenly in their logarithm. Prices at which whole fetches have the same total give
 * one point. Complexity: pages × some 35 prices.
 */
import { clearingPrice } from './clearing-price.ts';
import type { MarketProblem } from './demand.ts';
import { highestPrice, lowestPrice, Market } from './market.ts';

export interface CurvePoint {
  readonly crawls: number;
  readonly cost: number;
  readonly price: number;
}

/** Maximum number of points. */
const points = 20;
/**
 * Tolerance of the ends of the curve in ln crawls, and their distance from the extreme totals, relative to `middle`.
 */
const tolerance = 1e-3;

/** Points of crawls, cost and price, by rising crawls. @param middle crawls in the middle of the curve, above 0 */
export function tradeOff(problem: MarketProblem, middle: number): CurvePoint[] {
  const market = new Market(problem);
  const { start } = problem;
  const totalAt = (price: number): number => market.demandAt(price, false).total;
  const priceOf = (supply: number): number => clearingPrice(totalAt, { supply, start, tolerance }).high;
  // limits may require more than half of the crawls, or allow less than twice
  const [minTotal, maxTotal] = [totalAt(highestPrice), totalAt(lowestPrice)];
  const [smallest, largest] = [
    Math.max(middle / 2, minTotal + tolerance * middle),
    Math.min(middle * 2, maxTotal - tolerance * middle),
  ];
  if (!(smallest < largest)) return [];
  const [first, last] = [Math.log(priceOf(smallest)), Math.log(priceOf(largest))];
  const curve = new Map<number, CurvePoint>();
  for (let k = 0; k < points; k++) {
    const price = Math.exp(first + ((last - first) * k) / (points - 1));
    const { total: crawls, cost } = market.demandAt(price, true);
    if (price > 0 && !curve.has(crawls)) curve.set(crawls, { crawls, cost, price });
  }
  return [...curve.values()].sort((a, b) => a.crawls - b.crawls);
}
