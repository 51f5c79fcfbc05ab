/** `sweep`: the same request solved again for several values of one of its numbers. One form for every operation. */
import * as z from 'zod';
import { objectiveSchema, statusSchema } from '../../contract/answer.ts';
import { number, plain } from '../../contract/field.ts';
import { list } from '../../contract/list.ts';
import { real } from '../../contract/range.ts';
import { strictObject } from '../../contract/strict-object.ts';

/** The most values of one sweep; published with the limits of the operations that sweep. */
export const maxSweepValues = 200;

/** `sweep` of a request. */
export const sweepSchema = strictObject({
  parameter: z.string().min(2).max(200).describe('JSON pointer to the number to vary, e.g. /capacity'),
  values: list(real({}), { minItems: 1, maxItems: maxSweepValues }).meta(number('The values it takes, in any order')),
}).meta(plain('Solve the request for each of these values as well', { role: 'advanced', component: 'Sweep' }));

export type Sweep = z.output<typeof sweepSchema>;

/** `sweep` of an answer: a row for each value. */
export function sweepAnswerSchema<Solution extends z.ZodType, Evaluation extends z.ZodType = z.ZodNever>(
  solution: Solution,
  evaluation?: Evaluation,
) {
  return z
    .array(
      z.object({
        value: z.number().meta(number('The value of the parameter')),
        status: statusSchema,
        objective: objectiveSchema.optional(),
        solution: solution.optional().describe('As `solution`; absent when infeasible'),
        ...(evaluation && { evaluation: evaluation.optional().describe('As `evaluation`; with `evaluate`') }),
      }),
    )
    .optional()
    .describe('With `sweep`: a row for each value; missing: time ran out');
}
