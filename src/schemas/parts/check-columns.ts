/** The columns `checks` and `observations` of a list of pages: nested lists, stored as the estimators take them. */

import type { Warning } from '../../solvers/answer.ts';
import {
  type CheckHistory,
  changed,
  checksFromObservations,
  type Observation,
  unchanged,
} from '../../solvers/estimation/index.ts';
import { type Fault, quoted } from '../contract/problem.ts';
import type { Column, ColumnStore } from '../table/column.ts';
import type { JsonSchema } from '../table/json-schema.ts';

const longestTime = 1e15;
/** Less is no time between two checks. */
const shortestTime = 1 / longestTime;
const timeRange = { minimum: -longestTime, maximum: longestTime };

/** Checks by page as they are read; cells come in the order of their positions. */
export class ChecksReader {
  /** −1 where the cell is absent. */
  readonly counts: Int32Array;
  /** When each page was last seen; NaN where that is not known. */
  readonly lastSeen: Float64Array;
  /** The first and the last time in each page's observations, and the latest Last-Modified; NaN where there are none. */
  readonly earliest: Float64Array;
  readonly latest: Float64Array;
  readonly latestModified: Float64Array;
  #elapsed = new Float64Array(1024);
  #outcome = new Uint8Array(1024);
  #used = 0;
  /** Checks set aside because no time had passed. */
  backwards = 0;
  /** Checks that counts stood for. */
  counted = 0;
  failures = 0;
  duplicates = 0;
  outOfOrder = 0;

  constructor(length: number) {
    this.counts = new Int32Array(length).fill(-1);
    this.lastSeen = new Float64Array(length).fill(Number.NaN);
    this.earliest = new Float64Array(length).fill(Number.NaN);
    this.latest = new Float64Array(length).fill(Number.NaN);
    this.latestModified = new Float64Array(length).fill(Number.NaN);
  }

  /** Takes the times of a page's observations down, of failed fetches too. */
  span(position: number, observations: readonly Observation[]): void {
    for (const { time, lastModified } of observations) {
      if (!(this.earliest[position] <= time)) this.earliest[position] = time;
      if (!(this.latest[position] >= time)) this.latest[position] = time;
      if (lastModified !== undefined && !(this.latestModified[position] >= lastModified))
        this.latestModified[position] = lastModified;
    }
  }

