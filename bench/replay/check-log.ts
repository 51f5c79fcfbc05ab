/** The log of a replayed crawler, which grows with each fetch and is all that policies know. */
import { type CheckHistory, changedOutcome, unchangedOutcome } from '../../src/solvers/estimation/index.ts';
import { checkHistory } from '../../test/check-history.ts';

export class CheckLog {
  /** Gaps before the fetches of each page, s. */
  readonly elapsed: readonly number[][];
  /** For each gap of each page, 1 if the fetch at its end found a change. */
  readonly changed: readonly number[][];
  /** Time of the last fetch of each page; NaN for a page never fetched. */
  readonly lastFetch: Float64Array;

  /** @param lastFetch by page, NaN for never; the log goes on from there */
  constructor(lastFetch: Float64Array) {
    this.elapsed = Array.from(lastFetch, () => []);
    this.changed = Array.from(lastFetch, () => []);
    this.lastFetch = lastFetch.slice();
  }

  /**
   * A fetch of the page, later than the one before, and whether the page had changed since; a first fetch is no check.
   */
  record(page: number, time: number, seen: boolean): void {
    if (!Number.isNaN(this.lastFetch[page])) {
      this.elapsed[page].push(time - this.lastFetch[page]);
      this.changed[page].push(seen ? changedOutcome : unchangedOutcome);
    }
    this.lastFetch[page] = time;
  }

  history(): CheckHistory {
    return checkHistory(this.elapsed.map((list, i) => list.map((time, k) => [time, this.changed[i][k]])));
  }
}
