/** The request of `simulations/pages`, its conditions, and the problem as the solver takes it. */
import * as z from 'zod';
import { meanUpdateRate, type PageSimulationProblem } from '../../solvers/page-simulation/index.ts';
import { maxReplications, minReplications } from '../../solvers/simulation/index.ts';
import { requestSchema } from '../contract/options.ts';
import { type Refuse, refusals } from '../contract/refusals.ts';
import {
  type SimulatedUpdatesInput,
  simulatedProcess,
  simulatedProcessColumns,
  simulatedUpdatesColumn,
  updatesOfColumns,
} from '../parts/simulated-process.ts';
import { numberColumn, textColumn } from '../table/column.ts';
import { type Columns, rowsOrColumns, type Table } from '../table/table.ts';
import { simulationsPagesLimits } from './limits.ts';
import { policyOf, policySchema, share } from './policy.ts';

const pageColumns = {
  weight: numberColumn('Importance of the page: measures are means over pages by weight', {
    atLeast: 0,
    atMost: 1e100,
    optional: true,
    absent: 1,
  }),
  lastCrawlAge: numberColumn(
    'Time since the last fetch, at time 0; left out: never fetched. Rates, sequences and adaptive rules start in their steady state instead',
    { atLeast: 0, atMost: 1e12, optional: true },
  ),
  group: textColumn('Pages of one group change together with chance `share`; their updates are Poisson', {
    optional: true,
  }),
  host: textColumn('Host of the page, for plans with hosts', { optional: true }),
};

const wireRequest = requestSchema({
  pages: rowsOrColumns(
    { updates: simulatedUpdatesColumn, ...pageColumns },
    { ...simulatedProcessColumns, ...pageColumns },
    {
      maxRows: simulationsPagesLimits.pages,
      description: 'The pages: how each changes, what it weighs, and with which others it changes',
    },
  ),
  share: share.optional().describe('Chance that a change of a page is a change of its siblings; needed with groups'),
  policy: policySchema,
  horizon: z.number().positive().max(1e15).describe('Time units observed in each replication'),
  replications: z
    .int()
    .min(minReplications)
    .max(maxReplications)
    .default(20)
    .describe('Independent replications; the intervals are by Student’s t over them (default 20)'),
  perPage: z.boolean().default(false).describe('Whether to answer the measures of every page too'),
});

export interface CheckedPageSimulation {
  readonly options?: z.output<typeof wireRequest>['options'];
  readonly problem: PageSimulationProblem;
  readonly pages: Pick<Table<Columns>, 'form' | 'length' | 'ids'>;
}

export const simulationsPagesRequest = wireRequest.transform((request, context): CheckedPageSimulation => {
  const refuse = refusals(context.issues);
  const { pages, policy, horizon, replications, perPage } = request;
  const { columns } = pages;
  const rows = 'updates' in columns ? columns.updates : updatesOfColumns(columns, refuse);
  checkUpdates(rows, pages.form, refuse);
  const { group, count } = groupsOf(columns.group);
  checkGroups(rows, group, request.share, refuse);
  const weight = columns.weight;
  if (pages.length === 0 || !weight.some((w) => w > 0)) {
    refuse(
      ['pages'],
      'no-weight',
      'must have at least one page of a positive weight: measures are means by weight',
      pages,
    );
  }
  const problem: PageSimulationProblem = {
    updates: rows.flatMap((each) => (each === undefined ? [] : [simulatedProcess(each)])),
    weight,
    lastCrawlAge: columns.lastCrawlAge,
    group,
    share: new Float64Array(count).fill(request.share ?? 0),
    policy: policyOf(policy, columns, refuse),
    horizon,
    replications,
    perPage,
  };
  return { options: request.options, problem, pages: { form: pages.form, length: pages.length, ids: pages.ids } };
});

function checkUpdates(rows: readonly (SimulatedUpdatesInput | undefined)[], form: string, refuse: Refuse): void {
  for (const [i, each] of rows.entries()) {
    if (each === undefined) continue;
    const at = (name: string): PropertyKey[] => (form === 'rows' ? ['pages', i, 'updates', name] : ['pages', name, i]);
    if (each.type === 'periodic' && (each.jitter ?? 0) > each.period / 2) {
      const message = `must be at most half the period (${each.period / 2}), so that updates keep their order; got ${each.jitter}`;
      refuse(at('jitter'), 'jitter-above-half-period', message, each.jitter);
    }
    if (each.type === 'quasi-deterministic' && each.times.length !== each.probabilities.length) {
      const message = `must have ${each.times.length} items, one for each of times; got ${each.probabilities.length}`;
      refuse(at('probabilities'), 'wrong-length', message, each.probabilities);
    }
    const rate = each.type === 'quasi-deterministic' ? 1 : meanUpdateRate(simulatedProcess(each));
    if (!(rate >= 1e-12 && rate <= 1e12)) {
      const message = `must change between 1e-12 and 1e12 times per time unit in the mean; it comes to ${rate}`;
      refuse(form === 'rows' ? ['pages', i, 'updates'] : ['pages', 'process', i], 'rate-out-of-range', message, rate);
    }
  }
}

function groupsOf(names: readonly (string | undefined)[]): { group: Int32Array; count: number } {
  const position = new Map<string, number>();
  const group = Int32Array.from(names, (name) => {
    if (name === undefined) return -1;
    const known = position.get(name) ?? position.size;
    position.set(name, known);
    return known;
  });
  return { group, count: position.size };
}

function checkGroups(
  rows: readonly (SimulatedUpdatesInput | undefined)[],
  group: Int32Array,
  chance: number | undefined,
  refuse: Refuse,
): void {
  const first = group.findIndex((each) => each >= 0);
  if (first < 0) return;
  if (chance === undefined) {
    refuse(['share'], 'share-missing', 'is required where pages have a group: a chance from 0 to 1', undefined);
  }
  for (const [i, each] of rows.entries()) {
    if (group[i] < 0 || each === undefined || each.type === 'poisson') continue;
    const message = `must be poisson for a page with a group; got ${each.type}`;
    refuse(['pages', i, 'updates', 'type'], 'group-not-poisson', message, each.type);
  }
}
