/** The wire shape of `estimates/update-process`. */

import * as z from 'zod';
import type { Warning } from '../solvers/answer.ts';
import type { CheckedGapsProblem, UpdateProcessProblem } from '../solvers/estimation/index.ts';
import { figure, share as percent } from '../words/numbers.ts';
import type { Told } from './contract/answer.ts';
import { type Field, id, moment, number, plain, probability, rate, time } from './contract/field.ts';
import { requestSchema } from './contract/options.ts';
import { real } from './contract/range.ts';
import { refusals } from './contract/refusals.ts';
import { checksColumn } from './parts/checks/checks-column.ts';
import { historyOf, historyWarnings } from './parts/checks/checks-reader.ts';
import { observationsColumn } from './parts/checks/observations-column.ts';
import { fittedLaw, largestValue, positiveValue } from './parts/fitted-law.ts';
import { numberList } from './parts/number-list.ts';
import { processNames } from './parts/process-columns.ts';
import { type Columns, type Table, table } from './table/table.ts';
import { asTable, cellsOf } from './table/table-answer.ts';

export const updateProcessLimits = { gaps: 1_000_000, pages: 20_000, checksPerPage: 10_000 } as const;

const wireUpdateProcess = requestSchema({
  gaps: numberList(
    time('Times between updates of a page, in order'),
    { minItems: 3, maxItems: updateProcessLimits.gaps },
    positiveValue,
  ).optional(),
  openGap: real({ atLeast: 0, atMost: largestValue })
    .optional()
    .meta(time('Time since the last update (right censored)')),
  pages: table(
    {
      checks: checksColumn(
        updateProcessLimits.checksPerPage,
        'Checks, oldest first: [time since the one before, changed]',
      ),
      observations: observationsColumn(updateProcessLimits.checksPerPage, 'In place of checks: past fetches'),
    },
    {
      maxRows: updateProcessLimits.pages,
      description: 'In place of gaps: pages and their histories',
    },
  ).optional(),
  pooled: z.boolean().default(true).describe('With pages: whether they share the shape of the law'),
});

/** A checked request; `pages`: in which form the answer lists them. */
export interface CheckedUpdateProcess extends Pick<z.output<typeof wireUpdateProcess>, 'options'> {
  readonly problem: UpdateProcessProblem | CheckedGapsProblem;
  readonly warnings?: readonly Warning[];
  readonly pages?: Pick<Table<Columns>, 'form' | 'length' | 'ids'>;
}

export const updateProcessRequest = wireUpdateProcess.transform((request, context): CheckedUpdateProcess => {
  const refuse = refusals(context.issues);
  const { options, gaps, openGap, pages, pooled } = request;
  if ((gaps === undefined) === (pages === undefined)) {
    refuse(['gaps'], 'one-of', 'give gaps (with openGap) or pages with checks, one of the two', gaps);
  }
  if (pages === undefined) return { options, problem: { gaps: Float64Array.from(gaps ?? []), openGap: openGap ?? 0 } };
  if (openGap !== undefined)
    refuse(['openGap'], 'one-of', 'goes with gaps; checks say themselves what is still open', openGap);
  const { checks, observations } = pages.columns;
  for (let i = 0; i < pages.length; i++) {
    if (checks.counts[i] >= 0 !== observations.counts[i] >= 0) continue;
    const path = pages.form === 'rows' ? ['pages', i] : ['pages', 'checks', i];
    refuse(
      path,
      'one-of',
      'must have checks (an empty list for a page not checked yet) or observations, one of the two',
      null,
    );
  }
  const history = historyOf(checks, observations);
  const most = history.offsets.reduce((many, to, i) => Math.max(many, to - (history.offsets[i - 1] ?? 0)), 0);
  if (most < 2) refuse(['pages'], 'too-few-checks', 'must hold a page with at least two checks', null);
  const warnings = historyWarnings(checks, observations);
  return { options, warnings, pages, problem: { history, pooled, form: pages.form } };
});

/** Updates as `crawl-allocation` takes them, of a page that is no Poisson process. */
const fittedProcess = z.object({
  type: z.literal('renewal'),
  distribution: fittedLaw.describe('Law of the gaps'),
});

