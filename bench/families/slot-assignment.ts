/**
 * `slot-assignment` in three seconds of processor time, against two rules: heaviest task first to the nearest free slot,
 * and tasks in the order of ideal times with exchanges of neighbours.
 */
import { assignSlots } from '../../src/solvers/slot-assignment/index.ts';
import type { Contest, Instance, Outcome } from './contest.ts';
import { axisTexts, type Draw, drawNormal, drawPoints, type Point, seededDraw } from './draws.ts';

const axes = {
  tasks: [300, 3000, 30_000, 100_000],
  load: [0.8, 0.95, 1],
  // share of the tasks with one common ideal time
  together: [0, 0.3],
  weights: ['even', 'lognormal'],
  // share of forbidden (task, crawler) pairs
  forbidden: [0, 0, 0.5, 0.8],
} as const;

const crawlers = 10;
const limitMs = 3000;

export const slotAssignmentContest: Contest = {
  operation: 'slot-assignment',
  instances(size, seed) {
    const cases = drawPoints(axes, size === 'grid' ? 48 : 24, seed).filter(
      ({ tasks }) => size === 'grid' || tasks <= 300,
    );
    return cases.map((point, k) => instanceOf(point, seed * 1000 + k));
  },
};

/** Tasks with ideal times in [0, 1], and the crawlers allowed for each. */
interface Tasks {
  readonly ideal: readonly number[];
  readonly weight: readonly number[];
  readonly allowed: readonly (readonly number[])[] | null;
  /** Number of evenly spaced slots of each crawler, the first at 0. */
  readonly slots: number;
}

function instanceOf(point: Point<typeof axes>, seed: number): Instance {
  const tasks = drawTasks(point, seededDraw(seed));
  return {
    axes: axisTexts(point),
    solve: () => solveCase(tasks),
    rules: { 'heaviest first': () => heaviestFirst(tasks), 'in order': () => (tasks.allowed ? null : inOrder(tasks)) },
  };
}

function drawTasks({ tasks, load, together, weights, forbidden }: Point<typeof axes>, draw: Draw): Tasks {
  const ideal = Array.from({ length: tasks }, () => (draw() < together ? 0.5 : draw()));
  const weight = ideal.map(() => (weights === 'even' ? 0.1 + 10 * draw() : Math.exp(drawNormal(draw))));
  const drawCrawlers = (): number[] => {
    const list = Array.from({ length: crawlers }, (_, k) => k).filter(() => draw() >= forbidden);
    return list.length > 0 ? list : [Math.floor(draw() * crawlers)];
  };
  return {
    ideal,
    weight,
    allowed: forbidden > 0 ? ideal.map(drawCrawlers) : null,
    slots: Math.ceil(tasks / load / crawlers),
  };
}

function solveCase({ ideal, weight, allowed, slots }: Tasks): Outcome {
  const start = Int32Array.from([0, ...(allowed ?? []).map(({ length }) => length)]);
  for (let j = 1; j < start.length; j++) start[j] += start[j - 1];
  const problem = {
    interval: 1,
    slotCounts: new Int32Array(crawlers).fill(slots),
    idealTime: Float64Array.from(ideal),
    kind: null,
    weight: Float64Array.from(weight),
    allowed: allowed && { start, crawlers: Int32Array.from(allowed.flat()) },
    earliest: null,
    latest: null,
    dropPenalty: Number.POSITIVE_INFINITY,
  };
  const startUsage = process.cpuUsage();
  // Reading the processor time takes microseconds, so it is read only when the wall clock says that it may matter.
  let [readAt, usedMs] = [0, 0];
  const processorMs = (): number => {
    const now = performance.now();
    if (now > readAt + 0.5) {
      const { user, system } = process.cpuUsage(startUsage);
      [readAt, usedMs] = [now, (user + system) / 1000];
    }
    return usedMs;
  };
  const remainingMs = (): number => Math.max(0, limitMs - processorMs());
  const budget = { seed: 0, stopRequested: () => remainingMs() === 0, remainingMs, report: () => {} };
  const answer = assignSlots(problem, budget);
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  const { value, gap } = answer.objective;
  return { value, gap, recomputed: costOf({ ideal, weight }, answer.placement.time) };
}

function costOf({ ideal, weight }: Pick<Tasks, 'ideal' | 'weight'>, time: ArrayLike<number>): number {
  return ideal.reduce((sum, t, j) => sum + weight[j] * Math.abs(time[j] - t), 0);
}

/** Heaviest task first, each to the nearest free allowed slot; null if a task finds none. */
function heaviestFirst({ ideal, weight, allowed, slots }: Tasks): number | null {
  // Per crawler union-find links to the next free slot in both directions; the first and last entries are sentinels.
  const line = (): Int32Array => Int32Array.from({ length: slots + 2 }, (_, l) => l);
  const [right, left] = [Array.from({ length: crawlers }, line), Array.from({ length: crawlers }, line)];
  const find = (next: Int32Array, from: number): number => {
    let at = from;
    while (next[at] !== at) at = next[at] = next[next[at]];
    return at;
  };
  const allCrawlers = Array.from({ length: crawlers }, (_, k) => k);
  let cost = 0;
  for (const j of Array.from(ideal.keys()).sort((a, b) => weight[b] - weight[a])) {
    const idealSlot = Math.min(slots, Math.floor(ideal[j] * slots) + 1);
    let minimum = Number.POSITIVE_INFINITY;
    let [crawler, slot] = [-1, -1];
    for (const k of allowed === null ? allCrawlers : allowed[j]) {
      for (const s of [find(left[k], idealSlot), find(right[k], idealSlot)]) {
        if (s < 1 || s > slots) continue;
        const distance = Math.abs((s - 1) / slots - ideal[j]);
        if (distance < minimum) [minimum, crawler, slot] = [distance, k, s];
      }
    }
    if (crawler < 0) return null;
    left[crawler][slot] = slot - 1;
    right[crawler][slot] = slot + 1;
    cost += weight[j] * minimum;
  }
  return cost;
}

/** Tasks in the order of ideal times on evenly chosen slots, then exchanges of neighbours while they lower the cost. */
function inOrder({ ideal, weight, slots }: Tasks): number {
  const total = slots * crawlers;
  const order = Array.from(ideal.keys()).sort((a, b) => ideal[a] - ideal[b]);
  const time = order.map((_, p) => Math.floor(Math.floor((p * total) / order.length) / crawlers) / slots);
  const cost = (j: number, p: number): number => weight[j] * Math.abs(time[p] - ideal[j]);
  for (let pass = 0; pass < 20; pass++) {
    for (let reach = 1; reach <= 2 * crawlers; reach += crawlers - 1) {
      for (let p = 0; p + reach < order.length; p++) {
        const [i, j] = [order[p], order[p + reach]];
        if (cost(i, p + reach) + cost(j, p) < cost(i, p) + cost(j, p + reach)) [order[p], order[p + reach]] = [j, i];
      }
    }
  }
  return order.reduce((sum, j, p) => sum + cost(j, p), 0);
}
