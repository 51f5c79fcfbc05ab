/**
 * Update processes in rows, `changeRate` or nested `updates`, and their conversion to the solver's form
 * (solvers/crawl-allocation/update-processes.ts). For columns see process-columns.ts.
 */

import * as z from 'zod';
import { ConditionNotMet } from '../../solvers/condition.ts';
import { maxTime, UpdateProcesses } from '../../solvers/crawl-allocation/index.ts';
import { moment, probability, rate } from '../contract/field.ts';
import { real } from '../contract/range.ts';
import type { Refuse } from '../contract/refusals.ts';
import { strictObject } from '../contract/strict-object.ts';
import { type Column, numberColumn, schemaColumn } from '../table/column.ts';
import { distribution } from './distribution.ts';
import { numberList } from './number-list.ts';

/** Maximum possible updates of a quasi-deterministic page. */
export const maxUpdateTimes = 1000;

/** Size of a page's lists. */
export const listSize = { minItems: 0, maxItems: maxUpdateTimes };
export const chance = { atLeast: 0, atMost: 1 };

const updates = z.discriminatedUnion('type', [
  strictObject({
    type: z.literal('renewal').describe('Independent gaps between updates, seen in equilibrium'),
    distribution: distribution.describe('Law of the gaps, with a finite mean'),
  }),
  strictObject({
    type: z.literal('quasi-deterministic').describe('Updates possible at known times'),
    times: numberList(moment('Possible times of updates, increasing, within the interval'), listSize, { atLeast: 0 }),
    probabilities: numberList(probability('Chance of the update at each of `times`'), listSize, chance),
    staleAtStart: real({ atLeast: 0, atMost: 1 })
      .optional()
      .meta(probability('Chance that the copy is stale at the start; left out: by lastCrawlAge')),
  }),
]);

/** Parsed `updates` of a row. */
export type Updates = z.output<typeof updates>;

const changeRateMeta = rate('Change rate of a Poisson process', {
  lever: { factor: 4 },
});

/** Change rates of Poisson pages; NaN for other pages. */
export const changeRateColumn = numberColumn(changeRateMeta, { above: 0, optional: true });

/** The column `updates`; empty if no page has it. */
function updatesColumn(): Column<(Updates | undefined)[], z.input<typeof updates> | undefined> {
  const checked = schemaColumn('In place of changeRate: an update process', updates, { optional: true });
  return {
    ...checked,
    get cell() {
      return checked.cell;
    },
    store(length: number) {
      const store = checked.store(length);
      let any = false;
      return {
        get values() {
          return any ? store.values : [];
        },
        set(position: number, cell: unknown) {
          any = true;
          return store.set(position, cell);
        },
      };
    },
  };
}

/** The update-process properties of a row. */
export const changeColumns = { changeRate: changeRateColumn, updates: updatesColumn() };

/** Refuses a page that has both or neither of `changeRate` and `updates`; true if it has exactly one. */
export function hasChangeModel(
  changeRate: number,
  given: unknown,
  path: readonly PropertyKey[],
  refuse: Refuse,
): boolean {
  if (Number.isNaN(changeRate) !== (given === undefined)) return true;
  const message = `must have changeRate or updates, one of the two; got ${given === undefined ? 'neither' : 'both'}`;
  refuse(path, 'one-of', message, given);
  return false;
}

/** Converts rows to the solver's form; refuses each invalid page. */
export function processesOfRows(
  changeRate: Float64Array,
  rows: readonly (Updates | undefined)[],
  interval: number,
  refuse: Refuse,
): UpdateProcesses {
  const processes = new UpdateProcesses(changeRate.length);
  for (let i = 0; i < changeRate.length; i++) {
    if (hasChangeModel(changeRate[i], rows[i], ['pages', i], refuse))
      setProcess(
        processes,
        { i, changeRate: changeRate[i], updates: rows[i], interval, at: (name) => ['pages', i, ...name] },
        refuse,
      );
  }
  return processes;
}

/** The update process of a page and its position in the request. */
interface ChangeOfPage {
  readonly i: number;
  readonly changeRate: number;
  readonly updates: Updates | undefined;
  readonly interval: number;
  readonly at: (names: readonly string[]) => (string | number)[];
}

export function setProcess(processes: UpdateProcesses, page: ChangeOfPage, refuse: Refuse): void {
  const { i, changeRate, updates, interval, at } = page;
  if (updates === undefined) {
    if (changeRate > 1 / maxTime && changeRate < maxTime) processes.setPlainPoisson(i, changeRate);
    else refuseUnmet(refuse, changeRate, () => processes.setPoisson(i, changeRate, at(['changeRate'])));
    return;
  }
  refuseUnmet(refuse, updates, () => {
    if (updates.type === 'renewal') processes.setRenewal(i, updates.distribution, at(['updates', 'distribution']));
    else {
      const { times, probabilities, staleAtStart = Number.NaN } = updates;
      processes.setQuasiDeterministic(i, { times, probabilities, staleAtStart, interval }, (name) =>
        at(['updates', name]),
      );
    }
  });
}

/** Turns a ConditionNotMet into a refusal. */
export function refuseUnmet(refuse: Refuse, input: unknown, set: () => void): void {
  try {
    set();
  } catch (error) {
    if (!(error instanceof ConditionNotMet)) throw error;
    refuse(error.path, error.code, error.message, input);
  }
}
