/** The wire shapes of `estimates/embarrassment-weights`. */

import * as z from 'zod';
import type { ClickLogProblem, EmbarrassmentProblem } from '../solvers/estimation/index.ts';
import { share as percent } from '../words/numbers.ts';
import type { Told } from './contract/answer.ts';
import { count, type Field, id, number, probability, share, weight } from './contract/field.ts';
import { requestSchema } from './contract/options.ts';
import { integer, real } from './contract/range.ts';
import { type Refuse, refusals } from './contract/refusals.ts';
import { strictObject } from './contract/strict-object.ts';
import { numberMatrix } from './parts/number-list.ts';
import { numberColumn, schemaColumn, textColumn } from './table/column.ts';
import { rowsOnly, table } from './table/table.ts';

export const embarrassmentWeightsLimits = {
  pages: 100_000,
  positions: 1000,
  resultPages: 1000,
  log: 1_000_000,
} as const;

const matrix = (description: Field) =>
  numberMatrix(
    description,
    { rows: embarrassmentWeightsLimits.positions, columns: embarrassmentWeightsLimits.resultPages },
    { atLeast: 0, atMost: 1e100 },
  );

const zipf = strictObject({
  zipf: real({ atLeast: 0, atMost: 1 }).meta(
    number('θ: 0 is a Zipf law, 1 all positions alike', { lever: { from: 0, to: 1 } }),
  ),
  continue: real({ atLeast: 0, atMost: 1 }).meta(
    probability('s: chance that a reader opens the next result page', { lever: { from: 0.02, to: 0.98 } }),
  ),
  positions: integer({ atLeast: 1, atMost: embarrassmentWeightsLimits.positions }).meta(
    count('Positions j on a result page', { unit: 'positions' }),
  ),
  pages: integer({ atLeast: 1, atMost: embarrassmentWeightsLimits.resultPages }).meta(
    count('Result pages k', { unit: 'result pages' }),
  ),
});

const whole = { atLeast: 0, atMost: 1e12, integer: true, optional: true } as const;

const logColumns = {
  page: textColumn(id('Name of the page that was clicked')),
  position: numberColumn(number('Position on the result page, from 1'), {
    atLeast: 1,
    atMost: embarrassmentWeightsLimits.positions,
    integer: true,
  }),
  resultPage: numberColumn(number('Result page, from 1'), {
    atLeast: 1,
    atMost: embarrassmentWeightsLimits.resultPages,
    integer: true,
    optional: true,
  }),
  query: textColumn('The query; only for your own use', {
    optional: true,
  }),
  clicks: numberColumn(count('How many such clicks; left out: 1', { unit: 'clicks' }), whole),
  stale: numberColumn(count('Clicks on a copy that proved stale', { unit: 'clicks' }), whole),
  wrong: numberColumn(count('Stale clicks that found a wrong answer', { unit: 'clicks' }), whole),
};

const wireRequest = requestSchema({
  log: table(logColumns, {
    maxRows: embarrassmentWeightsLimits.log,
    description: 'In place of clicks and pages: a log of clicks',
  }).optional(),
  queries: integer({ atLeast: 1, atMost: 1e15 })
    .optional()
    .meta(
      count('With log: all queries, with or without clicks', {
        unit: 'queries',
        lever: { factor: 4 },
      }),
    ),
  confidence: real({ atLeast: 0.5, atMost: 0.999 })
    .default(0.95)
    .meta(share('With log: confidence of the intervals', { role: 'advanced' })),
  clicks: z
    .union([matrix(probability('Rows: positions j; columns: result pages k')), zipf])
    .describe('c_jk: chance of a click at position j of result page k')
    .optional(),
  pages: rowsOnly(
    {
      impressions: schemaColumn(
        probability('b_jk: chance that the page stands at position j of result page k'),
        matrix(probability('Rows: positions j; columns: result pages k')),
      ),
      errorProbability: numberColumn(probability('d: chance that a stale copy is wrong'), {
        atLeast: 0,
        atMost: 1,
      }),
    },
    { maxRows: embarrassmentWeightsLimits.pages, description: 'The pages' },
  ).optional(),
});

type WireRequest = z.output<typeof wireRequest>;

export interface CheckedEmbarrassment {
  readonly options?: WireRequest['options'];
  readonly problem: EmbarrassmentProblem | ClickLogProblem;
}

export const embarrassmentWeightsRequest = wireRequest.transform((request, context): CheckedEmbarrassment => {
  const { clicks, pages, log, queries, options } = request;
  const refuse = refusals(context.issues);
  if (log !== undefined && clicks === undefined && pages === undefined) {
    if (queries !== undefined) return { options, problem: logOf({ ...request, log, queries }, refuse) };
    refuse(['queries'], 'one-of', 'must be given with log: how many queries it is of', undefined);
    return z.NEVER;
  }
  if (log !== undefined || queries !== undefined) {
    refuse(
      [log === undefined ? 'queries' : 'log'],
      'one-of',
      'goes without clicks and pages: give log and queries',
      undefined,
    );
    return z.NEVER;
  }
  if (clicks === undefined || pages === undefined) {
    const missing = clicks === undefined ? 'clicks' : 'pages';
    refuse([missing], 'one-of', 'must be given: clicks and pages, or log and queries', undefined);
    return z.NEVER;
  }
  const rows = Array.isArray(clicks) ? clicks.length : clicks.positions;
  const columns = Array.isArray(clicks) ? clicks[0].length : clicks.pages;
  const impressions: (readonly (readonly number[])[])[] = [];
  for (const [i, own = []] of pages.columns.impressions.entries()) {
    impressions.push(own);
    if (own.length === rows && own[0].length === columns) continue;
    const shape = `${own.length} by ${own[0]?.length ?? 0}`;
    const message = `must be ${rows} positions by ${columns} result pages, as clicks; got ${shape}`;
    refuse(['pages', i, 'impressions'], 'unequal-shapes', message, own);
  }
  const ids = pages.ids?.map((id) => id ?? null);
  const problem = { clicks, impressions, errorProbability: pages.columns.errorProbability, ...(ids && { ids }) };
  return { options, problem };
});

