/**
 * What all modes would do in a state, side by side in memory. Policy iteration compares them in every state of every
 * round, and reads nothing else as often. The same numbers as in the queue and in the rewards.
 */

import { blockSize, type Queue } from '../../../queue/queue.ts';
import type { Rewards } from '../../evaluate/memoryless/rewards.ts';

export interface PackedModes {
  /** ratesUp[level]: from phase ν in mode a, `step` levels up into ν′, at ((ν·N + a)·(steps + 1) + step)·W + ν′. */
  readonly ratesUp: readonly Float64Array[];
  /** The most levels that any batch leads up from each level. */
  readonly steps: Uint16Array;
  /** The four reward columns of (level, state) in mode a: at ((level·n + state)·N + a)·4. */
  readonly rewards: Float64Array;
}

export function packedModes(queue: Queue, rewards: Rewards): PackedModes {
  const { arrivals, topLevel } = queue;
  const ratesUp: Float64Array[] = [];
  const steps = new Uint16Array(topLevel + 1);
  for (let level = 0; level <= topLevel; level++) {
    const shared = level > 0 && arrivals.every((levels) => levels[level] === levels[level - 1]);
    if (shared) steps[level] = steps[level - 1];
    else for (const levels of arrivals) steps[level] = Math.max(steps[level], levels[level].blocks.length - 1);
    ratesUp.push(shared ? ratesUp[level - 1] : packedRates(queue, level, steps[level]));
  }
  return { ratesUp, steps, rewards: packedRewards(queue, rewards) };
}

function packedRates({ arrivals, arrivalPhases }: Queue, level: number, steps: number): Float64Array {
  const modes = arrivals.length;
  const width = (steps + 1) * arrivalPhases;
  const packed = new Float64Array(arrivalPhases * modes * width);
  for (const [mode, levels] of arrivals.entries()) {
    for (const [step, block] of levels[level].blocks.entries()) {
      for (let from = 0; from < arrivalPhases; from++) {
        const row = block.subarray(from * arrivalPhases, (from + 1) * arrivalPhases);
        packed.set(row, (from * modes + mode) * width + step * arrivalPhases);
      }
    }
  }
  return packed;
}

function packedRewards(queue: Queue, { table }: Rewards): Float64Array {
  const n = blockSize(queue);
  const modes = table.length;
  const packed = new Float64Array((queue.topLevel + 1) * n * modes * 4);
  for (const [mode, levels] of table.entries()) {
    for (const [level, columns] of levels.entries()) {
      for (let state = 0; state < n; state++) {
        const at = ((level * n + state) * modes + mode) * 4;
        for (let c = 0; c < 4; c++) packed[at + c] = columns[state * 4 + c];
      }
    }
  }
  return packed;
}
