/**
 * Earliest deadline first among the eligible: R. Tijdeman, The chairman assignment problem, Discrete Mathematics 32
 * (1980).
 *
 * With f = n/K and N pages, o = 1/(2N − 2): a page accessed x times so far may be accessed again from step k ≥ (x +
 * o)/f on, and must be by (x + 1 − o)/f. Choosing the earliest deadline keeps |accesses − f·k| ≤ 1 − o at every step,
 * so the counts are met exactly.
 * O(log N) a step: eligible pages wait in a heap, the others in one list a step.
 */
import type { Budget } from '../../budget.ts';
import { KeyedHeap } from '../../numerics/heaps/keyed-heap.ts';

/**
 * @param counts accesses of each page, summing to `cycle`
 * @returns the cycle, or null if the budget ran out
 */
export function earliestDeadline(counts: Uint32Array, cycle: number, budget: Budget): Uint32Array | null {
  const present = counts.reduce((n, count) => (count > 0 ? n + 1 : n), 0);
  const offset = present > 1 ? 1 / (2 * present - 2) : 0;
  const done = new Uint32Array(counts.length);
  // pages by the step (from 1) in which they become eligible, as linked lists
  const firstAt = new Int32Array(cycle + 2).fill(-1);
  const nextOf = new Int32Array(counts.length);
  const wait = (page: number, now: number): void => {
    const release = Math.ceil(((done[page] + offset) * cycle) / counts[page] - 1e-9);
    const step = Math.min(cycle, Math.max(now, release));
    nextOf[page] = firstAt[step];
    firstAt[step] = page;
  };
  for (let page = counts.length - 1; page >= 0; page--) if (counts[page] > 0) wait(page, 1);
  const eligible = new KeyedHeap(present);
  const sequence = new Uint32Array(cycle);
  for (let step = 1, opened = 0; step <= cycle; step++) {
    if ((step & 4095) === 0 && budget.stopRequested()) return null;
    // by the theorem one page at least is eligible in every step; rounding could open it a step late
    while (opened < step || (eligible.size === 0 && opened < cycle)) {
      opened++;
      for (let page = firstAt[opened]; page >= 0; page = nextOf[page])
        eligible.push(-((done[page] + 1 - offset) * cycle) / counts[page], page);
    }
    const page = eligible.pop();
    sequence[step - 1] = page;
    if (++done[page] < counts[page]) wait(page, opened + 1);
  }
  return sequence;
}
