/**
 * `slot-assignment` in three seconds of the processor, against the heaviest first to the nearest free slot, and against
 * ideal times in their order, neighbours exchanged.
 */
import { assignSlots } from '../../src/solvers/slot-assignment/index.ts';
import type { Contest, Instance, Outcome } from './contest.ts';
import { axisTexts, type Draw, drawNormal, drawPoints, type Point, seededDraw } from './draws.ts';

const axes = {
  tasks: [300, 3000, 30_000, 100_000],
  load: [0.8, 0.95, 1],
  // share of the tasks that want one and the same time
  together: [0, 0.3],
  weights: ['even', 'lognormal'],
  // share of the pairs of tasks and crawlers that may not be
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

/** Tasks from 0 to 1, and the crawlers each may be given to. */
interface Tasks {
  readonly ideal: readonly number[];
  readonly weight: readonly number[];
  readonly allowed: readonly (readonly number[])[] | null;
  /** Slots of each crawler, evenly from 0 on. */
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
  // To ask the system takes some microseconds, so the clock says when it is worth it.
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

/** The heaviest task first, each to the nearest free slot it may have; null where one finds none. */
function heaviestFirst({ ideal, weight, allowed, slots }: Tasks): number | null {
  // by crawler: from a slot on, where the next free one may be; slot 0 and the last but one are sentinels
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
    const home = Math.min(slots, Math.floor(ideal[j] * slots) + 1);
    let minimum = Number.POSITIVE_INFINITY;
    let [crawler, slot] = [-1, -1];
    for (const k of allowed === null ? allCrawlers : allowed[j]) {
      for (const s of [find(left[k], home), find(right[k], home)]) {
        if (s < 1 || s > slots) continue;
        const away = Math.abs((s - 1) / slots - ideal[j]);
        if (away < minimum) [minimum, crawler, slot] = [away, k, s];
      }
    }
    if (crawler < 0) return null;
    left[crawler][slot] = slot - 1;
    right[crawler][slot] = slot + 1;
    cost += weight[j] * minimum;
  }
  return cost;
}

/** Ideal times in their order on evenly chosen slots, then neighbours exchanged while that helps. */
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
