/**
 * Slot assignment: which method answers which part, and one answer from all parts.
 *
 * Parts (crawlers that share tasks) are independent. A part with equal weights and nothing but release times goes to
 * the exact sweep. Every other part goes to the search (matching/search.ts), which ends within the budget.
 *
 * What the bound rests on: a swept part is optimal by the exchange argument in sweep/sweep.ts, and its prices, where they
 * are asked for, prove it. In a searched part every task sits where cost + price is least and idle slots have price 0,
 * which proves the optimum. A search that time has ended states what its last prices y ≥ 0 prove by weak duality
 * (matching/slot-price-bound.ts), or what a sample's prices proved before the search, where that is more. The bound of
 * an instance is the sum over its parts.
 */
import { type Objective, objective } from '../answer.ts';
import { type Budget, keepingShare, type Poll, pollOf, unlessStopped } from '../budget.ts';
import { hallConflict, overload, releaseConflict, type SlotConflict } from './conflict.ts';
import { dropped, type SlotGrid, slotGrid } from './instance/instance.ts';
import { isRestricted, type MatchingProblem, matchingProblem } from './instance/matching-problem.ts';
import { inTimeOrder, type Part, type PartTasks, partsOf, partTasks } from './instance/parts.ts';
import { costOf, type Placement, placement } from './instance/placement.ts';
import { positions } from './instance/positions.ts';
import { everySlot, type SlotGroups, slotGroups, slotsIn } from './instance/slot-order.ts';
import { itemsBySeat, type SeatedOrder, seatByTime } from './instance/time-sort.ts';
import { tooManyTasks } from './matching/completion.ts';
import { matchPart } from './matching/search.ts';
import { slotPriceBound } from './matching/slot-price-bound.ts';
import { type PricedSample, sampledPrices } from './prices/sampled-prices.ts';
import type { SlotAssignmentProblem } from './problem.ts';
import { pricesOfSweep, releaseOverload, sweepSlots, useOfGroups, withinSlots } from './sweep/sweep.ts';
import type { SweepPrices } from './sweep/sweep-prices.ts';

/** Time to give a task any slot at all and to write it out, ms: reserved at the end of a search. */
const msPerTask = 3e-4;

/** Tasks from which on a part is sorted by time before the search, so that neighbours in time share the cache. */
const minTasksToSort = 8192;

/** Tasks from which on a part is sampled. In smaller ones the auction soon has better prices. */
const minTasksToSample = 10_000;

/** Share of the remaining time that samples must leave. */
const timeAfterSamples = 0.6;

/** Time that the bound of a search's prices takes, as a multiple of that without prices. */
const boundTime = 2;

/** Share of the time that a search leaves at least for the bound of its prices. */
const timeForBound = 0.1;

/** Time of a task or slot in the passes before a poll, ns. Polls stand between passes: at 10⁶ tasks one takes 50 ms. */
const nsPerItem = 100;

/** An assignment with its proof. */
export interface FoundAssignment {
  readonly status: 'optimal' | 'feasible';
  /** Slot number (see {@link SlotGrid}) of each task, −1 where dropped. */
  readonly slotOf: Int32Array;
  readonly placement: Placement;
  /** Total cost, penalties of dropped tasks included, and what no assignment can beat. */
  readonly objective: Objective & { readonly bound: number };
  readonly droppedCount: number;
  readonly idleSlots: number;
  /** Which methods were used. */
  readonly method: 'sweep' | 'shortest-paths' | 'sweep and shortest-paths';
  readonly parts: number;
  /** Slots visited by shortest-path searches. */
  readonly visits: number;
  /** Slot prices y ≥ 0 by slot number; null where they were not asked for. */
  readonly prices: Float64Array | null;
}

/** An assignment, or why there is none. */
export type SlotAssignmentAnswer = FoundAssignment | { readonly status: 'infeasible'; readonly conflict: SlotConflict };

/** What to compute besides the assignment, and how. */
export interface SlotAssignmentSettings {
  /** Also slot prices, which prove the answer: about as long again for a sweep. */
  readonly prices?: boolean;
  /** Entries of lines the cold start of the shortest paths may pass in a part; left out: a few hundred a task. */
  readonly coldSteps?: number;
}

