/** A policy by queue length in the caller's terms: counts, the modes it uses, and its thresholds. */
import type { Measures } from '../../queue/measures.ts';
import type { ModeByLevel, Queue } from '../../queue/queue.ts';
import type { CrawlersByState } from '../../queue/state-policy.ts';
import type { FurtherMeasures } from '../evaluate/chain/measure-kinds.ts';

export interface PolicySolution {
  /** Crawlers at each queue length 0..K. */
  readonly crawlersByQueueLength: readonly number[];
  /** Crawler counts used, most active first. */
  readonly modes: readonly number[];
  /** One fewer than modes: the last queue length of each but the least active; null when the policy is not monotone. */
  readonly thresholds: readonly number[] | null;
  /** What to do in each state, where phases are seen; the counts by queue length are then means. */
  readonly crawlersByState?: CrawlersByState;
  readonly measures: Measures & FurtherMeasures;
}

/** The counts at queue lengths 0..K. */
export function countsOf(queue: Queue, byLevel: ModeByLevel): number[] {
  return Array.from(byLevel.subarray(0, queue.capacity + 1), (mode) => queue.modes[mode].crawlers);
}

export function policySolution(
  queue: Queue,
  byLevel: ModeByLevel,
  measures: PolicySolution['measures'],
): PolicySolution {
  const thresholds: number[] = [];
  let monotone = true;
  for (let level = 1; level <= queue.capacity; level++) {
    if (byLevel[level] !== byLevel[level - 1]) thresholds.push(level - 1);
    if (byLevel[level] > byLevel[level - 1]) monotone = false;
  }
  const modes = [...new Set(byLevel.subarray(0, queue.capacity + 1))].sort((a, b) => b - a);
  return {
    crawlersByQueueLength: countsOf(queue, byLevel),
    modes: modes.map((mode) => queue.modes[mode].crawlers),
    thresholds: monotone ? thresholds : null,
    measures,
  };
}
