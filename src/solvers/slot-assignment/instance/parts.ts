/**
 * The independent parts of an instance: crawlers that share tasks, directly or through other crawlers, form a part, and
 * each part is solved on its own. Tasks bound to one crawler each (host affinity) fall into one part a crawler.
 */
import type { SlotAssignmentProblem } from '../problem.ts';
import { earliestStart, latestStart } from './instance.ts';
import { positions } from './positions.ts';
import { sortByTime } from './time-sort.ts';

/** Some crawlers and the tasks that can use only them. */
export interface Part {
  /** Positions of the crawlers, ascending. */
  readonly crawlers: Int32Array;
  /** Positions of the tasks, ascending or in time order; null: all tasks of the instance. */
  readonly tasks: Int32Array | null;
  /** True when every task of the part may use every crawler of the part. */
  readonly open: boolean;
}

/** The parts that have tasks. O(n + pairs + C). */
export function partsOf(instance: SlotAssignmentProblem): Part[] {
  const crawlerCount = instance.slotCounts.length;
  const n = instance.idealTime.length;
  if (n === 0) return [];
  const { allowed } = instance;
  if (allowed === null) return [{ crawlers: positions(crawlerCount), tasks: null, open: true }];
  const root = positions(crawlerCount);
  const find = (k: number): number => {
    let x = k;
    while (root[x] !== x) {
      root[x] = root[root[x]];
      x = root[x];
    }
    return x;
  };
  let unrestricted = false;
  for (let j = 0; j < n; j++) {
    const from = allowed.start[j];
    const to = allowed.start[j + 1];
    if (from === to) unrestricted = true;
    for (let i = from + 1; i < to; i++) root[find(allowed.crawlers[i])] = find(allowed.crawlers[from]);
  }
  if (unrestricted) root.fill(0);
  const partOfRoot = new Int32Array(crawlerCount).fill(-1);
  const crawlers: number[][] = [];
  const partOfCrawler = new Int32Array(crawlerCount);
  for (let k = 0; k < crawlerCount; k++) {
    const r = find(k);
    if (partOfRoot[r] < 0) partOfRoot[r] = crawlers.push([]) - 1;
    partOfCrawler[k] = partOfRoot[r];
    crawlers[partOfRoot[r]].push(k);
  }
  const partOfTask = (j: number): number => (unrestricted ? 0 : partOfCrawler[allowed.crawlers[allowed.start[j]]]);
  const counts = new Int32Array(crawlers.length);
  const open = new Uint8Array(crawlers.length).fill(1);
  for (let j = 0; j < n; j++) {
    const part = partOfTask(j);
    counts[part]++;
    const listedCount = allowed.start[j + 1] - allowed.start[j];
    if (listedCount > 0 && listedCount < crawlers[part].length) open[part] = 0;
  }
  const tasks = Array.from(counts, (count) => new Int32Array(count));
  const next = new Int32Array(crawlers.length);
  for (let j = 0; j < n; j++) {
    const part = partOfTask(j);
    tasks[part][next[part]++] = j;
  }
  const parts: Part[] = [];
  for (let part = 0; part < crawlers.length; part++) {
    if (counts[part] === 0) continue;
    parts.push({
      crawlers: Int32Array.from(crawlers[part]),
      tasks: crawlers.length === 1 ? null : tasks[part],
      open: open[part] === 1,
    });
  }
  return parts;
}

/** The part with its tasks in the order of their ideal times: neighbours in time then share the cache. O(n). */
export function sortByIdealTime(part: Part, ideal: Float64Array, interval: number): Part {
  const { id } = sortByTime(ideal, null, interval).order;
  const { tasks } = part;
  return { ...part, tasks: tasks === null ? id : id.map((i) => tasks[i]) };
}

/** The tasks of a part; arrays over its tasks, in the part's order. */
export interface PartTasks {
  readonly ideal: Float64Array;
  /** null: all weights are `commonWeight`. */
  readonly weight: Float64Array | null;
  readonly commonWeight: number;
  /** The tasks in the form that the sweep solves; null where the sweep is not exact. */
  readonly sweep: SweepTasks | null;
}

/**
 * Tasks in the form that the sweep solves. A flexible task whose window opens after its ideal time is a release task of
 * the time the window opens: its cost differs by a constant.
 */
export interface SweepTasks {
  /** Sort key by task: the ideal time of a flexible task, the earliest start of a release task. */
  readonly time: Float64Array;
  /** 1 for release tasks; null: there are none. */
  readonly release: Uint8Array | null;
}

/** Gathers the tasks of a part. @param lastSlot time of the part's last slot: later bounds do not bind. O(n). */
export function partTasks(instance: SlotAssignmentProblem, part: Part, lastSlot: number): PartTasks {
  const gather = (values: Float64Array): Float64Array => {
    if (part.tasks === null) return values;
    const result = new Float64Array(part.tasks.length);
    for (let i = 0; i < result.length; i++) result[i] = values[part.tasks[i]];
    return result;
  };
  const ideal = gather(instance.idealTime);
  const weights = instance.weight && gather(instance.weight);
  const commonWeight = weights === null ? 1 : weights[0];
  const weight = weights?.every((w) => w === commonWeight) ? null : weights;
  const sweep = part.open && weight === null ? sweepTasks(instance, part, ideal, lastSlot, commonWeight) : null;
  return { ideal, weight, commonWeight, sweep };
}

/**
 * The tasks as the sweep takes them; null where it cannot keep some window. Null also where tasks may be dropped and
 * are of both kinds, have costs that differ by constants, or have weight 0: the sweep's decision to drop ignores these.
 */
function sweepTasks(
  instance: SlotAssignmentProblem,
  { tasks }: Part,
  ideal: Float64Array,
  lastSlot: number,
  commonWeight: number,
): SweepTasks | null {
  const { kind, earliest, latest, dropPenalty } = instance;
  const mayDrop = dropPenalty < Number.POSITIVE_INFINITY;
  if (mayDrop && commonWeight === 0) return null;
  if (kind === null && earliest === null && latest === null) return { time: ideal, release: null };
  const time = ideal.slice();
  const release = new Uint8Array(ideal.length);
  let releases = 0;
  for (let i = 0; i < ideal.length; i++) {
    const j = tasks === null ? i : tasks[i];
    if (latestStart(instance, j) < lastSlot) return null;
    const low = earliestStart(instance, j);
    if (low >= ideal[i]) {
      if (mayDrop && (low > ideal[i] || releases < i)) return null;
      time[i] = low;
      release[i] = 1;
      releases++;
    } else if (low > 0 || (mayDrop && releases > 0)) return null;
  }
  return { time, release: releases === 0 ? null : release };
}
