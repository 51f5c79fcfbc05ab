/**
 * The cheapest slot of a crawler for a task at given prices: the inner minimum of the dual bound.
 *
 * Method: prices are kept with their minima over blocks of 64 slots. The block at the ideal time is read first, then
 * the block whose lower bound (distance to it, least price in it) is best. Then comes every block whose bound still
 * beats the best slot found. O(1) blocks for most tasks; O(S/64) where a slope of prices leads far away.
 */
import { slotTime } from '../instance/instance.ts';

const blockBits = 6;

/** Elementary steps that a block takes that is read, and one that is passed. */
const stepsToRead = 200;
const stepsToPass = 10;

/** The slots of one crawler (or of several alike), with prices. */
export interface PricedLine {
  readonly interval: number;
  readonly price: Float64Array;
  /** Least price y of each block of 64 slots, and least y + slope·τ and y − slope·τ. */
  readonly least: Float64Array;
  readonly rising: Float64Array;
  readonly falling: Float64Array;
  readonly slope: number;
  /** About how many elementary steps looks along this and other lines took. */
  readonly steps: { taken: number };
}

/** @param slope ≥ 0: for tasks of this weight the bound of a block is exact, for heavier ones it is the closer */
export function pricedLine(
  interval: number,
  slots: number,
  price: Float64Array,
  slope: number,
  steps: { taken: number },
): PricedLine {
  const blocks = (slots + 63) >> blockBits;
  const least = new Float64Array(blocks).fill(Number.POSITIVE_INFINITY);
  const rising = least.slice();
  const falling = least.slice();
  for (let l = 0; l < slots; l++) {
    const b = l >> blockBits;
    const climb = slope * slotTime(interval, slots, l);
    if (price[l] < least[b]) least[b] = price[l];
    if (price[l] + climb < rising[b]) rising[b] = price[l] + climb;
    if (price[l] - climb < falling[b]) falling[b] = price[l] - climb;
  }
  return { interval, price, least, rising, falling, slope, steps };
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
  const { interval, price, least, rising, falling, slope } = line;
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
    line.steps.taken += stepsToRead;
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

  // A bound below the best by rounding only is taken as it is: reading the block could not tell more.
  const rounding = 1e-15 * (w * interval + slope * Math.abs(t));
  /** Lower bound on the cost of any slot of a block on one side, `away` from t. */
  const boundOf = (block: number, away: number): number => {
    line.steps.taken += stepsToPass;
    const plain = w * away + least[block];
    if (w < slope) return plain;
    const side = block > home ? rising[block] - slope * t : falling[block] + slope * t;
    return Math.max(plain, (w - slope) * away + side);
  };

  // The closest slot is the cheapest of its block where none there has a lower price.
  const costAt = (l: number): number => w * Math.abs(slotTime(interval, slots, l) - t) + price[l];
  const before = near > from && t - slotTime(interval, slots, near - 1) < slotTime(interval, slots, near) - t;
  const closest = before ? near - 1 : near;
  const plain = closest >> blockBits === home && price[closest] <= least[home];
  let best = plain ? Math.min(cap, costAt(closest)) : read(home, cap);
  let promising = home;
  let promise = best;
  for (let side = 1; side >= -1; side -= 2) {
    for (let block = home + side; block >= firstBlock && block <= lastBlock; block += side) {
      const away = distance(block);
      if (w * away >= best) break;
      const bound = boundOf(block, away);
      if (bound < promise) {
        promise = bound;
        promising = block;
      }
    }
  }
  if (promising === home) return best;
  best = read(promising, best);
  let reads = 2;
  let unread = Number.POSITIVE_INFINITY;
  for (let side = 1; side >= -1; side -= 2) {
    for (let block = home + side; block >= firstBlock && block <= lastBlock; block += side) {
      const away = distance(block);
      if (w * away >= best) break;
      const bound = boundOf(block, away);
      if (bound >= best) continue;
      if (bound < best - rounding && reads++ < mostReads) best = read(block, best);
      else unread = Math.min(unread, bound);
    }
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
