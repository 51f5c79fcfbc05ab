/**
 * Policies where no optimality equation holds. One case is a controller that sees one of the two phases beside the
 * queue's length. The other is random pick-up with a price on the response time.
 *
 * The states that look alike form a group with one mode. What policy iteration leaves is the derivative of the cost in
 * the mode of a group. It is Σ π(state)·(right-hand side in the mode − in the present one), from the policy's own
 * relative values and stationary distribution π. Method: while the cost falls, move the groups whose derivative is
 * negative, all at once. Else move the half with the largest promise, and so on down to one. Then every mode in every
 * group, one by one, where that is affordable. It ends in a local optimum: no proof, but the bound of a problem in
 * which more is seen. Under random pick-up the derivative is that of first in first out, and only what is measured
 * decides. Cost: about two evaluations and one distribution a round, O(K·k_max·(W·M)³) each.
 */
import type { Budget } from '../../budget.ts';
import { blockSize, leastWhenEmpty, type Queue } from '../../queue/queue.ts';
import type { ModeByState } from '../../queue/state-policy.ts';
import type { Lagrangian } from '../bound/multipliers.ts';
import type { FullInformation } from '../bound/relaxation/full-information.ts';
import { everything } from '../bound/relaxation-bound.ts';
import type { MemorylessQueue } from '../evaluate/memoryless/evaluate-memoryless.ts';
import type { Weights } from '../evaluate/memoryless/rewards.ts';
import { distributionOfStates } from '../evaluate/memoryless/state-distribution.ts';

/** Improvements smaller than this share of the cost are rounding. */
const negligible = 1e-12;
/** The most evaluations of the last phase: every mode in every group. */
const mostSingleMoves = 1000;

/** Groups of states: all states of `members[g]` have one mode. */
export type Groups = readonly (readonly number[])[];

/** What a controller sees beside the queue's length. */
export type PhaseObservation = 'phases' | 'arrival-phase' | 'service-phase';

/** What a controller cannot tell apart. At level 0 nobody sees a service phase. */
export function groupsOf(queue: Queue, sees: PhaseObservation): Groups {
  const { arrivalPhases, topLevel } = queue;
  const { phases } = queue.service;
  const n = arrivalPhases * phases;
  const groups: number[][] = [];
  for (let level = 0; level <= topLevel; level++) {
    const arrivalsSeen = sees === 'service-phase' ? 1 : arrivalPhases;
    const servicesSeen = sees === 'arrival-phase' || level === 0 ? 1 : phases;
    const first = groups.length;
    for (let g = 0; g < arrivalsSeen * servicesSeen; g++) groups.push([]);
    for (let state = 0; state < n; state++) {
      const m = state % phases;
      const arrival = arrivalsSeen === 1 ? 0 : (state - m) / phases;
      groups[first + arrival * servicesSeen + (servicesSeen === 1 ? 0 : m)].push(level * n + state);
    }
  }
  return groups;
}

interface Move {
  readonly group: readonly number[];
  readonly mode: number;
  /** The derivative, below 0. */
  readonly promise: number;
}

/** What a search makes small, and by what it may tell states apart. */
interface PartialProblem {
  readonly prepared: MemorylessQueue;
  readonly groups: Groups;
  readonly objective: Lagrangian;
  readonly budget: Budget;
  /** The mean number that will be served, where it is not that of first in first out. */
  readonly toBeServed?: (modes: ModeByState) => number;
}

export class PartialSearch {
  readonly #problem: PartialProblem;
  readonly #relaxation: FullInformation;
  evaluations = 0;

  constructor(problem: PartialProblem) {
    const { prepared, objective, budget } = problem;
    this.#problem = problem;
    this.#relaxation = everything(prepared, objective.costs, budget).relaxation;
  }

  /** The policy nearest to one that sees both phases: in each group the mode it is in most of the time. */
  rounded(modes: ModeByState): ModeByState {
    const { queue } = this.#problem.prepared;
    const distribution = distributionOfStates(queue, modes);
    const rounded = modes.slice();
    const time = new Float64Array(queue.modes.length);
    for (const group of this.#problem.groups) {
      time.fill(0);
      for (const at of group) time[modes[at]] += distribution[at];
      // Of a group that is never entered, the mode of its first state.
      let mode = modes[group[0]];
      for (let other = 0; other < time.length; other++) if (time[other] > time[mode]) mode = other;
      for (const at of group) rounded[at] = mode;
    }
    return rounded;
  }

