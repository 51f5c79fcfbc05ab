/** The wire shape of `estimates/service-time`. */

import * as z from 'zod';
import type { SolvedAnswer } from './contract/answer.ts';
import { number, plain, time } from './contract/field.ts';
import { list } from './contract/list.ts';
import { requestSchema } from './contract/options.ts';
import { conditions } from './contract/refusals.ts';
import { object } from './contract/strict-object.ts';
import { fittedLaw, fittedValue } from './parts/distribution.ts';
import { figure } from './words/numbers.ts';

export const serviceTimeLimits = { sample: 1_000_000 } as const;

export const serviceTimeRequest = requestSchema({
  moments: list(fittedValue, { minItems: 3, maxItems: 3 })
    .optional()
    .meta(number('Means of x, x² and x³', { unit: 'time, time², time³' })),
  sample: list(fittedValue, { minItems: 2, maxItems: serviceTimeLimits.sample })
    .optional()
    .meta(time('In place of moments: the values')),
  scale: fittedValue
    .default(1)
    .meta(number('Divides the values, e.g. bytes indexed per time unit', { role: 'advanced' })),
}).check(
  conditions(({ moments, sample }, refuse) => {
    if ((moments === undefined) !== (sample === undefined)) return;
    refuse(['moments'], 'one-of', 'give moments or sample, one of the two', moments);
  }),
);

const moments = object('ServiceTimeMoments', {
  mean: z.number().meta(time({ role: 'first' })),
  variance: z.number().meta(number({ unit: 'time²' })),
  scv: z.number().meta(number('Squared coefficient of variation, variance/mean²')),
  moments: z.array(z.number()).meta(number('The first three moments about 0', { unit: 'time, time², time³' })),
});

export const serviceTimeSolution = object('ServiceTimeSolution', {
  distribution: fittedLaw.describe('The fitted phase-type law'),
  observed: moments.meta(plain('What was observed')),
  fitted: moments.meta(plain('What the law has')),
});

export const serviceTimeConflict = object('ServiceTimeConflict', {
  detail: z.string().describe('The inequality that the moments violate'),
  inequality: z.string().meta(plain('The inequality')),
  left: z.number().meta(number()),
  right: z.number().meta(number()),
});

export function serviceTimeSentence({ solution }: SolvedAnswer<typeof serviceTimeSolution>): string {
  const { distribution, observed, fitted } = solution;
  const third = Math.abs(fitted.moments[2] / observed.moments[2] - 1);
  const momentsText = third < 1e-6 ? 'three moments' : 'two moments';
  return `A law (${distribution.type}) with mean ${figure(fitted.mean)} and squared coefficient of variation ${figure(fitted.scv, 3)} keeps the first ${momentsText}.`;
}
