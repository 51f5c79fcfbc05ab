/**
 * Slot assignment: which method answers which part, and one answer from all parts.
 *
 * Parts (crawlers that share tasks) are independent. The exact sweep takes a part whose tasks weigh the same and may use
 * all its crawlers, where no time restricts them but release times; with a penalty for dropping, all tasks must be of one
 * kind (sweepTasks in instance/parts.ts). Every other part goes to the search (matching/search.ts), which ends within the
 * budget. The search proves its parts by prices of slots; a caller who wants such prices gets every part searched.
 *
 * What the bound rests on: in a swept part release tasks sit best by the exchange argument in sweep/sweep.ts, flexible
 * tasks by the slope trick (sweep/slope-trick.ts). In a searched part every task sits where cost + price is least, or is
 * dropped where that exceeds the penalty, and idle slots have price 0, which proves the optimum. A search that time has
 * ended states what its prices y ≥ 0 prove by weak duality (matching/slot-price-bound.ts). The bound of an instance is
 * the sum over its parts. The status is optimal where bound = cost, even if time stopped the search before it had proved it.
 */
import { type Objective, objective } from '../answer.ts';
import { type Budget, type Poll, pollOf, reserveShare, unlessStopped } from '../budget.ts';
import { type SlotConflict, slotConflict } from './conflict.ts';
import { dropped, type SlotGrid, slotGrid } from './instance/instance.ts';
import { type MatchingProblem, matchingProblem } from './instance/matching-problem.ts';
import { type Part, type PartTasks, partsOf, partTasks, type SweepTasks, sortByIdealTime } from './instance/parts.ts';
import { costOf, type Placement, placement } from './instance/placement.ts';
import { positions } from './instance/positions.ts';
import { listSlots, type SlotGroups, slotGroups, slotsIn } from './instance/slot-order.ts';
import { itemsBySeat, seatByTime } from './instance/time-sort.ts';
import { pricesOfSample } from './matching/sampled-prices.ts';
import { matchPart } from './matching/search.ts';
import type { SlotAssignmentProblem } from './problem.ts';
import { chooseGroupUse, clampToSlots, releaseOverload, sweepSlots } from './sweep/sweep.ts';

/**
 * Share of the remaining time that a sample must leave. Without it 10⁵ tasks, 30% with equal ideal times and kept to half of
 * the crawlers, are without a bound after 3 s (.1% with it).
 */
const timeAfterSample = 0.7;

/** Time of a task or slot in the passes before a poll, ns. Polls stand between passes: at 10⁶ tasks one takes 50 ms. */
const nsPerItem = 100;

/** An assignment with its proof. */
export interface SlotAssignment {
  readonly status: 'optimal' | 'feasible';
  /** Slot number (see {@link SlotGrid}) of each task, −1 where dropped. */
  readonly slotOf: Int32Array;
  readonly placement: Placement;
  /** Total cost, penalties of dropped tasks included, and what no assignment can beat. */
  readonly objective: Objective & { readonly bound: number };
  readonly droppedCount: number;
  readonly idleSlots: number;
  /** The methods that the parts were solved by. */
  readonly method: 'sweep' | 'shortest-paths' | 'sweep and shortest-paths';
  readonly parts: number;
  /** Slots visited by shortest-path searches. */
  readonly visits: number;
  /** Slot prices y ≥ 0 by slot number; null where the caller does not want them. */
  readonly prices: Float64Array | null;
}

/** An assignment, or why there is none. */
export type SlotAssignmentAnswer = SlotAssignment | { readonly status: 'infeasible'; readonly conflict: SlotConflict };

/** What to compute besides the assignment, and how. */
export interface SlotAssignmentSettings {
  /** Whether the answer has slot prices, which prove it. Then every part is searched and none swept. */
  readonly prices?: boolean;
  /**
   * Visits of slots that the shortest paths may still need before an auction takes their place; left out: a few a slot.
   */
  readonly coldVisits?: number;
}

/** The result of one part. */
interface PartOutcome {
  readonly method: 'sweep' | 'shortest-paths';
  /** Lower bound by the part's prices where it is not solved exactly, else null. */
  readonly openBound: number | null;
  readonly visits: number;
}

/**
 * Assigns every task to a slot at least total cost.
 *
 * @throws NothingToReturn when the budget ends before any complete assignment is known
 */
export function assignSlots(
  instance: SlotAssignmentProblem,
  budget: Budget,
  settings: SlotAssignmentSettings = {},
): SlotAssignmentAnswer {
  const grid = slotGrid(instance.interval, instance.slotCounts);
  const n = instance.idealTime.length;
  const poll = pollOf(budget, 'no task had a slot yet');
  const parts = partsOf(instance);
  poll(nsPerItem * n);
  const slotOf = new Int32Array(n).fill(dropped);
  const prices = settings.prices ? new Float64Array(grid.total) : null;
  const state: SolveState = { instance, grid, budget, poll, slotOf, settings, prices, buffers: null };
  const outcomes: PartOutcome[] = [];
  for (const part of parts) {
    const outcome = solvePart(state, part);
    if ('detail' in outcome) return { status: 'infeasible', conflict: outcome };
    outcomes.push(outcome);
  }
  const places = placement(grid, slotOf, state.buffers);
  let value = 0;
  let bound = 0;
  let droppedCount = 0;
  parts.forEach((part, i) => {
    const cost = costOf(instance, places.time, part.tasks);
    value += cost.value;
    droppedCount += cost.droppedCount;
    // the bound sums its terms in another order than the cost, so a tight bound may lie above the cost by rounding
    bound += Math.min(cost.value, outcomes[i].openBound ?? cost.value);
  });
  const hasSweep = outcomes.some((outcome) => outcome.method === 'sweep');
  const hasSearch = outcomes.some((outcome) => outcome.method === 'shortest-paths');
  return {
    status: bound === value ? 'optimal' : 'feasible',
    slotOf,
    placement: places,
    objective: { ...objective(value, bound), bound },
    droppedCount,
    idleSlots: grid.total - (n - droppedCount),
    method: hasSearch ? (hasSweep ? 'sweep and shortest-paths' : 'shortest-paths') : 'sweep',
    parts: parts.length,
    visits: outcomes.reduce((sum, outcome) => sum + outcome.visits, 0),
    prices: state.prices,
  };
}

