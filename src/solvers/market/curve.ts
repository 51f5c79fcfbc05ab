/**
 * The trade-off of crawls against cost: points from half to twice a number of crawls, each at its own price.
 *
 * The points lie on a convex curve whose slope is the price. The two ends are clearing prices, found to a thousandth;
 * the prices between them are spaced evenly in their logarithm. Where whole counts of two prices are the same there are
 * fewer points. Complexity: pages × some 35 prices.
 */
import { clearingPrice } from './clearing-price.ts';
import type { MarketProblem } from './demand.ts';
import { highestPrice, lowestPrice, Market } from './market.ts';

export interface CurvePoint {
  readonly crawls: number;
  readonly cost: number;
  readonly price: number;
}

/** Number of points at most. */
const points = 20;
/** Accuracy of the ends: of ln crawls, and of their distance from what limits allow, as a fraction of the crawls. */
const tolerance = 1e-3;

/** @param middle crawls in the middle of the curve, above 0 */
export function tradeOff(problem: MarketProblem, middle: number): CurvePoint[] {
  const market = new Market(problem);
  const { start } = problem;
  const totalAt = (price: number): number => market.look(price, false).total;
  const priceOf = (supply: number): number => clearingPrice(totalAt, { supply, start, tolerance }).high;
  // limits may ask for more than half, or leave less than twice
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
    const { total: crawls, cost } = market.look(price, true);
    if (price > 0 && !curve.has(crawls)) curve.set(crawls, { crawls, cost, price });
  }
  return [...curve.values()].sort((a, b) => a.crawls - b.crawls);
}
