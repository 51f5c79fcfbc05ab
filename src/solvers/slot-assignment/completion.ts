/**
 * Completes a matching cheaply when there is no time left for shortest paths: feasible, not optimal.
 *
 * Method: each remaining task takes the cheapest free slot it may use; one that finds none gets a slot along an
 * alternating path found breadth-first, each slot visited once (a search that ends without a free slot is a Hall set). Then
 * neighbours in time exchange slots while that helps. With a drop penalty no search is needed: what finds no slot cheap
 * enough is dropped.
 *
 * Complexity: O(n log M) plus O(M) for each task that needs a path.
 */
import { type Budget, NothingToReturn } from '../budget.ts';
import type { HallSet, MatchingProblem } from './shortest-paths.ts';
import { anchor, type SlotLines } from './slot-lines.ts';

/** Links that jump over what is out of reach, to the next entry that is in, in one direction. */
function follow(links: Int32Array, from: number): number {
  let e = from;
  while (links[e] !== e) {
    links[e] = links[links[e]];
    e = links[e];
  }
  return e;
}

/** For every entry the next one that still stands, to the right and to the left. */
interface Standing {
  readonly next: Int32Array;
  readonly previous: Int32Array;
}

function standing(lines: SlotLines): Standing {
  const next = Int32Array.from(lines.time.keys());
  return { next, previous: next.slice() };
}

function strike(lines: SlotLines, links: Standing, slot: number): void {
  for (const e of [lines.entry[slot], lines.otherEntry[slot]]) {
    if (e < 0) continue;
    links.next[e] = e + 1;
    links.previous[e] = e - 1;
  }
}

/** Entry at which the outward scan of a task along a line starts. */
export function scanStart(problem: MatchingProblem, j: number, line: number): number {
  const { ideal, low, high, lines } = problem;
  return high[j] < ideal[j]
    ? anchor(lines, line, high[j], true)
    : anchor(lines, line, Math.max(ideal[j], low[j]), false);
}

/**
 * @param rest the tasks without a slot, in the order in which they choose
 * @param slotOf dense slot of each task, −1 without one: changed
 * @param owner task of each slot, −1 where free: changed
 * @returns null, or the Hall set that shows that there is no assignment
 */
export function completeMatching(
  problem: MatchingProblem,
  rest: Int32Array,
  slotOf: Int32Array,
  owner: Int32Array,
  budget: Budget,
): HallSet | null {
  const { lines, lineFrom, lineOf, ideal, weight, low, high, dropPenalty } = problem;
  const free = standing(lines);
  for (let s = 0; s < owner.length; s++) if (owner[s] >= 0) strike(lines, free, s);
  const without: number[] = [];
  for (const j of rest) {
    let best = dropPenalty;
    let choice = -1;
    for (let i = lineFrom[j]; i < lineFrom[j + 1]; i++) {
      const line = lineOf[i];
      const at = scanStart(problem, j, line);
      const right = follow(free.next, at);
      if (right < lines.lineEnd[line] && lines.time[right] <= high[j]) {
        const cost = weight[j] * (lines.time[right] - ideal[j]);
        if (cost < best || (choice < 0 && cost <= best)) {
          best = cost;
          choice = lines.slot[right];
        }
      }
      const left = follow(free.previous, at - 1);
      if (left >= lines.lineStart[line] && lines.time[left] >= low[j]) {
        const cost = weight[j] * (ideal[j] - lines.time[left]);
        if (cost < best || (choice < 0 && cost <= best)) {
          best = cost;
          choice = lines.slot[left];
        }
      }
    }
    if (choice < 0) {
      if (dropPenalty === Number.POSITIVE_INFINITY) without.push(j);
      continue;
    }
    slotOf[j] = choice;
    owner[choice] = j;
    strike(lines, free, choice);
  }
  for (const j of without) {
    const conflict = augment(problem, j, slotOf, owner, budget);
    if (conflict !== null) return conflict;
  }
  return null;
}

/** Gives task `first` a slot along a shortest alternating path, costs left aside. */
function augment(
  problem: MatchingProblem,
  first: number,
  slotOf: Int32Array,
  owner: Int32Array,
  budget: Budget,
): HallSet | null {
  const { lines, lineFrom, lineOf, low, high } = problem;
  const unseen = standing(lines);
  const reachedBy = new Int32Array(owner.length);
  const queue = new Int32Array(owner.length);
  let queued = 0;
  let served = 0;
  for (let j = first; ; j = owner[queue[served++]]) {
    if ((served & 4095) === 4095 && budget.stopRequested()) {
      throw new NothingToReturn('The time limit was reached before every task had a slot it may use');
    }
    for (let i = lineFrom[j]; i < lineFrom[j + 1]; i++) {
      const line = lineOf[i];
      const at = scanStart(problem, j, line);
      for (let side = 0; side < 2; side++) {
        const links = side === 0 ? unseen.next : unseen.previous;
        for (let e = follow(links, side === 0 ? at : at - 1); ; e = follow(links, e)) {
          const inLine = side === 0 ? e < lines.lineEnd[line] : e >= lines.lineStart[line];
          if (!inLine || lines.time[e] > high[j] || lines.time[e] < low[j]) break;
          const s = lines.slot[e];
          strike(lines, unseen, s);
          reachedBy[s] = j;
          if (owner[s] < 0) {
            hand(s, first, reachedBy, slotOf, owner);
            return null;
          }
          queue[queued++] = s;
        }
      }
    }
    if (served === queued) {
      const slots = queue.slice(0, queued);
      return { tasks: Int32Array.from([first, ...slots.map((s) => owner[s])]), slots };
    }
  }
}

/** Hands slots on along the path that ends at the free slot `end`. */
function hand(end: number, first: number, reachedBy: Int32Array, slotOf: Int32Array, owner: Int32Array): void {
  for (let s = end; ; ) {
    const j = reachedBy[s];
    const left = slotOf[j];
    slotOf[j] = s;
    owner[s] = j;
    if (j === first) return;
    s = left;
  }
}