/** What all parts of one solve use. */
interface SolveState {
  readonly instance: SlotAssignmentProblem;
  readonly grid: SlotGrid;
  readonly budget: Budget;
  /** Ends the solve when the time is up before there is a first assignment. */
  readonly poll: Poll;
  readonly slotOf: Int32Array;
  readonly settings: SlotAssignmentSettings;
  /** Slot prices by slot number; null where the caller does not want them. */
  readonly prices: Float64Array | null;
  /** Arrays of a finished sweep over all tasks, used again for the placement: their memory is already mapped. */
  buffers: Placement | null;
}

function solvePart(solve: SolveState, part: Part): PartOutcome | SlotConflict {
  const { instance, grid, poll } = solve;
  const groups = slotGroups(grid, part.crawlers);
  poll(nsPerItem * groups.time.length);
  const lastSlot = groups.time.length > 0 ? groups.time[groups.time.length - 1] : Number.NEGATIVE_INFINITY;
  const tasks = partTasks(instance, part, lastSlot);
  poll(nsPerItem * tasks.ideal.length);
  if (tasks.sweep !== null && solve.prices === null) return sweepPart(solve, part, tasks, tasks.sweep, groups);
  const sorted = sortByIdealTime(part, tasks.ideal, grid.interval);
  return searchPart(solve, sorted, partTasks(instance, sorted, lastSlot), groups);
}

/** Solves a part by the sweep, which must be exact for it. */
function sweepPart(
  solve: SolveState,
  part: Part,
  { commonWeight }: PartTasks,
  view: SweepTasks,
  groups: SlotGroups,
): PartOutcome | SlotConflict {
  const { instance, grid, poll, slotOf } = solve;
  const n = view.time.length;
  const m = slotsIn(groups);
  const sorted = seatByTime(view.time, view.release, grid.interval);
  const { order, first, seats } = sorted;
  poll(nsPerItem * n);
  if (instance.dropPenalty === Number.POSITIVE_INFINITY) {
    const overload = releaseOverload(order.time.subarray(first), groups);
    if (overload !== null) {
      const item = itemsBySeat(seats);
      const tasks = order.id.slice(first + overload.from).map((seat) => item[seat]);
      return slotConflict(instance, grid, instancePositions(part, tasks), overload.slots);
    }
    if (n > m) return slotConflict(instance, grid, part.tasks ?? positions(n), m);
    clampToSlots(order.time, first, groups);
  }
  const use = chooseGroupUse(order.time, first, groups, instance.dropPenalty / commonWeight);
  poll(nsPerItem * (n + m));
  if (part.tasks === null) solve.buffers = sweepSlots(sorted, groups, use, slotOf);
  else {
    const own = new Int32Array(n);
    sweepSlots(sorted, groups, use, own);
    for (let i = 0; i < n; i++) slotOf[part.tasks[i]] = own[i];
  }
  return { method: 'sweep', openBound: null, visits: 0 };
}

function searchPart(solve: SolveState, part: Part, tasks: PartTasks, groups: SlotGroups): PartOutcome | SlotConflict {
  const { instance, grid, budget, poll, settings } = solve;
  const slots = listSlots(groups);
  const problem = matchingProblem(instance, grid, part, tasks, slots);
  poll(nsPerItem * (problem.lineOf.length + slots.id.length));
  const samplePrices = (): Float64Array | null =>
    pricesOfSample({ instance, part, groups }, (sample) => slotPricesOf(sample, budget));
  const relaxProblem = (): MatchingProblem => matchingProblem(instance, grid, { ...part, open: true }, tasks, slots);
  const { coldVisits } = settings;
  const match = matchPart({ problem, relaxProblem, interval: grid.interval, budget, samplePrices, coldVisits });
  if ('tasks' in match) return slotConflict(instance, grid, instancePositions(part, match.tasks), match.slots.length);
  const { gridSlot } = problem.lines;
  for (let i = 0; i < match.slotOf.length; i++) {
    const s = match.slotOf[i];
    solve.slotOf[part.tasks === null ? i : part.tasks[i]] = s === dropped ? dropped : gridSlot[s];
  }
  if (solve.prices !== null) for (let s = 0; s < match.price.length; s++) solve.prices[gridSlot[s]] = match.price[s];
  return { method: 'shortest-paths', openBound: match.openBound, visits: match.visits };
}

/** Slot prices of a sample, within its share of the time; null where that ends before there are any. */
function slotPricesOf(sample: SlotAssignmentProblem, budget: Budget): Float64Array | null {
  const sampleBudget = reserveShare(budget, timeAfterSample);
  return unlessStopped(null, () => {
    const answer = assignSlots(sample, sampleBudget, { prices: true });
    return answer.status === 'infeasible' ? null : answer.prices;
  });
}

function instancePositions(part: Part, tasks: Int32Array): Int32Array {
  const { tasks: position } = part;
  return position === null ? tasks : tasks.map((j) => position[j]);
}
