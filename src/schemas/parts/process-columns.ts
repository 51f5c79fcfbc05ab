/**
 * How pages change, in columns, and what the solver takes (solvers/crawl-allocation/update-processes.ts). The columns
 * are `changeRate`, `updates`, or for large mixed tables a `process` and one column a parameter. A page uses those of
 * its process.
 */

import type * as z from 'zod';
import { maxTime, UpdateProcesses } from '../../solvers/crawl-allocation/index.ts';
import type { Distribution } from '../../solvers/laws/index.ts';
import { type Field, moment, number, probability, rate, time } from '../contract/field.ts';
import { describeIssue, quoted } from '../contract/problem.ts';
import type { Refuse } from '../contract/refusals.ts';
import { type Column, choiceColumn, describedBy } from '../table/column.ts';
import { distributionLimits } from './distribution.ts';
import { numberList } from './number-list.ts';
import {
  chance,
  changeColumns,
  hasChangeModel,
  listSize,
  maxUpdateTimes,
  refuseUnmet,
  setProcess,
  type Updates,
} from './update-process.ts';

/** The update processes available in columns, by name. */
export const processNames = [
  'poisson',
  'weibull',
  'lomax',
  'lognormal',
  'gamma',
  'deterministic',
  'quasi-deterministic',
] as const;

/**
 * A parameter column: its numbers, and the other cells for messages. `values` is empty if no cell was given.
 */
export interface UncheckedNumbers {
  readonly values: Float64Array;
  /** Cells other than finite numbers, by position. */
  readonly odd: Map<number, unknown>;
}

/** Numbers used only by some processes; cells of other pages are ignored. */
export function parameterColumn(field: string | Field): Column<UncheckedNumbers, number | undefined> {
  return {
    required: false,
    broadcasts: true,
    cell: { type: 'number' },
    ...describedBy(field),
    store(length) {
      // allocate on first use: most requests use one or two of the parameters
      let values: Float64Array = new Float64Array(0);
      const filled = (): Float64Array => {
        if (values.length < length) values = new Float64Array(length).fill(Number.NaN);
        return values;
      };
      const odd = new Map<number, unknown>();
      return {
        get values() {
          return { values, odd };
        },
        set(position, cell) {
          if (typeof cell !== 'number')
            return { code: 'invalid_type', message: `must be a number; got ${quoted(cell)}` };
          if (Number.isFinite(cell)) filled()[position] = cell;
          else odd.set(position, cell);
          return null;
        },
      };
    },
  };
}

/** The cells of a column of lists; undefined if absent. */
export class UncheckedLists {
  readonly #length: number;
  #loose: unknown[] = [];

  constructor(length: number) {
    this.#length = length;
  }

