/** What the estimates of laws have in common: the range of what they are fitted to, and a law as it is answered. */
import * as z from 'zod';
import type { Distribution } from '../../solvers/laws/index.ts';
import { plain } from '../contract/field.ts';

/** Times and other values are no larger: their cubes are within the range of numbers. */
export const largestValue = 1e100;
/** What a law is fitted to. */
export const positiveValue = { above: 0, atMost: largestValue } as const;

/** A law in an answer, ready to be sent where a Distribution is asked for. */
export const fittedLaw: z.ZodType<Distribution, Distribution> = z.any().meta({
  type: 'object',
  properties: { type: { type: 'string', description: 'Which law' } },
  required: ['type'],
  additionalProperties: {},
  ...plain('The law', { component: 'FittedLaw' }),
});
