/** The caller's own policy, checked and turned into a mode for every level. */
import { ConditionNotMet } from '../condition.ts';
import { leastWhenEmpty, type ModeByLevel, modesOfThresholds, type Queue } from './queue.ts';

/**
 * A policy by queue length as it is written: crawlers at each length 0..K, or N − 1 thresholds of the N allowed modes.
 */
export type WrittenPolicy =
  | { readonly crawlersByQueueLength: readonly number[] }
  | { readonly thresholds: readonly number[] };

/** @throws ConditionNotMet with the place of the value that does not fit */
export function policyOf(queue: Queue, written: WrittenPolicy): ModeByLevel {
  const byLevel =
    'thresholds' in written ? ofThresholds(queue, written.thresholds) : ofCounts(queue, written.crawlersByQueueLength);
  if (byLevel[0] < leastWhenEmpty(queue)) {
    const message =
      'has no crawler active in an empty system: it would stay empty; give a count above 0 at queue length 0';
    throw new ConditionNotMet(['evaluate'], 'never-wakes', message);
  }
  return byLevel;
}

function ofThresholds(queue: Queue, thresholds: readonly number[]): ModeByLevel {
  const path = ['evaluate', 'thresholds'];
  const modes = queue.modes.length;
  if (thresholds.length !== modes - 1) {
    const counts = queue.modes.map((mode) => mode.crawlers).join(', ');
    throw new ConditionNotMet(
      path,
      'wrong-length',
      `has ${thresholds.length} thresholds; ${modes} modes (${counts}) need ${modes - 1}: the last queue length of each mode but the least active, most active first`,
    );
  }
  for (const [i, threshold] of thresholds.entries()) {
    if (!(Number.isInteger(threshold) && threshold >= -1 && threshold <= queue.capacity)) {
      throw new ConditionNotMet(
        [...path, i],
        'out-of-range',
        `is ${threshold}; a threshold is an integer from -1 (mode unused) to the capacity ${queue.capacity}`,
      );
    }
    if (i > 0 && threshold < thresholds[i - 1]) {
      throw new ConditionNotMet(
        [...path, i],
        'not-non-decreasing',
        `is ${threshold}, below ${thresholds[i - 1]} before it; thresholds do not decrease`,
      );
    }
  }
  return modesOfThresholds(queue, thresholds);
}

function ofCounts(queue: Queue, counts: readonly number[]): ModeByLevel {
  const path = ['evaluate', 'crawlersByQueueLength'];
  const { capacity } = queue;
  if (counts.length !== capacity + 1) {
    throw new ConditionNotMet(
      path,
      'wrong-length',
      `has ${counts.length} entries; a policy has one for each queue length 0 to ${capacity}, ${capacity + 1} in all`,
    );
  }
  const byLevel = new Uint8Array(queue.topLevel + 1);
  for (const [level, count] of counts.entries()) {
    const mode = queue.modes.findIndex((candidate) => candidate.crawlers === count);
    if (mode < 0) {
      const known = queue.modes.map((candidate) => candidate.crawlers).join(', ');
      throw new ConditionNotMet(
        [...path, level],
        'unknown-mode',
        `is ${count}; the allowed crawler counts are ${known}`,
      );
    }
    byLevel[level] = mode;
  }
  for (let level = capacity + 1; level <= queue.topLevel; level++) byLevel[level] = byLevel[capacity];
  return byLevel;
}
