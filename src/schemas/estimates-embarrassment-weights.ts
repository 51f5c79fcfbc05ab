/** The wire shapes of `estimates/embarrassment-weights`. */
import * as z from 'zod';
import type { EmbarrassmentProblem } from '../solvers/estimation/index.ts';
import { requestSchema } from './contract/options.ts';
import { refusals } from './contract/refusals.ts';
import { numberMatrix } from './parts/number-list.ts';
import { strictObject } from './parts/strict-object.ts';
import { numberColumn, schemaColumn } from './table/column.ts';
import { rowsOnly } from './table/table.ts';

/** Sizes this operation accepts. */
export const embarrassmentWeightsLimits = { pages: 100_000, positions: 1000, resultPages: 1000 } as const;

const matrix = (description: string) =>
  numberMatrix(
    description,
    { rows: embarrassmentWeightsLimits.positions, columns: embarrassmentWeightsLimits.resultPages },
    { atLeast: 0, atMost: 1e100 },
  );

const zipf = strictObject({
  zipf: z.number().min(0).max(1).describe('θ: 0 for a Zipf law, 1 for all positions alike'),
  continue: z.number().min(0).max(1).describe('s: chance that a reader goes on to the next result page'),
  positions: z.int().min(1).max(embarrassmentWeightsLimits.positions).describe('Positions j on a result page'),
  pages: z.int().min(1).max(embarrassmentWeightsLimits.resultPages).describe('Result pages k'),
});

const wireRequest = requestSchema({
  clicks: z
    .union([matrix('Rows are positions j, columns result pages k'), zipf])
    .describe(
      'c_jk: chance of a click on position j (row) of result page k (column); or c_jk = p^−(1−θ)/Σp^−(1−θ) · s^(k−1), p = (k−1)·positions + j',
    ),
  pages: rowsOnly(
    {
      impressions: schemaColumn(
        'b_jk: chance that the page stands at position j of result page k; shaped as clicks',
        matrix('Rows are positions j, columns result pages k'),
      ),
      errorProbability: numberColumn('d: chance that a stale copy gives a wrong answer', { atLeast: 0, atMost: 1 }),
    },
    { maxRows: embarrassmentWeightsLimits.pages, description: 'The pages' },
  ),
});

/** A checked request: the solver's problem, and the ids as they came, for the answer. */
export interface CheckedEmbarrassment {
  readonly options?: z.output<typeof wireRequest>['options'];
  readonly problem: EmbarrassmentProblem;
  readonly ids: readonly (string | undefined)[] | null;
}

export const embarrassmentWeightsRequest = wireRequest.transform((request, context): CheckedEmbarrassment => {
  const { clicks, pages } = request;
  const refuse = refusals(context.issues);
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
  const problem = { clicks, impressions, errorProbability: pages.columns.errorProbability };
  return { options: request.options, problem, ids: pages.ids };
});

export const embarrassmentWeightsSolution = z.object({
  weights: z.array(z.number()).describe('w_i = d_i Σ_jk c_jk b_ijk, in the order of the pages'),
  ids: z.array(z.string().nullable()).optional().describe('The ids the request gave, in the same order'),
});
