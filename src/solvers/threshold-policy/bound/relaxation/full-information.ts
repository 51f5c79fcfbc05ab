/**
 * The best policy when the controller may also see the arrival phase and the service phase. It is a Markov decision
 * process on the queue's own chain, solved by policy iteration on the level recursion. It bounds what thresholds can
 * reach.
 *
 * Model: at (i, ν, m) any mode in lowest[i]..highest[i]; running cost c(mode, i, ν) + price·(toBeServed −
 * v·serviceEnds), average over time. At level 0 the controller does not know the phase m of a service that has not
 * begun. This m is drawn from β when the last page leaves (see stationary.ts). So there is one mode for all m there,
 * weighed with β.
 *
 * Method: evaluation by policy-values.ts, improvement by mode-scores.ts. Stops when no state improves by more than
 * 1e−12 of the cost, or after 60 rounds.
 * Bound: for any values h, every policy costs at least the least over states of the best right-hand side of the
 * optimality equation, c + Σ rate·(h′ − h). This bound is computed from the h at hand. It holds when stopped early, and
 * whatever rounding has done to h (a long queue under heavy load leaves few digits of it).
 * Source: Howard (1960); the linearised ratio: see branch-and-bound.ts.
 */
import { type Budget, pollOf } from '../../../budget.ts';
import type { CostWeights } from '../../../queue/measures.ts';
import { meanOfPhaseType } from '../../../queue/phase-type.ts';
import type { Queue } from '../../../queue/queue.ts';
import type { MemorylessQueue } from '../../evaluate/memoryless/evaluate-memoryless.ts';
import { type Rewards, rewardsOf, type Weights } from '../../evaluate/memoryless/rewards.ts';
import { ModeScores } from './mode-scores.ts';
import { PolicyValues } from './policy-values.ts';

const relativeImprovement = 1e-12;
const mostRounds = 60;

/** The relaxation that minimises a cost. */
export const relaxationOfCost = (prepared: MemorylessQueue, costs: CostWeights, budget: Budget): FullInformation =>
  new FullInformation(prepared, rewardsOf(prepared, costs), budget);

export class FullInformation {
  readonly #budget: Budget;
  readonly #queue: Queue;
  readonly #policy: PolicyValues;
  readonly #scores: ModeScores;
  /** States of a level: W·M. */
  readonly n: number;
  /** Totals of the last evaluated policy per unit of time: linear cost, pages to be served, service ends, 1. */
  readonly totals: Float64Array;
  /** What V1 is at least: the mean service time. */
  readonly leastResponse: number;

  /** @param budget ends policy iterations early, after one round at least: bounds stay valid */
  constructor({ queue }: MemorylessQueue, rewards: Rewards, budget: Budget) {
    this.#budget = budget;
    this.#queue = queue;
    const poll = pollOf(budget, 'the relaxation had not been evaluated');
    this.#policy = new PolicyValues(queue, rewards, poll);
    this.#scores = new ModeScores(queue, rewards, this.#policy.values);
    this.n = this.#policy.n;
    this.totals = this.#policy.totals;
    this.leastResponse = meanOfPhaseType(queue.service);
  }

  /**
   * Minimises the weighted rewards per unit of time within the modes allowed at each level 0..K (levels above K: as K).
   *
   * @param modes start policy, one mode per (level, state); holds the best one found on return
   * @returns a lower bound on the gain of every policy allowed
   */
  minimise(weights: Weights, lowest: Uint8Array, highest: Uint8Array, modes: Uint8Array): number {
    let bound = Number.NEGATIVE_INFINITY;
    this.#admit(lowest, highest, modes);
    for (let round = 0; round < mostRounds; round++) {
      this.evaluate(weights, modes);
      const improved = this.#scores.improve(
        weights,
        lowest,
        highest,
        modes,
        this.#scale(weights) * relativeImprovement,
      );
      // Not a number where passages have left the range of doubles (a long queue under heavy load): then nothing is
      // known.
      if (improved.least > bound) bound = improved.least;
      if (!improved.changed || this.#budget.stopRequested()) break;
    }
    return bound;
  }

  /** Size of what the gain is made of (the gain itself may cancel to 0). */
  #scale(weights: Weights): number {
    let scale = 0;
    for (const [c, weight] of weights.entries()) scale += Math.abs(weight * this.totals[c]);
    return scale;
  }

  /** Moves a start policy inside what is allowed. */
  #admit(lowest: Uint8Array, highest: Uint8Array, modes: Uint8Array): void {
    const queue = this.#queue;
    for (let level = 0; level <= queue.topLevel; level++) {
      const allowed = Math.min(level, queue.capacity);
      for (let i = level * this.n; i < (level + 1) * this.n; i++) {
        const wanted = level === 0 ? modes[i - (i % queue.service.phases)] : modes[i];
        modes[i] = Math.min(highest[allowed], Math.max(lowest[allowed], wanted));
      }
    }
  }

  /** Gain of a policy; leaves its relative values and its totals behind. */
  evaluate(weights: Weights, modes: Uint8Array): number {
    return this.#policy.evaluate(weights, modes);
  }

  /** As {@link ModeScores.rightHandSides}, from the relative values of the policy that was evaluated last. */
  rightHandSides(weights: Weights, at: number, out: Float64Array): void {
    this.#scores.rightHandSides(weights, at, out);
  }
}
