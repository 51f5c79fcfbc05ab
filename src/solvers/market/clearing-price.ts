/**
 * The price at which demand equals supply.
 *
 * Demand D(p) is positive and falls in the price p > 0.
 *
 * Method: Brent's method on ln D(e^u) = ln supply, a nearly straight line, from a bracket found by doubling steps.
 * Stopping rule: ln D within `tolerance` of ln supply. Where D jumps, the final bracket encloses the jump to rounding.
 * Complexity: some 5 to 15 evaluations of D.
 */
import { findRoot } from '../numerics/search/root.ts';

/** Input of a search for the clearing price. */
export interface PriceSearch {
  readonly supply: number;
  /** First price to try, above 0. */
  readonly start: number;
  /** Demand does not fall any further above this price. */
  readonly ceiling?: number | undefined;
  /** Absolute tolerance of ln demand − ln supply; default 0: to the last bit. */
  readonly tolerance?: number | undefined;
}

/**
 * Demand is at least the supply at `low` and at most the supply at `high`. Both prices are equal if demand equals
 * supply there; both are 0 if demand is below the supply at every price, and the ceiling if demand is above it at every
 * price.
 */
export interface PriceBracket {
  readonly low: number;
  readonly high: number;
}

/** Cap on |ln p|, and on |ln D − ln supply| for a demand of 0 or Infinity. */
const maxLog = 709;

/** The price at which `demand` meets the supply. */
export function clearingPrice(demand: (price: number) => number, search: PriceSearch): PriceBracket {
  const { supply, tolerance = 0, ceiling = Number.POSITIVE_INFINITY } = search;
  const excess = (at: number): number => Math.max(-maxLog, Math.min(maxLog, Math.log(demand(Math.exp(at)) / supply)));
  const top = Math.min(maxLog, Math.log(ceiling) + 1e-6);
  let low = Math.min(Math.log(search.start), top);
  let high = low;
  let lowExcess = excess(low);
  let highExcess = lowExcess;
  if (Math.abs(lowExcess) <= tolerance) return { low: Math.exp(low), high: Math.exp(low) };
  const firstStep = Math.min(1, Math.abs(lowExcess));
  for (let step = firstStep; high < top && highExcess > 0; step *= 2) {
    low = high;
    lowExcess = highExcess;
    high = Math.min(high + step, top);
    highExcess = excess(high);
  }
  for (let step = firstStep; low > -maxLog && lowExcess <= 0; step *= 2) {
    high = low;
    highExcess = lowExcess;
    low = Math.max(-maxLog, low - step);
    lowExcess = excess(low);
  }
  if (highExcess > 0) return { low: Math.exp(high), high: Math.exp(high) };
  if (lowExcess <= 0) return { low: 0, high: 0 };
  const knownExcess = new Map([
    [low, lowExcess],
    [high, highExcess],
  ]);
  let root = Number.NaN;
  const narrow = (at: number): number => {
    const value = knownExcess.get(at) ?? excess(at);
    if (Math.abs(value) <= tolerance) {
      root = at;
      return 0;
    }
    if (value > 0) low = Math.max(low, at);
    else high = Math.min(high, at);
    return value;
  };
  findRoot(narrow, low, high);
  return Number.isNaN(root)
    ? { low: Math.exp(low), high: Math.exp(high) }
    : { low: Math.exp(root), high: Math.exp(root) };
}
