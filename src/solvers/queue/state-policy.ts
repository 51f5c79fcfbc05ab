/**
 * Policies that choose a mode from the queue's length and the phases of arrivals and indexing. The solvers keep one
 * mode for each (level, state), state ν·M + m of the assembled queue. Callers write a table whose columns are pairs of
 * phases in the caller's own numbering.
 *
 * At level 0 nothing is being indexed, so that no service phase is seen: a row 0 says one mode for all of them.
 */
import { ConditionNotMet } from '../condition.ts';
import { writtenPhases } from './phase-type.ts';
import { blockSize, leastWhenEmpty, type PhaseTypeLaw, type Queue } from './queue.ts';

/** The crawlers to activate in every state the queue can be in. */
export interface CrawlersByState {
  /** Pairs [arrival phase, service phase], from 0, as the caller numbers them. */
  readonly phases: readonly (readonly number[])[];
  /** table[queue length][position in `phases`]: active crawlers. */
  readonly table: readonly (readonly number[])[];
}

/** modes[level·W·M + ν·M + m], levels 0..topLevel. */
export type ModeByState = Uint8Array;

/**
 * Pairs of phases in the caller's numbering, in their order, and where each stands in a block of the assembled queue.
 */
function columnsOf(queue: Queue, service: PhaseTypeLaw): { pair: [number, number]; state: number }[] {
  const { arrivalPhases } = queue;
  const written = writtenPhases(service).map((phase, m) => ({ phase, m }));
  written.sort((a, b) => a.phase - b.phase);
  return Array.from({ length: arrivalPhases }, (_, arrival) =>
    written.map(({ phase, m }): { pair: [number, number]; state: number } => ({
      pair: [arrival, phase],
      state: arrival * queue.service.phases + m,
    })),
  ).flat();
}

/** @param service the law of indexing as the caller wrote it */
export function crawlersByState(queue: Queue, service: PhaseTypeLaw, modes: ModeByState): CrawlersByState {
  const n = blockSize(queue);
  const columns = columnsOf(queue, service);
  return {
    phases: columns.map(({ pair }) => pair),
    table: Array.from({ length: queue.topLevel + 1 }, (_, level) =>
      columns.map(({ state }) => queue.modes[modes[level * n + state]].crawlers),
    ),
  };
}

const path = ['evaluate', 'crawlersByState'];

/**
 * @param service the law of indexing as the caller wrote it
 * @throws ConditionNotMet with the place of the value that does not fit
 */
export function modesOfTable(queue: Queue, service: PhaseTypeLaw, written: CrawlersByState): ModeByState {
  const n = blockSize(queue);
  const columns = columnsOf(queue, service);
  const places = placesOf(columns, written.phases);
  const rows = queue.topLevel + 1;
  if (written.table.length !== rows) {
    throw new ConditionNotMet(
      [...path, 'table'],
      'wrong-length',
      `has ${written.table.length} rows; a policy has one for each queue length 0 to ${queue.topLevel}, ${rows} in all`,
    );
  }
  const modes = new Uint8Array(rows * n);
  for (const [level, row] of written.table.entries()) {
    if (row.length !== columns.length) {
      throw new ConditionNotMet(
        [...path, 'table', level],
        'wrong-length',
        `has ${row.length} entries; the phases are ${columns.length} pairs`,
      );
    }
    for (const [c, { state }] of columns.entries()) {
      const position = places[c];
      const mode = queue.modes.findIndex(({ crawlers }) => crawlers === row[position]);
      if (mode < 0) {
        const known = queue.modes.map(({ crawlers }) => crawlers).join(', ');
        const detail = `is ${row[position]}; the allowed crawler counts are ${known}`;
        throw new ConditionNotMet([...path, 'table', level, position], 'unknown-mode', detail);
      }
      modes[level * n + state] = mode;
    }
    if (level === 0) checkEmptyRow(queue, modes, row);
  }
  return modes;
}

/** Where each pair of the queue stands among the written ones. */
function placesOf(
  columns: readonly { pair: readonly [number, number] }[],
  phases: readonly (readonly number[])[],
): number[] {
  const expected = columns.map(({ pair }) => `[${pair}]`).join(', ');
  if (phases.length !== columns.length) {
    const detail = `has ${phases.length} pairs; the queue has ${columns.length}: ${expected}`;
    throw new ConditionNotMet([...path, 'phases'], 'wrong-length', detail);
  }
  return columns.map(({ pair }) => {
    const place = phases.findIndex(([arrival, service]) => arrival === pair[0] && service === pair[1]);
    if (place >= 0) return place;
    const detail = `does not name the pair [${pair}] of an arrival phase and a service phase; the pairs are ${expected}`;
    throw new ConditionNotMet([...path, 'phases'], 'out-of-range', detail);
  });
}

/** Nobody sees a service phase in an empty system. */
function checkEmptyRow(queue: Queue, modes: ModeByState, row: readonly number[]): void {
  const { phases } = queue.service;
  if (modes.subarray(0, blockSize(queue)).some((mode) => mode < leastWhenEmpty(queue))) {
    const detail = `is [${row}]: with no crawler active in an empty system it would stay empty; give counts above 0`;
    throw new ConditionNotMet([...path, 'table', 0], 'never-wakes', detail);
  }
  for (let state = 0; state < blockSize(queue); state++) {
    if (modes[state] === modes[state - (state % phases)]) continue;
    const detail =
      `is [${row}]: with nothing in the system no service phase can be seen, so that the count may depend on the arrival ` +
      'phase alone';
    throw new ConditionNotMet([...path, 'table', 0], 'out-of-range', detail);
  }
}
