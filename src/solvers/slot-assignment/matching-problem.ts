import { earliestStart, latestStart, type SlotAssignmentInstance, type SlotGrid } from './instance.ts';
import type { Part, PartTasks } from './parts.ts';
import type { MatchingProblem } from './shortest-paths.ts';
import { anchor, slotLines } from './slot-lines.ts';
import { sortByTime, type TimeOrder } from './time-sort.ts';

/**
 * A part as the shortest paths want it: windows, and the lines of slots each task may use (the merged line when it may
 * use every crawler of the part, else a line a crawler). O(n + pairs + M).
 */
export function matchingProblem(
  instance: SlotAssignmentInstance,
  grid: SlotGrid,
  part: Part,
  tasks: PartTasks,
  slots: TimeOrder,
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
  const lines = slotLines(grid, slots, part.crawlers, merged, apart);
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
  }
  return { ideal, weight, low, high, lineFrom, lineOf, anchors, dropPenalty: instance.dropPenalty, lines };
}

/**
 * The order in which the tasks are inserted: by decreasing weight, so that later searches displace only light tasks and
 * stay short; within blocks of 4096, by time, so that neighbouring searches share the cache. O(n) for spread keys.
 */
export function insertionOrder(weight: Float64Array, ideal: Float64Array, interval: number): Int32Array {
  const n = weight.length;
  let heaviest = 0;
  for (let j = 0; j < n; j++) if (weight[j] > heaviest) heaviest = weight[j];
  const lightness = weight.map((w) => heaviest - w);
  const byWeight = sortByTime(lightness, null, heaviest).order.id;
  const block = new Int32Array(n);
  for (let i = 0; i < n; i++) block[byWeight[i]] = i >> blockOfTasksBits;
  const next = Int32Array.from({ length: (n >> blockOfTasksBits) + 1 }, (_, b) => b << blockOfTasksBits);
  const order = new Int32Array(n);
  const byTime = sortByTime(ideal, null, interval).order.id;
  for (let i = 0; i < n; i++) order[next[block[byTime[i]]]++] = byTime[i];
  return order;
}

const blockOfTasksBits = 12;
