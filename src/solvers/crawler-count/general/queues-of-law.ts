import type { Distribution } from '../../distributions/distribution.ts';
import { createLaw, type Law } from '../../distributions/index.ts';
import type { QueueMeasures } from '../model.ts';
import { type ArrivalCounter, arrivalCounter } from './arrivals.ts';
import { departureWeights } from './departure-weights.ts';
import { generalQueue, queueOf } from './general-queue.ts';

/** The weights of departures at one rate, for queues with so much room or less. */
interface Weights {
  readonly room: number;
  readonly excess: Float64Array;
  readonly departures: Float64Array;
}

/** The most numbers kept of all rates together. */
const maxKept = 2e6;

/**
 * The M/G/1/K queues of one law of indexing times, at any rate and capacity. What depends on neither is made once.
 *
 * For many capacities at the same rates ({@link keepingRoom}) the weights of departures are found with room to spare
 * and kept: those of a queue with less room are the first of them (general-queue.ts), so that another capacity takes
 * O(K). With twice the room wanted all capacities up to K cost about as much as K and K/2 and so on, each once.
 */
export class QueuesOfLaw {
  readonly indexing: Distribution;
  readonly #keeps: boolean;
  #law: Law | null = null;
  #counter: { readonly room: number; readonly goOn: () => void; readonly count: ArrivalCounter } | null = null;
  readonly #weights = new Map<number, Weights>();
  #kept = 0;

  constructor(indexing: Distribution, keeps = false) {
    this.indexing = indexing;
    this.#keeps = keeps;
  }

  /** The same law for capacities to come. */
  keepingRoom(): QueuesOfLaw {
    return this.#keeps ? this : new QueuesOfLaw(this.indexing, true);
  }

  get law(): Law {
    this.#law ??= createLaw(this.indexing);
    return this.#law;
  }

  /**
   * The measures at a rate of arrivals.
   *
   * @param goOn called every few hundred thousand steps; what it throws ends the evaluation
   */
  measures(rate: number, capacity: number, goOn: () => void): QueueMeasures {
    goOn();
    const { mean } = this.law;
    const weights = this.#keeps ? this.#weightsFor(rate, capacity, goOn) : null;
    if (weights === null) return generalQueue(rate, mean, capacity, this.#counting(capacity, goOn)(rate), goOn);
    return queueOf({ rate, mean, capacity }, weights.excess, weights.departures);
  }

  /** The weights kept for this rate, made where there are none for so much room; null where they would not serve. */
  #weightsFor(rate: number, capacity: number, goOn: () => void): Weights | null {
    const before = this.#weights.get(rate);
    if (before !== undefined && before.room >= capacity) return servingLess(before) ? before : null;
    const room = 2 ** Math.ceil(Math.log2(Math.max(16, capacity)));
    this.#kept += 2 * (room - (before?.room ?? 0));
    if (this.#kept > maxKept) return null;
    const arrivals = this.#counting(room, goOn)(rate);
    const weights = { room, excess: arrivals.excess, departures: departureWeights(room, arrivals, goOn) };
    this.#weights.set(rate, weights);
    return servingLess(weights) ? weights : null;
  }

  #counting(room: number, goOn: () => void): ArrivalCounter {
    if (this.#counter?.room !== room || this.#counter.goOn !== goOn) {
      this.#counter = { room, goOn, count: arrivalCounter(this.indexing, room, goOn) };
    }
    return this.#counter.count;
  }
}

/** Whether the first weights are whole: they are not where the later ones grew so much that all were scaled down. */
function servingLess({ departures }: Weights): boolean {
  return departures[0] === 1;
}