  /** A local optimum from a policy that has one mode in each group. */
  improve(start: ModeByState): { readonly modes: ModeByState; readonly cost: number } {
    let modes: ModeByState = start.slice();
    let cost = this.#cost(modes);
    for (;;) {
      const better = this.#byDerivatives(modes, cost) ?? this.#bySingleMoves(modes, cost);
      if (better === null) return { modes, cost };
      ({ modes, cost } = better);
    }
  }

  /** The least active mode that a group may have. */
  #least(group: readonly number[]): number {
    const { queue } = this.#problem.prepared;
    return group[0] < blockSize(queue) ? leastWhenEmpty(queue) : 0;
  }

  #cost(modes: ModeByState): number {
    this.evaluations++;
    const { objective, toBeServed } = this.#problem;
    const { costs, base } = objective;
    const linear = this.#relaxation.evaluate(base, modes);
    const [, inOrder, ends] = this.#relaxation.totals;
    if (costs.response === 0) return linear;
    return linear + (costs.response * (toBeServed?.(modes) ?? inOrder)) / ends;
  }

  #byDerivatives(modes: ModeByState, cost: number): { modes: ModeByState; cost: number } | null {
    const moves = this.#promising(modes, cost).sort((a, b) => a.promise - b.promise);
    for (let count = moves.length; count >= 1; count = count > 1 ? Math.floor(count / 2) : 0) {
      if (this.#problem.budget.stopRequested()) return null;
      const candidate = modes.slice();
      for (const { group, mode } of moves.slice(0, count)) for (const at of group) candidate[at] = mode;
      const value = this.#cost(candidate);
      if (value < cost - negligible * Math.abs(cost)) return { modes: candidate, cost: value };
    }
    return null;
  }

  /** The groups whose best mode has a negative derivative. */
  #promising(modes: ModeByState, cost: number): Move[] {
    const { prepared, objective } = this.#problem;
    const { queue } = prepared;
    const { costs, base } = objective;
    const relaxation = this.#relaxation;
    relaxation.evaluate(base, modes);
    const [, toBeServed, ends] = relaxation.totals;
    const price = costs.response / ends;
    const weights: Weights = [base[0], base[1] + price, base[2] - (price * toBeServed) / ends, base[3]];
    relaxation.evaluate(weights, modes);
    const distribution = distributionOfStates(queue, modes);
    const moves: Move[] = [];
    const sums = new Float64Array(queue.modes.length);
    const sides = new Float64Array(queue.modes.length);
    for (const group of this.#problem.groups) {
      sums.fill(0);
      for (const at of group) {
        if (distribution[at] === 0) continue;
        relaxation.rightHandSides(weights, at, sides);
        for (let mode = 0; mode < sums.length; mode++) sums[mode] += distribution[at] * sides[mode];
      }
      const present = sums[modes[group[0]]];
      let best = modes[group[0]];
      for (let mode = this.#least(group); mode < sums.length; mode++) if (sums[mode] < sums[best]) best = mode;
      const promise = sums[best] - present;
      if (promise < -negligible * Math.abs(cost)) moves.push({ group, mode: best, promise });
    }
    return moves;
  }

  #bySingleMoves(modes: ModeByState, cost: number): { modes: ModeByState; cost: number } | null {
    const kinds = this.#problem.prepared.queue.modes.length;
    if (this.#problem.groups.length * (kinds - 1) > mostSingleMoves) return null;
    for (const group of this.#problem.groups) {
      for (let mode = this.#least(group); mode < kinds; mode++) {
        if (mode === modes[group[0]]) continue;
        if (this.#problem.budget.stopRequested()) return null;
        const candidate = modes.slice();
        for (const at of group) candidate[at] = mode;
        const value = this.#cost(candidate);
        if (value < cost - negligible * Math.abs(cost)) return { modes: candidate, cost: value };
      }
    }
    return null;
  }
}
