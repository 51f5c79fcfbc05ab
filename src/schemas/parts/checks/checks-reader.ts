/** The checks of a list of pages as they are read, cell by cell, and the history that comes of them. */

import type { Warning } from '../../../solvers/answer.ts';
import type { CheckHistory, FailureRun } from '../../../solvers/estimation/index.ts';

/** Times further than this from 0 are no times of a log. */
export const longestTime = 1e15;
/** Less is no time between two checks, where the unit of time is the caller's. */
export const shortestTime = 1 / longestTime;
/** Less is no time between two checks where times are in seconds: no log tells two fetches of a page apart by less. */
export const shortestSeconds = 1e-3;
const firstCapacity = 1024;

/** Checks by page as they are read; cells come in the order of their positions. */
export class ChecksReader {
  /** −1 where the cell is absent. */
  readonly counts: Int32Array;
  /** When each page was last seen; NaN where that is not known. */
  readonly lastSeen: Float64Array;
  /** What each page's last fetches failed with; null where the last one saw it, or there is none. */
  readonly failing: (FailureRun | null)[];
  /** How many observations each page has, failed ones too. */
  readonly fetches: Uint32Array;
  /** The first and the last time in each page's observations; NaN where there are none. */
  readonly earliest: Float64Array;
  readonly latest: Float64Array;
  /** 1 where the order of a page's checks is not known: counts stand for them. */
  readonly unordered: Uint8Array;
  #elapsed = new Float64Array(firstCapacity);
  #outcome = new Uint8Array(firstCapacity);
  #used = 0;
  /** Checks set aside because no time had passed, or too little to tell. */
  backwards = 0;
  /** Checks that counts stood for. */
  counted = 0;
  failures = 0;
  duplicates = 0;
  outOfOrder = 0;
  /** Last-Modified times that count for nothing. */
  implausible = 0;
  /** Less is no time between two checks. */
  readonly #shortest: number;

  constructor(length: number, shortest: number) {
    this.#shortest = shortest;
    this.counts = new Int32Array(length).fill(-1);
    this.unordered = new Uint8Array(length);
    this.failing = new Array<FailureRun | null>(length).fill(null);
    this.fetches = new Uint32Array(length);
    this.lastSeen = new Float64Array(length).fill(Number.NaN);
    this.earliest = new Float64Array(length).fill(Number.NaN);
    this.latest = new Float64Array(length).fill(Number.NaN);
  }

  /** Takes the times of a page's observations down, of failed fetches too. */
  span(position: number, times: Float64Array): void {
    for (const time of times) {
      if (!(this.earliest[position] <= time)) this.earliest[position] = time;
      if (!(this.latest[position] >= time)) this.latest[position] = time;
    }
  }

  add(position: number, elapsed: number, outcome: number): void {
    if (!(elapsed >= this.#shortest)) {
      this.backwards++;
      return;
    }
    if (this.#used === this.#elapsed.length) this.#grow();
    this.#elapsed[this.#used] = elapsed;
    this.#outcome[this.#used] = outcome;
    this.#used++;
    this.counts[position]++;
  }

  #grow(): void {
    const elapsed = new Float64Array(2 * this.#used);
    elapsed.set(this.#elapsed);
    this.#elapsed = elapsed;
    const outcome = new Uint8Array(2 * this.#used);
    outcome.set(this.#outcome);
    this.#outcome = outcome;
  }

  /** How many checks were taken. */
  get used(): number {
    return this.#used;
  }

  /** All checks, where they stand. */
  get all(): Omit<CheckHistory, 'offsets'> {
    return { elapsed: this.#elapsed.subarray(0, this.#used), outcome: this.#outcome.subarray(0, this.#used) };
  }

  /** Copies checks from `at` on into a history. */
  copy(at: number, count: number, history: CheckHistory, to: number): void {
    history.elapsed.set(this.#elapsed.subarray(at, at + count), to);
    history.outcome.set(this.#outcome.subarray(at, at + count), to);
  }
}

/** The checks of all pages from several columns: each page's are in one of them, or in none. */
export function historyOf(...readers: readonly ChecksReader[]): CheckHistory {
  const pages = readers[0].counts.length;
  const offsets = new Uint32Array(pages + 1);
  for (let i = 0; i < pages; i++) {
    offsets[i + 1] = offsets[i];
    for (const { counts } of readers) offsets[i + 1] += Math.max(0, counts[i]);
  }
  const only = readers.find(({ used }) => used === offsets[pages]);
  if (only !== undefined) return { offsets, ...only.all };
  const history = { offsets, elapsed: new Float64Array(offsets[pages]), outcome: new Uint8Array(offsets[pages]) };
  const from = new Float64Array(readers.length);
  for (let i = 0; i < pages; i++) {
    let to = offsets[i];
    for (const [r, reader] of readers.entries()) {
      const own = Math.max(0, reader.counts[i]);
      if (own > 0) reader.copy(from[r], own, history, to);
      from[r] += own;
      to += own;
    }
  }
  return history;
}

/** What was set aside while reading, as warnings. */
export function historyWarnings(checks: ChecksReader, observations: ChecksReader): Warning[] {
  const warnings: Warning[] = [];
  const say = (count: number, code: string, many: string, one: string): void => {
    if (count > 0) warnings.push({ code, detail: `${count} ${count === 1 ? one : many}`, pointer: '/pages' });
  };
  say(
    checks.backwards + observations.backwards,
    'clock-backwards',
    'checks have an elapsed time of 0 or less, or next to 0, and were set aside',
    'check has an elapsed time of 0 or less, or next to 0, and was set aside',
  );
  say(
    observations.outOfOrder,
    'out-of-order',
    'observations are earlier than the one before them; taken in order of time',
    'observation is earlier than the one before it; taken in order of time',
  );
  say(
    observations.duplicates,
    'duplicate-observations',
    'observations are at the same instant as another of the page and were set aside',
    'observation is at the same instant as another of the page and was set aside',
  );
  say(
    observations.implausible,
    'implausible-last-modified',
    'Last-Modified times are before 1995 or after their fetch and were set aside',
    'Last-Modified time is before 1995 or after its fetch and was set aside',
  );
  say(
    observations.failures,
    'failed-fetches',
    'observations are failed fetches (status neither 2xx nor 304): no check',
    'observation is a failed fetch (status neither 2xx nor 304): no check',
  );
  return warnings;
}
