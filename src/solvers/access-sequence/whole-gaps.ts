/**
 * The least cost of any order for a page whose gaps are whole numbers of accesses. Page and page have nothing to do
 * with each other here.
 *
 * A gap d costs v(d) = c(1 − floor)·(dL − 1 + e^(−dL))/L, convex in d. At a frequency f the least is gaps of ⌊1/f⌋ and
 * one more; at a price λ of an access the gap of least (v(d) + λ)/d.
 */
import type { AccessPages } from '../access-frequencies/access-pages.ts';
import { staleChanges } from '../pages/objectives/index.ts';

/** Gaps beyond are as good as no access. */
const longest = 2 ** 50;

/** Share of the time that page i is stale at frequency f. */
function wholeGapStaleness({ load, floor }: AccessPages, i: number, f: number): number {
  if (f <= 1 / longest) return 1;
  const gap = Math.max(1, Math.floor(1 / f + 1e-9));
  const longer = Math.max(0, 1 / f - gap);
  const stale = (1 - longer) * staleChanges(gap * load[i]) + longer * staleChanges((gap + 1) * load[i]);
  return floor[i] + ((1 - floor[i]) * stale * f) / load[i];
}

/** The least cost of any order with these frequencies, as far as whole gaps tell. */
export function wholeGapCost(pages: AccessPages, frequency: ArrayLike<number>): number {
  return pages.weight.reduce((sum, c, i) => sum + c * wholeGapStaleness(pages, i, frequency[i]), 0);
}

/** What pages make least of at a price, their own cost but for the floor and the accesses; and their accesses' share. */
export interface Priced {
  readonly least: number;
  readonly share: number;
}

/** The best gap is the first at which Whittle's index d(v(d + 1) − v(d)) − v(d) reaches λ. O(log d). */
export function pricedAlone({ weight, floor, load }: AccessPages, i: number, price: number): Priced {
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
