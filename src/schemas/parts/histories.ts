/**
 * What is known of the changes of pages: checks, past fetches, or the changes themselves. Page by page all become one
 * list of checks, as the estimators take it.
 */

import * as z from 'zod';
import type { Warning } from '../../solvers/answer.ts';
import {
  type CheckHistory,
  changedAtKnownAge,
  changedOutcome,
  checksFromFetches,
  columnsOf,
  type FailureRun,
  type FetchColumns,
  type Observation,
  unchangedOutcome,
} from '../../solvers/estimation/index.ts';
import { count, id, moment, number, plain, time } from '../contract/field.ts';
import { list } from '../contract/list.ts';
import { flag, flagOrNull, integer, real } from '../contract/range.ts';
import { conditions } from '../contract/refusals.ts';
import { closedObject } from '../contract/strict-object.ts';

/** Largest absolute time accepted. */
const longestTime = 1e15;
const anyTime = real({ atLeast: -longestTime, atMost: longestTime });
/** Minimum time between two checks in the caller's unit. */
export const shortestTime = 1 / longestTime;
/** Minimum time between two checks in seconds; no log resolves fetches of a page more finely. */
export const shortestSeconds = 1e-3;

const isSet = (value: z.output<typeof flag>): boolean => value === true || value === 1;

/** Drops `items: false` from a tuple's JSON Schema: most client generators misread it, and its length says the same. */
export const noMoreItems = { items: undefined };

/** In a check: true, false, 1 or 0. */
export const changedFlag = flag.meta(plain('Whether the page had changed since then'));

const check = z.tuple([anyTime.meta(time('Time since the check before')), changedFlag]).meta({
  id: 'Check',
  ...noMoreItems,
  ...plain('A check: the time since the one before, and whether the page had changed'),
});

/** A list of checks `[[elapsed, changed], …]`, oldest first. */
export const checkList = (maxChecks: number) => list(check, { minItems: 0, maxItems: maxChecks });

const numberOfChecks = (description: string, maxChecks: number) =>
  integer({ atLeast: 0, atMost: maxChecks }).meta(count(description, { unit: 'checks' }));

/** Checks in seconds, as a list or, of regular checks, as counts. */
export const checksOrCounts = (maxChecks: number) =>
  z
    .union([
      checkList(maxChecks),
      closedObject({
        checks: numberOfChecks('How many checks were made', maxChecks),
        changes: numberOfChecks('How many of them found a change', maxChecks),
        gap: real({ atLeast: shortestSeconds, atMost: longestTime }).meta(
          time('From one to the next', { unit: 'seconds' }),
        ),
      })
        .meta({ id: 'CheckCounts', ...plain('Regular checks by their counts') })
        .check(
          conditions(({ checks, changes }, refuse) => {
            if (changes <= checks) return;
            refuse(['changes'], 'out-of-range', `must be at most the ${checks} checks; got ${changes}`, changes);
          }),
        ),
    ])
    .meta({ id: 'PageChecks' });

const observation = closedObject({
  time: anyTime.meta(moment('When the page was fetched')),
  changed: flagOrNull.optional().meta(plain('Whether it had changed since the last fetch')),
  lastModified: anyTime.nullable().optional().meta(moment('Last-Modified, by the same clock')),
  signature: z.string().max(512).nullable().optional().meta(id('Any digest of the content')),
  status: integer({ atLeast: 0, atMost: 999 })
    .nullable()
    .optional()
    .meta(number('HTTP status: 304 is unchanged, 2xx a fetch, all else no observation')),
}).meta({ id: 'Observation', ...plain('A past fetch and what it saw') });

const areFetchColumns = (cell: unknown): cell is FetchColumns =>
  typeof cell === 'object' && cell !== null && 'time' in cell && cell.time instanceof Float64Array;

/** `[{time, changed | lastModified | signature | status}, …]`; callers in this process may pass these as columns. */
export const observationList = (
  maxObservations: number,
): z.ZodType<z.output<typeof observation>[], readonly z.input<typeof observation>[] | FetchColumns> =>
  list(observation, { minItems: 0, maxItems: maxObservations }, areFetchColumns);

/** A list of times in epoch seconds, in ascending order. */
export const momentList = (maxMoments: number) =>
  list(real({ atLeast: 0, atMost: longestTime }), { minItems: 0, maxItems: maxMoments }).check(
    conditions((times, refuse) => {
      const k = times.findIndex((time, i) => i > 0 && time < times[i - 1]);
      if (k >= 0)
        refuse([k], 'not-increasing', `times must be in order; got ${times[k]} after ${times[k - 1]}`, times[k]);
    }),
  );

type Checks = z.output<ReturnType<typeof checksOrCounts>>;
type Observations = readonly z.output<typeof observation>[] | FetchColumns;

/** Collects the checks of pages, one page after another; `end` closes the current page. */
export class HistoryReader {
  /** By page: when it was last seen, and the first and last time of all that is known; NaN if unknown. */
  readonly lastSeen: Float64Array;
  readonly earliest: Float64Array;
  readonly latest: Float64Array;
  /** By page: the failures at the end of its fetches; null if the last one succeeded or there is none. */
  readonly failureRuns: (FailureRun | null)[];
  /** By page: number of past fetches, failed ones included. */
  readonly fetches: Uint32Array;
  /** Regular checks given as counts, over all pages. */
  regularChecks = 0;
  readonly #offsets: Uint32Array;
  /** Numbers in typed arrays, which grow by doubling: a year's log has millions. */
  #elapsed = new Float64Array(1024);
  #outcome = new Uint8Array(1024);
  #checks = 0;
  readonly #shortest: number;
  #backwards = 0;
  readonly #anomalies = { outOfOrder: 0, duplicates: 0, implausible: 0, failures: 0 };

