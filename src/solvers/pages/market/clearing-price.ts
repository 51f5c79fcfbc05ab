/**
 * The price at which what is wanted meets what there is.
 *
 * All together want D(p), which is positive and falls in the price p > 0. Members of a group (the pages of a host)
 * together get no more than the group's limit. Where they want more at the common price, the group has a higher price
 * of its own. Then Σ_g min(limit_g, D_g(p)) + D_0(p) = supply fixes p, and D_g(p_g) = limit_g each p_g > p.
 *
 * Method: Brent's method on ln D(e^u) = ln supply, which is nearly straight, from a bracket found by steps that double.
 * Stopping rule: within `tolerance` of ln supply, or of u. Where D jumps, the bracket that is left encloses the jump.
 * Complexity: some 5 to 15 evaluations of D, and as many for each group whose limit binds.
 */
import { findRoot } from '../../numerics/search/root.ts';

/** Where a search begins and ends. */
export interface PriceSearch {
  readonly supply: number;
  /** A price near the one sought, above 0. */
  readonly start: number;
  /** First step from it, in ln p; 1 unless given. */
  readonly step?: number | undefined;
  /** Whether it is the price itself but for a little: the first step goes by how far what is wanted is off there. */
  readonly near?: boolean | undefined;
  /** No more is wanted at a lower price than at this one, nor less at a higher one than at the ceiling. */
  readonly floor?: number | undefined;
  readonly ceiling?: number | undefined;
  /** Of ln supply and of ln p; 0 unless given: as close as doubles allow. */
  readonly tolerance?: number | undefined;
}

/**
 * At `low` at least the supply is wanted, at `high` at most. They are equal where demand met supply; 0 where no price
 * is low enough for that; the ceiling where none is high enough.
 */
export interface PriceBracket {
  readonly low: number;
  readonly high: number;
}

/** First step from a near price: by how far what is wanted is off, at least; and by how much the next are longer. */
const beyondOff = 3;
const leastStep = 1e-7;
const growth = 8;
/** Of prices that doubles can hold. */
const largestLog = 709;
/** What a demand of 0 counts for in logarithms. */
const nothing = -750;

/** The price at which `demand` meets the supply. */
export function clearingPrice(demand: (price: number) => number, search: PriceSearch): PriceBracket {
  const { supply, near = false, tolerance = 0, floor = 0, ceiling = Number.POSITIVE_INFINITY } = search;
  const excess = (at: number): number => Math.max(nothing, Math.log(demand(Math.exp(at)) / supply));
  const top = Math.min(largestLog, Math.log(ceiling) + 1e-6);
  const bottom = Math.max(-largestLog, Math.log(floor));
  const middle = Math.min(Math.log(search.start), top);
  let low = middle;
  let high = middle;
  let lowExcess = excess(middle);
  let highExcess = lowExcess;
  if (near && Math.abs(lowExcess) <= tolerance) return { low: Math.exp(middle), high: Math.exp(middle) };
  const firstStep = near ? Math.min(1, Math.max(leastStep, beyondOff * Math.abs(lowExcess))) : (search.step ?? 1);
  const longer = near ? growth : 2;
  for (let step = firstStep; high < top && highExcess > 0; step *= longer) {
    low = high;
    lowExcess = highExcess;
    high = Math.min(high + step, top);
    highExcess = excess(high);
  }
  for (let step = firstStep; low > bottom && lowExcess <= 0; step *= longer) {
    high = low;
    highExcess = lowExcess;
    low = Math.max(bottom, low - step);
    lowExcess = excess(low);
  }
  if (highExcess > 0) return { low: Math.exp(high), high: Math.exp(high) };
  if (lowExcess <= 0) return floor > 0 ? { low: floor, high: floor } : { low: 0, high: 0 };
  const known = new Map([
    [low, lowExcess],
    [high, highExcess],
  ]);
  let met = Number.NaN;
  const narrowing = (at: number): number => {
    const now = known.get(at) ?? excess(at);
    if (Math.abs(now) <= tolerance) {
      met = at;
      return 0;
    }
    if (now > 0) low = Math.max(low, at);
    else high = Math.min(high, at);
    return now;
  };
  findRoot(narrowing, low, high, tolerance);
  return Number.isNaN(met) ? { low: Math.exp(low), high: Math.exp(high) } : { low: Math.exp(met), high: Math.exp(met) };
}

/** What groups want, for a search that knows their limits. */
export interface GroupedDemand {
  /** The most that each group gets; Infinity for no limit. */
  readonly limit: ArrayLike<number>;
  /** What those outside all groups want at a price; writes what each group wants at it. */
  readonly wanted: (price: number, byGroup: Float64Array) => number;
  /** What one group wants at a price. */
  readonly wantedBy: (group: number, price: number) => number;
}

export interface GroupPrices extends PriceBracket {
  /** The groups that want more than their limit at `high`, each with the price that keeps it within. */
  readonly groups: ReadonlyMap<number, PriceBracket>;
}

/** Rounding of sums: a group is not crowded that wants no more than this beyond its limit. */
const crowded = 1e-9;

/** The common price, and one for each group whose limit binds. */
export function clearingPrices({ limit, wanted, wantedBy }: GroupedDemand, search: PriceSearch): GroupPrices {
  const byGroup = new Float64Array(limit.length);
  const total = (price: number): number => {
    let sum = wanted(price, byGroup);
    for (let g = 0; g < byGroup.length; g++) sum += Math.min(limit[g], byGroup[g]);
    return sum;
  };
  const { low, high } = clearingPrice(total, search);
  wanted(high, byGroup);
  const groups = new Map<number, PriceBracket>();
  for (const [g, own] of byGroup.entries()) {
    if (!(own > limit[g] * (1 + crowded))) continue;
    const start = high > 0 ? high : search.start;
    groups.set(
      g,
      clearingPrice((price) => wantedBy(g, price), { ...search, supply: limit[g], start, step: 1, floor: high }),
    );
  }
  return { low, high, groups };
}
