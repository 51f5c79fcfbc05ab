/**
 * How pages change: by `changeRate`, by nested `updates`, or, in columns of large mixed tables, by a `process` with one
 * column a parameter. All become the solver's form (solvers/crawl-allocation/update-processes.ts).
 */

import * as z from 'zod';
import { ConditionNotMet } from '../../solvers/condition.ts';
import { maxTime, UpdateProcesses } from '../../solvers/crawl-allocation/index.ts';
import { isConditionCode } from '../contract/codes.ts';
import { type Field, moment, number, plain, probability, rate, time } from '../contract/field.ts';
import { list } from '../contract/list.ts';
import { describeIssue } from '../contract/problem.ts';
import { chance, real } from '../contract/range.ts';
import type { Refuse } from '../contract/refusals.ts';
import { choice, strictObject } from '../contract/strict-object.ts';
import { placeIn, type Table } from '../table/table.ts';
import { distribution } from './distribution.ts';

/** Maximum possible updates of a quasi-deterministic page. */
export const maxUpdateTimes = 1000;

const updateTimes = { minItems: 0, maxItems: maxUpdateTimes };

const updates = z
  .discriminatedUnion('type', [
    strictObject('RenewalUpdates', {
      type: z.literal('renewal').describe('Independent gaps between updates, seen in equilibrium'),
      distribution: distribution.describe('Law of the gaps, with a finite mean'),
    }),
    strictObject('QuasiDeterministicUpdates', {
      type: z.literal('quasi-deterministic').describe('Updates possible at known times'),
      times: list(real({ atLeast: 0 }), updateTimes).meta(moment('Increasing, within the interval')),
      probabilities: list(chance, updateTimes).meta(probability('Chance of the update at each of `times`')),
      staleAtStart: chance
        .optional()
        .meta(probability('Chance that the copy is stale at the start; left out: by lastCrawlAge')),
    }),
  ])
  .meta({ id: 'Updates' });

type Updates = z.output<typeof updates>;

/** How a page changes: the properties of a row. */
export const changeColumns = {
  changeRate: real({ above: 0 })
    .optional()
    .meta(rate('Change rate of a Poisson process', { lever: { factor: 4 } })),
  updates: updates.optional().meta(plain('In place of changeRate: an update process')),
};

/** The columns that are read of a page, by its process; its cells in other columns are ignored. */
const parameters = {
  poisson: [],
  weibull: ['shape', 'scale'],
  lomax: ['shape', 'scale'],
  lognormal: ['mu', 'sigma'],
  gamma: ['shape', 'rate'],
  deterministic: ['value'],
  'quasi-deterministic': ['times', 'probabilities', 'staleAtStart'],
} as const;

const processNames = choice('CrawlAllocationProcess', [
  'poisson',
  'weibull',
  'lomax',
  'lognormal',
  'gamma',
  'deterministic',
  'quasi-deterministic',
]);
const anyNumber = real({ atLeast: -1e300, atMost: 1e300 });
const parameter = (field: Field) => anyNumber.optional().meta(field);
const parameterList = (field: Field) => list(anyNumber, updateTimes).optional().meta(field);

/** The properties as columns. */
export const processColumns = {
  ...changeColumns,
  process: processNames
    .default('poisson')
    .meta(plain('In place of updates, for large tables: the process, which uses the columns that name it')),
  rate: parameter(rate('gamma: rate of the gaps (mean shape/rate)')),
  shape: parameter(number('weibull, lomax (above 1), gamma: shape of the gaps')),
  scale: parameter(time('weibull, lomax: scale of the gaps')),
  mu: parameter(number('lognormal: mean of the logarithm of the gaps')),
  sigma: parameter(number('lognormal: standard deviation of the logarithm of the gaps')),
  value: parameter(time('deterministic: the gap')),
  times: parameterList(moment('quasi-deterministic: possible times of updates, increasing')),
  probabilities: parameterList(probability('quasi-deterministic: chance of each of `times`')),
  staleAtStart: parameter(probability('quasi-deterministic: chance that the copy is stale at the start')),
};

/** A list of pages in either form. */
type ChangingPages = Table<typeof changeColumns> | Table<typeof processColumns>;

/** The update processes of all pages; each invalid page is refused. */
export function processesOf(pages: ChangingPages, interval: number, refuse: Refuse): UpdateProcesses {
  const { columns, length } = pages;
  const at = placeIn('pages', pages);
  const processes = new UpdateProcesses(length);
  for (let i = 0; i < length; i++) {
    const changeRate = columns.changeRate[i];
    const process = 'process' in columns ? columns.process[i] : 'poisson';
    let pageUpdates = columns.updates[i];
    if (process === 'poisson' && pageUpdates === undefined && changeRate > 1 / maxTime && changeRate < maxTime) {
      processes.setPlainPoisson(i, changeRate);
      continue;
    }
    const ways = Number(!Number.isNaN(changeRate)) + Number(pageUpdates !== undefined) + Number(process !== 'poisson');
    if (ways !== 1) {
      const message = `must have changeRate, updates or a process other than poisson, one of them; got ${ways}`;
      refuse(at(i, pageUpdates === undefined ? 'changeRate' : 'updates'), 'one-of', message, pageUpdates);
      continue;
    }
    if (process !== 'poisson' && 'process' in columns) {
      pageUpdates = updatesInColumns(columns, i, refuse);
      if (pageUpdates === undefined) continue;
    }
    const place = (name: string) =>
      process === 'poisson' ? at(i, 'updates', name) : at(i, name === 'distribution' ? parameters[process][0] : name);
    try {
      if (pageUpdates === undefined) processes.setPoisson(i, changeRate, at(i, 'changeRate'));
      else if (pageUpdates.type === 'renewal') processes.setRenewal(i, pageUpdates.distribution, place('distribution'));
      else {
        const { times, probabilities, staleAtStart = Number.NaN } = pageUpdates;
        processes.setQuasiDeterministic(i, { times, probabilities, staleAtStart, interval }, place);
      }
    } catch (error) {
      if (!(error instanceof ConditionNotMet)) throw error;
      refuse(error.path, error.code, error.message, pageUpdates ?? changeRate);
    }
  }
  return processes;
}

/** The updates of a page whose process is not Poisson; undefined where its cells do not make any. */
function updatesInColumns(
  columns: Table<typeof processColumns>['columns'],
  i: number,
  refuse: Refuse,
): Updates | undefined {
  const process = columns.process[i];
  const cells: Record<string, unknown> = {};
  for (const name of parameters[process]) {
    const cell = columns[name][i];
    if (!Number.isNaN(cell)) cells[name] = cell;
  }
  const statedUpdates =
    process === 'quasi-deterministic'
      ? { type: process, ...cells }
      : { type: 'renewal', distribution: { type: process, ...cells } };
  const result = updates.safeParse(statedUpdates, { reportInput: true });
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    for (const { path = [], code, message } of describeIssue(issue)) {
      const [name, ...inside] = path[0] === 'distribution' ? path.slice(1) : path;
      // no schema of columns says which parameters a process needs, and in which range
      const own = isConditionCode(code)
        ? code
        : issue.input === undefined
          ? 'parameter-missing'
          : 'parameter-out-of-range';
      refuse(
        ['pages', name ?? parameters[process][0], i, ...inside],
        own,
        `${message} (the process of the page is ${process})`,
        issue.input,
      );
    }
  }
  return undefined;
}
