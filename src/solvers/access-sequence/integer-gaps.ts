/**
 * Lower bound on the cost of any order, because gaps between accesses of a page are whole numbers of accesses. It is a
 * relaxation to single pages: whether the gaps of all pages fit into one order is ignored.
 *
 * A gap d costs v(d) = c(1 − floor)·(dL − 1 + e^(−dL))/L, convex in d. At a frequency f the cheapest gaps are ⌊1/f⌋ and
 * ⌊1/f⌋ + 1; at a price λ of an access it is the gap d of least (v(d) + λ)/d.
 */
import type { AccessPages } from '../access-frequencies/access-pages.ts';
import type { Budget } from '../budget.ts';
import { staleChanges } from '../pages/objectives/index.ts';

/** Longest gap considered, in accesses: a page with a longer gap counts as never accessed. */
const maxGap = 2 ** 50;

/** Least staleness of page i at frequency f with whole gaps. */
function integerGapStaleness({ load, floor }: AccessPages, i: number, f: number): number {
  if (f <= 1 / maxGap) return 1;
  const gap = Math.max(1, Math.floor(1 / f + 1e-9));
  const longer = Math.max(0, 1 / f - gap);
  const stale = (1 - longer) * staleChanges(gap * load[i]) + longer * staleChanges((gap + 1) * load[i]);
  return floor[i] + ((1 - floor[i]) * stale * f) / load[i];
}

/** Lower bound on the cost of any order with the given frequencies. */
export function integerGapCost(pages: AccessPages, frequency: ArrayLike<number>): number {
  return pages.weight.reduce((sum, c, i) => sum + c * integerGapStaleness(pages, i, frequency[i]), 0);
}

/** Maximum number of pages for which the bound is computed: with more, gaps are so long that rounding costs little. */
const maxPages = 1000;
/** Maximum number of prices tried, in case rounding prevents convergence. */
const maxPrices = 40;
/** Relative gain of the bound below which the search ends. */
const tolerance = 1e-12;

/** The dual function at a price: its value and its slope. */
interface Tangent {
  readonly price: number;
  readonly value: number;
  /** Demand for accesses less the supply of 1. */
  readonly slope: number;
}

/**
 * Lower bound on the cost of any order at any frequencies; −∞ for more than `maxPages` pages.
 *
 * By weak duality the sum of the least costs of all pages at a price λ of an access, less λ, is a bound for every λ,
 * and concave in λ. The next λ is the intersection of the tangents at the two ends of the bracket (cutting planes: J.
 * E. Kelley, J. SIAM 8, 1960). O(N log d) a price.
 *
 * @param firstPrice first λ: the price of a unit of frequency when gaps need not be whole
 */
export function integerGapBound(pages: AccessPages, firstPrice: number, budget: Budget): number {
  if (pages.length > maxPages) return Number.NEGATIVE_INFINITY;
  const base = pages.weight.reduce((sum, c, i) => sum + c * pages.floor[i], 0);
  let best = Number.NEGATIVE_INFINITY;
  let price = firstPrice;
  const sides: { low?: Tangent; high?: Tangent } = {};
  for (let k = 0; k < maxPrices && !budget.stopRequested(); k++) {
    let [value, slope] = [base - price, -1];
    for (let i = 0; i < pages.length; i++) {
      const { cost, share } = minPageCost(pages, i, price);
      value += cost;
      slope += share;
    }
    best = Math.max(best, value);
    if (slope === 0) break;
    sides[slope > 0 ? 'low' : 'high'] = { price, value, slope };
    const { low, high } = sides;
    if (low === undefined || high === undefined) {
      price *= slope > 0 ? 2 : 0.5;
      continue;
    }
    price = (high.value - low.value + low.slope * low.price - high.slope * high.price) / (low.slope - high.slope);
    if (low.value + low.slope * (price - low.price) - best < tolerance * best) break;
  }
  return best;
}

/** v(d): the cost of a gap of page i, without the floor. */
const gapCost = ({ weight, floor, load }: AccessPages, i: number, gap: number): number =>
  ((weight[i] * (1 - floor[i])) / load[i]) * staleChanges(gap * load[i]);

/** Whittle's index d(v(d + 1) − v(d)) − v(d): the price at which an access of page i pays after a gap d; rises in d. */
export function gapIndex(pages: AccessPages, i: number, gap: number): number {
  const cost = gapCost(pages, i, gap);
  return gap * (gapCost(pages, i, gap + 1) - cost) - cost;
}

/**
 * The least cost of page i (without its floor) plus its accesses at a price λ, with the frequency of this minimum. The
 * best gap is the smallest one at which the index reaches λ. O(log d).
 */
function minPageCost(pages: AccessPages, i: number, price: number) {
  const withoutAccess = { cost: pages.weight[i] * (1 - pages.floor[i]), share: 0 };
  let high = 1;
  while (gapIndex(pages, i, high) < price) {
    high *= 2;
    if (high > maxGap) return withoutAccess;
  }
  let low = Math.floor(high / 2);
  while (high - low > 1) {
    const middle = Math.floor(0.5 * (low + high));
    if (gapIndex(pages, i, middle) < price) low = middle;
    else high = middle;
  }
  const cost = (gapCost(pages, i, high) + price) / high;
  return cost < withoutAccess.cost ? { cost, share: 1 / high } : withoutAccess;
}
