/** `sweep`: the same request solved again for several values of one of its numbers. One form for every operation. */
import * as z from 'zod';
import { objectiveSchema, statusSchema } from '../../contract/answer.ts';
import { number, plain } from '../../contract/field.ts';
import { list } from '../../contract/list.ts';
import { real } from '../../contract/range.ts';
import { closedObject, object } from '../../contract/strict-object.ts';

/** The most values of one sweep; published with the limits of the operations that sweep. */
export const maxSweepValues = 200;

/** `sweep` of a request. */
export const sweepSchema = closedObject({
  parameter: z.string().min(2).max(200).describe('JSON pointer to the number to vary, e.g. /capacity'),
  values: list(real({}), { minItems: 1, maxItems: maxSweepValues }).meta(number('The values it takes, in any order')),
}).meta({ id: 'Sweep', ...plain('Solve the request for each of these values as well', { role: 'advanced' }) });

export type Sweep = z.output<typeof sweepSchema>;

/** `sweep` of an answer: a row for each value. */
export function sweepAnswerSchema<Solution extends z.ZodType, Evaluation extends z.ZodType = z.ZodNever>(
  id: string,
  solution: Solution,
  evaluation?: Evaluation,
) {
  return z
    .array(
      object(id, {
        value: z.number().meta(number()),
        status: statusSchema,
        objective: objectiveSchema.optional(),
        solution: solution.optional(),
        ...(evaluation && { evaluation: evaluation.optional() }),
      }),
    )
    .optional()
    .describe('With `sweep`: the answer for each value of the parameter; missing: time ran out');
}
