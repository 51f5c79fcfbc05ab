/**
 * How pages change, in rows: nested `updates`, and what the solver takes
 * (solvers/crawl-allocation/update-processes.ts). For columns see process-columns.ts.
 */
import * as z from 'zod';
import { ConditionNotMet } from '../../solvers/condition.ts';
import { UpdateProcesses } from '../../solvers/crawl-allocation/index.ts';
import { listedCode } from '../contract/codes.ts';
import type { Refuse } from '../contract/refusals.ts';
import { type Column, schemaColumn } from '../table/column.ts';
import { distribution } from './distribution.ts';
import { numberList } from './number-list.ts';
import { strictObject } from './strict-object.ts';

/** Possible updates of one quasi-deterministic page, at most. */
export const maxUpdateTimes = 1000;

/** Size of a page's lists. */
export const listSize = { minItems: 0, maxItems: maxUpdateTimes };
export const probability = { atLeast: 0, atMost: 1 };

const matters = z
  .number()
  .min(0.001)
  .max(1)
  .optional()
  .describe(
    'Chance that an update matters, each by itself; left out: all do. A copy is stale from the first that matters',
  );

/** The forms of `updates` that every operation on update processes knows. */
export const updateForms = [
  strictObject({
    type: z.literal('poisson').describe('Updates at random: a Poisson process'),
    rate: z.number().positive().describe('Updates per time unit'),
    matters,
  }),
  strictObject({
    type: z.literal('renewal').describe('Independent gaps between updates, seen in equilibrium'),
    distribution: distribution.describe('Law of the gaps; any of the twelve with a finite mean'),
    matters,
  }),
  strictObject({
    type: z.literal('quasi-deterministic').describe('Updates possible at known times, each happening or not'),
    times: numberList('When an update may happen, increasing, from the start of the interval to its end', listSize, {
      atLeast: 0,
    }),
    probabilities: numberList('Chance that the update at each of `times` happens', listSize, probability),
    staleAtStart: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe(
        'Chance that our copy is stale at the start; left out: 1 for a page never crawled, else what the same times in the ' +
          'intervals since lastCrawlAge make it',
      ),
  }),
] as const;

const updates = z.discriminatedUnion('type', updateForms);

/** Updates of a row, after the check. */
export type Updates = z.output<typeof updates>;

const checkedUpdates = schemaColumn('How the page changes', updates);

/** The `updates` of rows; plain Poisson cells, the most common, skip the general check. */
export const updatesColumn: Column<(Updates | undefined)[], z.input<typeof updates>> = {
  required: checkedUpdates.required,
  broadcasts: checkedUpdates.broadcasts,
  get cell() {
    return checkedUpdates.cell;
  },
  description: checkedUpdates.description,
  store(length) {
    const store = checkedUpdates.store(length);
    return {
      values: store.values,
      set(position, cell) {
        if (isPlainPoisson(cell)) {
          store.values[position] = cell;
          return null;
        }
        return store.set(position, cell);
      },
    };
  },
};

function isPlainPoisson(cell: unknown): cell is { type: 'poisson'; rate: number } {
  if (typeof cell !== 'object' || cell === null || !('type' in cell) || !('rate' in cell)) return false;
  if (cell.type !== 'poisson' || typeof cell.rate !== 'number') return false;
  if (!(cell.rate > 0 && cell.rate < Infinity)) return false;
  return Object.keys(cell).length === 2;
}

/** Row after row into the solver's form; `refuse` is told of every page that does not fit. */
export function processesOfRows(
  rows: readonly (Updates | undefined)[],
  interval: number,
  refuse: Refuse,
): UpdateProcesses {
  const processes = new UpdateProcesses(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    if (row === undefined) continue;
    guard(refuse, row, () => {
      if (row.type === 'poisson') {
        processes.setPoisson(i, row.rate * (row.matters ?? 1), ['pages', i, 'updates', 'rate']);
      } else if (row.type === 'renewal') {
        processes.setRenewal(i, row.distribution, ['pages', i, 'updates', 'distribution'], row.matters);
      } else {
        const { times, probabilities, staleAtStart = Number.NaN } = row;
        const updates = { times, probabilities, staleAtStart, interval };
        processes.setQuasiDeterministic(i, updates, (name) => ['pages', i, 'updates', name]);
      }
    });
  }
  return processes;
}

/** Turns a condition of the model that does not hold into a refusal. */
export function guard(refuse: Refuse, input: unknown, set: () => void): void {
  try {
    set();
  } catch (error) {
    if (!(error instanceof ConditionNotMet)) throw error;
    refuse(error.path, listedCode(error.code), error.message, input);
  }
}
