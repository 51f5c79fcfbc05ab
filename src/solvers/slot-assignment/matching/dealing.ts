/**
 * Deals tasks that may use some crawlers only to these crawlers, near given times.
 *
 * 1. Windows of slots are filled in order of time, by the tasks in order of theirs. A task takes a crawler that it may
 *    use and that has a slot left in the window, if need be after tasks of the window have moved to other crawlers.
 *    Tasks that find none come first in the next window.
 * 2. The tasks of a window on one crawler take its slots in their order. Then, of tasks with the same ideal time on one
 *    crawler, the heaviest get the nearest of their slots.
 * Giving each task the crawler whose next slot is first, with no windows, is 100 lines less and 5 to 11% dearer at 10⁵
 * tasks and full load.
 * Complexity: O(n log n). Tasks with windows of their own are not dealt with.
 */
import { dropped } from '../instance/instance.ts';
import type { MatchingProblem } from '../instance/matching-problem.ts';
import { sortByTime } from '../instance/time-sort.ts';

/** Slots of its own crawlers that a task should find in a window, on average. */
const placesPerTask = 5;
/** Most tasks offered to a window, as a multiple of its slots. */
const offersPerSlot = 4;

/**
 * Dense slot of every task; −1 for those, few as a rule, that found none. Null where the time is up first.
 *
 * @param target when each task would best start
 */
export function dealtNear(
  problem: MatchingProblem,
  target: Float64Array,
  interval: number,
  stopRequested: () => boolean,
): Int32Array | null {
  const order = sortByTime(target, null, interval).order.id;
  const slotOf = new Dealing(problem, target, order).run(stopRequested);
  if (slotOf !== null) heaviestNearest(problem, slotOf);
  return slotOf;
}

/** Tasks of one ideal time on one crawler change places so that the heaviest are nearest to it. O(n log n). */
function heaviestNearest({ ideal, weight, lines }: MatchingProblem, slotOf: Int32Array): void {
  const inOrder = ideal.slice().sort();
  const shared = new Set(inOrder.filter((t, i) => i > 0 && t === inOrder[i - 1]));
  const { time, entry, otherEntry, lineStart } = lines;
  const groups = Array.from(lineStart, () => new Map<number, number[]>());
  const lineAt = (s: number): number => {
    const own = otherEntry[s] >= 0 ? otherEntry[s] : entry[s];
    let line = lineStart.length - 1;
    while (line > 0 && lineStart[line] > own) line--;
    return line;
  };
  for (const [j, s] of slotOf.entries()) {
    if (s === dropped || !shared.has(ideal[j])) continue;
    const ofLine = groups[lineAt(s)];
    const group = ofLine.get(ideal[j]);
    if (group === undefined) ofLine.set(ideal[j], [j]);
    else group.push(j);
  }
  for (const tasks of groups.flatMap((ofLine) => [...ofLine.values()])) {
    if (tasks.length < 2) continue;
    const away = (s: number): number => Math.abs(time[entry[s]] - ideal[tasks[0]]);
    const slots = tasks.map((j) => slotOf[j]).sort((a, b) => away(a) - away(b));
    tasks.sort((a, b) => weight[b] - weight[a]);
    for (const [k, j] of tasks.entries()) slotOf[j] = slots[k];
  }
}

/** Tasks dealt to windows of slots. */
class Dealing {
  readonly #problem: MatchingProblem;
  readonly #target: Float64Array;
  readonly #order: Int32Array;
  readonly #slotOf: Int32Array;
  /** The lines of the crawlers. */
  readonly #own: readonly number[];
  /** By line: the tasks that this window has given it, and its slots in the window. */
  readonly #held: number[][];
  readonly #from: Int32Array;
  readonly #room: Int32Array;

  constructor(problem: MatchingProblem, target: Float64Array, order: Int32Array) {
    const { lineStart, merged } = problem.lines;
    this.#own = Array.from(lineStart.keys()).filter((line) => lineStart.length === 1 || line !== merged);
    this.#problem = problem;
    this.#target = target;
    this.#order = order;
    this.#slotOf = new Int32Array(order.length).fill(dropped);
    this.#held = Array.from(lineStart, () => []);
    this.#from = lineStart.slice();
    this.#room = new Int32Array(lineStart.length);
  }

