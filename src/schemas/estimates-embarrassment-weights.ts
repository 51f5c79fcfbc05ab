/** The wire shapes of `estimates/embarrassment-weights`. */
import * as z from 'zod';
import { requestSchema } from './contract/options.ts';
import { strictObject } from './parts/strict-object.ts';

/** Sizes this operation accepts. */
export const embarrassmentWeightsLimits = { pages: 100_000, positions: 1000, resultPages: 1000 } as const;

const row = z.array(z.number().min(0).max(1e100)).min(1).max(embarrassmentWeightsLimits.resultPages);
const matrix = z.array(row).min(1).max(embarrassmentWeightsLimits.positions);

const zipf = strictObject({
  zipf: z.number().min(0).max(1).describe('θ: 0 for a Zipf law, 1 for all positions alike'),
  continue: z.number().min(0).max(1).describe('s: chance that a reader goes on to the next result page'),
  positions: z.int().min(1).max(embarrassmentWeightsLimits.positions).describe('Positions j on a result page'),
  pages: z.int().min(1).max(embarrassmentWeightsLimits.resultPages).describe('Result pages k'),
});

export const embarrassmentWeightsRequest = requestSchema({
  clicks: z
    .union([matrix, zipf])
    .describe(
      'c_jk: chance of a click on position j (row) of result page k (column); or c_jk = p^−(1−θ)/Σp^−(1−θ) · s^(k−1), p = (k−1)·positions + j',
    ),
  pages: z
    .array(
      strictObject({
        id: z.string().max(2048).optional().describe('Name of the page, echoed in the answer'),
        impressions: matrix.describe(
          'b_jk: chance that the page stands at position j of result page k; shaped as clicks',
        ),
        errorProbability: z.number().min(0).max(1).describe('d: chance that a stale copy gives a wrong answer'),
      }),
    )
    .min(1)
    .max(embarrassmentWeightsLimits.pages)
    .describe('The pages'),
}).check((context) => {
  const { clicks, pages } = context.value;
  const rows = Array.isArray(clicks) ? clicks.length : clicks.positions;
  const columns = Array.isArray(clicks) ? clicks[0].length : clicks.pages;
  const refuse = (path: PropertyKey[], message: string): void => {
    if (context.issues.length < 20) {
      context.issues.push({ code: 'custom', path, message, input: null, params: { code: 'unequal_shapes' } });
    }
  };
  if (Array.isArray(clicks)) {
    for (const [j, cells] of clicks.entries()) {
      if (cells.length !== columns)
        refuse(['clicks', j], `must have ${columns} result pages, as row 0; got ${cells.length}`);
    }
  }
  for (const [i, { impressions }] of pages.entries()) {
    const wrong = impressions.find((cells) => cells.length !== columns);
    if (impressions.length === rows && wrong === undefined) continue;
    const shape = `${impressions.length} by ${wrong?.length ?? columns}`;
    refuse(
      ['pages', i, 'impressions'],
      `must be ${rows} positions by ${columns} result pages, as clicks; got ${shape}`,
    );
  }
});

export const embarrassmentWeightsSolution = z.object({
  weights: z.array(z.number()).describe('w_i = d_i Σ_jk c_jk b_ijk, in the order of the pages'),
  ids: z.array(z.string().nullable()).optional().describe('The ids the request gave, in the same order'),
});
