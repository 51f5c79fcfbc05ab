/**
 * Two tables mixed in one: the same everywhere but in one state, where the count is left to chance.
 *
 * The path leads from one table to the other, state by state, all of them equally good at the prices of the limits. On
 * it two neighbours lie on both sides of the limit that binds. Their mixture in time meets it. A controller has it that
 * draws a count whenever the state is entered. Let π_A, π_B be the state's shares of time under the two tables, and w
 * the share of the second. Let r_A, r_B be the rates at which the state is left. The second count must hold for the
 * share q = wπ_B/((1 − w)π_A + wπ_B) of the time. Drawing it with probability q·r_B/(q·r_B + (1 − q)·r_A) does that.
 * Source: Beutler, Ross (1985), optimal policies for controlled Markov chains with a constraint.
 */
import { obsolescenceRate, type Queue } from '../../queue/queue.ts';
import type { ModeByState } from '../../queue/state-policy.ts';
import { distributionOfStates } from '../evaluate/memoryless/state-distribution.ts';

/** A table that is followed for a share of the time. */
export interface MixedTable {
  readonly share: number;
  readonly modes: ModeByState;
}

export interface MixedState {
  /** The two tables; they differ in one state. */
  readonly mixture: readonly [MixedTable, MixedTable];
  readonly level: number;
  /** ν·M + m; at level 0 with m = 0. */
  readonly state: number;
  /** The mode of the second table there, drawn with this probability whenever the state is entered. */
  readonly mode: number;
  readonly probability: number;
}

/**
 * @param excess of the limit that binds, linear in the shares of time
 * @returns null where the limit is not crossed on the way
 */
export function mixedState(
  queue: Queue,
  [{ modes: from }, { modes: to }]: readonly [MixedTable, MixedTable],
  excess: (modes: ModeByState) => number,
): MixedState | null {
  const steps = differences(queue, from, to);
  const after = (count: number): ModeByState => {
    const modes = from.slice();
    for (const group of steps.slice(0, count)) for (const at of group) modes[at] = to[at];
    return modes;
  };
  const [first, last] = [excess(from), excess(to)];
  if (first > 0 === last > 0) return null;
  // Between `low` and `high` steps the limit is crossed.
  let [low, high] = [0, steps.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (excess(after(middle)) > 0 === first > 0) low = middle;
    else high = middle;
  }
  const [one, other] = [after(low), after(high)];
  const share = excess(one) / (excess(one) - excess(other));
  return inState(queue, steps[low], { one, other, share });
}

/** The states in which two tables differ; those of level 0 that no controller tells apart together. */
function differences(queue: Queue, from: ModeByState, to: ModeByState): number[][] {
  const { phases } = queue.service;
  const groups: number[][] = [];
  for (let at = 0; at < from.length; at++) {
    if (from[at] === to[at]) continue;
    const empty = at < queue.arrivalPhases * phases;
    if (empty && at % phases > 0) groups[groups.length - 1].push(at);
    else groups.push([at]);
  }
  return groups;
}

function inState(
  queue: Queue,
  group: readonly number[],
  { one, other, share }: { readonly one: ModeByState; readonly other: ModeByState; readonly share: number },
): MixedState {
  const [at] = group;
  const n = queue.arrivalPhases * queue.service.phases;
  const state = at % n;
  const level = (at - state) / n;
  const shareOf = (modes: ModeByState): number => {
    const distribution = distributionOfStates(queue, modes);
    return group.reduce((sum, place) => sum + distribution[place], 0);
  };
  const [before, after] = [(1 - share) * shareOf(one), share * shareOf(other)];
  const flow = after * leavingRate(queue, level, state, other[at]);
  const rest = before * leavingRate(queue, level, state, one[at]);
  return {
    mixture: [
      { share: 1 - share, modes: one },
      { share, modes: other },
    ],
    level,
    state,
    mode: other[at],
    // A state that neither table ever enters may be decided either way.
    probability: flow + rest > 0 ? flow / (flow + rest) : share,
  };
}

/** Rate at which a state is left in a mode. */
function leavingRate(queue: Queue, level: number, state: number, mode: number): number {
  const { arrivalPhases } = queue;
  const { generator, phases } = queue.service;
  const m = state % phases;
  const from = (state - m) / phases;
  let rate = level > 0 ? -generator[m * phases + m] + (level - 1) * obsolescenceRate(queue) : 0;
  for (const [step, block] of queue.arrivals[mode][level].blocks.entries()) {
    for (let to = 0; to < arrivalPhases; to++) {
      if (step > 0 || to !== from) rate += block[from * arrivalPhases + to];
    }
  }
  return rate;
}