/** What one part came to. */
interface PartOutcome {
  readonly method: 'sweep' | 'shortest-paths';
  /** What the part's prices prove when it is not solved exactly, else null. */
  readonly bound: number | null;
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
  const { coldSteps } = settings;
  const prices = settings.prices ? new Float64Array(grid.total) : null;
  const state: Solve = { instance, grid, budget, poll, slotOf, coldSteps, prices, buffers: null };
  const outcomes: PartOutcome[] = [];
  for (const part of parts) {
    const outcome = solvePart(state, part);
    if ('detail' in outcome) return { status: 'infeasible', conflict: outcome };
    outcomes.push(outcome);
  }
  const placed = placement(grid, slotOf, state.buffers);
  let value = 0;
  let bound = 0;
  let droppedCount = 0;
  parts.forEach((part, i) => {
    const cost = costOf(instance, placed.time, part.tasks);
    value += cost.value;
    droppedCount += cost.droppedCount;
    bound += Math.min(cost.value, outcomes[i].bound ?? cost.value);
  });
  const swept = outcomes.some((outcome) => outcome.method === 'sweep');
  const searched = outcomes.some((outcome) => outcome.method === 'shortest-paths');
  return {
    status: outcomes.every((outcome) => outcome.bound === null) ? 'optimal' : 'feasible',
    slotOf,
    placement: placed,
    objective: { ...objective(value, bound), bound },
    droppedCount,
    idleSlots: grid.total - (n - droppedCount),
    method: searched ? (swept ? 'sweep and shortest-paths' : 'shortest-paths') : 'sweep',
    parts: parts.length,
    visits: outcomes.reduce((sum, outcome) => sum + outcome.visits, 0),
    prices: state.prices,
  };
}

/** What the parts of one solve share. */
interface Solve {
  readonly instance: SlotAssignmentProblem;
  readonly grid: SlotGrid;
  readonly budget: Budget;
  /** For what comes before the first assignment: ends the solve. */
  readonly poll: Poll;
  readonly slotOf: Int32Array;
  readonly coldSteps: number | undefined;
  /** By slot number; null where they are not asked for. */
  readonly prices: Float64Array | null;
  /** Arrays of a finished sweep over all tasks, used again for the placement: their memory is already mapped. */
  buffers: Placement | null;
}

function solvePart(solve: Solve, part: Part): PartOutcome | SlotConflict {
  const { instance, grid, poll } = solve;
  const groups = slotGroups(grid, part.crawlers);
  poll(nsPerItem * groups.time.length);
  const lastSlot = groups.time.length > 0 ? groups.time[groups.time.length - 1] : Number.NEGATIVE_INFINITY;
  const tasks = partTasks(instance, part, lastSlot);
  poll(nsPerItem * tasks.ideal.length);
  const outcome = trySweep(solve, part, tasks, groups);
  if (outcome !== null) return outcome;
  if (tasks.ideal.length < minTasksToSort) return searchPart(solve, part, tasks, groups);
  const sorted = inTimeOrder(part, tasks.ideal, grid.interval);
  return searchPart(solve, sorted, partTasks(instance, sorted, lastSlot), groups);
}

/** The sweep where it is exact or shows a conflict, else null. */
function trySweep(solve: Solve, part: Part, tasks: PartTasks, groups: SlotGroups): PartOutcome | SlotConflict | null {
  const { instance, grid } = solve;
  const view = tasks.sweep;
  if (view === null) return null;
  const n = tasks.ideal.length;
  const m = slotsIn(groups);
  const mayDrop = instance.dropPenalty < Number.POSITIVE_INFINITY;
  // Where tasks may be dropped, constants in the costs and weights of 0 matter, which the sweep does not see.
  if (mayDrop && (view.shifted || tasks.weight !== null || tasks.commonWeight === 0)) return null;
  if (tasks.weight !== null && view.releases === 0 && n <= m) return null;
  const sorted = seatByTime(view.time, view.release, grid.interval);
  solve.poll(nsPerItem * n);
  if (!mayDrop) {
    const conflict = releaseConflictOf(solve, part, sorted, groups);
    if (conflict !== null) return conflict;
    if (n > m) return overload(grid, part, part.tasks ?? positions(n), m);
    withinSlots(sorted.order.time, sorted.first, groups);
  }
  // With different weights the sweep is not exact; that all tasks fit is known now.
  if (tasks.weight !== null) return null;
  const penalty = mayDrop ? instance.dropPenalty / tasks.commonWeight : Number.POSITIVE_INFINITY;
  const mixed = view.releases > 0 && view.releases < n;
  let sweptPenalty = penalty;
  if (mayDrop && mixed) {
    // Both kinds with dropping: the sweep is exact if it drops nothing and its prices say that nothing should be.
    if (n > m || releaseOverload(sorted.order.time.subarray(sorted.first), groups) !== null) return null;
    sweptPenalty = Number.POSITIVE_INFINITY;
  }
  const use = useOfGroups(sorted.order.time, sorted.first, groups, sweptPenalty);
  solve.poll(nsPerItem * (n + m));
  const prove = (): SweepPrices => pricesOfSweep(sorted.order.time, sorted.first, groups, use, penalty, solve.poll);
  let proof: SweepPrices | null = null;
  if (sweptPenalty !== penalty) {
    proof = prove();
    if (proof.violation > 1e-12 * grid.interval) return null;
  }
  if (part.tasks === null) solve.buffers = sweepSlots(sorted, groups, use, solve.slotOf);
  else {
    const own = new Int32Array(n);
    sweepSlots(sorted, groups, use, own);
    for (let i = 0; i < n; i++) solve.slotOf[part.tasks[i]] = own[i];
  }
  if (solve.prices !== null) {
    const { price } = proof ?? prove();
    const { id } = everySlot(groups);
    for (let k = 0; k < id.length; k++) solve.prices[id[k]] = price[k] * tasks.commonWeight;
  }
  return { method: 'sweep', bound: null, visits: 0 };
}

