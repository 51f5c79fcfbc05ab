/** Schemas shared by the estimates of distributions: the fitted values, and the distribution in the answer. */
import * as z from 'zod';
import type { Distribution } from '../../solvers/laws/index.ts';
import { plain } from '../contract/field.ts';
import { real } from '../contract/range.ts';

/** Largest value accepted, so that cubes do not overflow. */
export const largestValue = 1e100;
/** A value that a distribution is fitted to. */
export const fittedValue = real({ above: 0, atMost: largestValue });

/** A distribution in an answer, which requests accept unchanged. */
export const fittedLaw: z.ZodType<Distribution, Distribution> = z.any().meta({
  type: 'object',
  properties: { type: { type: 'string', description: 'Which law' } },
  required: ['type'],
  additionalProperties: {},
  ...plain('The law', { component: 'FittedLaw' }),
});
