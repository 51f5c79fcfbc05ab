/** The request of `simulations/pages`, its conditions, and the problem as the solver takes it. */

import * as z from 'zod';
import { meanUpdateRate, type PageSimulationProblem } from '../../solvers/page-simulation/index.ts';
import { maxReplications, minReplications } from '../../solvers/simulation/index.ts';
import { count, id, probability, time, weight } from '../contract/field.ts';
import { requestSchema } from '../contract/options.ts';
import { integer, real } from '../contract/range.ts';
import { type Refuse, refusals } from '../contract/refusals.ts';
import { positionsOfHosts } from '../parts/hosts-around.ts';
import {
  type SimulatedUpdatesInput,
  simulatedChangeColumns,
  simulatedProcess,
  simulatedProcessColumns,
  updatesOfColumns,
  updatesOfRows,
} from '../parts/simulated-process.ts';
import { numberColumn, textColumn } from '../table/column.ts';
import { rowsOrColumns } from '../table/table.ts';
import { simulationsPagesLimits } from './limits.ts';
import { policyOf, policySchema, portion } from './policy.ts';

const pageColumns = {
  weight: numberColumn(weight('Importance: measures are means by weight'), {
    atLeast: 0,
    atMost: 1e100,
    optional: true,
    absent: 1,
  }),
  lastCrawlAge: numberColumn(time('Time since the last fetch; left out: never'), {
    atLeast: 0,
    atMost: 1e12,
    optional: true,
  }),
  host: textColumn(id('Host of the page, for limits and commonChanges'), {
    optional: true,
  }),
};

const wireRequest = requestSchema({
  pages: rowsOrColumns(
    { ...simulatedChangeColumns, ...pageColumns },
    { ...simulatedProcessColumns, ...pageColumns },
    {
      maxRows: simulationsPagesLimits.pages,
      description: 'The pages: how each changes, and its weight',
    },
  ),
  commonChanges: portion.optional().meta(probability('Chance that a change of a page changes its whole host')),
  policy: policySchema,
  duration: real({ atLeast: 1e-15, atMost: 1e15 }).meta(time('Time units observed in each replication')),
  replications: integer({ atLeast: minReplications, atMost: maxReplications })
    .default(20)
    .meta(
      count('Independent replications', {
        unit: 'replications',
        role: 'advanced',
      }),
    ),
  perPage: z.boolean().default(false).describe('Whether to answer measures of every page'),
});

export const simulationsPagesRequest = wireRequest.transform((request, context) => {
  const refuse = refusals(context.issues);
  const { pages, policy, duration, replications, perPage, commonChanges = 0 } = request;
  const { columns } = pages;
  const rows = 'process' in columns ? updatesOfColumns(columns, refuse) : updatesOfRows(columns, refuse);
  checkUpdates(rows, pages.form, refuse);
  const host = positionsOfHosts(columns.host);
  if (commonChanges > 0) checkCommonChanges(rows, host, pages.form, refuse);
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
    host,
    commonChanges,
    policy: policyOf(policy, columns, refuse),
    duration,
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

function checkCommonChanges(
  rows: readonly (SimulatedUpdatesInput | undefined)[],
  host: Int32Array,
  form: string,
  refuse: Refuse,
): void {
  for (const [i, each] of rows.entries()) {
    if (host[i] < 0 || each === undefined || each.type === 'poisson') continue;
    const message = `pages of a host with commonChanges change by changeRate; got updates of type ${each.type}`;
    refuse(
      form === 'rows' ? ['pages', i, 'updates'] : ['pages', 'updates', i],
      'common-changes-not-poisson',
      message,
      each.type,
    );
  }
}
