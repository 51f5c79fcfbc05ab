/**
 * The wire shapes of `access-frequencies`, and what it shares with `access-sequence`: the pages and the least
 * frequency.
 */

import * as z from 'zod';
import type { SolvedAnswer } from './contract/answer.ts';
import { crawlerCount, number, pageCount, rate, share, time, weight } from './contract/field.ts';
import { requestSchema } from './contract/options.ts';
import { real, staleShare } from './contract/range.ts';
import { refusals } from './contract/refusals.ts';
import { choice, object } from './contract/strict-object.ts';
import { distribution, distributionLimits } from './parts/distribution.ts';
import { freshnessTargetFields, targetAnswerFields, targetConflict, targetOfRequest } from './parts/target.ts';
import { placeIn, refuseDuplicateIds, type Table, table } from './table/table.ts';
import { cellsOf, tableAnswerSchema } from './table/table-answer.ts';
import { countText, figure } from './words/numbers.ts';

export const accessFrequenciesLimits = {
  pages: 2_000_000,
  empiricalValues: distributionLimits.empiricalValues,
  phases: distributionLimits.phases,
} as const;

/** The properties of a page in access-frequencies and access-sequence. */
export const accessPageColumns = {
  changeRate: real({ above: 0, atMost: 1e300 }).meta(
    rate('How often the page changes (Poisson); leave out pages that never change', { lever: { factor: 4 } }),
  ),
  weight: real({ atLeast: 0, atMost: 1e300 }).optional().meta(weight('Importance; left out: the change rate')),
};

/** Law of the time one access takes. */
export const accessTimeSchema = distribution.describe('Time X that one access takes');

export const minFrequencySchema = real({ atLeast: 0 })
  .optional()
  .meta(
    share('Least share of the accesses for each page, at most 1/pages', { unit: 'of the accesses', role: 'advanced' }),
  );

const wireRequest = requestSchema({
  pages: table(
    'AccessFrequenciesPage',
    accessFrequenciesLimits.pages,
    'The pages accessed for ever, with change rates and weights',
    accessPageColumns,
  ),
  accessTime: accessTimeSchema,
  policy: choice('AccessFrequenciesPolicy', ['deterministic', 'randomized']).describe(
    'Whether accesses follow an order, or are drawn at random',
  ),
  minFrequency: minFrequencySchema,
  ...freshnessTargetFields,
});

export const accessFrequenciesRequest = wireRequest.transform((request, context) => {
  const refuse = refusals(context.issues);
  const { options, pages, accessTime, policy, minFrequency = 0, target, curve } = request;
  const { changeRate } = pages.columns;
  const weight = weightsOf(pages);
  refuseDuplicateIds(pages, refuse);
  const measureTarget = targetOfRequest({ target, objective: 'freshness', weight, rate: changeRate }, refuse);
  const problem = { accessTime, changeRate, weight, policy, minFrequency, place: placeIn('pages', pages) };
  return { options, pages, problem, target: measureTarget, curve };
});

/** The weights c_i of the pages; the change rate for a page without a weight. */
export function weightsOf({ columns }: Pick<Table<typeof accessPageColumns>, 'columns'>): Float64Array {
  return columns.weight.map((weight, i) => (Number.isNaN(weight) ? columns.changeRate[i] : weight));
}

export const accessFrequenciesSolution = object('AccessFrequenciesSolution', {
  pages: tableAnswerSchema('AccessFrequenciesSolutionPage', 'The pages, in the order and form of the request', {
    frequency: z.number().meta(share('They sum to 1', { unit: 'of the accesses', role: 'first' })),
    staleness: staleShare('of the time'),
  }),
  multiplier: z.number().meta(number('Cost saved by one more unit of frequency')),
  starved: z.int().meta(pageCount('Pages with frequency 0, which are always stale', { role: 'first' })),
  meanAccessTime: z.number().meta(time()),
  crawls: z
    .number()
    .optional()
    .meta(rate('With target: the fewest accesses that keep it', { role: 'first' })),
  crawlers: z
    .int()
    .optional()
    .meta(crawlerCount('With target: the crawlers that these accesses keep busy', { role: 'first' })),
});

export const accessFrequenciesSupplement = targetAnswerFields;

export const minFrequencyConflict = object('MinFrequencyConflict', {
  detail: z.string(),
  minFrequency: z.number().meta(share('The least frequency asked for', { unit: 'of the accesses' })),
  pages: z.int().meta(pageCount('How many pages ask for it')),
  largestMinFrequency: z.number().meta(share('The largest possible: 1/pages', { unit: 'of the accesses' })),
});

export const accessFrequenciesConflict = z
  .union([minFrequencyConflict, targetConflict])
  .meta({ id: 'AccessFrequenciesConflict' });

export function accessFrequenciesSentence({
  solution,
  objective,
}: SolvedAnswer<typeof accessFrequenciesSolution>): string {
  const { starved, pages, crawls, crawlers } = solution;
  if (crawls === 0) return 'No access is needed: the target is kept without one.';
  const sharingPages = countText(cellsOf(pages, 'frequency').length - starved, 'page');
  if (crawls === undefined) {
    const starvedNote =
      starved === 0 ? '' : ` ${countText(starved, 'page is', 'pages are')} never accessed and always stale.`;
    return `Share the accesses among ${sharingPages}: the weighted staleness is then ${figure(objective?.value)}.${starvedNote}`;
  }
  return `Share ${figure(crawls)} accesses per time unit among ${sharingPages}, which keep the target and ${countText(crawlers ?? 0, 'crawler')} busy.`;
}
