import type * as z from 'zod';
import { number, plain, time } from './field.ts';
import { integer } from './range.ts';
import { closedObject } from './strict-object.ts';

/** No server accepts a longer time limit than this; a server's own maximum may be lower. */
export const longestTimeLimitMs = 600_000;

const optionFields = {
  timeLimitMs: integer({ atLeast: 1, atMost: longestTimeLimitMs })
    .optional()
    .meta(time('From the arrival of the body; see GET /v1/limits', { unit: 'milliseconds' })),
  seed: integer({ atLeast: 0, atMost: 4294967295 }).optional().meta(number('Seed of all random choices; left out: 0')),
};

const optionsSchema = closedObject(optionFields).meta({
  id: 'Options',
  ...plain('How to run the request', { role: 'advanced' }),
});

export type Options = z.output<typeof optionsSchema>;

/** The schema of an operation's request: its own properties, strictly, and `options`. */
export function requestSchema<Shape extends z.ZodRawShape>(shape: Shape) {
  return closedObject({ ...shape, options: optionsSchema.optional() });
}