  add(position: number, elapsed: number, outcome: number): void {
    if (!(elapsed >= shortestTime)) {
      this.backwards++;
      return;
    }
    if (this.#used === this.#elapsed.length) {
      const longer = new Float64Array(2 * this.#used);
      longer.set(this.#elapsed);
      this.#elapsed = longer;
      const more = new Uint8Array(2 * this.#used);
      more.set(this.#outcome);
      this.#outcome = more;
    }
    this.#elapsed[this.#used] = elapsed;
    this.#outcome[this.#used++] = outcome;
    this.counts[position]++;
  }

  /** A view of a page's checks by reading on from `at`. */
  copy(at: number, count: number, history: CheckHistory, to: number): void {
    history.elapsed.set(this.#elapsed.subarray(at, at + count), to);
    history.outcome.set(this.#outcome.subarray(at, at + count), to);
  }
}

type CheckCell = readonly (readonly [number, boolean | 0 | 1])[];

/** Regular checks by their counts. */
export interface CheckCounts {
  readonly checks: number;
  readonly changes: number;
  readonly gap: number;
}

const checkList = (most: number): JsonSchema => ({
  type: 'array',
  maxItems: most,
  items: {
    type: 'array',
    minItems: 2,
    maxItems: 2,
    prefixItems: [
      { type: 'number', minimum: -longestTime, maximum: longestTime },
      { anyOf: [{ type: 'boolean' }, { enum: [0, 1] }] },
    ],
  },
});

const checkCounts = (most: number): JsonSchema => ({
  type: 'object',
  properties: {
    checks: { type: 'integer', minimum: 0, maximum: most, description: 'How many checks were made' },
    changes: { type: 'integer', minimum: 0, maximum: most, description: 'How many of them found a change' },
    gap: { type: 'number', minimum: shortestTime, maximum: longestTime, description: 'Time from one to the next' },
  },
  required: ['checks', 'changes', 'gap'],
  additionalProperties: false,
});

/** `checks`: `[[elapsed, changed], …]`, oldest first. */
export function checksColumn(most: number, description: string): Column<ChecksReader, CheckCell | undefined> {
  const store = (length: number): ColumnStore<ChecksReader> => checksStore(length, most, false);
  return { required: false, broadcasts: false, cell: checkList(most), description, store };
}

/** `checks` as a list or, of regular checks, as counts: `{checks, changes, gap}`. */
export function checksOrCountsColumn(
  most: number,
  description: string,
): Column<ChecksReader, CheckCell | CheckCounts | undefined> {
  const store = (length: number): ColumnStore<ChecksReader> => checksStore(length, most, true);
  const cell = { anyOf: [checkList(most), checkCounts(most)] };
  return { required: false, broadcasts: false, cell, description, store };
}

function checksStore(length: number, most: number, counts: boolean): ColumnStore<ChecksReader> {
  const values = new ChecksReader(length);
  return {
    values,
    set(position, cell) {
      if (counts && typeof cell === 'object' && cell !== null && !Array.isArray(cell)) {
        return addCounts(values, position, cell, most);
      }
      const fault = listFault(cell, most, 'checks [elapsed, changed]');
      if (fault || !Array.isArray(cell)) return fault;
      values.counts[position] = 0;
      for (let k = 0; k < cell.length; k++) {
        const check: unknown = cell[k];
        if (!Array.isArray(check) || check.length !== 2) {
          return { path: [k], code: 'invalid_type', message: `must be [elapsed, changed]; got ${quoted(check)}` };
        }
        const elapsed: unknown = check[0];
        const flag: unknown = check[1];
        if (typeof elapsed !== 'number' || !(Math.abs(elapsed) <= longestTime)) {
          const message = `must be a number, the time since the check before, at most ${longestTime}; got ${quoted(elapsed)}`;
          return { path: [k, 0], code: 'invalid_type', message };
        }
        if (flag !== true && flag !== false && flag !== 0 && flag !== 1) {
          return {
            path: [k, 1],
            code: 'invalid_type',
            message: `must be true, false, 1 or 0; got ${quoted(flag)}`,
          };
        }
        values.add(position, elapsed, flag === true || flag === 1 ? changed : unchanged);
      }
      return null;
    },
  };
}

/** Checks that counts may stand for, of all pages together. */
const mostCounted = 20_000_000;

/** Spreads the changes evenly over the checks: for a rate that stays as it is, the counts are all that matters. */
function addCounts(values: ChecksReader, position: number, cell: object, most: number): Fault | null {
  const known: Partial<Record<string, unknown>> = { ...cell };
  for (const name of Object.keys(known)) {
    if (!['checks', 'changes', 'gap'].includes(name)) {
      const message = `unknown property ${quoted(name)}; allowed here: checks, changes, gap`;
      return { path: [name], code: 'unrecognized_key', message };
    }
  }
  const { checks, changes, gap } = known;
  if (typeof checks !== 'number' || !(Number.isInteger(checks) && checks >= 0 && checks <= most)) {
    const message = `must be how many checks were made, 0 to ${most}; got ${quoted(checks)}`;
    return { path: ['checks'], code: 'invalid_type', message };
  }
  if (typeof changes !== 'number' || !(Number.isInteger(changes) && changes >= 0 && changes <= most)) {
    const message = `must be how many checks found a change, 0 to ${most}; got ${quoted(changes)}`;
    return { path: ['changes'], code: 'invalid_type', message };
  }
  if (typeof gap !== 'number' || !(gap >= shortestTime && gap <= longestTime)) {
    return { path: ['gap'], code: 'invalid_type', message: `must be the time between checks; got ${quoted(gap)}` };
  }
  if (changes > checks) {
    const message = `must be at most the ${checks} checks; got ${changes}`;
    return { path: ['changes'], code: 'out-of-range', message };
  }
  values.counted += checks;
  if (values.counted > mostCounted) {
    const message = `the counts of all pages together may stand for ${mostCounted} checks; use fewer or longer gaps`;
    return { path: ['checks'], code: 'too-large', message };
  }
  values.counts[position] = 0;
  for (let k = 0; k < checks; k++) {
    const seen = Math.floor(((k + 1) * changes) / checks) > Math.floor((k * changes) / checks);
    values.add(position, gap, seen ? changed : unchanged);
  }
  return null;
}

const observationNames = ['time', 'changed', 'lastModified', 'signature', 'status'];

/** `observations`: `[{time, changed | lastModified | signature | status}]`. */
export function observationsColumn(
  most: number,
  description: string,
): Column<ChecksReader, readonly Observation[] | undefined> {
  return {
    required: false,
    broadcasts: false,
    cell: {
      type: 'array',
      maxItems: most,
      items: {
        type: 'object',
        properties: {
          time: { type: 'number', ...timeRange, description: 'When the page was fetched' },
          changed: {
            enum: [true, false, 1, 0, null],
            description: 'Whether it had changed since the fetch before',
          },
          lastModified: { type: ['number', 'null'], ...timeRange, description: 'Last-Modified, in the unit of time' },
          signature: { type: ['string', 'null'], maxLength: 512, description: 'Any digest of the content' },
          status: {
            type: ['integer', 'null'],
            minimum: 0,
            maximum: 999,
            description: 'HTTP status: 304 is unchanged, 2xx a fetch, others no observation',
          },
        },
        required: ['time'],
        additionalProperties: false,
      },
    },
    description,
    store(length) {
      const values = new ChecksReader(length);
      return {
        values,
        set(position, cell) {
          const fault = listFault(cell, most, 'observations {time, changed | lastModified | signature | status}');
          if (fault || !Array.isArray(cell)) return fault;
          const list: Observation[] = [];
          for (let k = 0; k < cell.length; k++) {
            const read = readObservation(cell[k]);
            if ('code' in read) return { ...read, path: [k, ...(read.path ?? [])] };
            list.push(read);
          }
          values.counts[position] = 0;
          values.span(position, list);
          const summary = checksFromObservations(list, (elapsed, outcome) => values.add(position, elapsed, outcome));
          values.lastSeen[position] = summary.lastSeen;
          values.failures += summary.failures;
          values.duplicates += summary.duplicates;
          values.outOfOrder += summary.outOfOrder;
          return null;
        },
      };
    },
  };
}

function listFault(cell: unknown, most: number, of: string): Fault | null {
  if (!Array.isArray(cell)) return { code: 'invalid_type', message: `must be an array of ${of}; got ${quoted(cell)}` };
  if (cell.length > most) return { code: 'too_big', message: `must have at most ${most} items; got ${cell.length}` };
  return null;
}

function readObservation(value: unknown): Observation | Fault {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { code: 'invalid_type', message: `must be an object; got ${quoted(value)}` };
  }
  const known: Partial<Record<string, unknown>> = { ...value };
  for (const name of Object.keys(value)) {
    if (!observationNames.includes(name)) {
      const message = `unknown property ${quoted(name)}; allowed here: ${observationNames.join(', ')}`;
      return { path: [name], code: 'unrecognized_key', message };
    }
  }
  const { time, changed: flag, lastModified, signature, status } = known;
  const wrong = (name: string, message: string): Fault => ({ path: [name], code: 'invalid_type', message });
  if (typeof time !== 'number' || !(Math.abs(time) <= longestTime)) {
    return wrong('time', `must be a number, when the page was fetched, at most ${longestTime}; got ${quoted(time)}`);
  }
  const flagGiven = flag !== undefined && flag !== null;
  if (flagGiven && flag !== true && flag !== false && flag !== 1 && flag !== 0) {
    return wrong('changed', `must be true, false, 1 or 0; got ${quoted(flag)}`);
  }
  const modifiedGiven = lastModified !== undefined && lastModified !== null;
  if (modifiedGiven && !(typeof lastModified === 'number' && Math.abs(lastModified) <= longestTime)) {
    return wrong('lastModified', `must be a number, in the unit of time; got ${quoted(lastModified)}`);
  }
  const signatureGiven = signature !== undefined && signature !== null;
  if (signatureGiven && !(typeof signature === 'string' && signature.length <= 512)) {
    return wrong('signature', `must be a string of at most 512 characters; got ${quoted(signature)}`);
  }
  const statusGiven = status !== undefined && status !== null;
  if (statusGiven && !(typeof status === 'number' && Number.isInteger(status) && status >= 0 && status <= 999)) {
    return wrong('status', `must be an HTTP status, an integer from 0 to 999; got ${quoted(status)}`);
  }
  return {
    time,
    ...(flagGiven && { changed: flag === true || flag === 1 }),
    ...(typeof lastModified === 'number' && { lastModified }),
    ...(typeof signature === 'string' && { signature }),
    ...(typeof status === 'number' && { status }),
  };
}

/** The checks of all pages from several columns: each page's are in one of them, or in none. */
export function historyOf(...readers: readonly ChecksReader[]): CheckHistory {
  const pages = readers[0].counts.length;
  const offsets = new Uint32Array(pages + 1);
  for (let i = 0; i < pages; i++) {
    offsets[i + 1] = offsets[i];
    for (const { counts } of readers) offsets[i + 1] += Math.max(0, counts[i]);
  }
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
  const say = (count: number, code: string, detail: string): void => {
    if (count > 0) warnings.push({ code, detail: `${count} ${detail}`, pointer: '/pages' });
  };
  say(
    checks.backwards + observations.backwards,
    'clock-backwards',
    'checks have an elapsed time of 0 or less and were set aside',
  );
  say(
    observations.outOfOrder,
    'out-of-order',
    'observations are earlier than the one before them; taken in order of time',
  );
  say(
    observations.duplicates,
    'duplicate-observations',
    'observations are at the same instant as another of the page and were set aside',
  );
  say(
    observations.failures,
    'failed-fetches',
    'observations are failed fetches (status neither 2xx nor 304): no check',
  );
  return warnings;
}