/** A law in the ranking. */
const candidate = z.object({
  distribution: fittedLaw,
  logLikelihood: z.number().meta(number('Maximum; with checks marginal over the pages’ means')),
  aic: z.number().meta(number('2·parameters − 2·logLikelihood: less is better')),
  ks: z.number().optional().meta(number('With gaps: Kolmogorov–Smirnov distance')),
  ad: z.number().optional().meta(number('With gaps: Anderson–Darling statistic')),
  heldOut: z
    .number()
    .optional()
    .meta(number('With checks: mean log-probability of the last fifth, fitted to the rest')),
  shape: z.number().optional().meta(number('Shape of the gaps')),
  shapeInterval: z
    .tuple([z.number(), z.number()])
    .nullable()
    .optional()
    .meta(number('Its 95% interval; null: not identified')),
});

const apart = {
  identified: z.boolean().describe('With pooled false: whether its checks identify the law'),
  candidates: z.array(candidate).describe('With pooled false: its laws, best AIC first'),
};
const cells = (of: Field) => z.array(z.number().nullable()).meta(of);

/** The pages' processes, as crawl-allocation takes its pages. */
const pageProcessForms = z
  .union([
    z
      .array(
        z.object({
          id: z.string().optional().meta(id('The id the request gave')),
          changeRate: z
            .number()
            .optional()
            .meta(rate('Rate of a Poisson process; else see updates', { role: 'first' })),
          updates: fittedProcess.optional().meta(plain('How a page changes that is no Poisson process')),
          identified: apart.identified.optional(),
          candidates: apart.candidates.optional(),
        }),
      )
      .meta({ title: 'Rows' }),
    z
      .object({
        id: z.array(z.string().nullable()).optional().meta(id('The ids the request gave')),
        process: z.array(z.enum(processNames)).describe('Process of each page; a period with jitter is given as gamma'),
        changeRate: cells(rate('Of a Poisson process')),
        rate: cells(rate('Of gamma gaps')),
        shape: cells(number('Of gamma, Weibull and Lomax gaps')),
        scale: cells(time('Of Weibull and Lomax gaps')),
        mu: cells(number('Of lognormal gaps: mean of the logarithm')),
        sigma: cells(number('Lognormal gaps: standard deviation of the logarithm')),
        identified: z.array(apart.identified).optional().meta(plain('By page, of pages fitted apart')),
        candidates: z.array(apart.candidates).optional().meta(plain('By page, of pages fitted apart')),
      })
      .meta({ title: 'Columns' }),
  ])
  .describe('With checks: every page’s process, for crawl-allocation');

export const updateProcessSolution = z.object({
  candidates: z.array(candidate).describe('The laws that fit, best AIC first'),
  identified: z.boolean().optional().describe('With checks: whether they identify the law'),
  pages: asTable(pageProcessForms).optional(),
  periodicity: z
    .object({
      period: z.number().meta(time('The period the updates keep to best')),
      strength: z.number().meta(number('Resultant length R of the phases: 1 is a perfect clock')),
      pValue: z.number().meta(probability('Chance of so strong a period by accident')),
      phase: z.number().meta(moment('Time of updates in the period, from the first update')),
      probability: z.number().meta(probability('Chance of an update each time')),
      proposed: z.boolean().describe('Whether p < 0.01 and R ≥ 0.8'),
      updates: z
        .object({
          type: z.literal('quasi-deterministic'),
          times: z.array(z.number()).meta(moment('When updates may happen')),
          probabilities: z.array(z.number()).meta(probability('Chance of each')),
        })
        .nullable()
        .describe('For crawl-allocation over one period; null unless proposed'),
    })
    .nullable()
    .describe('The strongest period; null: fewer than eight gaps'),
});

export function updateProcessSentence({ solution }: Told<typeof updateProcessSolution>): string {
  const { candidates, identified, periodicity, pages } = solution;
  const clock =
    periodicity?.proposed === true
      ? ` Updates keep to a period of ${figure(periodicity.period, 4)}, with a chance of ${percent(periodicity.probability)} each time.`
      : '';
  const [best, second] = candidates;
  if (best === undefined) {
    const told = pages === undefined ? [] : Array.from(cellsOf(pages, 'identified'));
    const known = told.filter((each) => each === true).length;
    return `The checks tell the law of ${figure(known)} of ${figure(told.length)} pages.${clock}`;
  }
  const lead =
    second === undefined ? '' : `; ${second.distribution.type} is ${figure(second.aic - best.aic, 3)} of AIC behind`;
  const doubt = identified === false ? ' The checks do not tell the law: take the pages as Poisson.' : '';
  return `The law that fits the gaps between updates best is ${best.distribution.type}${lead}.${doubt}${clock}`;
}
