import * as z from 'zod';
import { strictObject } from '../parts/strict-object.ts';

/** No server accepts a longer time limit than this; a server's own maximum may be lower. */
export const longestTimeLimitMs = 600_000;

/** `options` of every request. */
const optionsSchema = strictObject({
  timeLimitMs: z
    .int()
    .min(1)
    .max(longestTimeLimitMs)
    .optional()
    .describe('Milliseconds from the arrival of the body to the answer; default and maximum at GET /v1/limits'),
  seed: z
    .int()
    .min(0)
    .max(4294967295)
    .optional()
    .describe('Seed of every random choice: the same seed and input give the same solution to the bit (default 0)'),
}).describe('How to run the request');

export type Options = z.output<typeof optionsSchema>;

/** The schema of an operation's request: its own properties, strictly, and `options`. */
export function requestSchema<Shape extends z.ZodRawShape>(shape: Shape) {
  return strictObject({ ...shape, options: optionsSchema.optional() });
}
