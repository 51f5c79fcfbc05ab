/**
 * Policies as callers write them, checked and turned into modes, and back: by queue length, or by queue length and the
 * phases of arrivals and indexing.
 *
 * The solvers keep one mode for each level, or for each (level, state), state ν·M + m of the assembled queue. Tables have
 * columns that are pairs of phases in the caller's own numbering. At level 0 nothing is being indexed, so that no service
 * phase is seen: a row 0 says one mode for all of them.
 */
import { ConditionNotMet } from '../condition.ts';
import { writtenPhases } from './phase-type.ts';
import {
  type ModeByLevel,
  minModeWhenEmpty,
  modesOfThresholds,
  type PhaseTypeLaw,
  type Queue,
  stateAt,
} from './queue.ts';

/**
 * A policy by queue length as it is written: crawlers at each length 0..K, or N − 1 thresholds of the N allowed modes.
 */
export type WrittenPolicy =
  | { readonly crawlersByQueueLength: readonly number[] }
  | { readonly thresholds: readonly number[] };

/** The mode at each level of a written policy. @throws ConditionNotMet with the place of the value that does not fit */
export function policyOf(queue: Queue, policy: WrittenPolicy): ModeByLevel {
  const byLevel =
    'thresholds' in policy
      ? modesFromThresholds(queue, policy.thresholds)
      : modesFromCounts(queue, policy.crawlersByQueueLength);
  if (byLevel[0] < minModeWhenEmpty(queue)) {
    const message =
      'has no crawler active in an empty system: it would stay empty; give a count above 0 at queue length 0';
    throw new ConditionNotMet(['evaluate'], 'never-wakes', message);
  }
  return byLevel;
}

function modesFromThresholds(queue: Queue, thresholds: readonly number[]): ModeByLevel {
  const path = ['evaluate', 'thresholds'];
  const modes = queue.modes.length;
  const requirement = `${modes} modes (${countsIn(queue)}) need ${modes - 1} thresholds: the last queue length of each mode but the least active, most active first`;
  checkLength(thresholds, modes - 1, path, requirement);
  for (const [i, threshold] of thresholds.entries()) {
    const lowest = i === 0 ? -1 : thresholds[i - 1];
    if (threshold >= lowest && threshold <= queue.capacity) continue;
    const message =
      `is ${threshold}; a threshold is an integer from -1 (mode unused) to the capacity ${queue.capacity}, and not below ` +
      `the one before it: here at least ${lowest}`;
    throw new ConditionNotMet([...path, i], 'out-of-range', message);
  }
  return modesOfThresholds(queue, thresholds);
}

function modesFromCounts(queue: Queue, counts: readonly number[]): ModeByLevel {
  const path = ['evaluate', 'crawlersByQueueLength'];
  const { capacity, topLevel } = queue;
  checkLength(counts, capacity + 1, path, `a policy has a count for each queue length 0 to ${capacity}`);
  return Uint8Array.from({ length: topLevel + 1 }, (_, level) => {
    const place = Math.min(level, capacity);
    return modeOf(queue, counts[place], [...path, place]);
  });
}

function checkLength(list: ArrayLike<unknown>, length: number, path: readonly (string | number)[], need: string): void {
  if (list.length === length) return;
  throw new ConditionNotMet(path, 'wrong-length', `has ${list.length} entries; expected ${length}: ${need}`);
}

const countsIn = (queue: Queue): string => queue.modes.map(({ crawlers }) => crawlers).join(', ');

function modeOf(queue: Queue, count: number, path: readonly (string | number)[]): number {
  const mode = queue.modes.findIndex(({ crawlers }) => crawlers === count);
  if (mode >= 0) return mode;
  throw new ConditionNotMet(path, 'unknown-mode', `is ${count}; the allowed crawler counts are ${countsIn(queue)}`);
}

/** The crawlers to activate in every state the queue can be in. */
export interface CrawlersByState {
  /** Pairs [arrival phase, service phase], from 0, as the caller numbers them. */
  readonly phases: readonly (readonly number[])[];
  /** table[queue length][position in `phases`]: active crawlers. */
  readonly table: readonly (readonly number[])[];
}

/** The mode in each state (stateAt in queue.ts). */
export type ModeByState = Uint8Array;

/**
 * The pairs of an arrival phase and a service phase in their order, as the caller numbers them, and which service phase
 * of the assembled queue each means.
 */
function columnsOf(queue: Queue, service: PhaseTypeLaw) {
  const servicePhases = [...writtenPhases(service).entries()].sort(([, a], [, b]) => a - b);
  return Array.from({ length: queue.arrivalPhases }, (_, arrival) =>
    servicePhases.map(([phase, written]) => ({ pair: [arrival, written], arrival, phase })),
  ).flat();
}

/**
 * The table of a policy by states, in the caller's numbering of the phases.
 *
 * @param service the law of indexing as the caller wrote it
 */
export function crawlersByState(queue: Queue, service: PhaseTypeLaw, modes: ModeByState): CrawlersByState {
  const columns = columnsOf(queue, service);
  return {
    phases: columns.map(({ pair }) => pair),
    table: Array.from({ length: queue.topLevel + 1 }, (_, level) =>
      columns.map(({ arrival, phase }) => queue.modes[modes[stateAt(queue, level, arrival, phase)]].crawlers),
    ),
  };
}

const tablePath = ['evaluate', 'crawlersByState'];

/**
 * The mode in each state of a caller's table.
 *
 * @param service the law of indexing as the caller wrote it
 * @throws ConditionNotMet with the place of the value that does not fit
 */
export function modesOfTable(queue: Queue, service: PhaseTypeLaw, policy: CrawlersByState): ModeByState {
  const columns = columnsOf(queue, service);
  const pairs = columns.map(({ pair }) => `[${pair}]`).join(', ');
  if (policy.phases.map((pair) => `[${pair}]`).join(', ') !== pairs) {
    const message = `are not the pairs of an arrival phase and a service phase in their order: ${pairs}`;
    throw new ConditionNotMet([...tablePath, 'phases'], 'out-of-range', message);
  }
  const rows = queue.topLevel + 1;
  checkLength(policy.table, rows, [...tablePath, 'table'], `a row for each queue length 0 to ${queue.topLevel}`);
  const modes = new Uint8Array(stateAt(queue, rows, 0, 0));
  for (const [level, row] of policy.table.entries()) {
    checkLength(row, columns.length, [...tablePath, 'table', level], 'a count for each pair of phases');
    for (const [c, { arrival, phase }] of columns.entries()) {
      modes[stateAt(queue, level, arrival, phase)] = modeOf(queue, row[c], [...tablePath, 'table', level, c]);
    }
  }
  checkEmptyRow(queue, modes, policy.table[0]);
  return modes;
}

/** Row 0: with no page in service the count may depend on the arrival phase alone. */
function checkEmptyRow(queue: Queue, modes: ModeByState, row: readonly number[]): void {
  const { arrivalPhases, service } = queue;
  if (modes.subarray(0, arrivalPhases).some((mode) => mode < minModeWhenEmpty(queue))) {
    const detail = `is [${row}]: with no crawler active in an empty system it would stay empty; give counts above 0`;
    throw new ConditionNotMet([...tablePath, 'table', 0], 'never-wakes', detail);
  }
  if (row.every((count, c) => count === row[c - (c % service.phases)])) return;
  const detail =
    `is [${row}]: with nothing in the system no service phase can be seen, so that the count may depend on the arrival ` +
    'phase alone';
  throw new ConditionNotMet([...tablePath, 'table', 0], 'out-of-range', detail);
}