  run(stopRequested: () => boolean): Int32Array | null {
    const { lines } = this.#problem;
    const { lineEnd, time, lineStart } = lines;
    const own = this.#own;
    const order = this.#order;
    const longest = own.reduce((most, line) => Math.max(most, lineEnd[line] - lineStart[line]), 0);
    const slotsPerWindow = Math.max(1, Math.round((placesPerTask * order.length) / this.#problem.lineOf.length));
    const windows = Math.max(1, Math.ceil(longest / slotsPerWindow));
    let idle = own.reduce((sum, line) => sum + lineEnd[line] - lineStart[line], 0) - order.length;
    let waiting: number[] = [];
    let next = 0;
    for (let k = 1; k <= windows; k++) {
      if (stopRequested()) return null;
      let room = 0;
      let end = Number.NEGATIVE_INFINITY;
      for (const line of own) {
        const to = lineStart[line] + Math.round(((lineEnd[line] - lineStart[line]) * k) / windows);
        this.#room[line] = to - this.#from[line];
        room += this.#room[line];
        if (to < lineEnd[line]) end = Math.max(end, time[to]);
        else end = k === windows ? Number.POSITIVE_INFINITY : end;
      }
      const unserved: number[] = [];
      let offers = offersPerSlot * room;
      for (const j of waiting) {
        if (room > 0 && offers-- > 0 && this.#give(j)) room--;
        else unserved.push(j);
      }
      while (room > 0 && next < order.length && offers-- > 0) {
        const j = order[next];
        // slots too many stay idle where no task wants them
        if (this.#target[j] >= end && room <= idle) break;
        next++;
        if (this.#give(j)) room--;
        else unserved.push(j);
      }
      idle -= room;
      waiting = unserved;
      for (const line of own) this.#place(line);
    }
    return this.#slotOf;
  }

  /** Gives a task a place of a crawler in the window, if need be after moving others; whether there was one. */
  #give(j: number): boolean {
    const line = this.#linesOf(j).find((own) => this.#room[own] > this.#held[own].length);
    if (line === undefined) return this.#giveByMoves(j);
    this.#held[line].push(j);
    return true;
  }

  #linesOf(j: number): readonly number[] | Int32Array {
    const { lineFrom, lineOf, lines } = this.#problem;
    return lineOf[lineFrom[j]] === lines.merged ? this.#own : lineOf.subarray(lineFrom[j], lineFrom[j + 1]);
  }

  /** Breadth first over the crawlers: each was reached by a task that could move there from another. */
  #giveByMoves(j: number): boolean {
    const room = this.#room;
    const through = new Map<number, readonly [task: number, from: number]>();
    const queue: number[] = [];
    const reach = (task: number, from: number): number => {
      for (const line of this.#linesOf(task)) {
        if (through.has(line)) continue;
        through.set(line, [task, from]);
        if (room[line] > this.#held[line].length) return line;
        queue.push(line);
      }
      return -1;
    };
    let found = reach(j, -1);
    for (let q = 0; found < 0 && q < queue.length && through.size < this.#own.length; q++) {
      for (const task of this.#held[queue[q]]) {
        found = reach(task, queue[q]);
        if (found >= 0) break;
      }
    }
    let line = found;
    for (let step = through.get(line); step !== undefined; step = through.get(line)) {
      const [task, from] = step;
      if (from >= 0) this.#held[from].splice(this.#held[from].indexOf(task), 1);
      this.#held[line].push(task);
      line = from;
    }
    return found >= 0;
  }

  /** The tasks of a line take its slots of the window in order of their ideal times, near the times they want. */
  #place(line: number): void {
    const { lines, ideal } = this.#problem;
    const target = this.#target;
    const tasks = this.#held[line].sort((a, b) => target[a] - target[b] || ideal[a] - ideal[b]);
    const from = this.#from[line];
    const to = from + this.#room[line];
    let entry = from;
    for (const [k, j] of tasks.entries()) {
      const left = tasks.length - k;
      while (entry + left < to && lines.time[entry] < target[j]) entry++;
      this.#slotOf[j] = lines.slot[entry++];
    }
    this.#held[line] = [];
    this.#from[line] = to;
  }
}
