/**
 * Which crawls of possible updates find a slot after them: the most that can, by Hall's condition on the ends of the
 * interval.
 *
 * Releases are taken from the latest on. Whenever a time has more of them after it than slots, the one whose page is
 * worth least there is given up. O(n log n).
 */
import { KeyedHeap } from '../../numerics/heaps/keyed-heap.ts';

/**
 * @param time of each release; @param worth what its crawl is worth; @param slots rising times of all slots
 * @returns positions of the releases given up
 */
export function releasesGivenUp(time: Float64Array, worth: Float64Array, slots: Float64Array): number[] {
  const order = Uint32Array.from(time.keys()).sort((a, b) => time[b] - time[a] || a - b);
  const kept = new KeyedHeap();
  const givenUp: number[] = [];
  let after = slots.length;
  let room = 0;
  for (const j of order) {
    while (after > 0 && slots[after - 1] >= time[j]) {
      after--;
      room++;
    }
    kept.push(-worth[j], j);
    if (kept.size > room) givenUp.push(kept.pop());
  }
  return givenUp;
}
