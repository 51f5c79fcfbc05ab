/**
 * What a batch that finds i pages does to the queue, for the three admission strategies.
 *
 * - partial: as many pages of the batch enter as fit, the others are lost;
 * - complete rejection: the batch enters if all of it fits, else all of it is lost;
 * - complete admission: the batch enters whole if it finds i < K, so levels reach K − 1 + k_max.
 *
 * Source: Avrachenkov et al. (2012), section 2 (partial admission; the other two "in analogous way") and the lemma of
 * section 3 (Q_{i,i+l}). Lost pages of truncated batches count as lost.
 */
import type { Admission } from './queue.ts';

/** How many pages of a batch of `size` enter when `level` pages are in the system. */
export function admitPages(admission: Admission, capacity: number, level: number, size: number): number {
  if (admission === 'partial') return Math.max(0, Math.min(size, capacity - level));
  if (admission === 'complete-rejection') return level + size <= capacity ? size : 0;
  return level < capacity ? size : 0;
}
