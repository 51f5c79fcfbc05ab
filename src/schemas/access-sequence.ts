/** The wire shapes of `access-sequence`. */
import * as z from 'zod';
import { sequencingMethods } from '../solvers/access-sequence/index.ts';
import {
  accessFrequenciesLimits,
  accessPageColumns,
  accessTimeSchema,
  crawlersSchema,
  minFrequencySchema,
} from './access-frequencies.ts';
import { requestSchema } from './contract/options.ts';
import { conditions } from './contract/refusals.ts';
import { distributionLimits } from './parts/distribution.ts';
import { numberColumn } from './table/column.ts';
import { table } from './table/table.ts';
import { tableAnswerSchema } from './table/table-answer.ts';

/** Sizes this operation accepts. */
export const accessSequenceLimits = {
  pages: 1_000_000,
  crawlers: accessFrequenciesLimits.crawlers,
  cycleLength: 10_000_000,
  /** F_35 = 9227465. */
  fibonacciIndex: 35,
  empiricalValues: distributionLimits.empiricalValues,
  phases: distributionLimits.phases,
} as const;

const pageColumns = {
  ...accessPageColumns,
  frequency: numberColumn(
    'Share of all accesses for this page; for all pages or for none (default: the optimal frequencies). Shares are scaled to sum to 1',
    { atLeast: 0, optional: true },
  ),
  lastAccess: numberColumn(
    'How many accesses before this cycle the page was accessed last: 1 for the one just before. The cycle then begins where its first ' +
      'round costs least; where only some pages have it, the others were never accessed',
    { atLeast: 1, atMost: 1e15, integer: true, optional: true },
  ),
};

export const accessSequenceRequest = requestSchema({
  pages: table(pageColumns, {
    maxRows: accessSequenceLimits.pages,
    description: 'The pages accessed for ever',
  }),
  accessTime: accessTimeSchema,
  minFrequency: minFrequencySchema,
  crawlers: crawlersSchema,
  method: z
    .enum(['auto', ...sequencingMethods])
    .default('auto')
    .describe(
      'How the order is made; auto: the cheapest of all methods. most-overdue: largest age × frequency first; earliest-deadline: ' +
        'Tijdeman; tree: repeated regular splitting (Hajek, Arian and Levy); golden-ratio: Itai and Rosberg; index: largest marginal value ' +
        'first; randomized: a cycle of independent draws',
    ),
  cycleLength: z
    .int()
    .min(1)
    .max(accessSequenceLimits.cycleLength)
    .optional()
    .describe(
      'Accesses in a cycle; left out: chosen (10 to 30 times the pages, among lengths that round the frequencies well)',
    ),
  fibonacciIndex: z
    .int()
    .min(1)
    .max(accessSequenceLimits.fibonacciIndex)
    .optional()
    .describe(
      'Golden ratio: k of the cycle length F_k (F_1 = F_2 = 1); left out: the smallest F_k of at least 10 times the pages',
    ),
}).check(
  conditions(({ method, fibonacciIndex, cycleLength, minFrequency, pages, crawlers }, refuse) => {
    const { lastAccess } = pages.columns;
    const begun = lastAccess.findIndex((last) => !Number.isNaN(last));
    if (crawlers > 1 && begun >= 0) {
      const message = `does not go with several crawlers, which are dealt the pages afresh; got ${lastAccess[begun]}: leave it out`;
      const path = pages.form === 'rows' ? ['pages', begun, 'lastAccess'] : ['pages', 'lastAccess', begun];
      refuse(path, 'not-applicable', message, lastAccess[begun]);
    }
    if (crawlers > 1 && (cycleLength ?? 0) * crawlers > accessSequenceLimits.cycleLength) {
      const message = `times ${crawlers} crawlers must be at most ${accessSequenceLimits.cycleLength}; got ${cycleLength}`;
      refuse(['cycleLength'], 'out-of-range', message, cycleLength);
    }
    if (fibonacciIndex !== undefined && method !== 'golden-ratio' && method !== 'auto') {
      const message = `belongs to the golden-ratio method; got ${fibonacciIndex} with method ${method}: leave it out or change the method`;
      refuse(['fibonacciIndex'], 'not-applicable', message, fibonacciIndex);
    }
    if (fibonacciIndex !== undefined && cycleLength !== undefined) {
      const message = `and cycleLength both set the length of the cycle; got ${fibonacciIndex} and ${cycleLength}: leave one out`;
      refuse(['fibonacciIndex'], 'not-applicable', message, fibonacciIndex);
    }
    const { frequency } = pages.columns;
    const missing = frequency.findIndex((f) => Number.isNaN(f));
    const given = frequency.findIndex((f) => !Number.isNaN(f));
    const place = (i: number): PropertyKey[] =>
      pages.form === 'rows' ? ['pages', i, 'frequency'] : ['pages', 'frequency', i];
    if (given >= 0 && missing >= 0) {
      const message = `is missing here but given for page ${given}: give the frequency of every page or of none`;
      refuse(place(missing), 'frequency-missing', message, undefined);
    } else if (given >= 0) {
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

export const accessSequenceSolution = z.object({
  method: z.enum(sequencingMethods).describe('The method that made this cycle'),
  sequence: z
    .array(z.int())
    .describe(
      'Positions (from 0) of the pages to access, one after the other, then again from the start; with several crawlers the first one’s',
    ),
  cycleLength: z.int().describe('Accesses in this cycle'),
  crawlers: z
    .array(
      z.object({
        method: z.enum(sequencingMethods).nullable().describe('The method that made its cycle; null without pages'),
        sequence: z.array(z.int()).describe('Positions of the pages it accesses, again and again'),
        cost: z.number().describe('Σ weight·staleness of its pages'),
      }),
    )
    .optional()
    .describe('Where there are several crawlers: the cycle of each'),
  counts: z.array(z.int()).describe('How often each page occurs in its crawler’s cycle, in the order of the pages'),
  pages: tableAnswerSchema(
    {
      staleness: z.number().describe('Share of time the page is stale under this cycle, exactly'),
      crawler: z.int().optional().describe('The crawler that has the page, from 0; where there are several'),
    },
    'The pages, in the order and form of the request',
  ),
});

export const accessSequenceBeside = {
  methods: z
    .array(
      z.object({
        method: z.enum(sequencingMethods),
        cost: z.number().describe('Exact cost of the best cycle this method made'),
        cycleLength: z.int().describe('Its length'),
        improved: z
          .literal(true)
          .optional()
          .describe("The best method's cycle after exchanging accesses that lie close together (auto only)"),
      }),
    )
    .optional()
    .describe('Every method tried; absent when infeasible and with several crawlers'),
  firstCycle: z
    .object({
      cost: z
        .number()
        .describe('Σ weight·staleness over the first cycle, from these ages; later ones cost the objective'),
    })
    .optional()
    .describe('With lastAccess: what the seam to the accesses before makes of the first cycle'),
  bounds: z
    .object({
      overall: z.number().describe('The least cost of any policy, whatever its frequencies'),
      frequencies: z.number().describe('The least cost of any order that realises these frequencies'),
    })
    .optional()
    .describe('What the cost can be measured against; the same unless frequencies were given; absent when infeasible'),
};
