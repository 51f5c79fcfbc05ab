/**
 * The measures of every threshold policy of a queue, kept: problems about that queue that differ in prices and limits
 * alone are then solved by one pass over them, with the proof that every policy was looked at.
 *
 * A policy's cost is linear in the prices once its measures are known. One enumeration (enumerate.ts) to begin with,
 * then six multiplications a policy; 56 bytes a policy.
 */
import { type Budget, unlessStopped } from '../../budget.ts';
import { totalsOfCycle } from '../bounds/rewards.ts';
import type { MemorylessQueue } from '../evaluation/memoryless/evaluate-memoryless.ts';
import { type Constraints, type CostWeights, constraintTolerance } from '../model/measures.ts';
import { type ModeByLevel, modesOfThresholds, type Queue } from '../model/queue.ts';
import { countThresholdVectors, enumerateMemoryless } from './enumerate.ts';

/** The most policies that are kept: 28 MB. */
export const maxKeptPolicies = 500_000;

/**
 * Columns of a policy: pages lost and expired per time unit, starvation, crawlers, mean response time, pages indexed.
 */
const columns = 6;
const noCosts: CostWeights = { loss: 0, obsolescence: 0, response: 0, crawler: 0, starvation: 0 };

export class KeptPolicies {
  readonly #queue: Queue;
  readonly #measures: Float64Array;
  readonly #thresholds: Int16Array;
  #count = 0;

  private constructor(queue: Queue, most: number) {
    this.#queue = queue;
    this.#measures = new Float64Array(most * columns);
    this.#thresholds = new Int16Array(most * (queue.modes.length - 1));
  }

  /** Null where the budget ends first, or a measure has left the range of doubles. */
  static of(prepared: MemorylessQueue, budget: Budget): KeptPolicies | null {
    const { queue } = prepared;
    const kept = new KeptPolicies(queue, countThresholdVectors(queue.capacity, queue.modes.length));
    const found = unlessStopped(null, () =>
      enumerateMemoryless({
        prepared,
        costs: noCosts,
        constraints: {},
        budget,
        keep: (cycle, thresholds) => kept.#keep(cycle, thresholds),
      }),
    );
    return found?.complete && found.tally.unmeasured === 0 ? kept : null;
  }

  #keep(cycle: Float64Array, thresholds: (out: Int16Array) => void): void {
    const { lossRate, obsolescenceRate, starvationProbability, activeCrawlers, toBeServed, successRate } =
      totalsOfCycle(cycle);
    const at = this.#count * columns;
    this.#measures[at] = lossRate;
    this.#measures[at + 1] = obsolescenceRate;
    this.#measures[at + 2] = starvationProbability;
    this.#measures[at + 3] = activeCrawlers;
    this.#measures[at + 4] = toBeServed / successRate;
    this.#measures[at + 5] = successRate;
    const length = this.#queue.modes.length - 1;
    thresholds(this.#thresholds.subarray(this.#count * length, (this.#count + 1) * length));
    this.#count++;
  }

  /** The best policy under these prices and limits; null where none keeps the limits. */
  best(costs: CostWeights, constraints: Constraints | null): { byLevel: ModeByLevel; cost: number } | null {
    const measures = this.#measures;
    const { loss, obsolescence, starvation, crawler, response } = costs;
    const kept = constraints === null ? null : keeping(constraints);
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let policy = 0, at = 0; policy < this.#count; policy++, at += columns) {
      const cost =
        loss * measures[at] +
        obsolescence * measures[at + 1] +
        starvation * measures[at + 2] +
        crawler * measures[at + 3] +
        response * measures[at + 4];
      if (cost < least && (kept === null || kept(measures, at))) [best, least] = [policy, cost];
    }
    if (best < 0) return null;
    const length = this.#queue.modes.length - 1;
    const thresholds = this.#thresholds.subarray(best * length, (best + 1) * length);
    return { byLevel: modesOfThresholds(this.#queue, thresholds), cost: least };
  }
}

/** Whether the policy whose columns begin at `at` keeps the limits. */
function keeping(constraints: Constraints): (measures: Float64Array, at: number) => boolean {
  const most = (limit: number | undefined): number =>
    limit === undefined ? Number.POSITIVE_INFINITY : limit + constraintTolerance * Math.max(limit, constraintTolerance);
  const lost = most(constraints.lossProbability);
  const expired = most(constraints.obsolescenceProbability);
  const starving = most(constraints.starvationProbability);
  const active = most(constraints.activeCrawlers);
  const response = most(constraints.responseTime);
  return (measures, at) => {
    const arrivals = measures[at] + measures[at + 1] + measures[at + 5];
    return (
      measures[at] / arrivals <= lost &&
      measures[at + 1] / arrivals <= expired &&
      measures[at + 2] <= starving &&
      measures[at + 3] <= active &&
      measures[at + 4] <= response
    );
  };
}
