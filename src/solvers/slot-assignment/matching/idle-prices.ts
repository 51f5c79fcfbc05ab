import { dropped } from '../instance/instance.ts';
import type { Matching } from './matching.ts';
import { mayUse } from './matching-problem.ts';

/**
 * Brings the prices of idle slots to 0. Lowered, a slot may attract tasks: these are taken out, the prices of the slots
 * they leave are lowered in turn, and so on; then all of them are inserted again, the heaviest first. Before that
 * every idle slot is at 0 and every task left is where it is cheapest, so the result is exact.
 * Returns false when the time is up before that. O(n) for each price lowered.
 */
export function lowerIdlePrices(matching: Matching, stopRequested: () => boolean): boolean {
  const { slotOf, owner, problem } = matching;
  const queue: number[] = [];
  for (let s = 0; s < owner.length; s++) if (owner[s] < 0 && matching.price(s) > 0) queue.push(s);
  const out: number[] = [];
  const isOut = new Uint8Array(slotOf.length);
  for (let next = 0; next < queue.length; next++) {
    if (stopRequested()) return false;
    matching.setPrice(queue[next], 0);
    for (const j of attractedBy(matching, queue[next], isOut)) {
      if (slotOf[j] !== dropped && matching.price(slotOf[j]) > 0) queue.push(slotOf[j]);
      matching.remove(j);
      isOut[j] = 1;
      out.push(j);
    }
  }
  out.sort((a, b) => problem.weight[b] - problem.weight[a] || a - b);
  return out.every((j) => matching.insert(j, stopRequested) === 'done');
}

/** The tasks, but for those taken out, that would pay less at the free slot s, whose price is 0. */
function attractedBy(matching: Matching, s: number, isOut: Uint8Array): number[] {
  const { problem, slotOf } = matching;
  const { ideal, weight, dropPenalty, lines } = problem;
  const { time, entry } = lines;
  const tau = time[entry[s]];
  const attracted: number[] = [];
  for (let j = 0; j < ideal.length; j++) {
    if (isOut[j] === 1) continue;
    const own = slotOf[j];
    const pays =
      own === dropped ? dropPenalty : weight[j] * Math.abs(time[entry[own]] - ideal[j]) + matching.price(own);
    if (weight[j] * Math.abs(tau - ideal[j]) < pays && mayUse(problem, j, s)) attracted.push(j);
  }
  return attracted;
}
