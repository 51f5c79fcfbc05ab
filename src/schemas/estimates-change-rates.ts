/** The wire shapes of `estimates/change-rates`. */

import * as z from 'zod';
import type { SolvedAnswer } from './contract/answer.ts';
import { count, number, plain, rate, share, time } from './contract/field.ts';
import { requestSchema } from './contract/options.ts';
import { openInterval, real } from './contract/range.ts';
import { refusals } from './contract/refusals.ts';
import { choice, object, strictObject } from './contract/strict-object.ts';
import { checkList, HistoryReader, observationList, shortestTime } from './parts/histories.ts';
import { table } from './table/table.ts';
import { cellsOf, tableAnswerSchema } from './table/table-answer.ts';
import { countText, figure } from './words/numbers.ts';

export const changeRatesLimits = { pages: 2_000_000, checksPerPage: 100_000 } as const;

const wireRequest = requestSchema({
  pages: table('ChangeRatesPage', changeRatesLimits.pages, 'The pages and their histories', {
    checks: checkList(changeRatesLimits.checksPerPage)
      .optional()
      .describe('Checks, oldest first: [time since the one before, changed]'),
    observations: observationList(changeRatesLimits.checksPerPage)
      .optional()
      .describe('In place of checks: past fetches'),
  }),
  confidence: real({ atLeast: 0.01, atMost: 0.999999 })
    .default(0.95)
    .meta(share({ role: 'advanced' })),
  method: choice('ChangeRatesMethod', ['maximum-likelihood', 'bias-reduced'])
    .default('maximum-likelihood')
    .meta(plain('The estimator', { role: 'advanced' })),
  prior: z
    .union([
      choice('ChangeRatesPriorName', ['none', 'empirical-bayes']),
      strictObject('GammaPrior', {
        shape: real({ above: 0, atMost: 1e6 }).meta(number('Shape of the gamma law of rates')),
        rate: real({ above: 0, atMost: 1e100 }).meta(time('Its rate: the mean change rate is shape/rate')),
      }),
    ])
    .meta({ id: 'ChangeRatesPrior' })
    .default('none')
    .meta(plain('Gamma prior of the rates; empirical-bayes: fitted to the pages', { role: 'advanced' })),
});

export const changeRatesRequest = wireRequest.transform((request, context) => {
  const { pages, options, confidence, method, prior } = request;
  const refuse = refusals(context.issues);
  const reader = new HistoryReader(pages.length, shortestTime);
  for (let i = 0; i < pages.length; i++) {
    const [checks, observations] = [pages.columns.checks[i], pages.columns.observations[i]];
    if ((checks === undefined) === (observations === undefined)) {
      const message = 'must have checks (an empty list for a page not checked yet) or observations, one of the two';
      refuse(pages.form === 'rows' ? ['pages', i] : ['pages', 'checks', i], 'one-of', message, null);
    }
    if (checks !== undefined) reader.readChecks(checks);
    else if (observations !== undefined) reader.readFetches(i, observations);
    reader.end(i);
  }
  const history = reader.history();
  return { options, pages, problem: { history, confidence, method, prior }, warnings: reader.warnings() };
});

export const changeRatesSolution = object('ChangeRatesSolution', {
  pages: tableAnswerSchema('ChangeRatesSolutionPage', 'The pages, in the order and form of the request', {
    rate: z.number().meta(rate({ role: 'first' })),
    interval: openInterval.meta(
      rate('Its interval [low, high]; low 0: no change seen; high null: only changes', { label: 'rate, interval' }),
    ),
    checks: z.int().meta(count({ unit: 'checks' })),
    changes: z.int().meta(count('How many of them saw a change', { unit: 'changes' })),
  }),
  prior: object('ChangeRatesSolutionPrior', {
    shape: z.number().meta(number('Shape of the gamma law of rates')),
    rate: z.number().meta(time('Its rate: the mean change rate is shape/rate')),
  })
    .nullable()
    .meta(plain('The prior used; null: none')),
});

export function changeRatesSentence({ solution }: SolvedAnswer<typeof changeRatesSolution>): string {
  const rates = Float64Array.from(cellsOf(solution.pages, 'rate'), Number).sort();
  const [middle, fastest] = [rates[rates.length >> 1], rates[rates.length - 1]];
  return `Of ${countText(rates.length, 'page')} the middle one changes ${figure(middle, 3)} times per time unit, the fastest ${figure(fastest, 3)} times.`;
}