  set(position: number, cell: unknown): void {
    if (this.#loose.length < this.#length) this.#loose = new Array<unknown>(this.#length).fill(undefined);
    this.#loose[position] = cell;
  }

  at(position: number): unknown {
    return this.#loose[position];
  }
}

/** Lists used only by quasi-deterministic pages. */
function parameterListColumn(field: string | Field): Column<UncheckedLists, readonly number[] | undefined> {
  return {
    required: false,
    broadcasts: false,
    cell: { type: 'array', items: { type: 'number' }, maxItems: maxUpdateTimes },
    ...describedBy(field),
    store(length) {
      const values = new UncheckedLists(length);
      return {
        values,
        set(position, cell) {
          values.set(position, cell);
          return null;
        },
      };
    },
  };
}

/** The columns of pages' update processes. */
export const processColumns = {
  ...changeColumns,
  process: choiceColumn(
    'In place of updates, for large tables: the process of the page, which uses the columns ' +
      'that name it; left out: poisson',
    processNames,
    { optional: true, absent: 'poisson' },
  ),
  rate: parameterColumn(rate('gamma: rate of the gaps (mean shape/rate)')),
  shape: parameterColumn(number('weibull, lomax (above 1), gamma: shape of the gaps')),
  scale: parameterColumn(time('weibull, lomax: scale of the gaps, in time units')),
  mu: parameterColumn(number('lognormal: mean of the logarithm of the gaps')),
  sigma: parameterColumn(number('lognormal: standard deviation of the logarithm of the gaps')),
  value: parameterColumn(time('deterministic: the gap, in time units')),
  times: parameterListColumn(moment('quasi-deterministic: possible times of updates, increasing')),
  probabilities: parameterListColumn(probability('quasi-deterministic: chance of each of `times`')),
  staleAtStart: parameterColumn(probability('quasi-deterministic: chance that the copy is stale at the start')),
};

const poisson = processNames.indexOf('poisson');
const lomax = processNames.indexOf('lomax');

/** For values already checked: never called. */
const noPath: readonly string[] = [];

/** The process columns after the check of each cell by itself. */
interface ProcessCells {
  readonly changeRate: Float64Array;
  readonly updates: readonly (Updates | undefined)[];
  readonly process: Uint8Array;
  readonly rate: UncheckedNumbers;
  readonly shape: UncheckedNumbers;
  readonly scale: UncheckedNumbers;
  readonly mu: UncheckedNumbers;
  readonly sigma: UncheckedNumbers;
  readonly value: UncheckedNumbers;
  readonly times: UncheckedLists;
  readonly probabilities: UncheckedLists;
  readonly staleAtStart: UncheckedNumbers;
}

type NumberName = 'rate' | 'shape' | 'scale' | 'mu' | 'sigma' | 'value';

/** Converts columns to the solver's form; reads only the cells that a page's process uses. */
export function processesOfColumns(cells: ProcessCells, interval: number, refuse: Refuse): UpdateProcesses {
  const count = cells.process.length;
  const processes = new UpdateProcesses(count);
  const check = (name: NumberName, i: number, above: number): boolean => {
    const value = cells[name].values[i] ?? Number.NaN;
    if (value > above && (name !== 'shape' || value <= distributionLimits.shape)) return true;
    if (value > above) {
      const message = `must be at most ${distributionLimits.shape}; got ${value}`;
      refuse(['pages', name, i], 'out-of-range', message, value);
      return false;
    }
    const words = above === Number.NEGATIVE_INFINITY ? 'a finite number' : `a finite number greater than ${above}`;
    const odd = cells[name].odd.get(i);
    const got = Number.isNaN(value) ? (odd === undefined ? 'nothing' : quoted(odd)) : value;
    const message = `must be ${words} for a page whose process is ${processNames[cells.process[i]]}; got ${got}`;
    refuse(
      ['pages', name, i],
      Number.isNaN(value) ? 'parameter-missing' : 'parameter-not-positive',
      message,
      odd ?? value,
    );
    return false;
  };
  const renewal = (i: number, law: Distribution, name: NumberName): void =>
    refuseUnmet(refuse, law, () => processes.setRenewal(i, law, ['pages', name, i]));
  const { changeRate, updates, process: kinds } = cells;
  const { values: shapes } = cells.shape;
  const { values: scales } = cells.scale;
  const none = updates.length === 0;
  for (let i = 0; i < count; i++) {
    const process = kinds[i];
    if (process === poisson) {
      const rate = changeRate[i];
      if (rate > 1 / maxTime && rate < maxTime && (none || updates[i] === undefined)) {
        processes.setPlainPoisson(i, rate);
        continue;
      }
      if (!hasChangeModel(changeRate[i], updates[i], ['pages', 'changeRate', i], refuse)) continue;
      const at = (names: readonly string[]): (string | number)[] => ['pages', names[0], i, ...names.slice(1)];
      setProcess(processes, { i, changeRate: changeRate[i], updates: updates[i], interval, at }, refuse);
      continue;
    }
    if (!Number.isNaN(changeRate[i]) || (!none && updates[i] !== undefined)) {
      const name = updates[i] === undefined ? 'changeRate' : 'updates';
      const message = `does not go with process ${processNames[process]}: a page changes in one way`;
      refuse(['pages', name, i], 'one-of', message, updates[i] ?? changeRate[i]);
      continue;
    }
    if (process === lomax && guardlessLomax(processes, i, shapes[i], scales[i])) continue;
    switch (processNames[process]) {
      case 'lomax':
        if (check('shape', i, 1) && check('scale', i, 0)) {
          renewal(i, { type: 'lomax', shape: cells.shape.values[i], scale: cells.scale.values[i] }, 'scale');
        }
        break;
      case 'weibull':
        if (check('shape', i, 0) && check('scale', i, 0)) {
          renewal(i, { type: 'weibull', shape: cells.shape.values[i], scale: cells.scale.values[i] }, 'shape');
        }
        break;
      case 'gamma':
        if (check('shape', i, 0) && check('rate', i, 0)) {
          renewal(i, { type: 'gamma', shape: cells.shape.values[i], rate: cells.rate.values[i] }, 'shape');
        }
        break;
      case 'lognormal':
        if (check('mu', i, Number.NEGATIVE_INFINITY) && check('sigma', i, 0)) {
          renewal(i, { type: 'lognormal', mu: cells.mu.values[i], sigma: cells.sigma.values[i] }, 'sigma');
        }
        break;
      case 'deterministic':
        if (check('value', i, 0)) renewal(i, { type: 'deterministic', value: cells.value.values[i] }, 'value');
        break;
      case 'quasi-deterministic':
        quasiDeterministic(processes, cells, i, interval, refuse);
    }
  }
  return processes;
}

/** Fast path without closures for parameters far from every bound; false if it does not apply. */
function guardlessLomax(processes: UpdateProcesses, i: number, shape: number, scale: number): boolean {
  const plain = shape > 1.0001 && shape <= 100 && scale > 1e-50 && scale < 1e50;
  if (plain) processes.setLomax(i, shape, scale, noPath);
  return plain;
}

const timesCell = numberList('times', listSize, { atLeast: 0 });
const probabilitiesCell = numberList('probabilities', listSize, chance);

function quasiDeterministic(
  processes: UpdateProcesses,
  cells: ProcessCells,
  i: number,
  interval: number,
  refuse: Refuse,
): void {
  const stale = cells.staleAtStart.values[i] ?? Number.NaN;
  const odd = cells.staleAtStart.odd.get(i);
  const times =
    plainNumbers(cells.times.at(i)) ?? listCell(timesCell, cells.times.at(i), ['pages', 'times', i], refuse);
  const probabilities =
    plainNumbers(cells.probabilities.at(i)) ??
    listCell(probabilitiesCell, cells.probabilities.at(i), ['pages', 'probabilities', i], refuse);
  if (odd !== undefined || stale < 0 || stale > 1) {
    const message = `must be a number from 0 to 1, or left out; got ${quoted(odd ?? stale)}`;
    refuse(['pages', 'staleAtStart', i], 'out-of-range', message, odd ?? stale);
    return;
  }
  if (times === null || probabilities === null) return;
  refuseUnmet(refuse, times, () =>
    processes.setQuasiDeterministic(i, { times, probabilities, staleAtStart: stale, interval }, (name) => [
      'pages',
      name,
      i,
    ]),
  );
}

function listCell(
  schema: z.ZodType<number[]>,
  cell: unknown,
  path: readonly PropertyKey[],
  refuse: Refuse,
): readonly number[] | null {
  const result = schema.safeParse(cell, { reportInput: true });
  if (result.success) return result.data;
  const [fault] = describeIssue(result.error.issues[0]);
  // these cells are validated only for quasi-deterministic pages, which JSON Schema cannot express for a column
  const code = fault.code === 'required' ? 'parameter-missing' : 'out-of-range';
  refuse([...path, ...(fault.path ?? [])], code, `${fault.message} (used by quasi-deterministic pages)`, cell);
  return null;
}

/** A short list of numbers in [0, 1], read without the general check. */
function plainNumbers(cell: unknown): readonly number[] | null {
  if (!Array.isArray(cell) || cell.length > 64) return null;
  for (const item of cell) {
    if (typeof item !== 'number' || !(item >= 0 && item <= 1)) return null;
  }
  return cell;
}
