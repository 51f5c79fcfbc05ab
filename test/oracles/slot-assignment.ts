/**
 * An independent check of a slot assignment: feasibility, cost, and a lower bound on the cost of any assignment.
 *
 * Method: the slot of every task is checked by itself. The bound is by weak duality, for any slot prices y ≥ 0: no
 * assignment costs less than Σ_j min(p, min_s c(j,s) + y_s) − Σ_s y_s. The inner minimum is over all slots that a task
 * may use, by a search in a tree over the slots of a crawler (PriceTree). The difference value − bound is the total
 * violation of complementary slackness; 0 proves optimality. Shares no code with the solver: times of slots, windows
 * and minima are computed here in their own way.
 *
 * Complexity: O((n + M) log M) typically; O(n·C) more when tasks are kept to several crawlers.
 */
import { RunningSum } from '../../src/solvers/numerics/linear/running-sum.ts';
import type { SlotAssignmentProblem } from '../../src/solvers/slot-assignment/problem.ts';

export interface Certificate {
  /** Whether every task has its own slot, which it may use, or is dropped where that is allowed. */
  readonly feasible: boolean;
  /** The first violations in words, at most ten. */
  readonly violations: readonly string[];
  /** Cost of the assignment, recomputed. */
  readonly value: number;
  /** No assignment costs less; −∞ when no prices were given. */
  readonly bound: number;
}

const maxViolations = 10;

/**
 * Feasibility, cost and bound of an assignment.
 *
 * @param slotOf slot number (slots of the crawlers before + slot) of each task, −1 where dropped
 * @param prices y ≥ 0 of each slot number, or null: the bound is then −∞
 */
export function examineAssignment(
  problem: SlotAssignmentProblem,
  slotOf: Int32Array,
  prices: Float64Array | null,
): Certificate {
  const { idealTime, weight, dropPenalty } = problem;
  const slots = slotList(problem);
  const violations: string[] = [];
  const taskCount = new Uint8Array(slots.time.length);
  const value = new RunningSum();
  if (slotOf.length !== idealTime.length) violations.push(`${slotOf.length} assignments for ${idealTime.length} tasks`);
  for (let j = 0; j < idealTime.length; j++) {
    const s = slotOf[j];
    const violation = violationOf(problem, slots, j, s);
    if (violation !== null && violations.length < maxViolations) violations.push(violation);
    if (s === -1) value.add(dropPenalty);
    if (!(s >= 0 && s < slots.time.length)) continue;
    if (taskCount[s]++ !== 0 && violations.length < maxViolations) {
      violations.push(`slot ${s} has two tasks, one of them ${j}`);
    }
    value.add((weight === null ? 1 : weight[j]) * Math.abs(slots.time[s] - idealTime[j]));
  }
  const bound = prices === null ? Number.NEGATIVE_INFINITY : boundOf(problem, prices);
  return { feasible: violations.length === 0, violations, value: value.total(), bound };
}

/** Time and crawler of every slot number. */
interface SlotList {
  readonly time: Float64Array;
  readonly crawler: Int32Array;
}

function slotList({ interval, slotCounts }: SlotAssignmentProblem): SlotList {
  const total = slotCounts.reduce((sum, count) => sum + count, 0);
  const time = new Float64Array(total);
  const crawler = new Int32Array(total);
  let s = 0;
  for (let k = 0; k < slotCounts.length; k++) {
    for (let l = 0; l < slotCounts[k]; l++, s++) {
      time[s] = (l * interval) / slotCounts[k];
      crawler[s] = k;
    }
  }
  return { time, crawler };
}

/** The fault of slot s for task j; null for none. */
function violationOf(problem: SlotAssignmentProblem, slots: SlotList, j: number, s: number): string | null {
  if (s === -1) return problem.dropPenalty < Number.POSITIVE_INFINITY ? null : `task ${j} is dropped`;
  if (!(s >= 0 && s < slots.time.length)) return `task ${j} has slot ${s}, there are ${slots.time.length}`;
  const tau = slots.time[s];
  const { from, to } = windowOf(problem, j);
  if (tau < from) return `task ${j} runs at ${tau}, before ${from}`;
  if (tau > to) return `task ${j} runs at ${tau}, after ${to}`;
  const listed = crawlersOf(problem, j);
  if (listed === null || listed.includes(slots.crawler[s])) return null;
  return `task ${j} runs on crawler ${slots.crawler[s]}`;
}

/** When task j may start: its window, and for a release task (kind 1) nothing before its ideal time. */
function windowOf(
  { idealTime, kind, earliest, latest }: SlotAssignmentProblem,
  j: number,
): { from: number; to: number } {
  let from = earliest === null ? Number.NEGATIVE_INFINITY : earliest[j];
  if (kind !== null && kind[j] === 1 && idealTime[j] > from) from = idealTime[j];
  return { from, to: latest === null ? Number.POSITIVE_INFINITY : latest[j] };
}

/** The crawlers that a task may use; null: all. */
function crawlersOf({ allowed, slotCounts }: SlotAssignmentProblem, j: number): Int32Array | null {
  if (allowed === null) return null;
  const listed = allowed.crawlers.subarray(allowed.start[j], allowed.start[j + 1]);
  return listed.length === 0 || listed.length === slotCounts.length ? null : listed;
}

