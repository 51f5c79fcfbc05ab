/** `sweep`: the same request solved again for several values of one of its numbers. One form for every operation. */
import * as z from 'zod';
import { objectiveSchema, statusSchema } from '../../contract/answer.ts';
import { numberList } from '../number-list.ts';
import { strictObject } from '../strict-object.ts';

/** The most values of one sweep; published with the limits of the operations that sweep. */
export const maxSweepValues = 200;

/** `sweep` of a request. */
export const sweepSchema = strictObject({
  parameter: z
    .string()
    .min(2)
    .max(200)
    .describe('JSON pointer to the number to vary, e.g. /capacity; it may be one that has a default and is left out'),
  values: numberList('The values it takes, in any order', { minItems: 1, maxItems: maxSweepValues }),
}).describe('Solve the request for each of these values as well, and answer all of them side by side');

export type Sweep = z.output<typeof sweepSchema>;

/** `sweep` of an answer: a row for each value. */
export function sweepAnswerSchema<Solution extends z.ZodType>(solution: Solution) {
  return z
    .array(
      z.object({
        value: z.number().describe('The value of the parameter'),
        status: statusSchema,
        objective: objectiveSchema.optional(),
        solution: solution.optional().describe('As `solution`; absent when infeasible'),
      }),
    )
    .optional()
    .describe(
      'With `sweep`: what the request answers for each value, in their order; values that time left out are missing',
    );
}
