import { dropped } from '../instance/instance.ts';
import { nearest } from './completion.ts';
import { FreeSlots } from './free-slots.ts';
import type { Matching } from './matching.ts';

/**
 * Brings the prices of idle slots to 0. A lowered slot may attract tasks. These are taken out, the prices of the slots
 * they leave are lowered in turn, and so on. Then all of them are inserted again, the heaviest first. Before that every
 * idle slot is at 0 and every task left is where it is cheapest, so the result is exact.
 * Returns false when the time is up before that. All that wait to be lowered are lowered at once: O(M + n) for each
 * such wave, of which there are few, whatever the number of prices.
 */
export function lowerIdlePrices(matching: Matching, stopRequested: () => boolean): boolean {
  const { slotOf, owner, problem } = matching;
  let lowered: number[] = [];
  for (let s = 0; s < owner.length; s++) if (owner[s] < 0 && matching.price(s) > 0) lowered.push(s);
  const out: number[] = [];
  const isOut = new Uint8Array(slotOf.length);
  while (lowered.length > 0) {
    if (stopRequested()) return false;
    for (const s of lowered) matching.setPrice(s, 0);
    const attracted = attractedBy(matching, lowered, isOut);
    lowered = [];
    for (const j of attracted) {
      if (slotOf[j] !== dropped && matching.price(slotOf[j]) > 0) lowered.push(slotOf[j]);
      matching.remove(j);
      isOut[j] = 1;
      out.push(j);
    }
  }
  out.sort((a, b) => problem.weight[b] - problem.weight[a] || a - b);
  return out.every((j) => matching.insert(j, stopRequested) === 'done');
}

/**
 * The tasks, but for those taken out, that would pay less at one of these free slots, whose prices are 0. The slot is
 * the one nearest to their ideal time.
 */
function attractedBy(
  { problem, slotOf, owner, prices }: Matching,
  lowered: readonly number[],
  isOut: Uint8Array,
): number[] {
  const { ideal, weight, dropPenalty, lines } = problem;
  const { time, entry } = lines;
  const wanted = new Uint8Array(owner.length);
  for (const s of lowered) wanted[s] = 1;
  const standing = new FreeSlots(lines);
  for (let s = 0; s < owner.length; s++) if (wanted[s] === 0) standing.strike(s);
  const attracted: number[] = [];
  for (let j = 0; j < ideal.length; j++) {
    if (isOut[j] === 1) continue;
    const s = nearest(problem, standing, j);
    if (s < 0) continue;
    const own = slotOf[j];
    const pays =
      own === dropped ? dropPenalty : weight[j] * Math.abs(time[entry[own]] - ideal[j]) + prices.price[entry[own]];
    if (weight[j] * Math.abs(time[entry[s]] - ideal[j]) < pays) attracted.push(j);
  }
  return attracted;
}
