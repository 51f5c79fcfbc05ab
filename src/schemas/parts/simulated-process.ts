/** How simulated pages change: the update processes of crawl-allocation, and two that only a simulation can follow. */
import * as z from 'zod';
import { createLaw, type Distribution } from '../../solvers/distributions/index.ts';
import type { SimulatedUpdates } from '../../solvers/page-simulation/index.ts';
import { describeIssue } from '../contract/problem.ts';
import type { Refuse } from '../contract/refusals.ts';
import { choiceColumn, schemaColumn } from '../table/column.ts';
import { distribution } from './distribution.ts';
import { type LooseNumbers, parameterColumn, processColumns, processNames } from './process-columns.ts';
import { strictObject } from './strict-object.ts';
import { updateForms } from './update-process.ts';

const period = z.number().positive();
const jitter = z.number().min(0);

const simulatedUpdates = z.discriminatedUnion('type', [
  ...updateForms,
  strictObject({
    type: z.literal('periodic').describe('Updates at regular times, each a little off'),
    period: period.describe('Time from one update to the next'),
    phase: z.number().optional().describe('Time of one of the updates; left out: anywhere, by chance'),
    jitter: jitter
      .optional()
      .describe('How far an update may be off its time, either way, with equal chances; at most half the period'),
  }),
  strictObject({
    type: z.literal('bursty').describe('Updates in bursts: each begins with an update and brings more'),
    rate: z.number().positive().describe('Bursts per time unit (Poisson)'),
    burstRate: z.number().positive().describe('Updates per time unit within a burst (Poisson)'),
    burstLength: z.number().positive().describe('Mean length of a burst (exponential)'),
  }),
]);

type Updates = z.output<typeof simulatedUpdates>;

/** The `updates` of rows. */
export const simulatedUpdatesColumn = schemaColumn('How the page changes', simulatedUpdates);

const names = [...processNames, 'periodic', 'bursty'] as const;

/** The columns that say how simulated pages change. */
export const simulatedProcessColumns = {
  ...processColumns,
  process: choiceColumn('How the page changes; a process uses the columns named with it', names),
  rate: parameterColumn('poisson: updates per time unit; gamma: rate of the gaps; bursty: bursts per time unit'),
  period: parameterColumn('periodic: time from one update to the next'),
  phase: parameterColumn('periodic: time of one of the updates; left out: anywhere, by chance'),
  jitter: parameterColumn('periodic: how far an update may be off its time, either way'),
  burstRate: parameterColumn('bursty: updates per time unit within a burst'),
  burstLength: parameterColumn('bursty: mean length of a burst'),
};

/** The process columns after the check of each cell by itself, each by its name. */
interface Cells {
  readonly process: Uint8Array;
  readonly [parameter: string]: unknown;
}

/** Which parameters a process has on the wire, and where they stand in `updates`. */
const parameters: Readonly<Record<(typeof names)[number], readonly string[]>> = {
  poisson: ['rate'],
  weibull: ['shape', 'scale'],
  lomax: ['shape', 'scale'],
  lognormal: ['mu', 'sigma'],
  gamma: ['shape', 'rate'],
  deterministic: ['value'],
  'quasi-deterministic': ['times', 'probabilities', 'staleAtStart'],
  periodic: ['period', 'phase', 'jitter'],
  bursty: ['rate', 'burstRate', 'burstLength'],
};
const renewalNames = new Set<string>(['weibull', 'lomax', 'lognormal', 'gamma', 'deterministic']);

function isLooseNumbers(column: unknown): column is LooseNumbers {
  return typeof column === 'object' && column !== null && 'values' in column && 'odd' in column;
}

function cellOf(column: unknown, i: number): unknown {
  if (!isLooseNumbers(column)) return Array.isArray(column) ? (column[i] ?? undefined) : undefined;
  const value = column.values[i];
  return Number.isNaN(value) ? (column.odd.get(i) ?? undefined) : value;
}

/** Columns into the form of rows, each checked as a row's `updates` would be. */
export function updatesOfColumns(cells: Cells, refuse: Refuse): (Updates | undefined)[] {
  return Array.from(cells.process, (position, i) => {
    const name = names[position];
    const given: Record<string, unknown> = { type: name };
    for (const parameter of parameters[name]) {
      const value = cellOf(cells[parameter], i);
      if (value !== undefined) given[parameter] = value;
    }
    const renewal = renewalNames.has(name);
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
      return { type: 'poisson', rate: updates.rate * (updates.matters ?? 1) };
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
