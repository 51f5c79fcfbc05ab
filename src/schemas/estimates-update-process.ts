/** The wire shape of `estimates/update-process`. */
import * as z from 'zod';
import { requestSchema } from './contract/options.ts';
import { refusals } from './contract/refusals.ts';
import { checksColumn } from './parts/checks/checks-column.ts';
import { historyOf } from './parts/checks/checks-reader.ts';
import { observationsColumn } from './parts/checks/observations-column.ts';
import { fittedLaw, largestValue, positiveValue } from './parts/fitted-law.ts';
import { numberList } from './parts/number-list.ts';
import { type Columns, type Table, table } from './table/table.ts';

/** Sizes this operation accepts. */
export const updateProcessLimits = { gaps: 1_000_000, pages: 20_000, checksPerPage: 10_000 } as const;

const wireUpdateProcess = requestSchema({
  gaps: numberList(
    'Times between updates of a page, one after the other',
    { minItems: 3, maxItems: updateProcessLimits.gaps },
    positiveValue,
  ).optional(),
  openGap: z
    .number()
    .min(0)
    .max(largestValue)
    .optional()
    .describe('Time since the last update, the next one not having come yet (right censored)'),
  pages: table(
    {
      checks: checksColumn(
        updateProcessLimits.checksPerPage,
        'The checks, oldest first: [[elapsed since the check before, changed since then (true, false, 1 or 0)], …]',
      ),
      observations: observationsColumn(
        updateProcessLimits.checksPerPage,
        'In place of checks: the fetches, {time, changed | lastModified | signature | status}; 304 is unchanged, a failure no observation',
      ),
    },
    {
      maxRows: updateProcessLimits.pages,
      description:
        'In place of gaps: pages with what a crawler saw of them. They share the shape of a law, each with its mean',
    },
  ).optional(),
  pooled: z
    .boolean()
    .default(true)
    .describe(
      'Of pages: whether they share the law and its shape; false: each page has its own, as far as its checks show it',
    ),
});

export const updateProcessRequest = wireUpdateProcess.transform((request, context) => {
  const refuse = refusals(context.issues);
  const { options, gaps, openGap, pages, pooled } = request;
  if ((gaps === undefined) === (pages === undefined)) {
    refuse(['gaps'], 'one-of', 'give gaps (with openGap) or pages with checks, one of the two', gaps);
  }
  if (pages === undefined) return { options, gaps: gaps ?? [], openGap, checked: null };
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
  const form: Pick<Table<Columns>, 'form' | 'length' | 'ids'> = pages;
  return { options, gaps: [], openGap, checked: { pages: form, history, checks, observations, pooled } };
});

/** A process as `crawl-allocation` takes it. */
const fittedProcess = z.union([
  z.object({ type: z.literal('poisson'), rate: z.number() }),
  z.object({
    type: z.literal('renewal'),
    distribution: z.discriminatedUnion('type', [
      z.object({ type: z.literal('gamma'), shape: z.number(), rate: z.number() }),
      z.object({ type: z.enum(['weibull', 'lomax']), shape: z.number(), scale: z.number() }),
      z.object({ type: z.literal('lognormal'), mu: z.number(), sigma: z.number() }),
      z.object({ type: z.literal('uniform'), min: z.number(), max: z.number() }),
    ]),
  }),
]);

/** A law in the ranking. */
const candidate = z.object({
  distribution: fittedLaw,
  logLikelihood: z.number().describe('At the maximum; of checks: marginal, each page’s mean integrated out'),
  aic: z.number().describe('2·parameters − 2·logLikelihood: less is better'),
  ks: z.number().optional().describe('Of gaps: Kolmogorov–Smirnov distance between the law and the gaps'),
  ad: z.number().optional().describe('Of gaps: Anderson–Darling statistic'),
  heldOut: z
    .number()
    .optional()
    .describe('Of checks: mean log-probability of the last fifth of every page’s checks, each mean fitted to the rest'),
  shape: z.number().optional().describe('Of checks: the shape that all pages share'),
  shapeInterval: z
    .tuple([z.number(), z.number()])
    .nullable()
    .optional()
    .describe(
      'Its 95% interval, as far as the end of its range where that is not ruled out; null for the exponential law and ' +
        'where neither end is ruled out',
    ),
});

const apart = {
  identified: z.boolean().describe('Of pages fitted apart: whether its checks say which law it is'),
  candidates: z.array(candidate).describe('Of pages fitted apart: its laws, best AIC first'),
};
const cells = (of: string) => z.array(z.number().nullable()).describe(of);

/** The pages' processes, as crawl-allocation takes its pages. */
const pageProcessForms = z
  .union([
    z
      .array(
        z.object({
          id: z.string().optional().describe('The id the request gave'),
          updates: fittedProcess,
          identified: apart.identified.optional(),
          candidates: apart.candidates.optional(),
        }),
      )
      .meta({ title: 'Rows' }),
    z
      .object({
        id: z.array(z.string().nullable()).optional(),
        process: z
          .array(z.enum(['poisson', 'gamma', 'weibull', 'lognormal', 'lomax']))
          .describe('Which process, by page; a period with jitter is told as gamma'),
        rate: cells('Of a Poisson process, and of gamma gaps'),
        shape: cells('Of gamma, Weibull and Lomax gaps'),
        scale: cells('Of Weibull and Lomax gaps'),
        mu: cells('Of lognormal gaps'),
        sigma: cells('Of lognormal gaps'),
        identified: z.array(apart.identified).optional(),
        candidates: z.array(apart.candidates).optional(),
      })
      .meta({ title: 'Columns' }),
  ])
  .describe('Of checks: every page’s process, in the form of the request, as crawl-allocation takes it');

/** What tableAnswer makes. */
function asTable<Output>(forms: z.ZodType<Output>): z.ZodType<Output, object>;
function asTable(forms: z.ZodType): z.ZodType {
  return forms;
}

export const updateProcessSolution = z.object({
  candidates: z
    .array(candidate)
    .describe(
      'The laws that fit, best AIC first; of checks with the mean gap of a typical page; none where pages are fitted apart',
    ),
  identified: z
    .boolean()
    .optional()
    .describe('Of checks: whether they say which law it is; if not, the pages are taken as Poisson'),
  pages: asTable(pageProcessForms).optional(),
  periodicity: z
    .object({
      period: z.number().describe('The period the updates keep to best'),
      strength: z.number().describe('Resultant length R of the phases: 1 for a perfect clock'),
      pValue: z.number().describe('Chance of a period as strong by accident (Rayleigh, all periods tried)'),
      phase: z.number().describe('When in the period updates come, counted from the first update'),
      probability: z.number().describe('Chance of an update each time'),
      proposed: z.boolean().describe('p < 0.01 and R ≥ 0.8: worth planning as quasi-deterministic'),
      updates: z
        .object({
          type: z.literal('quasi-deterministic'),
          times: z.array(z.number()),
          probabilities: z.array(z.number()),
        })
        .nullable()
        .describe(
          'For crawl-allocation with an interval of one period starting at the first update; null unless proposed',
        ),
    })
    .nullable()
    .describe('The strongest period; null with fewer than eight gaps, and for checks'),
});
