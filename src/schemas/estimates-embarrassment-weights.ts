/** The wire shapes of `estimates/embarrassment-weights`. */

import * as z from 'zod';
import type { SolvedAnswer } from './contract/answer.ts';
import { count, id, number, probability, weight } from './contract/field.ts';
import { list, matrix } from './contract/list.ts';
import { requestSchema } from './contract/options.ts';
import { chance, integer, nameText, real } from './contract/range.ts';
import { refusals } from './contract/refusals.ts';
import { object, strictObject } from './contract/strict-object.ts';
import { share as percent } from './words/numbers.ts';

export const embarrassmentWeightsLimits = { pages: 100_000, positions: 1000, resultPages: 1000 } as const;

const byPlace = matrix(
  'EmbarrassmentWeightsMatrix',
  real({ atLeast: 0, atMost: 1e100 }),
  embarrassmentWeightsLimits.positions,
  embarrassmentWeightsLimits.resultPages,
);

const zipf = strictObject('ZipfClicks', {
  zipf: chance.meta(number('θ: 0 is a Zipf law, 1 all positions alike', { lever: { from: 0, to: 1 } })),
  continue: chance.meta(
    probability('s: chance that a reader opens the next result page', { lever: { from: 0.02, to: 0.98 } }),
  ),
  positions: integer({ atLeast: 1, atMost: embarrassmentWeightsLimits.positions }).meta(
    count('Positions j on a result page', { unit: 'positions' }),
  ),
  pages: integer({ atLeast: 1, atMost: embarrassmentWeightsLimits.resultPages }).meta(
    count('Result pages k', { unit: 'result pages' }),
  ),
});

const wireRequest = requestSchema({
  clicks: z
    .union([byPlace.meta(probability('Rows: positions j; columns: result pages k')), zipf])
    .meta({ id: 'EmbarrassmentWeightsClicks' })
    .describe('c_jk: chance of a click at position j of result page k'),
  pages: list(
    strictObject('EmbarrassmentWeightsPage', {
      id: nameText.optional().meta(id()),
      impressions: byPlace.meta(probability('b_jk: chance that the page stands at position j of result page k')),
      errorProbability: chance.meta(probability('d: chance that a stale copy is wrong')),
    }),
    { minItems: 1, maxItems: embarrassmentWeightsLimits.pages },
  ).describe('The pages'),
});

export const embarrassmentWeightsRequest = wireRequest.transform((request, context) => {
  const { clicks, pages, options } = request;
  const refuse = refusals(context.issues);
  const rows = Array.isArray(clicks) ? clicks.length : clicks.positions;
  const columns = Array.isArray(clicks) ? clicks[0].length : clicks.pages;
  const impressions = pages.map((page) => page.impressions);
  for (const [i, own] of impressions.entries()) {
    if (own.length === rows && own[0].length === columns) continue;
    const shape = `${own.length} by ${own[0]?.length ?? 0}`;
    const message = `must be ${rows} positions by ${columns} result pages, as clicks; got ${shape}`;
    refuse(['pages', i, 'impressions'], 'unequal-shapes', message, own);
  }
  const errorProbability = Float64Array.from(pages, (page) => page.errorProbability);
  const ids = pages.some((page) => page.id !== undefined) && { ids: pages.map((page) => page.id ?? null) };
  const problem = { clicks, impressions, errorProbability, ...ids };
  return { options, problem };
});

export const embarrassmentWeightsSolution = object('EmbarrassmentWeightsSolution', {
  weights: z.array(z.number()).meta(weight('w_i = d_i Σ_jk c_jk b_ijk', { role: 'first' })),
  ids: z.array(z.string().nullable()).optional().describe('The ids, in the same order'),
});

export function embarrassmentWeightsSentence({ solution }: SolvedAnswer<typeof embarrassmentWeightsSolution>): string {
  const weights = Array.from(solution.weights);
  const total = weights.reduce((sum, each) => sum + each, 0);
  const heaviest = weights.indexOf(weights.reduce((largest, each) => Math.max(largest, each), 0));
  const id = solution.ids?.[heaviest];
  const name = typeof id === 'string' ? `"${id}"` : `the page at position ${heaviest}`;
  return `A stale copy of ${name} costs most: ${percent(weights[heaviest] / total)} of the weight of ${weights.length} pages.`;
}
