/**
 * The wire shapes of `access-frequencies`, and what it shares with `access-sequence`: the pages and the least
 * frequency.
 */

import * as z from 'zod';
import type { Place } from '../solvers/access-frequencies/index.ts';
import type { Objective } from '../solvers/answer.ts';
import { counted, figure } from '../words/numbers.ts';
import type { Wire } from './contract/answer.ts';
import { count, id, number, position, rate, share, time, weight } from './contract/field.ts';
import { requestSchema } from './contract/options.ts';
import { conditions, type Refuse } from './contract/refusals.ts';
import { distribution, distributionLimits } from './parts/distribution.ts';
import { targetBeside } from './parts/targets/answer.ts';
import { type AskedTarget, askedTarget, asksForCrawls } from './parts/targets/asked.ts';
import { targetConflict } from './parts/targets/conflict.ts';
import { classColumn, freshnessTargetFields } from './parts/targets/request.ts';
import { numberColumn, textColumn } from './table/column.ts';
import { type Columns, type Table, table } from './table/table.ts';
import { cellsOf, tableAnswerSchema } from './table/table-answer.ts';

/** Sizes this operation accepts. */
export const accessFrequenciesLimits = {
  pages: 2_000_000,
  crawlers: 1000,
  empiricalValues: distributionLimits.empiricalValues,
  phases: distributionLimits.phases,
} as const;

/** The properties of a page both operations take. */
export const accessPageColumns = {
  changeRate: numberColumn(
    rate(
      'Rate μ of the Poisson process by which the page changes, per time unit; a page that never changes needs no access: leave it out',
      { lever: { factor: 4 } },
    ),
    { above: 0, atMost: 1e300 },
  ),
  weight: numberColumn(
    weight(
      'Weight c of the page: the cost is Σ weight·staleness; left out: its change rate (every missed change counts alike)',
    ),
    { atLeast: 0, atMost: 1e300, optional: true },
  ),
  host: textColumn(id('Host, or any group, whose pages all go to the same crawler where there are several'), {
    optional: true,
  }),
};

const crawlersField = count(
  'How many crawlers share the pages, each access of any of them taking a time of the law. Pages, or all of a host together, are dealt to ' +
    'them; the bound is that of one crawler as fast as all',
  { unit: 'crawlers' },
);
const crawlers = z.int().min(1).max(accessFrequenciesLimits.crawlers);

export const crawlersSchema = crawlers.default(1).meta(crawlersField);

/** Positions of pages' hosts, −1 for none. */
export function hostPositions(hosts: readonly (string | undefined)[]): Int32Array {
  const known = new Map<string, number>();
  return Int32Array.from(hosts, (host) => {
    if (host === undefined) return -1;
    const position = known.get(host) ?? known.size;
    known.set(host, position);
    return position;
  });
}

/** Law of the time one access takes. */
export const accessTimeSchema = distribution.describe(
  'Law of the time X one access takes, in time units; access times are independent',
);

export const minFrequencySchema = z
  .number()
  .min(0)
  .optional()
  .meta(
    share('Least share of the accesses a page gets; left out: 0. More than 1/N makes the question infeasible', {
      unit: 'of the accesses',
      role: 'advanced',
    }),
  );

const wireRequest = requestSchema({
  pages: table(
    { ...accessPageColumns, class: classColumn },
    {
      maxRows: accessFrequenciesLimits.pages,
      description: 'The pages accessed for ever: how fast each changes and what its staleness weighs',
    },
  ),
  accessTime: accessTimeSchema,
  policy: z
    .enum(['deterministic', 'randomized'])
    .describe(
      'deterministic: an order is made from the frequencies (see access-sequence), the objective is the bound no order can beat; ' +
        'randomized: every access is drawn independently with these probabilities, the objective is its exact cost',
    ),
  minFrequency: minFrequencySchema,
  crawlers: crawlers.optional().meta(crawlersField),
  ...freshnessTargetFields,
});

export const accessFrequenciesRequest = wireRequest.check(
  conditions((request, refuse) => {
    targetOfAccesses(request, refuse);
  }),
);

