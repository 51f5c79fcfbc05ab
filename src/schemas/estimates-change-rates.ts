/** The wire shapes of `estimates/change-rates`. */
import * as z from 'zod';
import { requestSchema } from './contract/options.ts';
import { refusals } from './contract/refusals.ts';
import { checksColumn } from './parts/checks/checks-column.ts';
import { historyOf } from './parts/checks/checks-reader.ts';
import { observationsColumn } from './parts/checks/observations-column.ts';
import { strictObject } from './parts/strict-object.ts';
import { type Columns, type Table, table } from './table/table.ts';
import { tableAnswerSchema } from './table/table-answer.ts';

/** Sizes this operation accepts. */
export const changeRatesLimits = { pages: 2_000_000, checksPerPage: 100_000 } as const;

const wireRequest = requestSchema({
  pages: table(
    {
      checks: checksColumn(
        changeRatesLimits.checksPerPage,
        'The checks, oldest first: [[elapsed since the check before, changed since then (true, false, 1 or 0)], …]',
      ),
      observations: observationsColumn(
        changeRatesLimits.checksPerPage,
        'In place of checks: the fetches, {time, changed | lastModified | signature | status}; 304 is unchanged, a failure no observation',
      ),
    },
    { maxRows: changeRatesLimits.pages, description: 'The pages with what was seen of them' },
  ),
  confidence: z.number().min(0.01).max(0.999999).default(0.95).describe('Confidence of the intervals'),
  method: z
    .enum(['maximum-likelihood', 'bias-reduced'])
    .default('maximum-likelihood')
    .describe('bias-reduced: −ln((n − X + ½)/(n + ½))/τ at regular checks, and its generalisation at irregular ones'),
  prior: z
    .union([
      z.enum(['none', 'empirical-bayes']),
      strictObject({
        shape: z.number().positive().max(1e6).describe('Shape of the gamma law of the rates'),
        rate: z.number().positive().max(1e100).describe('Its rate, a time: the mean rate of change is shape/rate'),
      }),
    ])
    .default('none')
    .describe('A gamma law shared by all pages; empirical-bayes: fitted to the pages themselves'),
});

export const changeRatesRequest = wireRequest.transform((request, context) => {
  const { checks, observations } = request.pages.columns;
  const { form } = request.pages;
  const refuse = refusals(context.issues);
  for (let i = 0; i < request.pages.length; i++) {
    const given = (checks.counts[i] >= 0 ? 1 : 0) + (observations.counts[i] >= 0 ? 1 : 0);
    if (given === 1) continue;
    const path = form === 'rows' ? ['pages', i] : ['pages', 'checks', i];
    const message =
      given === 0
        ? 'must have checks (an empty list for a page not checked yet) or observations'
        : 'must have checks or observations, not both';
    refuse(path, 'one-of', message, null);
  }
  const pages: Pick<Table<Columns>, 'form' | 'length' | 'ids'> = request.pages;
  const { options, confidence, method, prior } = request;
  return { options, confidence, method, prior, pages, history: historyOf(checks, observations), checks, observations };
});

export const changeRatesSolution = z.object({
  pages: tableAnswerSchema(
    {
      rate: z
        .number()
        .describe('Changes per time unit: above 0 and finite; with no change seen, the estimate at half a change'),
      interval: z
        .tuple([z.number(), z.number().nullable()])
        .describe('[low, high]: low 0 when nothing changed, high null when everything did'),
      checks: z.int().describe('Checks that count'),
      changes: z.int().describe('How many of them saw a change'),
    },
    'The pages, in the order and form of the request',
  ),
  prior: z
    .object({ shape: z.number(), rate: z.number() })
    .nullable()
    .describe('The gamma law used; null where none was'),
});
