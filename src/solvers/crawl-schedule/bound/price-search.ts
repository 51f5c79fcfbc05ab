/**
 * Prices of slots for which the bound is large.
 *
 * Their slopes are read off a schedule: where crawls of a page cannot gain by moving, w·(H'(gap before) − H'(gap
 * after)) is −q'. Their level is found by golden section. Then they answer what pages want (mixtures.ts).
 * Complexity: some 15 evaluations, then passes of about one each. Stopping rule: passes, gaps looked at, or the budget.
 */
import { type Budget, unlessStopped } from '../../budget.ts';
import { goldenSection } from '../../numerics/search/golden-section.ts';
import { Mixtures } from './mixtures.ts';
import { marketBound, type PricedClass, type SlotMarket } from './slot-prices.ts';

/** A first guess: prices up to a constant, and about how high they are. */
export interface PriceGuess {
  readonly start: Float64Array;
  readonly level: number;
  readonly passes: number;
}

/** Passes over all classes: for a bound, and for prices that need not be good. */
export const [boundPasses, guessPasses] = [100, 12];

/** Prices for which the bound is large. @throws NothingToReturn when the budget ends before their level is known */
export function findPrices(
  market: SlotMarket,
  classes: readonly PricedClass[],
  { start, level, passes }: PriceGuess,
  budget: Budget,
): Float64Array {
  const at = (shift: number): Float64Array => start.map((q) => q + shift);
  const value = (price: Float64Array): number => marketBound(market, classes, price, budget);
  const lowest = start.reduce((low, q) => Math.min(low, q), Number.POSITIVE_INFINITY);
  const found = goldenSection((shift) => -value(at(shift)), -lowest - level, 2 * level - lowest, 0.1 * level);
  let best = at(found.at);
  let most = -found.value;
  const mixtures = new Mixtures(market, classes, { slots: best, level });
  for (const { slots: price } of mixtures.search(passes, budget)) {
    const bound = unlessStopped(null, () => value(price));
    if (bound === null) break;
    if (bound > most) [best, most] = [price, bound];
  }
  return best;
}