  /** @param shortest minimum time between two checks */
  constructor(pages: number, shortest: number) {
    const unknown = new Float64Array(pages).fill(Number.NaN);
    this.lastSeen = unknown;
    this.earliest = unknown.slice();
    this.latest = unknown.slice();
    this.failureRuns = new Array<FailureRun | null>(pages).fill(null);
    this.fetches = new Uint32Array(pages);
    this.#offsets = new Uint32Array(pages + 1);
    this.#shortest = shortest;
  }

  #add(elapsed: number, outcome: number): void {
    if (!(elapsed >= this.#shortest)) {
      this.#backwards++;
      return;
    }
    if (this.#checks === this.#elapsed.length) {
      const [elapsedBefore, outcomesBefore] = [this.#elapsed, this.#outcome];
      this.#elapsed = new Float64Array(2 * elapsedBefore.length);
      this.#outcome = new Uint8Array(2 * elapsedBefore.length);
      this.#elapsed.set(elapsedBefore);
      this.#outcome.set(outcomesBefore);
    }
    this.#elapsed[this.#checks] = elapsed;
    this.#outcome[this.#checks++] = outcome;
  }

  #span(page: number, times: ArrayLike<number>): void {
    for (let k = 0; k < times.length; k++) {
      if (!(this.earliest[page] <= times[k])) this.earliest[page] = times[k];
      if (!(this.latest[page] >= times[k])) this.latest[page] = times[k];
    }
  }

  /** Counts spread the changes evenly over the checks; for a constant rate only the counts matter. */
  readChecks(record: Checks): void {
    if (Array.isArray(record)) {
      for (const [elapsed, flag] of record) this.#add(elapsed, isSet(flag) ? changedOutcome : unchangedOutcome);
      return;
    }
    const { checks, changes, gap } = record;
    this.regularChecks += checks;
    if (this.regularChecks > maxExpandedChecks) return;
    for (let k = 0; k < checks; k++) {
      const hasChanged = Math.floor(((k + 1) * changes) / checks) > Math.floor((k * changes) / checks);
      this.#add(gap, hasChanged ? changedOutcome : unchangedOutcome);
    }
  }

  readFetches(page: number, observations: Observations): void {
    const fetches = areFetchColumns(observations) ? observations : columnsOf(observations.map(observationOf));
    this.#span(page, fetches.time);
    const summary = checksFromFetches(fetches, (elapsed, outcome) => this.#add(elapsed, outcome));
    this.lastSeen[page] = summary.lastSeen;
    this.failureRuns[page] = summary.failureRun;
    this.fetches[page] = fetches.length;
    for (const name of ['outOfOrder', 'duplicates', 'implausible', 'failures'] as const) {
      this.#anomalies[name] += summary[name];
    }
  }

  /**
   * Reads all changes between `from` and `to`, each of known time; nothing changed after the last. Simultaneous changes
   * count as one.
   */
  readChanges(page: number, times: readonly number[], from: number, to: number): void {
    this.#span(page, [from, times.at(-1) ?? from]);
    let last = from;
    for (const time of times) {
      if (time > last) this.#add(time - last, changedAtKnownAge);
      last = time;
    }
    if (to > last) this.#add(to - last, unchangedOutcome);
  }

  /** Ends the current page; returns the time that its checks span. */
  end(page: number): number {
    this.#offsets[page + 1] = this.#checks;
    let span = 0;
    for (let k = this.#offsets[page]; k < this.#checks; k++) span += this.#elapsed[k];
    return span;
  }

  /** The checks of all pages. */
  history(): CheckHistory {
    const [elapsed, outcome] = [this.#elapsed.slice(0, this.#checks), this.#outcome.slice(0, this.#checks)];
    return { offsets: this.#offsets, elapsed, outcome };
  }

  /** Warnings about checks that were set aside. */
  warnings(): Warning[] {
    const { outOfOrder, duplicates, implausible, failures } = this.#anomalies;
    const notes: [code: string, count: number, text: string][] = [
      ['clock-backwards', this.#backwards, 'checks with an elapsed time of 0 or less, or next to 0, set aside'],
      ['out-of-order', outOfOrder, 'observations earlier than the one before them, taken in order of time'],
      ['duplicate-observations', duplicates, 'observations at the same instant as another of the page, set aside'],
      ['implausible-last-modified', implausible, 'Last-Modified times before 1995 or after their fetch, set aside'],
      ['failed-fetches', failures, 'failed fetches among the observations (status neither 2xx nor 304), no checks'],
    ];
    return notes
      .filter(([, count]) => count > 0)
      .map(([code, count, text]) => ({ code, detail: `${text}: ${count}`, pointer: '/pages' }));
  }
}

/** Maximum checks that counts expand to, over all pages. */
export const maxExpandedChecks = 20_000_000;

function observationOf({ time, changed, lastModified, signature, status }: z.output<typeof observation>): Observation {
  return {
    time,
    ...(changed !== undefined && changed !== null && { changed: isSet(changed) }),
    ...(typeof lastModified === 'number' && { lastModified }),
    ...(typeof signature === 'string' && { signature }),
    ...(typeof status === 'number' && { status }),
  };
}
