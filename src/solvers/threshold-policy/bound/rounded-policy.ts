/**
 * From a relaxed policy of branch and bound, which sees phases, to one by queue length, and to where it should be
 * branched.
 */

import { blockSize, type ModeByLevel, type Queue } from '../../queue/queue.ts';
import { stationaryDistribution } from '../evaluate/chain/stationary.ts';

/** The monotone policy nearest to a relaxed one, and where to branch (level −1: it is the only one left). */
export function roundedPolicy(
  queue: Queue,
  modes: Uint8Array,
  lowest: Uint8Array,
  highest: Uint8Array,
): { readonly byLevel: ModeByLevel; readonly level: number; readonly cut: number } {
  const { capacity, topLevel } = queue;
  const n = blockSize(queue);
  const plain = new Uint8Array(topLevel + 1);
  for (let i = 0; i <= topLevel; i++) plain[i] = modes[i * n];
  const distribution = stationaryDistribution(queue, plain);
  const means = new Float64Array(capacity + 1);
  const byLevel = new Uint8Array(topLevel + 1);
  let level = -1;
  let largest = 0;
  // Where nothing speaks against the relaxed policy, yet its bound is not attained (a limit, or the ratio): the widest
  // choice.
  let widest = -1;
  let width = 0;
  let ceiling = Number.POSITIVE_INFINITY;
  let previous = queue.modes.length - 1;
  for (let i = 0; i <= capacity; i++) {
    let share = 0;
    let mean = 0;
    let [least, most] = [queue.modes.length, -1];
    for (let state = 0; state < n; state++) {
      const weight = distribution[i * n + state];
      const mode = modes[i * n + state];
      share += weight;
      mean += weight * mode;
      if (weight > 1e-9 || share === 0) [least, most] = [Math.min(least, mode), Math.max(most, mode)];
    }
    for (let state = 0; state < n; state++) {
      const mode = modes[i * n + state];
      [least, most] = [Math.min(least, mode), Math.max(most, mode)];
    }
    means[i] = share > 0 ? mean / share : plain[i];
    const against = Math.max(0, most - ceiling);
    ceiling = Math.min(ceiling, least);
    const range = (share + 1e-12) * (highest[i] - lowest[i]);
    if (range > width) [widest, width] = [i, range];
    const spread = (share + 1e-12) * (most - least + against);
    if (spread > largest && lowest[i] < highest[i]) {
      largest = spread;
      level = i;
    }
    previous = Math.min(previous, Math.max(lowest[i], Math.min(highest[i], Math.round(means[i]))));
    byLevel[i] = previous;
  }
  for (let i = capacity + 1; i <= topLevel; i++) byLevel[i] = previous;
  if (level < 0) level = widest;
  if (level < 0) return { byLevel, level, cut: 0 };
  const cut = Math.min(highest[level] - 1, Math.max(lowest[level], Math.floor(means[level])));
  return { byLevel, level, cut };
}