type LogRequest = Required<Pick<WireRequest, 'log' | 'queries' | 'confidence'>>;

/** The log as the solver takes it, pages in the order in which they first occur. */
function logOf({ log, queries, confidence }: LogRequest, refuse: Refuse): ClickLogProblem {
  const { columns, form } = log;
  const or = (values: Float64Array, absent: number): Float64Array =>
    values.map((value) => (Number.isNaN(value) ? absent : value));
  const [clicks, stale, wrong] = [or(columns.clicks, 1), or(columns.stale, 0), or(columns.wrong, 0)];
  const resultPage = Int32Array.from(or(columns.resultPage, 1), (k) => k - 1);
  const position = Int32Array.from(columns.position, (j) => j - 1);
  const known = new Map<string, number>();
  const page = Int32Array.from(columns.page, (name = '') => {
    const at = known.get(name) ?? known.size;
    known.set(name, at);
    return at;
  });
  const at = (row: number, name: string): PropertyKey[] => (form === 'rows' ? ['log', row, name] : ['log', name, row]);
  const resultPages = 1 + resultPage.reduce((most, k) => Math.max(most, k), 0);
  const byCell = new Map<number, number>();
  for (const [row, count] of clicks.entries()) {
    if (stale[row] > count)
      refuse(at(row, 'stale'), 'out-of-range', `must be at most the ${count} clicks; got ${stale[row]}`, stale[row]);
    if (wrong[row] > stale[row]) {
      const message = `must be at most the ${stale[row]} clicks on a stale copy; got ${wrong[row]}`;
      refuse(at(row, 'wrong'), 'out-of-range', message, wrong[row]);
    }
    const cell = position[row] * resultPages + resultPage[row];
    byCell.set(cell, (byCell.get(cell) ?? 0) + count);
  }
  let most = 0;
  for (const count of byCell.values()) most = Math.max(most, count);
  if (most > queries) {
    refuse(['queries'], 'out-of-range', `must be at least the ${most} clicks on one position; got ${queries}`, queries);
  }
  if (known.size > embarrassmentWeightsLimits.pages) {
    const message = `must name at most ${embarrassmentWeightsLimits.pages} pages; got ${known.size}`;
    refuse(['log'], 'out-of-range', message, known.size);
  }
  const positions = 1 + position.reduce((largest, j) => Math.max(largest, j), 0);
  const sizes = { ids: [...known.keys()], positions, resultPages, queries, confidence };
  return { page, position, resultPage, clicks, stale, wrong, ...sizes };
}

const interval = (of: string, kind: typeof probability) =>
  z.array(z.number()).meta(kind(`Interval of ${of}: low, high`));

export const embarrassmentWeightsSolution = z.object({
  weights: z.array(z.number()).meta(weight('w_i = d_i Σ_jk c_jk b_ijk', { role: 'first' })),
  ids: z.array(z.string().nullable()).optional().describe('The ids, in the same order'),
  clicks: z
    .array(
      z.array(
        z.object({ probability: z.number().meta(probability('The chance')), interval: interval('c', probability) }),
      ),
    )
    .optional()
    .meta(count('With log: c_jk, rows are positions', { unit: 'clicks' })),
  pages: z
    .array(
      z.object({
        clicks: z.number().meta(count('Clicks on the page', { unit: 'clicks' })),
        weightInterval: interval('the weight', weight),
        errorProbability: z.number().meta(probability('d: share of its stale clicks that were wrong')),
        errorInterval: interval('d', probability),
        impressions: z
          .array(
            z.object({
              position: z.int().meta(number('From 1')),
              resultPage: z.int().meta(number('From 1')),
              probability: z.number().meta(probability('The chance')),
              interval: interval('b', probability),
            }),
          )
          .describe('Where it was clicked'),
      }),
    )
    .optional()
    .meta(count('With log: the pages, in order of appearance', { unit: 'result pages' })),
});

export function embarrassmentWeightsSentence({ solution }: Told<typeof embarrassmentWeightsSolution>): string {
  const weights = Array.from(solution.weights);
  const total = weights.reduce((sum, each) => sum + each, 0);
  const most = weights.indexOf(weights.reduce((largest, each) => Math.max(largest, each), 0));
  const id = solution.ids?.[most];
  const name = typeof id === 'string' ? `"${id}"` : `the page at position ${most}`;
  return `A stale copy of ${name} costs most: ${percent(weights[most] / total)} of the weight of ${weights.length} pages.`;
}
