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
import { type Budget, NothingToReturn } from '../../budget.ts';
import type { SlotLines } from '../instance/slot-lines.ts';
import type { HallSet, MatchingProblem } from './matching-problem.ts';

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
  const { lines, ideal, weight, dropPenalty } = problem;
  const free = standing(lines);
  for (let s = 0; s < owner.length; s++) if (owner[s] >= 0) strike(lines, free, s);
  const without: number[] = [];
  for (const j of rest) {
    let choice = nearest(problem, free, j);
    if (choice >= 0 && weight[j] * Math.abs(lines.time[lines.entry[choice]] - ideal[j]) > dropPenalty) choice = -1;
    if (choice < 0) {
      if (dropPenalty === Number.POSITIVE_INFINITY) without.push(j);
      continue;
    }
    slotOf[j] = choice;
    owner[choice] = j;
    strike(lines, free, choice);
  }
  return augmentAll(problem, without, free, slotOf, owner, budget);
}

/**
 * Gives every one of these tasks a slot along an alternating path, costs left aside: phases of depth-first searches, each
 * slot entered once a phase (O(M) a phase, few phases), until all are served or a phase serves none.
 */
function augmentAll(
  problem: MatchingProblem,
  tasks: readonly number[],
  free: Standing,
  slotOf: Int32Array,
  owner: Int32Array,
  budget: Budget,
): HallSet | null {
  let waiting = tasks;
  while (waiting.length > 0) {
    const unseen = standing(problem.lines);
    const reached: number[] = [];
    const still = waiting.filter((j) => !augment(problem, j, free, unseen, reached, slotOf, owner, budget));
    if (still.length === waiting.length) {
      const fresh: number[] = [];
      augment(problem, still[0], free, standing(problem.lines), fresh, slotOf, owner, budget);
      return { tasks: Int32Array.from([still[0], ...fresh.map((s) => owner[s])]), slots: Int32Array.from(fresh) };
    }
    waiting = still;
  }
  return null;
}

/** One depth-first search; `reached` gets the slots it enters. Returns whether the task has a slot now. */
function augment(
  problem: MatchingProblem,
  first: number,
  free: Standing,
  unseen: Standing,
  reached: number[],
  slotOf: Int32Array,
  owner: Int32Array,
  budget: Budget,
): boolean {
  const { lines } = problem;
  // Tasks on the path, and the slot of each but the first, which its predecessor would take over.
  const path = [first];
  const handed: number[] = [];
  while (path.length > 0) {
    const j = path[path.length - 1];
    const end = nearest(problem, free, j);
    if (end >= 0) {
      strike(lines, free, end);
      handed.push(end);
      for (let i = path.length - 1; i >= 0; i--) {
        slotOf[path[i]] = handed[i];
        owner[handed[i]] = path[i];
      }
      return true;
    }
    const s = nearest(problem, unseen, j);
    if (s < 0) {
      path.pop();
      handed.pop();
      continue;
    }
    strike(lines, unseen, s);
    reached.push(s);
    if ((reached.length & 4095) === 0 && budget.stopRequested()) {
      throw new NothingToReturn('not every task had a slot that it may use');
    }
    path.push(owner[s]);
    handed.push(s);
  }
  return false;
}

/** The slot still standing that is nearest to a task's ideal time among those it may use, −1 when there is none. */
function nearest(
  { lines, lineFrom, lineOf, ideal, low, high, anchors }: MatchingProblem,
  links: Standing,
  j: number,
): number {
  let best = Number.POSITIVE_INFINITY;
  let choice = -1;
  for (let i = lineFrom[j]; i < lineFrom[j + 1]; i++) {
    const line = lineOf[i];
    const right = follow(links.next, anchors[i]);
    if (right < lines.lineEnd[line] && lines.time[right] <= high[j] && lines.time[right] - ideal[j] < best) {
      best = lines.time[right] - ideal[j];
      choice = lines.slot[right];
    }
    const left = follow(links.previous, anchors[i] - 1);
    if (left >= lines.lineStart[line] && lines.time[left] >= low[j] && ideal[j] - lines.time[left] < best) {
      best = ideal[j] - lines.time[left];
      choice = lines.slot[left];
    }
  }
  return choice;
}
