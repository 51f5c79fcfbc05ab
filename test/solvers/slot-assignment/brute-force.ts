/**
 * Least cost of a small instance by a dynamic programme over sets of used slots. It shares no code with the solver but
 * the meaning of the fields. Returns +∞ when there is no assignment.
 */
import { releaseTask, type SlotAssignmentProblem } from '../../../src/solvers/slot-assignment/problem.ts';

export function bruteForce(instance: SlotAssignmentProblem): number {
  const { interval, slotCounts, idealTime, kind, weight, allowed, earliest, latest, dropPenalty } = instance;
  const slots: { crawler: number; time: number }[] = [];
  slotCounts.forEach((count, crawler) => {
    for (let l = 0; l < count; l++) slots.push({ crawler, time: (l * interval) / count });
  });
  let best = new Float64Array(1 << slots.length).fill(Number.POSITIVE_INFINITY);
  best[0] = 0;
  for (let j = 0; j < idealTime.length; j++) {
    const next = best.map((cost) => cost + dropPenalty);
    const crawlers = allowed === null ? [] : [...allowed.crawlers.subarray(allowed.start[j], allowed.start[j + 1])];
    slots.forEach(({ crawler, time }, s) => {
      if (crawlers.length > 0 && !crawlers.includes(crawler)) return;
      if (kind !== null && kind[j] === releaseTask && time < idealTime[j]) return;
      if (earliest !== null && time < earliest[j]) return;
      if (latest !== null && time > latest[j]) return;
      const cost = (weight === null ? 1 : weight[j]) * Math.abs(time - idealTime[j]);
      for (let used = 0; used < best.length; used++) {
        if ((used >> s) & 1) continue;
        const after = used | (1 << s);
        if (best[used] + cost < next[after]) next[after] = best[used] + cost;
      }
    });
    best = next;
  }
  return best.reduce((least, cost) => Math.min(least, cost), Number.POSITIVE_INFINITY);
}
