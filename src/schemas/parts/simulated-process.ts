/** How simulated pages change: the update processes of crawl-allocation, and two that only a simulation can follow. */

import * as z from 'zod';
import { createLaw, type Distribution } from '../../solvers/laws/index.ts';
import type { SimulatedUpdates } from '../../solvers/page-simulation/index.ts';
import { moment, rate, time } from '../contract/field.ts';
import { describeIssue } from '../contract/problem.ts';
import { real } from '../contract/range.ts';
import type { Refuse } from '../contract/refusals.ts';
import { strictObject } from '../contract/strict-object.ts';
import { choiceColumn } from '../table/column.ts';
import { distribution } from './distribution.ts';
import { LooseLists, type LooseNumbers, parameterColumn, processColumns, processNames } from './process-columns.ts';
import { changeRateColumn, oneChange, updateForms, updatesColumnOf } from './update-process.ts';

const period = real({ above: 0 });
const jitter = real({ atLeast: 0 });

const simulatedUpdates = z.discriminatedUnion('type', [
  ...updateForms,
  strictObject({
    type: z.literal('periodic').describe('Updates at regular times, with jitter'),
    period: period.meta(time('Time from one update to the next')),
    phase: z.number().optional().meta(moment('Time of one update; left out: random')),
    jitter: jitter.optional().meta(time('Largest jitter either way, uniform, at most half the period')),
  }),
  strictObject({
    type: z.literal('bursty').describe('Updates in bursts'),
    rate: real({ above: 0 }).meta(rate('Bursts per time unit (Poisson)')),
    burstRate: real({ above: 0 }).meta(rate('Update rate within a burst (Poisson)')),
    burstLength: real({ above: 0 }).meta(time('Mean length of a burst (exponential)')),
  }),
]);

/** How a page changes, after the check: as `updates` say, or at its `changeRate`. */
type Updates = z.output<typeof simulatedUpdates> | { readonly type: 'poisson'; readonly rate: number };

/** The properties of a row that say how its page changes. */
export const simulatedChangeColumns = { changeRate: changeRateColumn, updates: updatesColumnOf(simulatedUpdates) };

const names = [...processNames, 'periodic', 'bursty'] as const;

/** The columns that say how simulated pages change. */
export const simulatedProcessColumns = {
  ...processColumns,
  ...simulatedChangeColumns,
  process: choiceColumn(
    'In place of updates, for large tables: the process of the page, which uses the columns ' +
      'that name it; left out: poisson',
    names,
    { optional: true, absent: 'poisson' },
  ),
  rate: parameterColumn(rate('gamma: rate of the gaps; bursty: rate of bursts')),
  period: parameterColumn(time('Time from one update to the next')),
  phase: parameterColumn(moment('periodic: time of one update; left out: random')),
  jitter: parameterColumn(time('periodic: largest jitter either way')),
  burstRate: parameterColumn(rate('bursty: update rate within a burst')),
  burstLength: parameterColumn(time('bursty: mean length of a burst')),
};

/** The process columns after the check of each cell by itself, each by its name. */
interface Cells {
  readonly process: Uint8Array;
  readonly changeRate: Float64Array;
  readonly updates: readonly (z.output<typeof simulatedUpdates> | undefined)[];
  readonly [parameter: string]: unknown;
}

/** Which parameters a process has on the wire, and where they stand in `updates`. */
const parameters: Readonly<Record<(typeof names)[number], readonly string[]>> = {
  poisson: [],
  weibull: ['shape', 'scale'],
  lomax: ['shape', 'scale'],
  lognormal: ['mu', 'sigma'],
  gamma: ['shape', 'rate'],
  deterministic: ['value'],
  'quasi-deterministic': ['times', 'probabilities', 'staleAtStart'],
  periodic: ['period', 'phase', 'jitter'],
  bursty: ['rate', 'burstRate', 'burstLength'],
};
const withoutLaw = new Set<string>(simulatedUpdates.options.map(({ shape }) => shape.type.value));

function isLooseNumbers(column: unknown): column is LooseNumbers {
  return typeof column === 'object' && column !== null && 'values' in column && 'odd' in column;
}

function cellOf(column: unknown, i: number): unknown {
  if (column instanceof LooseLists) return column.at(i) ?? undefined;
  if (!isLooseNumbers(column)) return undefined;
  const value = column.values[i];
  return Number.isNaN(value) ? (column.odd.get(i) ?? undefined) : value;
}

/** Of one page, where it has changeRate or updates. */
function changeOf(
  { changeRate, updates }: Pick<Cells, 'changeRate' | 'updates'>,
  i: number,
  path: readonly PropertyKey[],
  refuse: Refuse,
): Updates | undefined {
  if (!oneChange(changeRate[i], updates[i], path, refuse)) return undefined;
  return updates[i] ?? { type: 'poisson', rate: changeRate[i] };
}

/** Rows into one form. */
export function updatesOfRows(cells: Pick<Cells, 'changeRate' | 'updates'>, refuse: Refuse): (Updates | undefined)[] {
  return Array.from(cells.changeRate, (_, i) => changeOf(cells, i, ['pages', i], refuse));
}

/** Columns into the form of rows, each checked as a row's `updates` would be. */
export function updatesOfColumns(cells: Cells, refuse: Refuse): (Updates | undefined)[] {
  return Array.from(cells.process, (position, i) => {
    const name = names[position];
    if (name === 'poisson') return changeOf(cells, i, ['pages', 'changeRate', i], refuse);
    const given: Record<string, unknown> = { type: name };
    for (const parameter of parameters[name]) {
      const value = cellOf(cells[parameter], i);
      if (value !== undefined) given[parameter] = value;
    }
    const renewal = !withoutLaw.has(name);
    const checked = renewal
      ? distribution.safeParse(given, { reportInput: true })
      : simulatedUpdates.safeParse(given, { reportInput: true });
    if (!checked.success) {
      const [first] = describeIssue(checked.error.issues[0]);
      const [property = 'process', ...rest] = first.path ?? [];
      const code = property in given ? 'parameter-out-of-range' : 'parameter-missing';
      refuse(['pages', property, i, ...rest], code, first.message, given);
      return undefined;
    }
    if (renewal) return simulatedUpdates.parse({ type: 'renewal', distribution: given });
    return simulatedUpdates.parse(given);
  });
}

/** What the solver takes of a page's `updates`. */
export function simulatedProcess(updates: Updates): SimulatedUpdates {
  switch (updates.type) {
    case 'poisson':
      return updates;
    case 'bursty':
      return updates;
    case 'renewal': {
      const law = createLaw(updates.distribution satisfies Distribution);
      return { type: 'renewal', law, matters: updates.matters ?? 1 };
    }
    case 'quasi-deterministic':
      return { type: 'quasi-deterministic', times: updates.times, probabilities: updates.probabilities };
    case 'periodic':
      return { type: 'periodic', period: updates.period, phase: updates.phase, jitter: updates.jitter ?? 0 };
  }
}

export type { Updates as SimulatedUpdatesInput };