function releaseConflictOf(
  { grid }: Solve,
  part: Part,
  { order, first, seats }: SeatedOrder,
  groups: SlotGroups,
): SlotConflict | null {
  const found = releaseOverload(order.time.subarray(first), groups);
  if (found === null) return null;
  const item = itemsBySeat(seats);
  const tasks = order.id.slice(first + found.from).map((seat) => item[seat]);
  return releaseConflict(grid, part, inInstance(part, tasks), found.slots, order.time[first + found.from]);
}

/** The search, after what a sample's prices prove. */
function searchPart(solve: Solve, part: Part, tasks: PartTasks, groups: SlotGroups): PartOutcome | SlotConflict {
  const { instance, grid, budget, poll } = solve;
  const n = tasks.ideal.length;
  const slots = everySlot(groups);
  const problem = matchingProblem(instance, grid, part, tasks, slots);
  poll(nsPerItem * (problem.lineOf.length + slots.id.length));
  if (n > slots.id.length && instance.dropPenalty === Number.POSITIVE_INFINITY) {
    const conflict = tooManyTasks(problem, budget);
    return hallConflict(grid, part, problem, conflict, inInstance(part, conflict.tasks));
  }
  let open: MatchingProblem | null = isRestricted(problem) ? null : problem;
  const relaxed = (): MatchingProblem => {
    open ??= matchingProblem({ ...instance, allowed: null }, grid, part, tasks, slots);
    return open;
  };
  const sampled =
    n < minTasksToSample ? null : sampledPrices({ instance, part, groups, priceSlots: priceSlots(budget) });
  // What is proved before the search tells how fast this machine is just now, so what the search must leave.
  const whole = budget.remainingMs();
  let [known, reservedMs] = [0, 0];
  if (whole < Number.POSITIVE_INFINITY) {
    const stop = (): boolean => budget.stopRequested();
    known = sampled
      ? slotPriceBound(relaxed(), sampled, stop)
      : slotPriceBound(problem, new Float64Array(slots.id.length), stop);
    const spent = whole - budget.remainingMs();
    reservedMs = Math.max(timeForBound * whole, sampled ? 0 : boundTime * spent) + msPerTask * n;
  }
  const { interval } = grid;
  const found = matchPart({
    problem,
    relaxed,
    groups,
    interval,
    budget,
    reservedMs,
    coldSteps: solve.coldSteps,
    sampled,
  });
  if ('tasks' in found) return hallConflict(grid, part, problem, found, inInstance(part, found.tasks));
  const { gridSlot } = problem.lines;
  for (let i = 0; i < n; i++) {
    const s = found.slotOf[i];
    solve.slotOf[part.tasks === null ? i : part.tasks[i]] = s === dropped ? dropped : gridSlot[s];
  }
  if (solve.prices !== null) for (let s = 0; s < found.price.length; s++) solve.prices[gridSlot[s]] = found.price[s];
  const bound = found.bound === null ? null : Math.max(known, found.bound);
  return { method: 'shortest-paths', bound, visits: found.visits };
}

/** A solver of samples: exact, within its share of the time. */
function priceSlots(budget: Budget): (sample: SlotAssignmentProblem) => PricedSample | null {
  const own = keepingShare(budget, timeAfterSamples);
  return (sample) =>
    unlessStopped(null, () => {
      const answer = assignSlots(sample, own, { prices: true });
      if (answer.status !== 'optimal' || answer.prices === null) return null;
      const { time } = answer.placement;
      const distance = sample.idealTime.reduce((sum, t, j) => sum + (Math.abs(time[j] - t) || 0), 0);
      const meanDistance = distance / (sample.interval * time.length) + answer.droppedCount / time.length;
      return { price: answer.prices, meanDistance };
    });
}

function inInstance(part: Part, tasks: Int32Array): Int32Array {
  const { tasks: position } = part;
  return position === null ? tasks : tasks.map((j) => position[j]);
}
