/**
 * What crawls buy: points of (crawls, what is left) from half to twice a number of crawls, each from a price of its own.
 *
 * The points lie on a convex curve whose slope is the price. The two ends are clearing prices, found to a ten-thousandth;
 * the prices between them are spaced evenly in their logarithm. Complexity: pages × some 35 prices.
 */
import { clearingPrice } from '../market/index.ts';
import { beyondWorth, PricedPages } from './priced-pages.ts';
import type { TargetProblem } from './problem.ts';

export interface CurvePoint {
  readonly crawls: number;
  readonly left: number;
  readonly price: number;
}

const points = 20;
const tolerance = 1e-4;
/** Of a usual price: one at which pages take all that their limits allow. */
const nothing = 1e-12;

export interface CurveProblem extends Pick<TargetProblem, 'wanting' | 'hosts' | 'start' | 'budget'> {
  /** Highest price of a page, which keeps a target of its own; left out: none has one. */
  readonly ceiling?: ((page: number) => number) | undefined;
}

/** @param around crawls in the middle of the curve, above 0 */
export function tradeOff({ wanting, hosts, start, budget, ceiling }: CurveProblem, around: number): CurvePoint[] {
  const pages = new PricedPages(wanting, budget);
  if (ceiling !== undefined) for (let i = 0; i < wanting.pages; i++) pages.ceiling[i] = ceiling(i);
  if (hosts !== null) pages.keepHosts(hosts, { start });
  const spent = (price: number): number => pages.spent(price, null);
  const priceOf = (supply: number): number => clearingPrice(spent, { supply, start, tolerance }).high;
  // limits may ask for more than half, or leave less than twice
  const [least, most] = [spent(beyondWorth), spent(nothing * start)];
  const [few, many] = [Math.max(around / 2, least + 1e-3 * around), Math.min(around * 2, most - 1e-3 * around)];
  if (!(few < many)) return [];
  const [first, last] = [Math.log(priceOf(few)), Math.log(priceOf(many))];
  const curve: CurvePoint[] = [];
  for (let k = 0; k < points; k++) {
    const price = Math.exp(first + ((last - first) * k) / (points - 1));
    if (!(price > 0)) break;
    curve.push({ crawls: spent(price), left: pages.left(price, null), price });
  }
  return curve.filter(({ crawls }, k) => k === 0 || crawls > curve[k - 1].crawls);
}
