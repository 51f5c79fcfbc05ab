/**
 * The activation-policy queue (Liu & Nain 2006, section 1.2.2), event by event: r active crawlers bring a page each after
 * exponential times of rate λ. A page's arrival deactivates its crawler, which is reactivated at once if fewer than
 * targets[new queue length] stay active. At a departure one more crawler is activated on the same rule. A departure that
 * leaves the system empty with no active crawler always activates one.
 */
import type { Random } from '../numerics/random/random.ts';
import { standardExponential } from '../numerics/random/random-variates.ts';
import { createCounts, type EventQueue } from './replications.ts';

export interface ActivationQueue {
  readonly crawlerRate: number;
  readonly serviceRate: number;
  readonly capacity: number;
  /** N: crawlers available. */
  readonly crawlers: number;
  /** R[0..K]. */
  readonly targets: readonly number[];
}

/** Starts empty with min(N, R[0]) active crawlers. */
export class ActivationRun implements EventQueue {
  readonly #queue: ActivationQueue;
  readonly #random: Random;
  counts = createCounts();
  level = 0;
  crawlers: number;

  constructor(queue: ActivationQueue, random: Random) {
    this.#queue = queue;
    this.#random = random;
    this.crawlers = Math.max(1, Math.min(queue.crawlers, queue.targets[0]));
  }

  get #arrivals(): number {
    return this.crawlers * this.#queue.crawlerRate;
  }

  get #rate(): number {
    return this.#arrivals + (this.level > 0 ? this.#queue.serviceRate : 0);
  }

  nextEvent(now: number): number {
    return now + standardExponential(this.#random) / this.#rate;
  }

  happen(): void {
    const { capacity, crawlers, targets } = this.#queue;
    if (this.#random() * this.#rate < this.#arrivals) {
      this.counts.arrived++;
      if (this.level === capacity) this.counts.lost++;
      else this.level++;
      this.crawlers--;
      if (this.crawlers < targets[this.level]) this.crawlers++;
      return;
    }
    this.level--;
    const isAsleep = this.level === 0 && this.crawlers === 0;
    if (this.crawlers < crawlers && (this.crawlers < targets[this.level] || isAsleep)) this.crawlers++;
  }
}
