/**
 * A lower bound on what random pick-up serves. It is the least chance that a waiting page is served, over all policies
 * within some modes that see everything. Later arrivals overtake, so that it depends on the policy. It takes the place
 * of the chance itself in the mean number that will be served, Σ p_i[1 + (i − 1)u_i]. This is then linear in the
 * stationary distribution and no larger than it is. So the bounds of first in first out apply to random pick-up
 * (ratio-bound.ts, throughput-bound.ts).
 *
 * Method: policy iteration on the chain of the tagged page (random-page.ts), from the most active modes. Where the
 * modes are settled the chance is the policy's own, so that branching closes the bound. O(K·(k_max·(W·M)³ +
 * N·k_max·W²·M)) a round.
 */
import type { Poll } from '../../budget.ts';
import type { CostWeights } from '../../queue/measures.ts';
import { blockSize, type Queue } from '../../queue/queue.ts';
import { ratesUpByState } from '../evaluate/chain/stationary.ts';
import type { MemorylessQueue } from '../evaluate/memoryless/evaluate-memoryless.ts';
import { randomPageOf } from '../evaluate/memoryless/random-page.ts';
import { type Rewards, rewardsOf } from '../evaluate/memoryless/rewards.ts';

const mostRounds = 60;
const rounding = 1e-13;

/** Cost columns of rewards.ts with the least number that will be served, for modes within these. */
export function overtakenRewards(
  prepared: MemorylessQueue,
  costs: CostWeights,
  lowest: Uint8Array,
  highest: Uint8Array,
  poll?: Poll,
): Rewards {
  const { queue } = prepared;
  const n = blockSize(queue);
  const served = leastServed(queue, lowest, highest, poll);
  const rewards = rewardsOf(prepared, costs, 'cost');
  for (const levels of rewards.table) {
    for (const [level, block] of levels.entries()) {
      for (let state = 0; state < n; state++) {
        block[state * 4 + 1] = level === 0 ? 0 : 1 + (level - 1) * served[level * n + state];
      }
    }
  }
  return rewards;
}

/** u(level, state), levels 2..topLevel; 0, which bounds it too, where policy iteration does not settle. */
function leastServed(queue: Queue, lowest: Uint8Array, highest: Uint8Array, poll?: Poll): Float64Array {
  const n = blockSize(queue);
  const { topLevel, capacity } = queue;
  const modes = Uint8Array.from(
    { length: (topLevel + 1) * n },
    (_, at) => highest[Math.min(capacity, Math.floor(at / n))],
  );
  for (let round = 0; round < mostRounds; round++) {
    const { served } = randomPageOf(queue, ratesUpByState(queue, modes), poll);
    let changed = false;
    for (let at = 2 * n; at < modes.length; at++) {
      const level = Math.min(capacity, Math.floor(at / n));
      let best = modes[at];
      let least = drift(queue, served, at, best) - rounding * queue.modes[best].arrivalRate;
      for (let mode = lowest[level]; mode <= highest[level]; mode++) {
        const value = drift(queue, served, at, mode);
        if (value < least) [best, least] = [mode, value];
      }
      if (best === modes[at]) continue;
      modes[at] = best;
      changed = true;
    }
    if (!changed) return served.map((chance) => Math.max(0, chance - 1e-11));
  }
  return new Float64Array((topLevel + 1) * n);
}

/** What arrivals in a mode do to the chance, per time unit. */
function drift(queue: Queue, served: Float64Array, at: number, mode: number): number {
  const n = blockSize(queue);
  const { phases } = queue.service;
  const { arrivalPhases } = queue;
  const state = at % n;
  const level = (at - state) / n;
  const m = state % phases;
  const row = ((state - m) / phases) * arrivalPhases;
  let sum = 0;
  for (const [step, block] of queue.arrivals[mode][level].blocks.entries()) {
    for (let to = 0; to < arrivalPhases; to++) {
      const target = (level + step) * n + to * phases + m;
      if (target !== at) sum += block[row + to] * (served[target] - served[at]);
    }
  }
  return sum;
}
