/**
 * The wire shapes of `access-frequencies`, and what it shares with `access-sequence`: the pages and the least
 * frequency.
 */

import * as z from 'zod';
import type { AccessFrequenciesQuestion } from '../solvers/access-frequencies/index.ts';
import type { MeasureTarget } from '../solvers/pages/targets/index.ts';
import type { SolvedAnswer } from './contract/answer.ts';
import { crawlerCount, number, pageCount, rate, share, time, weight } from './contract/field.ts';
import { requestSchema } from './contract/options.ts';
import { real, staleShare } from './contract/range.ts';
import { conditions, type Refuse } from './contract/refusals.ts';
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

/** The properties of a page both operations take. */
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
  pages: table(accessPageColumns, {
    maxRows: accessFrequenciesLimits.pages,
    description: 'The pages accessed for ever, with change rates and weights',
  }),
  accessTime: accessTimeSchema,
  policy: z.enum(['deterministic', 'randomized']).describe('Whether accesses follow an order, or are drawn at random'),
  minFrequency: minFrequencySchema,
  ...freshnessTargetFields,
});

export const accessFrequenciesRequest = wireRequest.check(
  conditions((request, refuse) => {
    refuseDuplicateIds(request.pages, refuse);
    targetOfAccesses(request, refuse);
  }),
);

/** The target of a request; null where it has none. */
function targetOfAccesses(request: z.output<typeof wireRequest>, refuse: Refuse): MeasureTarget | null {
  const { pages, target } = request;
  const rate = pages.columns.changeRate;
  return targetOfRequest({ target, objective: 'freshness', weight: weightsOf(pages), rate }, refuse);
}

/** The request as its solver takes it. */
export function accessQuestion(request: z.output<typeof wireRequest>): AccessFrequenciesQuestion {
  const { pages, accessTime, policy, minFrequency = 0, curve = false } = request;
  const { changeRate } = pages.columns;
  const place = placeIn('pages', pages);
  return {
    problem: { accessTime, changeRate, weight: weightsOf(pages), policy, minFrequency, place },
    target: targetOfAccesses(request, () => {}),
    curve,
  };
}

/** c_i, the change rate where no weight was given. */
export function weightsOf({ columns }: Pick<Table<typeof accessPageColumns>, 'columns'>): Float64Array {
  return columns.weight.map((weight, i) => (Number.isNaN(weight) ? columns.changeRate[i] : weight));
}

export const accessFrequenciesSolution = z.object({
  pages: tableAnswerSchema(
    {
      frequency: z.number().meta(share('They sum to 1', { unit: 'of the accesses', role: 'first' })),
      staleness: staleShare('of the time'),
    },
    'The pages, in the order and form of the request',
  ),
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

export const accessFrequenciesBeside = targetAnswerFields;

export const minFrequencyConflict = z.object({
  detail: z.string().describe('What clashes, with the numbers'),
  minFrequency: z.number().meta(share('The least frequency asked for', { unit: 'of the accesses' })),
  pages: z.int().meta(pageCount('How many pages ask for it')),
  largestMinFrequency: z.number().meta(share('The largest possible: 1/pages', { unit: 'of the accesses' })),
});

export const accessFrequenciesConflict = z.union([minFrequencyConflict, targetConflict]);

export function accessFrequenciesSentence({
  solution,
  objective,
}: SolvedAnswer<typeof accessFrequenciesSolution>): string {
  const { starved, pages, crawls, crawlers } = solution;
  const accessed = cellsOf(pages, 'frequency').length - starved;
  const none = starved === 0 ? '' : ` ${countText(starved, 'page is', 'pages are')} never accessed and always stale.`;
  if (crawls === 0) return 'No access is needed: the target is kept without one.';
  if (crawls !== undefined) {
    const busy = countText(crawlers ?? 0, 'crawler');
    return `${figure(crawls)} accesses per time unit keep the target, which takes ${busy}; share them among ${countText(accessed, 'page')}.${none}`;
  }
  return `Share the accesses among ${countText(accessed, 'page')}: the weighted staleness is then ${figure(objective?.value)}.${none}`;
}
