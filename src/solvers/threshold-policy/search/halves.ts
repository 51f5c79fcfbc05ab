/**
 * The halves that splitting (enumerate.ts) puts together. For each last threshold j there are the passages of the
 * levels above in the two least active modes. For all thresholds of the others below s the passages from the levels
 * {0..s}, which grow with s.
 */
import type { Poll } from '../../budget.ts';
import type { Heights } from '../evaluate/memoryless/level-passages.ts';
import type { Passages } from './passages.ts';

/** All lower halves of {0..s}: their passages, the modes they use and their thresholds, side by side. */
export interface LowerHalves {
  readonly count: number;
  readonly data: Float64Array;
  readonly lastMode: Uint8Array;
  readonly usedModes: Float64Array;
  /** N_lower − 1 thresholds each. */
  readonly thresholds: Int16Array;
}

/** H_i of every upper half: where that from level i + 1 to i stands. */
export interface UpperHalves {
  /** All levels in the least active mode. */
  readonly least: Heights;
  /** Levels up to j in the next mode, those above in the least active one. */
  of(j: number): Heights;
  /** All levels from one on in some mode. */
  from(first: number, mode: number): Heights;
}

export function upperHalves(passages: Passages, upperModes: number, poll: Poll): UpperHalves {
  const { queue, n, upperWidth } = passages;
  const size = n * upperWidth;
  const { topLevel, capacity } = queue;
  const from = (first: number, mode: number): Heights => {
    const chain = new Float64Array((topLevel - first + 1) * size);
    const heights: Heights = (level) => ({ data: chain, at: (level - first + 1) * size });
    for (let level = topLevel; level >= first; level--) {
      passages.extendDown(level, mode, heights, chain, (level - first) * size);
    }
    return heights;
  };
  // Levels above j are in the least active mode whatever j is: one chain for all.
  const least = from(1, 0);
  const chains: Float64Array[] = [];
  const of = (j: number): Heights => {
    // With j = K all levels, those above K too, are in the more active mode.
    const last = j === capacity ? topLevel : j;
    return (level) => (level >= last ? least(level) : { data: chains[j], at: level * size });
  };
  for (let j = 0; j <= (upperModes === 2 ? capacity : -1); j++) {
    const last = j === capacity ? topLevel : j;
    chains.push(new Float64Array(last * size));
    for (let level = last; level >= 1; level--) {
      poll(size * (n * passages.steps + 20));
      passages.extendDown(level, 1, of(j), chains[j], (level - 1) * size);
    }
  }
  return { least, of, from };
}

export function firstLowerHalves(passages: Passages, modes: number, lowerModes: number): LowerHalves {
  const size = passages.n * passages.lowerWidth;
  const data = new Float64Array(lowerModes * size);
  const lastMode = new Uint8Array(lowerModes);
  const usedModes = new Float64Array(lowerModes);
  const own = lowerModes - 1;
  const thresholds = new Int16Array(lowerModes * own).fill(-1);
  for (let half = 0; half < lowerModes; half++) {
    const mode = modes - 1 - half;
    passages.extendUp(0, mode, data, 0, data, half * size);
    lastMode[half] = mode;
    usedModes[half] = 2 ** mode;
    // More active modes than this one are used up to level −1, this one and the later up to s = 0 at least.
    for (let t = half; t < own; t++) thresholds[half * own + t] = 0;
  }
  return { count: lowerModes, data, lastMode, usedModes, thresholds };
}

export function nextLowerHalves(
  passages: Passages,
  level: number,
  lower: LowerHalves,
  modes: number,
  lowerModes: number,
): LowerHalves {
  const size = passages.n * passages.lowerWidth;
  const least = modes - lowerModes;
  const own = lowerModes - 1;
  let count = 0;
  for (let half = 0; half < lower.count; half++) count += lower.lastMode[half] - least + 1;
  const next = {
    count,
    data: new Float64Array(count * size),
    lastMode: new Uint8Array(count),
    usedModes: new Float64Array(count),
    thresholds: new Int16Array(count * own),
  };
  let at = 0;
  for (let half = 0; half < lower.count; half++) {
    const last = lower.lastMode[half];
    for (let mode = last; mode >= least; mode--, at++) {
      passages.extendUp(level, mode, lower.data, half * size, next.data, at * size);
      next.lastMode[at] = mode;
      next.usedModes[at] = lower.usedModes[half] + (mode === last ? 0 : 2 ** mode);
      // Thresholds of the modes from this one on move up with s.
      for (let t = 0; t < own; t++) {
        next.thresholds[at * own + t] = t < modes - 1 - mode ? lower.thresholds[half * own + t] : level;
      }
    }
  }
  return next;
}
