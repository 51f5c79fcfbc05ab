/**
 * The activation-policy queue (Liu & Nain 2006, section 1.2.2), event by event: r active crawlers bring a page each after
 * exponential times of rate λ. A page's arrival deactivates its crawler, which is reactivated at once if fewer than
 * targets[new queue length] stay active. At a departure one more crawler is activated on the same rule. A departure that
 * leaves the system empty with no active crawler always activates one.
 */
import { createCounts, type EventQueue } from './replications.ts';

export interface ActivationQueue {
  readonly crawlerRate: number;
  readonly serviceRate: number;
  readonly capacity: number;
  /** N: crawlers available. */
  readonly crawlers: number;
  /** R[0..K], by queue length after an event: one more crawler is activated if fewer are active. */
  readonly targets: readonly number[];
}

/** Starts empty with min(N, R[0]) active crawlers. */
export class ActivationRun implements EventQueue {
  readonly #queue: ActivationQueue;
  readonly nextExpiry = Number.POSITIVE_INFINITY;
  counts = createCounts();
  level = 0;
  crawlers: number;

  constructor(queue: ActivationQueue) {
    this.#queue = queue;
    this.crawlers = Math.max(1, Math.min(queue.crawlers, queue.targets[0]));
  }

  get changeRate(): number {
    return this.crawlers * this.#queue.crawlerRate;
  }

  get serviceRate(): number {
    return this.level > 0 ? this.#queue.serviceRate : 0;
  }

  change(): void {
    this.counts.arrived++;
    if (this.level === this.#queue.capacity) this.counts.lost++;
    else this.level++;
    this.crawlers--;
    if (this.crawlers < this.#queue.targets[this.level]) this.crawlers++;
  }

  serve(): void {
    const { crawlers, targets } = this.#queue;
    this.level--;
    const isAsleep = this.level === 0 && this.crawlers === 0;
    if (this.crawlers < crawlers && (this.crawlers < targets[this.level] || isAsleep)) this.crawlers++;
  }

  expire(): void {}
}
