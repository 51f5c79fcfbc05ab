/** The wire shapes of `estimates/change-rates`. */

import * as z from 'zod';
import type { SolvedAnswer } from './contract/answer.ts';
import { count, number, plain, rate, share, time } from './contract/field.ts';
import { requestSchema } from './contract/options.ts';
import { real } from './contract/range.ts';
import { refusals } from './contract/refusals.ts';
import { strictObject } from './contract/strict-object.ts';
import { checksColumn } from './parts/checks/checks-column.ts';
import { historyOf, historyWarnings } from './parts/checks/checks-reader.ts';
import { observationsColumn } from './parts/checks/observations-column.ts';
import { type Columns, type Table, table } from './table/table.ts';
import { cellsOf, tableAnswerSchema } from './table/table-answer.ts';
import { countText, figure } from './words/numbers.ts';

export const changeRatesLimits = { pages: 2_000_000, checksPerPage: 100_000 } as const;

const wireRequest = requestSchema({
  pages: table(
    {
      checks: checksColumn(
        changeRatesLimits.checksPerPage,
        'Checks, oldest first: [time since the one before, changed]',
      ),
      observations: observationsColumn(changeRatesLimits.checksPerPage, 'In place of checks: past fetches'),
    },
    { maxRows: changeRatesLimits.pages, description: 'The pages and their histories' },
  ),
  confidence: real({ atLeast: 0.01, atMost: 0.999999 })
    .default(0.95)
    .meta(share('Confidence of the intervals', { role: 'advanced' })),
  method: z
    .enum(['maximum-likelihood', 'bias-reduced'])
    .default('maximum-likelihood')
    .meta(plain('The estimator', { role: 'advanced' })),
  prior: z
    .union([
      z.enum(['none', 'empirical-bayes']),
      strictObject({
        shape: real({ above: 0, atMost: 1e6 }).meta(number('Shape of the gamma law of rates')),
        rate: real({ above: 0, atMost: 1e100 }).meta(time('Its rate: the mean change rate is shape/rate')),
      }).meta({ 'x-class': 'GammaPrior' }),
    ])
    .default('none')
    .meta(plain('Gamma prior of the rates; empirical-bayes: fitted to the pages', { role: 'advanced' })),
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
  const history = historyOf(checks, observations);
  const warnings = historyWarnings(checks, observations);
  return { options, pages, problem: { history, confidence, method, prior }, warnings };
});

export const changeRatesSolution = z.object({
  pages: tableAnswerSchema(
    {
      rate: z.number().meta(rate('Change rate', { role: 'first' })),
      interval: z
        .tuple([z.number(), z.number().nullable()])
        .meta(
          rate('Its interval [low, high]; low 0: no change seen; high null: only changes', { label: 'rate, interval' }),
        ),
      checks: z.int().meta(count('Checks that count', { unit: 'checks' })),
      changes: z.int().meta(count('How many of them saw a change', { unit: 'changes' })),
    },
    'The pages, in the order and form of the request',
  ),
  prior: z
    .object({
      shape: z.number().meta(number('Shape of the gamma law of rates')),
      rate: z.number().meta(time('Its rate: the mean change rate is shape/rate')),
    })
    .nullable()
    .meta(plain('The prior used; null: none')),
});

export function changeRatesSentence({ solution }: SolvedAnswer<typeof changeRatesSolution>): string {
  const rates = Float64Array.from(cellsOf(solution.pages, 'rate'), Number).sort();
  const changes = cellsOf(solution.pages, 'changes');
  let unseen = 0;
  for (let i = 0; i < changes.length; i++) if (changes[i] === 0) unseen++;
  const middle = rates[rates.length >> 1];
  const pages = countText(rates.length, 'page');
  const spread = `${pages}: the middle one changes ${figure(middle, 3)} times per time unit, the fastest ${figure(rates[rates.length - 1], 3)} times.`;
  return unseen === 0 ? spread : `${spread} ${countText(unseen, 'page was', 'pages were')} never seen to change.`;
}
