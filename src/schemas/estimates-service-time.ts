/** The wire shape of `estimates/service-time`. */
import * as z from 'zod';
import { requestSchema } from './contract/options.ts';
import { conditions } from './contract/refusals.ts';
import { fittedLaw, largestValue, positiveValue } from './parts/fitted-law.ts';
import { numberList } from './parts/number-list.ts';

/** Sizes this operation accepts. */
export const serviceTimeLimits = { sample: 1_000_000 } as const;

export const serviceTimeRequest = requestSchema({
  moments: numberList(
    'The first three moments: means of x, x² and x³',
    { minItems: 3, maxItems: 3 },
    positiveValue,
  ).optional(),
  sample: numberList(
    'In place of moments: the values',
    { minItems: 2, maxItems: serviceTimeLimits.sample },
    positiveValue,
  ).optional(),
  scale: z
    .number()
    .positive()
    .max(largestValue)
    .default(1)
    .describe('Divides the values: e.g. bytes indexed per time unit, where the values are bytes'),
}).check(
  conditions(({ moments, sample }, refuse) => {
    if ((moments === undefined) !== (sample === undefined)) return;
    refuse(['moments'], 'one-of', 'give moments or sample, one of the two', moments);
  }),
);

const moments = z.object({
  mean: z.number(),
  variance: z.number(),
  scv: z.number().describe('Squared coefficient of variation, variance/mean²'),
  moments: z.array(z.number()).describe('The first three moments about 0, in time units'),
});

export const serviceTimeSolution = z.object({
  distribution: fittedLaw.describe('The law, a Distribution of the contract: phase-type, to be used as it is'),
  observed: moments,
  fitted: moments,
  logLikelihood: z.number().optional().describe('Of the sample, where the law was fitted to it by EM'),
});

export const serviceTimeConflict = z.object({
  detail: z.string().describe('Which inequality the moments violate, with its sides'),
  inequality: z.string(),
  left: z.number(),
  right: z.number(),
});
