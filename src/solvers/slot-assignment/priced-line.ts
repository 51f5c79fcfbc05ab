/**
 * The cheapest slot of a crawler for a task at given prices: the inner minimum of the dual bound.
 *
 * Method: prices are kept with their minima over blocks of 64 slots. The block at the ideal time is read first, then
 * the block whose lower bound (distance to it, least price in it) is best, then every block whose bound still beats the best
 * slot found. O(1) blocks for most tasks; O(S/64) where a slope of prices leads far away.
 */
import { slotTime } from './instance.ts';

const blockBits = 6;

/** The slots of one crawler (or of several alike), with prices. */
export interface PricedLine {
  readonly interval: number;
  readonly price: Float64Array;
  /** Least price of each block of 64 slots. */
  readonly least: Float64Array;
}

export function pricedLine(interval: number, slots: number, price: Float64Array): PricedLine {
  const least = new Float64Array((slots + 63) >> blockBits).fill(Number.POSITIVE_INFINITY);
  for (let l = 0; l < slots; l++) least[l >> blockBits] = Math.min(least[l >> blockBits], price[l]);
  return { interval, price, least };
}

/**
 * min(cap, min_l w·|τ_l − t| + y_l) over the slots with τ_l in [low, high].
 *
 * @param mostReads blocks read before the lower bounds of the others are taken instead: then a bound from below
 */
export function leastCost(
  line: PricedLine,
  t: number,
  w: number,
  low: number,
  high: number,
  cap: number,
  mostReads: number,
): number {
  const { interval, price, least } = line;
  const slots = price.length;
  const from = low > 0 ? firstAtLeast(interval, slots, low) : 0;
  const to = high < interval ? firstAtLeast(interval, slots, high, true) : slots;
  if (from >= to) return cap;
  const near = Math.min(Math.max(firstAtLeast(interval, slots, t), from), to - 1);
  const home = near >> blockBits;
  const firstBlock = from >> blockBits;
  const lastBlock = (to - 1) >> blockBits;

  const read = (block: number, best: number): number => {
    let least = best;
    const end = Math.min((block + 1) << blockBits, to);
    for (let l = Math.max(block << blockBits, from); l < end; l++) {
      const cost = w * Math.abs(slotTime(interval, slots, l) - t) + price[l];
      if (cost < least) least = cost;
    }
    return least;
  };
  const distance = (block: number): number =>
    block > home
      ? Math.max(0, slotTime(interval, slots, block << blockBits) - t)
      : Math.max(0, t - slotTime(interval, slots, ((block + 1) << blockBits) - 1));

  let best = read(home, cap);
  let promising = home;
  let promise = best;
  for (let block = home + 1; block <= lastBlock; block++) {
    const cost = w * distance(block);
    if (cost >= best) break;
    if (cost + least[block] < promise) {
      promise = cost + least[block];
      promising = block;
    }
  }
  for (let block = home - 1; block >= firstBlock; block--) {
    const cost = w * distance(block);
    if (cost >= best) break;
    if (cost + least[block] < promise) {
      promise = cost + least[block];
      promising = block;
    }
  }
  if (promising === home) return best;
  best = read(promising, best);
  let reads = 2;
  let unread = Number.POSITIVE_INFINITY;
  for (let block = home + 1; block <= lastBlock; block++) {
    const cost = w * distance(block);
    if (cost >= best) break;
    if (cost + least[block] >= best) continue;
    if (reads++ < mostReads) best = read(block, best);
    else unread = Math.min(unread, cost + least[block]);
  }
  for (let block = home - 1; block >= firstBlock; block--) {
    const cost = w * distance(block);
    if (cost >= best) break;
    if (cost + least[block] >= best) continue;
    if (reads++ < mostReads) best = read(block, best);
    else unread = Math.min(unread, cost + least[block]);
  }
  return Math.min(best, unread);
}

/** The first slot (from 0) whose time is at least t, or above t: in closed form, corrected for rounding. */
function firstAtLeast(interval: number, slots: number, t: number, above = false): number {
  let l = Math.min(slots, Math.max(0, Math.ceil((t / interval) * slots)));
  const before = (x: number): boolean => {
    const tau = slotTime(interval, slots, x);
    return above ? tau <= t : tau < t;
  };
  while (l > 0 && !before(l - 1)) l--;
  while (l < slots && before(l)) l++;
  return l;
}
