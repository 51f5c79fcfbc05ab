/**
 * Completes a matching cheaply, without shortest paths: feasible, not optimal.
 *
 * Method: each remaining task takes the nearest free slot it may use. One that finds none takes the slot of a task that
 * moves to a free slot close by, where that costs least. Where there is no such task it gets a slot along an alternating
 * path, costs left aside, found depth-first with each slot entered once. A search that ends without a free slot has
 * found a Hall set. With a drop penalty there are no paths: a task that finds no slot cheap enough is dropped.
 *
 * Complexity: O(n log M) plus O(M) for each task that needs a path.
 */
import { type Budget, NothingToReturn } from '../../budget.ts';
import { heaviestFirst } from '../instance/insertion-order.ts';
import { dropped } from '../instance/instance.ts';
import { type HallSet, type MatchingProblem, mayUse } from '../instance/matching-problem.ts';
import { FreeSlots } from './free-slots.ts';

/**
 * Distance in slots, of all crawlers, within which a task may move to a free slot: moves save 5% of the cost where 80%
 * of the pairs are forbidden.
 */
const maxMove = 1000;
/** Slots examined for such moves in all, per task of the problem. */
const looksPerTask = 100;
/**
 * Pairs of a task without a slot and a free slot, per task of the problem, up to which moves are tried: with more pairs
 * the examined slots are used up by a handful of tasks.
 */
const pairsPerTask = 1.5;

/** A matching that is completed in place. */
interface CompletionInput {
  /** Dense slot of each task, −1 without one. */
  readonly slotOf: Int32Array;
  /** Task of each slot, −1 where free. */
  readonly owner: Int32Array;
}

/**
 * Gives every task without a slot one, or drops it.
 *
 * @param unassigned the tasks without a slot, in the order in which they choose
 * @param matching changed: all tasks get a slot or are dropped
 * @returns null, or the Hall set that shows that there is no assignment
 */
export function completeMatching(
  problem: MatchingProblem,
  unassigned: Int32Array,
  { slotOf, owner }: CompletionInput,
  budget: Budget,
): HallSet | null {
  const { lines, ideal, weight, dropPenalty } = problem;
  const free = new FreeSlots(lines);
  for (let s = 0; s < owner.length; s++) if (owner[s] >= 0) free.remove(s);
  const unserved: number[] = [];
  for (const j of unassigned) {
    let choice = nearestFreeSlot(problem, free, j);
    if (choice >= 0 && weight[j] * Math.abs(lines.time[lines.entry[choice]] - ideal[j]) > dropPenalty) choice = -1;
    if (choice < 0) {
      if (dropPenalty === Number.POSITIVE_INFINITY) unserved.push(j);
      continue;
    }
    slotOf[j] = choice;
    owner[choice] = j;
    free.remove(choice);
  }
  const state = { problem, free, slotOf, owner, budget };
  return augmentAll(state, makeRoom(state, unserved));
}

/** The state that all searches for alternating paths work on. */
interface AugmentationState extends CompletionInput {
  readonly problem: MatchingProblem;
  readonly free: FreeSlots;
  readonly budget: Budget;
}

/**
 * Gives tasks slots whose owners move to a free slot close by, each by the cheapest such move. Returns the tasks that
 * get none.
 */
function makeRoom({ problem, free, slotOf, owner }: AugmentationState, tasks: readonly number[]): readonly number[] {
  const { ideal, weight, lines } = problem;
  if (tasks.length ** 2 > pairsPerTask * ideal.length) return tasks;
  const cost = (j: number, s: number): number => weight[j] * Math.abs(lines.time[lines.entry[s]] - ideal[j]);
  const place = (j: number, s: number): void => {
    slotOf[j] = s;
    owner[s] = j;
  };
  const freeSlots = Array.from(tasks.length > 0 ? owner.keys() : []).filter((s) => owner[s] < 0);
  let looks = looksPerTask * ideal.length;
  return tasks.filter((j) => {
    let minExtra = Number.POSITIVE_INFINITY;
    let [room, end] = [-1, -1];
    for (const e of freeSlots) {
      if (owner[e] >= 0 || cost(j, e) >= minExtra || looks < 0) continue;
      const last = Math.min(owner.length - 1, e + maxMove);
      looks -= 2 * maxMove;
      for (let s = Math.max(0, e - maxMove); s <= last; s++) {
        const i = owner[s];
        if (i < 0 || !mayUse(problem, j, s) || !mayUse(problem, i, e)) continue;
        const extra = cost(j, s) + cost(i, e) - cost(i, s);
        if (extra < minExtra) [minExtra, room, end] = [extra, s, e];
      }
    }
    if (room < 0) return true;
    place(owner[room], end);
    place(j, room);
    free.remove(end);
    return false;
  });
}

