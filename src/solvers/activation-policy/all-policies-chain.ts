/**
 * The chain of model.ts with every decision open: it bounds the cost of all policies, and measures targets that rise
 * with the queue. State (q, r) at r·(K + 1) + q. An option says whether one more crawler is activated after an arrival,
 * and after a departure: for the moves out of (q, r), not for the way in. What depends on q alone is kept once for each q,
 * and the options once for each r, in the lists of moves that chain/chain.ts lets states share.
 */
import type { Budget, Poll } from '../budget.ts';
import {
  ChainBuilder,
  ChainSolver,
  type ControlledChain,
  lowerBound,
  type Policy,
  weightCosts,
} from '../chain/index.ts';
import { type ActivationModel, type ClassMeasures, weightedSum } from './model.ts';

/** Size limits of the elimination: its band would need more than 256 MB of doubles above them. */
const [maxStates, maxBandEntries] = [600_000, 3.2e7];

/** Whether a model is small enough for elimination in general. */
export function fitsElimination({ capacity, crawlers }: ActivationModel): boolean {
  const states = (capacity + 1) * (crawlers + 1);
  return states <= maxStates && states * (2 * capacity + 3) <= maxBandEntries;
}

export class AllPoliciesChain {
  readonly #model: ActivationModel;
  readonly chain: ControlledChain;

  constructor(model: ActivationModel) {
    this.#model = model;
    this.chain = chainOf(model);
  }

  /** Of the cost columns. */
  get weights(): readonly number[] {
    const { starvation, loss, crawler, queue } = this.#model.weights;
    return [starvation, loss, crawler, queue];
  }

  /** The lower bound on the cost of every policy that relative values prove ({@link lowerBound} fills `magnitudes`). */
  bound(values: Float64Array, poll: Poll, magnitudes?: Float64Array): number {
    const costs = weightCosts(this.chain, this.weights);
    return lowerBound(this.chain, costs, values, { poll, ...(magnitudes && { magnitudes }) });
  }

  /** The recurrent classes of targets, the most expensive first. */
  classesOf(targets: Int32Array, budget: Budget): readonly [ClassMeasures, ...ClassMeasures[]] {
    const n = this.#model.capacity + 1;
    const [first, ...rest] = new ChainSolver(this.chain, n, budget)
      .classesOf(this.policyOf(targets))
      .map(({ totals: [starvationProbability, lossRate, meanActive, meanQueueLength], members }) => {
        const active = members.map((s) => Math.floor(s / n));
        const averages = { starvationProbability, lossRate, meanActive, meanQueueLength };
        return {
          cost: weightedSum(this.#model.weights, averages),
          ...averages,
          minActive: active.reduce((a, b) => Math.min(a, b)),
          maxActive: active.reduce((a, b) => Math.max(a, b)),
        };
      })
      .sort((a, b) => b.cost - a.cost);
    return [first, ...rest];
  }

  /** The options of targets. */
  policyOf(targets: Int32Array): Policy {
    const { capacity: K, crawlers: N } = this.#model;
    return this.chain.firstOption.map((first, s) => {
      const [q, r] = [s % (K + 1), Math.floor(s / (K + 1))];
      const afterArrival = r > 0 && r - 1 < targets[Math.min(q + 1, K)] ? 1 : 0;
      if (q === 0 || r === N || (q === 1 && r === 0)) return first + afterArrival;
      return first + 2 * afterArrival + (r < targets[q - 1] ? 1 : 0);
    });
  }
}

function chainOf({ capacity: K, crawlers: N, crawlerRate, indexingRate }: ActivationModel): ControlledChain {
  const n = K + 1;
  const builder = new ChainBuilder(4);
  const ownRows = Array.from({ length: n }, (_, q) => builder.row([], [q === 0 ? 1 : 0, 0, 0, q]));
  /** The rows of a state's options: each choice after an arrival, with each after a departure. */
  const addOptions = (q: number, r: number): { first: number; count: number } => {
    const arrivals = crawlerRate * r;
    const next = q === K ? 0 : 1;
    const afterArrival = r === 0 ? [0] : [next - n, next];
    // The departure that would leave nothing queued and no crawler active must activate one.
    const afterDeparture = q === 0 ? [0] : r === N ? [-1] : q === 1 && r === 0 ? [n - 1] : [-1, n - 1];
    const costs = [0, q === K ? arrivals : 0, r];
    const rows = afterArrival.flatMap((a) =>
      afterDeparture.map((d) =>
        builder.row(
          [
            [a, arrivals],
            [d, indexingRate],
          ],
          costs,
        ),
      ),
    );
    return { first: rows[0], count: rows.length };
  };
  for (let r = 0; r <= N; r++) {
    let options = { first: 0, count: 0 };
    for (let q = 0; q <= K; q++) {
      if (q === 0 && r === 0) {
        // (0, 0) does not exist: transient, with nothing to decide.
        builder.state(builder.row([[n, indexingRate]], []), ownRows[0], 0);
        continue;
      }
      // Between q = 1 and K − 1 they differ in nothing, but for the departure that must activate.
      if (q <= 1 || (q === 2 && r === 0) || q === K) options = addOptions(q, r);
      builder.state(ownRows[q], options.first, options.count);
    }
  }
  return builder.chain();
}
