/**
 * Whole fetches: from the demand near the clearing price to exactly the supply or the target.
 *
 * The gains of a page never increase, so that the fetches with the largest gains, within the limits of hosts, are
 * optimal for their number (Fox 1966; Federgruen & Groenevelt 1986 for limits of groups). The demand at a price is such
 * a choice. From the demand the fetches of largest gain are added one by one, or those of smallest gain removed.
 * Complexity: one gain a page, and O(log pages) for each fetch that is added or removed.
 */
import { KeyedHeap } from '../numerics/collections/keyed-heap.ts';
import type { HostLimits } from './demand.ts';

/** The saving by fetch x + 1 of a page: Infinity below the minimum of the page, −Infinity at its maximum. */
export type Gain = (page: number, fetches: number) => number;

/** By host: the fetches that its limit still allows. */
export class HostRoom {
  readonly #of: Int32Array | null;
  readonly #room: Float64Array;

  constructor(hosts: HostLimits | null, fetches: Float64Array) {
    this.#of = hosts?.of ?? null;
    this.#room = hosts?.limit.slice() ?? new Float64Array(0);
    for (let page = 0; hosts !== null && page < fetches.length; page++) this.take(page, fetches[page]);
  }

  has(page: number): boolean {
    const h = this.#of?.[page] ?? -1;
    return h < 0 || this.#room[h] >= 1;
  }

  take(page: number, fetches: number): void {
    const h = this.#of?.[page] ?? -1;
    if (h >= 0) this.#room[h] -= fetches;
  }
}

/**
 * Adds fetches in order of falling gain while `isWanted` and the gain is positive; fetches of full hosts are skipped.
 */
export function addLargest(fetches: Float64Array, gain: Gain, room: HostRoom, isWanted: (gain: number) => boolean) {
  const heap = new KeyedHeap(fetches.length);
  for (let page = 0; page < fetches.length; page++) heap.push(gain(page, fetches[page]), page);
  while (heap.topKey() > 0) {
    const largestGain = heap.topKey();
    const page = heap.pop();
    if (!room.has(page)) continue;
    if (!isWanted(largestGain)) return;
    fetches[page]++;
    room.take(page, 1);
    heap.push(gain(page, fetches[page]), page);
  }
}

/** Removes fetches in order of rising gain while `isSpare`. */
export function takeSmallest(fetches: Float64Array, gain: Gain, room: HostRoom, isSpare: (gain: number) => boolean) {
  const heap = new KeyedHeap(fetches.length);
  const lastGain = (page: number): number =>
    fetches[page] > 0 ? -gain(page, fetches[page] - 1) : Number.NEGATIVE_INFINITY;
  for (let page = 0; page < fetches.length; page++) heap.push(lastGain(page), page);
  while (heap.topKey() > Number.NEGATIVE_INFINITY && isSpare(-heap.topKey())) {
    const page = heap.pop();
    fetches[page]--;
    room.take(page, -1);
    heap.push(lastGain(page), page);
  }
}

/**
 * A whole mixture of two choices that differ by fetches of equal gain: each page gets its share of the difference
 * rounded down, and the first pages one more, up to the total.
 */
export function shareEqualGains(low: Float64Array, high: Float64Array, share: number): Float64Array {
  const fetches = high.slice();
  if (low === high) return fetches;
  let shortfall = 0;
  for (let page = 0; page < fetches.length; page++) {
    const extra = share * (low[page] - high[page]);
    fetches[page] += Math.floor(extra);
    shortfall += extra - Math.floor(extra);
  }
  shortfall = Math.round(shortfall);
  for (let page = 0; page < fetches.length && shortfall > 0; page++) {
    if (fetches[page] === low[page]) continue;
    fetches[page]++;
    shortfall--;
  }
  return fetches;
}

/** Adds or removes whole fetches until their total is an amount, as far as pages and hosts allow. */
export function dealAmount(
  fetches: Float64Array,
  amount: number,
  gain: Gain,
  room: HostRoom = new HostRoom(null, fetches),
): void {
  let remaining = amount;
  for (let page = 0; page < fetches.length; page++) remaining -= fetches[page];
  if (remaining > 0) addLargest(fetches, gain, room, () => remaining-- > 0);
  else takeSmallest(fetches, gain, room, () => remaining++ < 0);
}
