/** The wire shapes of `access-sequence`. */

import * as z from 'zod';
import { sequencingMethods } from '../solvers/access-sequence/index.ts';
import { accessPageColumns, accessTimeSchema, minFrequencySchema } from './access-frequencies.ts';
import type { SolvedAnswer } from './contract/answer.ts';
import { cost, count, plain, position, share } from './contract/field.ts';
import { requestSchema } from './contract/options.ts';
import { integer, real, staleShare } from './contract/range.ts';
import { conditions } from './contract/refusals.ts';
import { choice, object } from './contract/strict-object.ts';
import { distributionLimits } from './parts/distribution.ts';
import { placeIn, refuseDuplicateIds, table } from './table/table.ts';
import { tableAnswerSchema } from './table/table-answer.ts';
import { countText, share as percent } from './words/numbers.ts';

export const accessSequenceLimits = {
  pages: 1_000_000,
  cycleLength: 10_000_000,
  empiricalValues: distributionLimits.empiricalValues,
  phases: distributionLimits.phases,
} as const;

const pageColumns = {
  ...accessPageColumns,
  frequency: real({ atLeast: 0 })
    .optional()
    .meta(share('Share of all accesses, for all pages or none; left out: optimal', { unit: 'of the accesses' })),
  lastAccess: integer({ atLeast: 1, atMost: 1e15 })
    .optional()
    .meta(count('Accesses since the page’s last, 1 for the latest; left out: never', { unit: 'accesses' })),
};

export const accessSequenceRequest = requestSchema({
  pages: table('AccessSequencePage', accessSequenceLimits.pages, 'The pages accessed for ever', pageColumns),
  accessTime: accessTimeSchema,
  minFrequency: minFrequencySchema,
  method: choice('AccessSequenceMethod', ['auto', ...sequencingMethods])
    .default('auto')
    .meta(plain('How to make the order; auto improves the cheaper of most-overdue and tree', { role: 'advanced' })),
  cycleLength: integer({ atLeast: 1, atMost: accessSequenceLimits.cycleLength })
    .optional()
    .meta(count('Accesses in a cycle; left out: chosen', { unit: 'accesses', role: 'advanced' })),
}).check(
  conditions(({ minFrequency, pages }, refuse) => {
    refuseDuplicateIds(pages, refuse);
    const { frequency } = pages.columns;
    const missingIndex = frequency.findIndex((f) => Number.isNaN(f));
    const givenIndex = frequency.findIndex((f) => !Number.isNaN(f));
    if (givenIndex >= 0 && missingIndex >= 0) {
      const message = `is missing here but given for page ${givenIndex}: give the frequency of every page or of none`;
      refuse(placeIn('pages', pages)(missingIndex, 'frequency'), 'frequency-missing', message, undefined);
    } else if (givenIndex >= 0) {
      const sum = frequency.reduce((a, b) => a + b, 0);
      if (!(sum > 0 && sum < Infinity)) {
        refuse(
          ['pages'],
          'sum-not-positive',
          `must have frequencies with a positive, finite sum; they sum to ${sum}`,
          sum,
        );
      }
      if (minFrequency !== undefined && minFrequency > 0) {
        const message = `shapes the optimal frequencies and has no effect on frequencies of your own; got ${minFrequency}: leave it out`;
        refuse(['minFrequency'], 'not-applicable', message, minFrequency);
      }
    }
  }),
);

const ofStaleness = { unit: 'weight × share of the time' } as const;

const sequencingMethod = choice('SequencingMethod', sequencingMethods);

export const accessSequenceSolution = object('AccessSequenceSolution', {
  method: sequencingMethod.meta(plain('The method that made this cycle')),
  sequence: z.array(z.int()).meta(position('Positions of the pages to access, repeated for ever')),
  cycleLength: z.int().meta(count('Accesses in this cycle', { unit: 'accesses' })),
  counts: z.array(z.int()).meta(count('How often each page occurs in its cycle', { unit: 'accesses' })),
  pages: tableAnswerSchema('AccessSequenceSolutionPage', 'The pages, in the order and form of the request', {
    staleness: staleShare('of the time'),
  }),
});

export const accessSequenceSupplement = {
  methods: z
    .array(
      object('AccessSequenceMethodCost', {
        method: sequencingMethod.meta(plain('The method')),
        cost: z.number().meta(cost('Exact cost of its best cycle', ofStaleness)),
        cycleLength: z.int().meta(count({ unit: 'accesses' })),
        improved: z
          .literal(true)
          .optional()
          .describe("The best method's cycle after exchanging accesses that lie close together (auto only)"),
      }),
    )
    .optional()
    .describe('The methods tried; absent when infeasible'),
  firstCycle: object('AccessSequenceFirstCycle', {
    cost: z.number().meta(cost(ofStaleness)),
  })
    .optional()
    .describe('With lastAccess: the cost of the first cycle'),
  bounds: object('AccessSequenceBounds', {
    overall: z.number().meta(cost('The least cost of any frequencies', ofStaleness)),
    frequencies: z.number().meta(cost('The least cost of any order with these frequencies', ofStaleness)),
  })
    .optional()
    .describe('Lower bounds on the cost, for any frequencies and for these'),
};

export function accessSequenceSentence({ solution, objective }: SolvedAnswer<typeof accessSequenceSolution>): string {
  const { method, cycleLength } = solution;
  const gap = objective?.gap ?? null;
  const bound = gap === null ? '' : ` Its cost is ${percent(Math.max(0, gap))} above what no order can beat.`;
  return `Repeat a cycle of ${countText(cycleLength, 'access', 'accesses')}, made by ${method}.${bound}`;
}
