/**
 * The threshold-policy queue, event by event, first in first out, its policy a mode for each queue length, arrival phase
 * and service phase.
 *
 * Pages are followed one by one, and the time until a page expires is drawn when it arrives, phase by phase: nothing is
 * shared with the analytic solvers but the assembled queue and the admission rule. Cost: O(1) an event, O(K) where
 * pages expire; about .3 µs to 1 µs each.
 */
import type { Random } from '../numerics/random/random.ts';
import { standardExponential } from '../numerics/random/random-variates.ts';
import { admitPages, type Mode, type PhaseType, type Queue, stateAt } from '../queue/index.ts';
import { createCounts, type EventQueue, eventsPerPoll } from './replications.ts';

/** Starts empty, in the first arrival phase. */
export class ThresholdQueueRun implements EventQueue {
  readonly #queue: Queue;
  /** The mode of each state of the queue. */
  readonly #table: Uint8Array;
  readonly #random: Random;
  readonly #poll: () => void;
  /** Of each mode and arrival phase: the rates of its changes, at batch·W + next phase. */
  readonly #changes: readonly (readonly Float64Array[])[];
  readonly #serviceMoves: readonly Float64Array[];
  readonly #expiryMoves: readonly Float64Array[];
  /** The pages in the system, oldest first; the first one is in service and does not expire. */
  readonly #pages: { readonly arrival: number; readonly expiry: number }[] = [];
  counts = createCounts();
  #arrivalPhase = 0;
  #servicePhase = 0;
  #phaseChanges = 0;

  /** @param poll throws when the budget ends: a law may change its phase billions of times before a page expires */
  constructor(queue: Queue, table: Uint8Array, random: Random, poll: () => void) {
    this.#queue = queue;
    this.#table = table;
    this.#random = random;
    this.#poll = poll;
    this.#changes = queue.modes.map((mode) =>
      Array.from({ length: queue.arrivalPhases }, (_, phase) => changesFrom(mode, phase, queue.arrivalPhases)),
    );
    this.#serviceMoves = movesOf(queue.service);
    this.#expiryMoves = queue.obsolescence === null ? [] : movesOf(queue.obsolescence);
  }

  get level(): number {
    return this.#pages.length;
  }

  get crawlers(): number {
    return this.#queue.modes[this.#mode].crawlers;
  }

  get #mode(): number {
    return this.#table[stateAt(this.#queue, this.level, this.#arrivalPhase, this.#servicePhase)];
  }

  get changeRate(): number {
    const [d0] = this.#queue.modes[this.#mode].matrices;
    return -d0[this.#arrivalPhase * (this.#queue.arrivalPhases + 1)];
  }

  get serviceRate(): number {
    return this.level > 0 ? leavingRate(this.#queue.service, this.#servicePhase) : 0;
  }

  get nextExpiry(): number {
    let next = Number.POSITIVE_INFINITY;
    if (this.#queue.obsolescence === null) return next;
    for (let place = 1; place < this.#pages.length; place++) next = Math.min(next, this.#pages[place].expiry);
    return next;
  }

  change(now: number): void {
    const { admission, capacity, arrivalPhases } = this.#queue;
    const change = this.#draw(this.#changes[this.#mode][this.#arrivalPhase], this.changeRate);
    const size = Math.floor(change / arrivalPhases);
    const entrants = admitPages(admission, capacity, this.level, size);
    this.#arrivalPhase = change % arrivalPhases;
    this.counts.arrived += size;
    this.counts.lost += size - entrants;
    for (let page = 0; page < entrants; page++) {
      if (this.level === 0) this.#beginService();
      this.#pages.push({ arrival: now, expiry: this.level === 0 ? now : now + this.#drawExpiryTime() });
    }
  }

  serve(now: number): void {
    const { service } = this.#queue;
    this.#servicePhase = this.#draw(this.#serviceMoves[this.#servicePhase], this.serviceRate);
    if (this.#servicePhase < service.phases) return;
    this.counts.served++;
    this.counts.servedSojourn += now - this.#removePage(0);
    this.#beginService();
  }

  expire(now: number): void {
    this.counts.expired++;
    this.counts.expiredSojourn += now - this.#removePage(this.#pages.findIndex(({ expiry }) => expiry === now));
  }

  /** Removes the page at a place of the queue. @returns the time at which the page arrived */
  #removePage(place: number): number {
    const [{ arrival }] = this.#pages.splice(place, 1);
    return arrival;
  }

  #beginService(): void {
    this.#servicePhase = this.#draw(this.#queue.service.initial, 1);
  }

  #drawExpiryTime(): number {
    const law = this.#queue.obsolescence;
    if (law === null) return Number.POSITIVE_INFINITY;
    let time = 0;
    for (let phase = this.#draw(law.initial, 1); phase < law.phases; ) {
      if (++this.#phaseChanges % eventsPerPoll === 0) this.#poll();
      const rate = leavingRate(law, phase);
      time += standardExponential(this.#random) / rate;
      phase = this.#draw(this.#expiryMoves[phase], rate);
    }
    return time;
  }

  /** A place, drawn in proportion to the weights there, whose sum is given. */
  #draw(weights: Float64Array, sum: number): number {
    let remaining = this.#random() * sum;
    for (let place = 0; place < weights.length; place++) {
      remaining -= weights[place];
      if (remaining < 0) return place;
    }
    return weights.findLastIndex((weight) => weight > 0);
  }
}

function changesFrom({ matrices }: Mode, phase: number, phases: number): Float64Array {
  const row = Float64Array.from(
    matrices.flatMap((matrix) => [...matrix.subarray(phase * phases, (phase + 1) * phases)]),
  );
  return row.with(phase, 0);
}

/** For each phase of a law: its rates to every phase and, last, to the end of the law. */
function movesOf({ phases, generator, exit }: PhaseType): Float64Array[] {
  return Array.from(exit, (end, phase) =>
    Float64Array.of(...generator.subarray(phase * phases, (phase + 1) * phases).with(phase, 0), end),
  );
}

const leavingRate = ({ generator, phases }: PhaseType, phase: number): number => -generator[phase * (phases + 1)];