/**
 * Gives every one of these tasks a slot along an alternating path, whatever it costs. Phases of depth-first searches,
 * in each of which a slot is entered once: O(M) a phase, and few phases. They end when all tasks have slots or a phase
 * serves none.
 */
function augmentAll(state: AugmentationState, tasks: readonly number[]): HallSet | null {
  const { problem, owner } = state;
  let waiting = tasks;
  while (waiting.length > 0) {
    const unseen = new FreeSlots(problem.lines);
    const reached: number[] = [];
    const stillWaiting = waiting.filter((j) => !augment(state, j, unseen, reached));
    if (stillWaiting.length === waiting.length) {
      const fresh: number[] = [];
      augment(state, stillWaiting[0], new FreeSlots(problem.lines), fresh);
      return {
        tasks: Int32Array.from([stillWaiting[0], ...fresh.map((s) => owner[s])]),
        slots: Int32Array.from(fresh),
      };
    }
    waiting = stillWaiting;
  }
  return null;
}

/**
 * One depth-first search for an alternating path. Appends the slots it enters to `reached`. Returns whether the task
 * has a slot now.
 */
function augment(state: AugmentationState, first: number, unseen: FreeSlots, reached: number[]): boolean {
  const { problem, free, slotOf, owner, budget } = state;
  // Tasks on the path, and for each but the first the slot it holds, which its predecessor would take over.
  const path = [first];
  const pathSlots: number[] = [];
  while (path.length > 0) {
    const j = path[path.length - 1];
    const end = nearestFreeSlot(problem, free, j);
    if (end >= 0) {
      free.remove(end);
      pathSlots.push(end);
      for (let i = path.length - 1; i >= 0; i--) {
        slotOf[path[i]] = pathSlots[i];
        owner[pathSlots[i]] = path[i];
      }
      return true;
    }
    const s = nearestFreeSlot(problem, unseen, j);
    if (s < 0) {
      path.pop();
      pathSlots.pop();
      continue;
    }
    unseen.remove(s);
    reached.push(s);
    if ((reached.length & 4095) === 0 && budget.stopRequested()) {
      throw new NothingToReturn('not every task had a slot that it may use');
    }
    path.push(owner[s]);
    pathSlots.push(s);
  }
  return false;
}

/** The slot still free that is nearest to a task's ideal time among those it may use, −1 when there is none. */
export function nearestFreeSlot(
  { lines, lineFrom, lineOf, ideal, low, high, anchors }: MatchingProblem,
  free: FreeSlots,
  j: number,
): number {
  let best = Number.POSITIVE_INFINITY;
  let choice = -1;
  for (let i = lineFrom[j]; i < lineFrom[j + 1]; i++) {
    const line = lineOf[i];
    const right = free.findNearest(anchors[i], 1);
    if (right < lines.lineEnd[line] && lines.time[right] <= high[j] && lines.time[right] - ideal[j] < best) {
      best = lines.time[right] - ideal[j];
      choice = lines.slot[right];
    }
    const left = free.findNearest(anchors[i] - 1, -1);
    if (left >= lines.lineStart[line] && lines.time[left] >= low[j] && ideal[j] - lines.time[left] < best) {
      best = ideal[j] - lines.time[left];
      choice = lines.slot[left];
    }
  }
  return choice;
}

/**
 * The rule that no answer may be worse than: the heaviest task first, each to the nearest free slot.
 *
 * @returns dense slot of each task, or the Hall set that shows that there is no assignment
 * @throws NothingToReturn when the budget ends
 */
export function placeByWeight(problem: MatchingProblem, budget: Budget): Int32Array | HallSet {
  const slotOf = new Int32Array(problem.ideal.length).fill(dropped);
  const owner = new Int32Array(problem.lines.entry.length).fill(-1);
  return completeMatching(problem, heaviestFirst(problem.weight), { slotOf, owner }, budget) ?? slotOf;
}