/** The targets of a request; null where it has none. */
export function targetOfAccesses(request: z.output<typeof wireRequest>, refuse: Refuse): AskedTarget | null {
  const { pages, target, targets, crawlers } = request;
  if (crawlers !== undefined && asksForCrawls(request)) {
    refuse(['crawlers'], 'one-of', 'a target asks how many crawlers are needed: leave crawlers out', crawlers);
  }
  const { changeRate: rate, class: classes, host } = pages.columns;
  return askedTarget(
    { target, targets, objective: 'freshness', weight: weightsOf(pages), rate, class: classes, host },
    refuse,
  );
}

type PagesOf<C extends Columns> = Pick<Table<C>, 'form' | 'columns'>;

/** c_i, the change rate where no weight was given. */
export function weightsOf({
  columns,
}: {
  readonly columns: PagesOf<typeof accessPageColumns>['columns'];
}): Float64Array {
  return columns.weight.map((weight, i) => (Number.isNaN(weight) ? columns.changeRate[i] : weight));
}

/** Where a page's property stands in the request. */
export function placeIn(form: 'rows' | 'columns'): Place {
  return (page, property) => (form === 'rows' ? ['pages', page, property] : ['pages', property, page]);
}

export const accessFrequenciesSolution = z.object({
  pages: tableAnswerSchema(
    {
      frequency: z.number().meta(
        share('Share of all accesses that go to this page; the shares sum to 1', {
          unit: 'of the accesses',
          role: 'first',
        }),
      ),
      staleness: z
        .number()
        .meta(
          share(
            'Share of time the page is stale: with its accesses evenly spaced (deterministic, what no order can beat) or drawn at random (randomized)',
            { unit: 'of the time', role: 'first' },
          ),
        ),
      crawler: z.int().optional().meta(position('The crawler that has the page, from 0; where there are several')),
    },
    'The pages, in the order and form of the request',
  ),
  multiplier: z
    .number()
    .meta(
      number(
        'λ: what one more unit of frequency would save in the cost; a page gets none whose first access is worth less',
      ),
    ),
  starved: z
    .int()
    .meta(count('How many pages got frequency 0: they are always stale', { unit: 'pages', role: 'first' })),
  meanAccessTime: z
    .number()
    .meta(time('Mean access time E X; a page is accessed crawlers·frequency/E X times per time unit')),
  crawls: z
    .number()
    .optional()
    .meta(
      rate('With target: the least accesses per time unit that keep it; a page gets frequency·crawls of them', {
        role: 'first',
      }),
    ),
  crawlers: z
    .int()
    .optional()
    .meta(count('With target: the crawlers that so many accesses keep busy', { unit: 'crawlers', role: 'first' })),
});

export const accessFrequenciesBeside = targetBeside;

export const minFrequencyConflict = z.object({
  detail: z.string().describe('What clashes, with the numbers'),
  minFrequency: z.number().meta(share('The least frequency asked for', { unit: 'of the accesses' })),
  pages: z.int().meta(count('How many pages ask for it', { unit: 'pages' })),
  largestMinFrequency: z
    .number()
    .meta(share('The largest least frequency that many pages can have: 1/pages', { unit: 'of the accesses' })),
});

export const accessFrequenciesConflict = z.union([minFrequencyConflict, targetConflict]);

/** The answer in words. */
export function accessFrequenciesSentence({
  solution,
  objective,
}: {
  readonly solution: Wire<z.input<typeof accessFrequenciesSolution>>;
  readonly objective?: Objective;
}): string {
  const { starved, pages, crawls, crawlers } = solution;
  const accessed = cellsOf(pages, 'frequency').length - starved;
  const none = starved === 0 ? '' : ` ${counted(starved, 'page is', 'pages are')} never accessed and always stale.`;
  if (crawls === 0) return 'No access is needed: the target is kept without one.';
  if (crawls !== undefined) {
    const busy = counted(crawlers ?? 0, 'crawler');
    return `${figure(crawls)} accesses per time unit keep the target, which takes ${busy}; share them among ${counted(accessed, 'page')}.${none}`;
  }
  return `Share the accesses among ${counted(accessed, 'page')}: the weighted staleness is then ${figure(objective?.value)}.${none}`;
}
