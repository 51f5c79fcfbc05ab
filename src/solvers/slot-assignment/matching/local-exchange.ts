import { dropped } from '../instance/instance.ts';
import { isRestricted, type MatchingProblem, mayUse } from '../instance/matching-problem.ts';
import { positions } from '../instance/positions.ts';

/** Distance, in slots in order of time, over which two tasks may exchange slots. */
const reach = 4;

/**
 * Lets tasks in slots at most four apart in time exchange them, or move to an idle slot there, while that lowers the
 * cost. Where tasks are kept to crawlers, the tasks of each crawler then do so among its own slots, which are further
 * apart. A feasible assignment stays feasible. O(M) a pass.
 */
export function improveByExchange(problem: MatchingProblem, slotOf: Int32Array, stopRequested: () => boolean): void {
  const owner = ownersOf(problem, slotOf);
  exchangeAlong(problem, positions(owner.length), slotOf, owner, stopRequested);
  if (!isRestricted(problem)) return;
  const { mergedLine, lineStart, lineEnd, slot } = problem.lines;
  for (const [line, start] of lineStart.entries()) {
    if (line !== mergedLine) exchangeAlong(problem, slot.subarray(start, lineEnd[line]), slotOf, owner, stopRequested);
  }
}

/** The task of each slot, −1 where it is free. */
export function ownersOf({ lines }: MatchingProblem, slotOf: Int32Array): Int32Array {
  const owner = new Int32Array(lines.entry.length).fill(-1);
  for (let j = 0; j < slotOf.length; j++) if (slotOf[j] !== dropped) owner[slotOf[j]] = j;
  return owner;
}

/** Exchanges tasks among these slots, which are in order of time, while that lowers the cost. */
function exchangeAlong(
  problem: MatchingProblem,
  slots: Int32Array,
  slotOf: Int32Array,
  owner: Int32Array,
  stopRequested: () => boolean,
): void {
  const { ideal, weight, lines } = problem;
  const { time, entry } = lines;
  const m = slots.length;
  const cost = (j: number, s: number): number => weight[j] * Math.abs(time[entry[s]] - ideal[j]);
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (let k = 0; k < m; k++) {
      if ((k & 4095) === 0 && stopRequested()) return;
      const a = slots[k];
      for (let other = k + 1; other <= k + reach && other < m; other++) {
        const b = slots[other];
        const i = owner[a];
        const j = owner[b];
        if (i < 0 && j < 0) continue;
        const oldCost = (i < 0 ? 0 : cost(i, a)) + (j < 0 ? 0 : cost(j, b));
        const newCost = (i < 0 ? 0 : cost(i, b)) + (j < 0 ? 0 : cost(j, a));
        if (!(newCost < oldCost) || (i >= 0 && !mayUse(problem, i, b)) || (j >= 0 && !mayUse(problem, j, a))) continue;
        owner[a] = j;
        owner[b] = i;
        if (i >= 0) slotOf[i] = b;
        if (j >= 0) slotOf[j] = a;
        hasChanged = true;
      }
    }
  }
}
