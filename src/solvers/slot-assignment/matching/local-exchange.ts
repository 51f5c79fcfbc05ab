import { type MatchingProblem, mayUse } from '../instance/matching-problem.ts';

const reach = 4;
const mostPasses = 8;

/**
 * Lets tasks in slots at most four apart in time change places, or move to an idle slot there, while that lowers the
 * cost: at most eight passes over the slots. Feasible stays feasible. O(M) a pass.
 */
export function improveByExchange(
  problem: MatchingProblem,
  slotOf: Int32Array,
  owner: Int32Array,
  stopRequested: () => boolean,
): void {
  const { ideal, weight, lines } = problem;
  const { time, entry } = lines;
  const m = owner.length;
  const cost = (j: number, s: number): number => weight[j] * Math.abs(time[entry[s]] - ideal[j]);
  for (let pass = 0, changed = true; changed && pass < mostPasses; pass++) {
    changed = false;
    for (let a = 0; a < m; a++) {
      if ((a & 4095) === 0 && stopRequested()) return;
      for (let b = a + 1; b <= a + reach && b < m; b++) {
        const i = owner[a];
        const j = owner[b];
        if (i < 0 && j < 0) continue;
        const now = (i < 0 ? 0 : cost(i, a)) + (j < 0 ? 0 : cost(j, b));
        const then = (i < 0 ? 0 : cost(i, b)) + (j < 0 ? 0 : cost(j, a));
        if (!(then < now) || (i >= 0 && !mayUse(problem, i, b)) || (j >= 0 && !mayUse(problem, j, a))) continue;
        owner[a] = j;
        owner[b] = i;
        if (i >= 0) slotOf[i] = b;
        if (j >= 0) slotOf[j] = a;
        changed = true;
      }
    }
  }
}
