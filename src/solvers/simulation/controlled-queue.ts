/**
 * Discrete-event simulation of the threshold-policy queue, first in first out. The policy is a mode for each queue
 * length, or for each queue length, arrival phase and service phase.
 *
 * Events: changes of the arrival process (with a batch or without), ends of service, expiries. Times of service and of obsolescence are drawn whole from their phase-type laws as the caller wrote them.
 * Service is drawn phase by phase where the policy looks at its phase. Pages are followed one by one. Nothing is shared
 * with the analytic solvers but the arrival matrices of the modes. The exponential time to the next change of the
 * arrival process is drawn anew when the mode changes, which its memorylessness allows. Cost: O(log K) an event; about
 * 0.3 µs to 1 µs each.
 */
import type { Random } from '../numerics/random/random.ts';
import { standardExponential } from '../numerics/random/random-variates.ts';
import type { Admission, Mode, PhaseTypeLaw } from '../queue/index.ts';
import type { RunCounts } from './activation-queue.ts';
import { type Controller, controllerOf, type Followed, type Server } from './controllers.ts';
import { type Choices, choicesOf, choose, phaseTypeSampler, pollEvery } from './phase-draws.ts';
import { WaitingPages } from './waiting-pages.ts';

export interface SimulatedQueue extends Followed {
  readonly capacity: number;
  /** The longest the queue can be. */
  readonly topLevel: number;
  readonly admission: Admission;
  readonly modes: readonly Mode[];
  readonly obsolescence: PhaseTypeLaw | null;
}

export interface QueueCounts extends RunCounts {
  readonly expired: number;
  readonly served: number;
  /** Sums over the pages that left. */
  readonly servedSojourn: number;
  readonly expiredSojourn: number;
}

/** How long a run is, and when it is given up. */
interface RunLength {
  readonly duration: number;
  /** Simulated first, and not counted. */
  readonly warmUp: number;
  /** Polled every few thousand events and changes of phase; a run that is stopped returns null. */
  readonly stop: () => boolean;
}

/** One run: starts empty, in the first arrival phase; the warm-up is simulated but not counted, then the duration. */
export function simulateQueue(queue: SimulatedQueue, random: Random, length: RunLength): QueueCounts | null {
  return new QueueRun(queue, random, length).counts();
}

class QueueRun {
  readonly #queue: SimulatedQueue;
  readonly #random: Random;
  readonly #length: RunLength;
  readonly #choicesAt: (mode: number, phase: number) => Choices;
  readonly #drawExpiry: (() => number) | null;
  readonly #waiting: WaitingPages;
  readonly #controller: Controller;
  readonly #counts = { arrived: 0, lost: 0, expired: 0, served: 0, servedSojourn: 0, expiredSojourn: 0 };
  #now = 0;
  #level = 0;
  #phase = 0;
  /** When the page in service arrived. */
  #inService = 0;
  #serviceEnd = Number.POSITIVE_INFINITY;
  /** Not a number while it has to be drawn anew. */
  #nextChange = Number.NaN;
  #mode: number;

  constructor(queue: SimulatedQueue, random: Random, length: RunLength) {
    const { stop } = length;
    this.#queue = queue;
    this.#random = random;
    this.#length = length;
    this.#choicesAt = choicesOf(queue.modes);
    this.#drawExpiry = queue.obsolescence === null ? null : phaseTypeSampler(queue.obsolescence, random, stop);
    this.#waiting = new WaitingPages(Math.max(1, queue.topLevel));
    this.#controller = controllerOf(queue, random, stop);
    this.#mode = this.#controller.modeAt(0, 0, 0);
  }

  counts(): QueueCounts | null {
    const { duration, warmUp, stop } = this.#length;
    const { modes } = this.#queue;
    const { server, modeAt } = this.#controller;
    const end = warmUp + duration;
    let [emptyTime, crawlerTime, pageTime] = [0, 0, 0];
    let events = 0;
    let counting = warmUp === 0;
    this.#nextChange = this.#drawChange();
    for (;;) {
      if (++events % pollEvery === 0 && stop()) return null;
      const expiry = this.#waiting.nextExpiry;
      const next = Math.min(this.#nextChange, this.#serviceEnd, expiry);
      if (Number.isNaN(next)) return null;
      if (!counting && next >= warmUp) {
        counting = true;
        this.#now = warmUp;
        for (const name of countNames) this.#counts[name] = 0;
      }
      const span = Math.min(next, end) - this.#now;
      if (counting) {
        if (this.#level === 0) emptyTime += span;
        crawlerTime += span * modes[this.#mode].crawlers;
        pageTime += span * this.#level;
      }
      if (next >= end) break;
      this.#now = next;
      if (next === this.#serviceEnd) this.#endService(server);
      else if (next === expiry) this.#expire();
      else this.#change();
      const previous = this.#mode;
      this.#mode = modeAt(this.#level, this.#phase, server.phase);
      if (Number.isNaN(this.#nextChange) || this.#mode !== previous) this.#nextChange = this.#now + this.#drawChange();
    }
    return { time: duration, ...this.#counts, emptyTime, crawlerTime, pageTime, events };
  }

  /** Time until the arrival process changes next. */
  #drawChange(): number {
    return standardExponential(this.#random) / this.#choicesAt(this.#mode, this.#phase).rate;
  }

  #endService(server: Server): void {
    if (!server.ends()) {
      this.#serviceEnd = this.#now + server.stay();
      return;
    }
    this.#counts.served++;
    this.#counts.servedSojourn += this.#now - this.#inService;
    this.#level--;
    if (this.#level === 0) {
      this.#serviceEnd = Number.POSITIVE_INFINITY;
      return;
    }
    this.#inService = this.#waiting.takeOldest();
    this.#beginService(server);
  }

  #beginService(server: Server): void {
    this.#serviceEnd = this.#now + server.begin();
  }

  #expire(): void {
    this.#counts.expired++;
    this.#counts.expiredSojourn += this.#now - this.#waiting.takeExpired();
    this.#level--;
  }

  /** A change of the arrival process, with a batch or without. */
  #change(): void {
    const here = this.#choicesAt(this.#mode, this.#phase);
    const chosen = choose(here.cumulated, this.#random());
    const size = here.batches[chosen];
    this.#phase = here.phases[chosen];
    if (size > 0) this.#arrive(size);
    this.#nextChange = Number.NaN;
  }

  #arrive(size: number): void {
    const { admission, capacity } = this.#queue;
    this.#counts.arrived += size;
    let entering = size;
    if (admission === 'partial') entering = Math.min(size, capacity - this.#level);
    else if (admission === 'complete-rejection') entering = this.#level + size <= capacity ? size : 0;
    else if (this.#level >= capacity) entering = 0;
    this.#counts.lost += size - entering;
    for (let page = 0; page < entering; page++) {
      if (this.#level === 0) {
        this.#inService = this.#now;
        this.#beginService(this.#controller.server);
      } else {
        const expires = this.#drawExpiry === null ? Number.POSITIVE_INFINITY : this.#now + this.#drawExpiry();
        this.#waiting.add(this.#now, expires);
      }
      this.#level++;
    }
  }
}

const countNames = ['arrived', 'lost', 'expired', 'served', 'servedSojourn', 'expiredSojourn'] as const;
