/**
 * The chain of model.ts without the rows: for targets that rise with the queue, and where the optimum is no switching
 * curve. State (q, b): b crawlers active; (0, 0) does not exist. An option says whether one more crawler is activated
 * after an arrival, and after a departure.
 */
import type { Budget } from '../budget.ts';
import { ChainBuilder, ChainSolver, type ControlledChain, type Policy } from '../chain/index.ts';
import { type ActivationModel, type ClassMeasures, weightedSum } from './model.ts';

/** Size limits of the elimination: its band would need more than 256 MB of doubles above them. */
const [maxStates, maxBandEntries] = [600_000, 3.2e7];

/** Whether a model is small enough for elimination in general. */
export function fitsGeneralChain({ capacity, crawlers }: ActivationModel): boolean {
  const states = (capacity + 1) * (crawlers + 1);
  return states <= maxStates && states * (2 * Math.min(capacity, crawlers) + 5) <= maxBandEntries;
}

/** The two bits of an option. */
const [afterArrival, afterDeparture] = [1, 2];

export class GeneralChain {
  readonly #model: ActivationModel;
  readonly #solver: ChainSolver;
  readonly #chain: ControlledChain;
  /** The bits of every option. */
  readonly #options: Uint8Array;

  constructor(model: ActivationModel, budget: Budget) {
    const { capacity: K, crawlers: N, crawlerRate, indexingRate } = model;
    this.#model = model;
    const options: number[] = [];
    const builder = new ChainBuilder(4);
    const emptyRow = builder.row([]);
    for (let s = 0; s < (K + 1) * (N + 1) - 1; s++) {
      const [q, b] = this.#placeOf(s);
      const arrivals = crawlerRate * b;
      const rewards = [q === 0 ? 1 : 0, q === K ? arrivals : 0, b, q];
      for (let bits = 0; bits < 4; bits++) {
        const [arrivalBit, departureBit] = [bits & afterArrival, (bits & afterDeparture) / 2];
        if ((arrivalBit === 1 && b === 0) || (departureBit === 1 && (q === 0 || b === N))) continue;
        // The departure that would leave nothing queued and no crawler active must activate one.
        if (q === 1 && b === 0 && departureBit === 0) continue;
        const moves: [number, number][] = [];
        if (b > 0) moves.push([this.#numberOf(Math.min(q + 1, K), b - 1 + arrivalBit) - s, arrivals]);
        if (q > 0) moves.push([this.#numberOf(q - 1, b + departureBit) - s, indexingRate]);
        builder.option(builder.row(moves), rewards);
        options.push(bits);
      }
      builder.endState(emptyRow);
    }
    this.#options = Uint8Array.from(options);
    this.#chain = builder.chain();
    const balancedCount = Math.min(N, Math.max(1, Math.round(indexingRate / crawlerRate)));
    this.#solver = new ChainSolver(this.#chain, this.#numberOf(Math.ceil(K / 2), balancedCount), budget);
  }

  /** Queue length and active crawlers of a state: the shorter of the two runs within the longer. */
  #placeOf(s: number): readonly [q: number, b: number] {
    const { capacity: K, crawlers: N } = this.#model;
    const inner = Math.min(K, N) + 1;
    const [outer, at] = [Math.floor((s + 1) / inner), (s + 1) % inner];
    return K <= N ? [at, outer] : [outer, at];
  }

  #numberOf(q: number, b: number): number {
    const { capacity: K, crawlers: N } = this.#model;
    return (K <= N ? b * (K + 1) + q : q * (N + 1) + b) - 1;
  }

  /** The recurrent classes of targets, the most expensive first. */
  classesOf(targets: Int32Array): readonly [ClassMeasures, ...ClassMeasures[]] {
    const [first, ...rest] = this.#solver
      .classesOf(this.#policyOf(targets))
      .map(({ totals: [starvationProbability, lossRate, meanActive, meanQueueLength], members }) => {
        const active = members.map((s) => this.#placeOf(s)[1]);
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

  /** Policy iteration from these targets: a lower bound on the cost of every policy, and the targets it ends at. */
  optimum(targets: Int32Array): { readonly bound: number; readonly targets: Int32Array } {
    const { capacity: K, crawlers: N, weights } = this.#model;
    const { starvation, loss, crawler, queue } = weights;
    const bound = this.#solver.minimise([starvation, loss, crawler, queue], this.#policyOf(targets));
    const { values } = this.#solver;
    const improvedTargets = Int32Array.from({ length: K + 1 }, (_, q) => {
      let b = q === 0 ? 1 : 0;
      while (b < N && values[this.#numberOf(q, b + 1)] < values[this.#numberOf(q, b)]) b++;
      return b;
    });
    return { bound, targets: improvedTargets };
  }

  #policyOf(targets: Int32Array): Policy {
    const { capacity: K, crawlers: N } = this.#model;
    const { first, states } = this.#chain;
    return Int32Array.from({ length: states }, (_, s) => {
      const [q, b] = this.#placeOf(s);
      const arrivalBit = b > 0 && b - 1 < targets[Math.min(q + 1, K)] ? afterArrival : 0;
      const departureBit = q > 0 && b < N && (b < targets[q - 1] || (q === 1 && b === 0)) ? afterDeparture : 0;
      return first[s] + this.#options.subarray(first[s], first[s + 1]).indexOf(arrivalBit + departureBit);
    });
  }
}
