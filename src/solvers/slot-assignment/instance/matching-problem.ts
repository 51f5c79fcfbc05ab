import type { Poll } from '../../budget.ts';
import type { SlotAssignmentProblem } from '../problem.ts';
import { earliestStart, latestStart, type SlotGrid } from './instance.ts';
import type { Part, PartTasks } from './parts.ts';
import { anchor, type SlotLines, slotLines } from './slot-lines.ts';
import type { TimeOrder } from './time-sort.ts';

/** Tasks and slots of one connected part of an instance; arrays over its n tasks. */
export interface MatchingProblem {
  readonly ideal: Float64Array;
  readonly weight: Float64Array;
  /** Window of the start time, ±∞ where open; a release task's ideal time is in it. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Lines each task may use: lineOf[lineFrom[j] .. lineFrom[j+1]−1]. */
  readonly lineFrom: Int32Array;
  readonly lineOf: Int32Array;
  /**
   * Where the task's scan of that line starts: the first entry to the right of its ideal time, moved into its window.
   */
  readonly anchors: Int32Array;
  readonly dropPenalty: number;
  readonly lines: SlotLines;
}

/** Elementary steps to find where a task's scan of a line starts, for polls. */
const stepsPerAnchor = 100;

/** Tasks that can use only these slots (dense numbers), one fewer than the tasks. */
export interface HallSet {
  readonly tasks: Int32Array;
  readonly slots: Int32Array;
}

/**
 * A part as the shortest paths want it: windows, and the lines of slots each task may use. That is the merged line when
 * it may use every crawler of the part, else a line a crawler. O(n + pairs + M).
 */
export function matchingProblem(
  instance: SlotAssignmentProblem,
  grid: SlotGrid,
  part: Part,
  tasks: PartTasks,
  slots: TimeOrder,
  poll?: Poll,
): MatchingProblem {
  const { allowed } = instance;
  const n = tasks.ideal.length;
  const low = new Float64Array(n);
  const high = new Float64Array(n);
  const lineFrom = new Int32Array(n + 1);
  const original = (i: number): number => (part.tasks === null ? i : part.tasks[i]);
  const restricted = (j: number): number => {
    if (allowed === null || part.open) return 0;
    const listed = allowed.start[j + 1] - allowed.start[j];
    return listed === part.crawlers.length ? 0 : listed;
  };
  let apart = false;
  let merged = false;
  for (let i = 0; i < n; i++) {
    const j = original(i);
    low[i] = earliestStart(instance, j);
    high[i] = latestStart(instance, j);
    const listed = restricted(j);
    if (listed === 0) merged = true;
    else apart = true;
    lineFrom[i + 1] = lineFrom[i] + Math.max(1, listed);
  }
  const lines = slotLines(grid, slots, part.crawlers, { merged, apart }, poll);
  const lineOf = new Int32Array(lineFrom[n]);
  const lineOfCrawler = new Int32Array(grid.slotCounts.length);
  for (let c = 0; c < part.crawlers.length; c++) lineOfCrawler[part.crawlers[c]] = lines.firstCrawlerLine + c;
  for (let i = 0; i < n; i++) {
    const j = original(i);
    if (allowed === null || restricted(j) === 0) {
      lineOf[lineFrom[i]] = lines.merged;
      continue;
    }
    for (let a = allowed.start[j], at = lineFrom[i]; a < allowed.start[j + 1]; a++, at++) {
      lineOf[at] = lineOfCrawler[allowed.crawlers[a]];
    }
  }
  const weight = tasks.weight ?? new Float64Array(n).fill(tasks.commonWeight);
  const { ideal } = tasks;
  const anchors = new Int32Array(lineOf.length);
  for (let i = 0; i < n; i++) {
    for (let a = lineFrom[i]; a < lineFrom[i + 1]; a++) {
      anchors[a] =
        high[i] < ideal[i]
          ? anchor(lines, lineOf[a], high[i], true)
          : anchor(lines, lineOf[a], Math.max(ideal[i], low[i]), false);
    }
    poll?.(stepsPerAnchor * (lineFrom[i + 1] - lineFrom[i]));
  }
  return { ideal, weight, low, high, lineFrom, lineOf, anchors, dropPenalty: instance.dropPenalty, lines };
}

/** Whether a task may use a slot (dense number): its window and its crawlers. */
export function mayUse({ low, high, lineFrom, lineOf, lines }: MatchingProblem, j: number, s: number): boolean {
  const tau = lines.time[lines.entry[s]];
  if (tau < low[j] || tau > high[j]) return false;
  if (lineOf[lineFrom[j]] === lines.merged) return true;
  const own = lines.merged >= 0 ? lines.otherEntry[s] : lines.entry[s];
  for (let i = lineFrom[j]; i < lineFrom[j + 1]; i++) {
    if (lines.lineStart[lineOf[i]] <= own && own < lines.lineEnd[lineOf[i]]) return true;
  }
  return false;
}
