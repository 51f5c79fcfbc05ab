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
import type { Admission, LevelArrivals, Mode } from './queue.ts';

/** How many pages of a batch of `size` enter when `level` pages are in the system. */
export function admitted(admission: Admission, capacity: number, level: number, size: number): number {
  if (admission === 'partial') return Math.max(0, Math.min(size, capacity - level));
  if (admission === 'complete-rejection') return level + size <= capacity ? size : 0;
  return level < capacity ? size : 0;
}

/** The longest the queue can be. */
export function topLevelOf(admission: Admission, capacity: number, largestBatch: number): number {
  return admission === 'complete-admission' ? capacity - 1 + Math.max(1, largestBatch) : capacity;
}

/**
 * The arrivals of one mode as each level 0..topLevel sees them. Levels that see the same thing share one object.
 * O(K·k_max·W²).
 */
export function arrivalsByLevel(mode: Mode, admission: Admission, capacity: number, topLevel: number): LevelArrivals[] {
  const { matrices } = mode;
  const size = matrices[0].length;
  const phases = Math.round(Math.sqrt(size));
  const largestBatch = matrices.length - 1;
  const levels: LevelArrivals[] = [];
  for (let level = 0; level <= topLevel; level++) {
    // The largest batch still fits, so every batch does.
    const previous = levels.at(-1);
    if (previous !== undefined && admitted(admission, capacity, level, largestBatch) === largestBatch) {
      levels.push(previous);
      continue;
    }
    const entering = matrices.map((_, batch) => admitted(admission, capacity, level, batch));
    const blocks: Float64Array[] = [];
    const lossRate = new Float64Array(phases);
    for (let step = 0; step <= Math.max(...entering); step++) blocks.push(new Float64Array(size));
    for (let batch = 0; batch <= largestBatch; batch++) {
      const block = blocks[entering[batch]];
      const lost = batch - entering[batch];
      for (let cell = 0; cell < size; cell++) {
        block[cell] += matrices[batch][cell];
        if (lost > 0) lossRate[Math.floor(cell / phases)] += lost * matrices[batch][cell];
      }
    }
    levels.push({ blocks, lossRate });
  }
  return levels;
}
