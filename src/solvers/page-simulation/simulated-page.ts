/**
 * One page and our copy of it, followed from fetch to fetch, and what is counted of them between time 0 and the
 * duration.
 */
import type { UpdateStream } from './update-stream.ts';

/** What is counted of one page. */
export interface PageCounts {
  /** Time with a current copy. */
  fresh: number;
  /** Integral over time of the copy's age: the time since the first update it lacks, 0 while it lacks none. */
  age: number;
  /** Integral over time of the number of updates not yet fetched. */
  waiting: number;
  /** Updates between 0 and the duration. */
  updates: number;
  /** Squares of the number of updates that one fetch takes, in all. */
  together: number;
  fetches: number;
  /** Fetches that found the page changed since the one before. */
  changesSeen: number;
}

export class SimulatedPage {
  readonly counts: PageCounts = { fresh: 0, age: 0, waiting: 0, updates: 0, together: 0, fetches: 0, changesSeen: 0 };
  readonly #updates: UpdateStream;
  readonly #duration: number;
  /** Where counting goes on: the last fetch, not before 0. */
  #countedTo = 0;
  #nextUpdate: number;
  /** The first update that the copy lacks; Infinity while it is current. */
  #firstMissed = Number.POSITIVE_INFINITY;

  /**
   * @param updates from the copy's last fetch on, or from 0 for a page never fetched
   * @param stale whether the copy is stale from the beginning: it lacks an update made at `staleSince`
   */
  constructor(updates: UpdateStream, duration: number, staleSince: number | null) {
    this.#updates = updates;
    this.#duration = duration;
    this.#nextUpdate = updates();
    if (staleSince !== null) this.#firstMissed = staleSince;
  }

  /** Fetches the page at `time`, not before the fetch before; says whether it had changed. */
  fetch(time: number): boolean {
    const changed = this.#advance(time);
    this.counts.fetches++;
    if (changed) this.counts.changesSeen++;
    this.#firstMissed = Number.POSITIVE_INFINITY;
    return changed;
  }

  /** Counts what is left to the duration. */
  finish(): void {
    this.#advance(this.#duration);
  }

  #advance(to: number): boolean {
    const { counts } = this;
    const from = this.#countedTo;
    let update = this.#nextUpdate;
    const before = counts.updates;
    while (update <= to) {
      if (update < this.#firstMissed) this.#firstMissed = update;
      if (update >= 0) counts.updates++;
      counts.waiting += to - Math.max(update, from);
      update = this.#updates();
    }
    this.#nextUpdate = update;
    counts.together += (counts.updates - before) ** 2;
    const missed = this.#firstMissed;
    const staleFrom = Math.min(Math.max(missed, from), to);
    counts.fresh += staleFrom - from;
    // The age grows from its value at the later of the update and the last count to that at `to`.
    if (missed < to) counts.age += ((to - missed + (staleFrom - missed)) * (to - staleFrom)) / 2;
    this.#countedTo = to;
    return missed <= to;
  }
}