/** The lower bound by slot prices; prices below 0 count as 0. */
function boundOf(problem: SlotAssignmentProblem, prices: Float64Array): number {
  const { idealTime, weight, slotCounts, dropPenalty, interval } = problem;
  const bound = new RunningSum();
  const trees: PriceTree[] = [];
  const shared = new Map<number, Float64Array>();
  let offset = 0;
  for (const count of slotCounts) {
    const own = new Float64Array(count);
    for (let l = 0; l < count; l++) {
      own[l] = Math.max(0, prices[offset + l]);
      bound.add(-own[l]);
    }
    trees.push(new PriceTree(interval, own));
    const cheapest = shared.get(count);
    shared.set(count, cheapest === undefined ? own : cheapest.map((y, l) => Math.min(y, own[l])));
    offset += count;
  }
  // crawlers with the same number of slots have them at the same times: for a task that may use all, the cheapest
  // counts
  const common = Array.from(shared.values(), (prices) => new PriceTree(interval, prices));
  for (let j = 0; j < idealTime.length; j++) {
    const { from, to } = windowOf(problem, j);
    const task = { ideal: idealTime[j], weight: weight === null ? 1 : weight[j], from, to };
    const listed = crawlersOf(problem, j);
    let minCost = dropPenalty;
    if (listed === null) for (const tree of common) minCost = tree.minCost(task, minCost);
    else for (const k of listed) minCost = trees[k].minCost(task, minCost);
    bound.add(minCost);
  }
  return bound.total();
}

/** The faults of a conflict, which must be a Hall set: more different tasks than slots that any of them may use. */
export function conflictViolations(
  problem: SlotAssignmentProblem,
  conflict: { readonly tasks: Int32Array; readonly slots: number },
): string[] {
  const violations: string[] = [];
  const { time, crawler } = slotList(problem);
  const usable = new Uint8Array(time.length);
  for (const j of conflict.tasks) {
    const { from, to } = windowOf(problem, j);
    const listed = crawlersOf(problem, j);
    for (let s = 0; s < time.length; s++) {
      if (time[s] >= from && time[s] <= to && (listed === null || listed.includes(crawler[s]))) usable[s] = 1;
    }
  }
  const slots = usable.reduce((sum, each) => sum + each, 0);
  const different = new Set(conflict.tasks).size;
  if (different !== conflict.tasks.length) violations.push(`${conflict.tasks.length - different} tasks stand twice`);
  if (slots !== conflict.slots) violations.push(`the tasks may use ${slots} slots, not ${conflict.slots}`);
  if (different <= slots) violations.push(`${different} tasks fit into the ${slots} slots that they may use`);
  if (problem.dropPenalty < Number.POSITIVE_INFINITY) violations.push('tasks may be dropped, so nothing can clash');
  return violations;
}

/** A task as the tree searches a slot for it. */
interface TreeTask {
  readonly ideal: number;
  readonly weight: number;
  readonly from: number;
  readonly to: number;
}

/**
 * The slots of one crawler with their prices, searched for the slot of least price plus deviation of a task. A complete
 * binary tree with the least price below every node, searched nearest child first: O(log M) nodes if prices differ
 * little, at most all nodes. Node i has children 2i and 2i + 1.
 */
class PriceTree {
  readonly #interval: number;
  readonly #slots: number;
  readonly #leaves: number;
  readonly #minPrice: Float64Array;

  /** @param prices by slot, at least 0 */
  constructor(interval: number, prices: Float64Array) {
    this.#interval = interval;
    this.#slots = prices.length;
    let leaves = 1;
    while (leaves < prices.length) leaves *= 2;
    this.#leaves = leaves;
    this.#minPrice = new Float64Array(2 * leaves).fill(Number.POSITIVE_INFINITY);
    this.#minPrice.set(prices, leaves);
    for (let i = leaves - 1; i > 0; i--) this.#minPrice[i] = Math.min(this.#minPrice[2 * i], this.#minPrice[2 * i + 1]);
  }

  /** min(cap, least cost plus price of a slot in the window of the task). */
  minCost(task: TreeTask, cap: number): number {
    return this.#slots === 0 ? cap : this.#search(task, 1, 0, this.#leaves, cap);
  }

  /** `minCost` over the slots below one node: first to first + width − 1. */
  #search(task: TreeTask, node: number, first: number, width: number, cap: number): number {
    if (first >= this.#slots) return cap;
    const start = this.#timeOf(first);
    const end = this.#timeOf(Math.min(first + width, this.#slots) - 1);
    if (end < task.from || start > task.to) return cap;
    const deviation = task.ideal < start ? start - task.ideal : task.ideal > end ? task.ideal - end : 0;
    const lowerBound = task.weight * deviation + this.#minPrice[node];
    if (!(lowerBound < cap)) return cap;
    if (width === 1) return lowerBound;
    const half = width / 2;
    const middle = first + half;
    const rightFirst = middle < this.#slots && task.ideal >= this.#timeOf(middle);
    const nearChild = rightFirst ? 1 : 0;
    const best = this.#search(task, 2 * node + nearChild, first + nearChild * half, half, cap);
    return this.#search(task, 2 * node + 1 - nearChild, first + (1 - nearChild) * half, half, best);
  }

  #timeOf(l: number): number {
    return (l * this.#interval) / this.#slots;
  }
}
