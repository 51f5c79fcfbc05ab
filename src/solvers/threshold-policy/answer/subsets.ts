/** The table of subsets: the best thresholds of every subset of two or more modes, as the paper lists them. */
import { modesOfThresholds, type Queue } from '../../queue/queue.ts';
import type { Best } from '../search/tally.ts';

export interface Subset {
  readonly modes: readonly number[];
  readonly thresholds: readonly number[];
  readonly cost: number;
}

/**
 * The best thresholds of every subset of two or more modes, from the best policy of every set of modes that is used.
 * The thresholds of a subset lie in 0..K−1. So its most active mode is used when the system is empty and its least
 * active when it is full. Modes between may go unused (equal thresholds). Fewest modes first. O(2^N·2^N) set
 * operations.
 */
export function subsetTable(queue: Queue, byModes: ReadonlyMap<number, Best>): Subset[] {
  const modes = queue.modes.length;
  const subsets: Subset[] = [];
  for (let set = 3; set < 2 ** modes; set++) {
    const members = Array.from({ length: modes }, (_, mode) => mode).filter((mode) => (set >> mode) & 1);
    if (members.length < 2) continue;
    const ends = (1 << members[0]) | (1 << members[members.length - 1]);
    let best: Best | null = null;
    for (const [used, candidate] of byModes) {
      if ((used & ~set) !== 0 || (used & ends) !== ends) continue;
      if (best === null || candidate.cost < best.cost) best = candidate;
    }
    if (best === null) continue;
    const byLevel = modesOfThresholds(queue, best.thresholds);
    const descending = members.reverse();
    const thresholds = descending.slice(0, -1).map((mode) => {
      let last = -1;
      for (let level = 0; level <= queue.capacity; level++) if (byLevel[level] >= mode) last = level;
      return last;
    });
    subsets.push({
      modes: descending.map((mode) => queue.modes[mode].crawlers),
      thresholds,
      cost: best.cost,
    });
  }
  return subsets.sort((a, b) => a.modes.length - b.modes.length || compare(a.modes, b.modes));
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [i, count] of a.entries()) if (count !== b[i]) return count - b[i];
  return 0;
}
