/**
 * The wire shapes of `access-frequencies`, and what it shares with `access-sequence`: the pages and the least
 * frequency.
 */
import * as z from 'zod';
import type { Place } from '../solvers/access-frequencies/index.ts';
import { requestSchema } from './contract/options.ts';
import { distribution, distributionLimits } from './parts/distribution.ts';
import { numberColumn, textColumn } from './table/column.ts';
import { type Columns, type Table, table } from './table/table.ts';
import { tableAnswerSchema } from './table/table-answer.ts';

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
    'Rate μ of the Poisson process by which the page changes, per time unit; a page that never changes needs no access: leave it out',
    { above: 0, atMost: 1e300 },
  ),
  weight: numberColumn(
    'Weight c of the page: the cost is Σ weight·staleness; left out: its change rate (every missed change counts alike)',
    { atLeast: 0, atMost: 1e300, optional: true },
  ),
  host: textColumn('Host, or any group, whose pages all go to the same crawler where there are several', {
    optional: true,
  }),
};

export const crawlersSchema = z
  .int()
  .min(1)
  .max(accessFrequenciesLimits.crawlers)
  .default(1)
  .describe(
    'How many crawlers share the pages, each access of any of them taking a time of the law. Pages, or all of a host together, are dealt to ' +
      'them; the bound is that of one crawler as fast as all',
  );

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
  .describe('Least share of the accesses a page gets (default 0); more than 1/N makes the question infeasible');

export const accessFrequenciesRequest = requestSchema({
  pages: table(accessPageColumns, {
    maxRows: accessFrequenciesLimits.pages,
    description: 'The pages accessed for ever: how fast each changes and what its staleness weighs',
  }),
  accessTime: accessTimeSchema,
  policy: z
    .enum(['deterministic', 'randomized'])
    .describe(
      'deterministic: an order is made from the frequencies (see access-sequence), the objective is the bound no order can beat; ' +
        'randomized: every access is drawn independently with these probabilities, the objective is its exact cost',
    ),
  minFrequency: minFrequencySchema,
  crawlers: crawlersSchema,
});

type PagesOf<C extends Columns> = Pick<Table<C>, 'form' | 'columns'>;

/** c_i, the change rate where no weight was given. */
export function weightsOf({ columns }: PagesOf<typeof accessPageColumns>): Float64Array {
  return columns.weight.map((weight, i) => (Number.isNaN(weight) ? columns.changeRate[i] : weight));
}

/** Where a page's property stands in the request. */
export function placeIn(form: 'rows' | 'columns'): Place {
  return (page, property) => (form === 'rows' ? ['pages', page, property] : ['pages', property, page]);
}

export const accessFrequenciesSolution = z.object({
  pages: tableAnswerSchema(
    {
      frequency: z.number().describe('Share of all accesses that go to this page; the shares sum to 1'),
      staleness: z
        .number()
        .describe(
          'Share of time the page is stale: with its accesses evenly spaced (deterministic, what no order can beat) or drawn at random (randomized)',
        ),
      crawler: z.int().optional().describe('The crawler that has the page, from 0; where there are several'),
    },
    'The pages, in the order and form of the request',
  ),
  multiplier: z
    .number()
    .describe(
      'λ: what one more unit of frequency would save in the cost; a page gets none whose first access is worth less',
    ),
  starved: z.int().describe('How many pages got frequency 0: they are always stale'),
  meanAccessTime: z
    .number()
    .describe('Mean access time E X; a page is accessed crawlers·frequency/E X times per time unit'),
});

export const minFrequencyConflict = z.object({
  detail: z.string().describe('What clashes, with the numbers'),
  minFrequency: z.number().describe('The least frequency asked for'),
  pages: z.int().describe('How many pages ask for it'),
  largestMinFrequency: z.number().describe('The largest least frequency that many pages can have: 1/pages'),
});
