/** What a replication says of all pages, and of one. */
import type { PageCounts } from './simulated-page.ts';

export const pageMeasureNames = [
  'freshness',
  'staleness',
  'embarrassment',
  'age',
  'delay',
  'fetches',
  'changes',
  'changesSeen',
] as const;
export type PageMeasureName = (typeof pageMeasureNames)[number];

/** Sums over pages, by weight where a measure is one. */
export class PageTotals {
  #weight = 0;
  #fresh = 0;
  #age = 0;
  #waiting = 0;
  #weightedUpdates = 0;
  #updates = 0;
  #fetches = 0;
  #changesSeen = 0;

  add(counts: PageCounts, weight: number): void {
    this.#weight += weight;
    this.#fresh += weight * counts.fresh;
    this.#age += weight * counts.age;
    this.#waiting += weight * counts.waiting;
    this.#weightedUpdates += weight * counts.updates;
    this.#updates += counts.updates;
    this.#fetches += counts.fetches;
    this.#changesSeen += counts.changesSeen;
  }

  /** NaN where a measure has no value: the delay where nothing changed. */
  measures(duration: number): Record<PageMeasureName, number> {
    const fresh = this.#fresh / (this.#weight * duration);
    return {
      freshness: fresh,
      staleness: 1 - fresh,
      embarrassment: this.#weight - this.#fresh / duration,
      age: this.#age / (this.#weight * duration),
      delay: this.#waiting / this.#weightedUpdates,
      fetches: this.#fetches,
      changes: this.#updates,
      changesSeen: this.#changesSeen,
    };
  }
}
