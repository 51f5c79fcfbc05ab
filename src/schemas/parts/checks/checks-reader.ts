/** Reads the checks of a list of pages cell by cell into a history. */

import type { Warning } from '../../../solvers/answer.ts';
import type { CheckHistory, FailureRun } from '../../../solvers/estimation/index.ts';

/** Largest absolute time accepted. */
export const longestTime = 1e15;
/** Minimum time between two checks in the caller's unit. */
export const shortestTime = 1 / longestTime;
/** Minimum time between two checks in seconds; no log resolves fetches of a page more finely. */
export const shortestSeconds = 1e-3;
const firstCapacity = 1024;

/** Collects checks by page; cells arrive in the order of their positions. */
export class ChecksReader {
  /** Number of checks by page; −1 if the cell is absent. */
  readonly counts: Int32Array;
  /** Time each page was last seen; NaN if unknown. */
  readonly lastSeen: Float64Array;
  /** The failures at the end of each page's fetches; null if the last one succeeded or there is none. */
  readonly failing: (FailureRun | null)[];
  /** Number of observations by page, including failed ones. */
  readonly fetches: Uint32Array;
  /** First and last time of each page's observations; NaN if there are none. */
  readonly earliest: Float64Array;
  readonly latest: Float64Array;
  /** 1 if the checks of a page were given as counts, so that their order is unknown. */
  readonly unordered: Uint8Array;
  #elapsed = new Float64Array(firstCapacity);
  #outcome = new Uint8Array(firstCapacity);
  #used = 0;
  /** Checks dropped because too little time had passed. */
  backwards = 0;
  /** Checks given as counts. */
  counted = 0;
  failures = 0;
  duplicates = 0;
  outOfOrder = 0;
  /** Ignored Last-Modified times. */
  implausible = 0;
  /** Minimum time between two checks. */
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

  /** Records the time range of a page's observations, including failed fetches. */
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

  /** Number of checks kept. */
  get used(): number {
    return this.#used;
  }

  /** Views of all checks. */
  get all(): Omit<CheckHistory, 'offsets'> {
    return { elapsed: this.#elapsed.subarray(0, this.#used), outcome: this.#outcome.subarray(0, this.#used) };
  }

  /** Copies checks from `at` on into a history. */
  copy(at: number, count: number, history: CheckHistory, to: number): void {
    history.elapsed.set(this.#elapsed.subarray(at, at + count), to);
    history.outcome.set(this.#outcome.subarray(at, at + count), to);
  }
}

/** The checks of all pages from several columns; each page has them in at most one. */
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

/** Warnings about dropped input. */
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
