/**
 * The least cost of any order for a page whose gaps are whole numbers of accesses. Page and page have nothing to do
 * with each other here.
 *
 * A gap d costs v(d) = c(1 − floor)·(dL − 1 + e^(−dL))/L, convex in d. At a frequency f the least is gaps of ⌊1/f⌋ and
 * one more; at a price λ of an access the gap of least (v(d) + λ)/d.
 */
import type { AccessPages } from '../access-frequencies/access-pages.ts';
import type { Budget } from '../budget.ts';
import { staleChanges } from '../pages/objectives/index.ts';

/** Gaps beyond are as good as no access. */
const longest = 2 ** 50;

/** Share of the time that page i is stale at frequency f. */
function integerGapStaleness({ load, floor }: AccessPages, i: number, f: number): number {
  if (f <= 1 / longest) return 1;
  const gap = Math.max(1, Math.floor(1 / f + 1e-9));
  const longer = Math.max(0, 1 / f - gap);
  const stale = (1 - longer) * staleChanges(gap * load[i]) + longer * staleChanges((gap + 1) * load[i]);
  return floor[i] + ((1 - floor[i]) * stale * f) / load[i];
}

/** The least cost of any order with these frequencies, as far as whole gaps tell. */
export function integerGapCost(pages: AccessPages, frequency: ArrayLike<number>): number {
  return pages.weight.reduce((sum, c, i) => sum + c * integerGapStaleness(pages, i, frequency[i]), 0);
}

/** More pages than these have gaps so long that whole ones cost no more. */
const mostPages = 1000;
/** Prices tried, at most; the first change of the price, relatively, doubled as long as the bound rises. */
const mostPrices = 40;
const firstStep = 0.01;
/** Of the bound: what is left to gain by other prices. */
const worthwhile = 1e-12;

interface Tangent {
  readonly price: number;
  readonly value: number;
  /** Accesses that pages ask for beyond those there are. */
  readonly slope: number;
}

/**
 * The least cost of any order, whatever its frequencies, as far as whole gaps tell; −∞ where pages are too many for
 * that to matter.
 *
 * Σ of what each page makes least of at a price λ of an access, less λ: a bound for every λ, and concave in λ. The next λ
 * is where the tangents at the two that enclose the best meet (J. E. Kelley, J. SIAM 8, 1960, in one dimension).
 * O(N log d) a price.
 *
 * @param first price: what one more unit of frequency saves at the best frequencies of any size
 */
export function integerGapBound(pages: AccessPages, first: number, budget: Budget): number {
  if (pages.length > mostPages) return Number.NEGATIVE_INFINITY;
  const base = pages.weight.reduce((sum, c, i) => sum + c * pages.floor[i], 0);
  let best = Number.NEGATIVE_INFINITY;
  let [price, step] = [first, firstStep];
  const sides: { low?: Tangent; high?: Tangent } = {};
  for (let k = 0; k < mostPrices && !budget.stopRequested(); k++) {
    let [value, slope] = [base - price, -1];
    for (let i = 0; i < pages.length; i++) {
      const { least, share } = minPageCost(pages, i, price);
      value += least;
      slope += share;
    }
    best = Math.max(best, value);
    if (slope === 0) break;
    sides[slope > 0 ? 'low' : 'high'] = { price, value, slope };
    const { low, high } = sides;
    if (low === undefined || high === undefined) {
      price *= slope > 0 ? 1 + step : 1 / (1 + step);
      step *= 2;
      continue;
    }
    price = (high.value - low.value + low.slope * low.price - high.slope * high.price) / (low.slope - high.slope);
    if (low.value + low.slope * (price - low.price) - best < worthwhile * best) break;
  }
  return best;
}

/**
 * What page i makes least of at a price, its own cost but for the floor and the accesses, and their share. The best gap
 * is the first at which Whittle's index d(v(d + 1) − v(d)) − v(d) reaches λ. O(log d).
 */
function minPageCost({ weight, floor, load }: AccessPages, i: number, price: number) {
  const scale = (weight[i] * (1 - floor[i])) / load[i];
  const v = (d: number): number => scale * staleChanges(d * load[i]);
  const never = { least: scale * load[i], share: 0 };
  let high = 1;
  while (high * (v(high + 1) - v(high)) - v(high) < price) {
    high *= 2;
    if (high > longest) return never;
  }
  let low = Math.floor(high / 2);
  while (high - low > 1) {
    const middle = Math.floor(0.5 * (low + high));
    if (middle * (v(middle + 1) - v(middle)) - v(middle) < price) low = middle;
    else high = middle;
  }
  const least = (v(high) + price) / high;
  return least < never.least ? { least, share: 1 / high } : never;
}
