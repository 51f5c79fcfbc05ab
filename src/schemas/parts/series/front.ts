/** `front`: what can be had of one criterion for how much of another. One form for every operation that has it. */
import * as z from 'zod';
import { number } from '../../contract/field.ts';
import { conditions } from '../../contract/refusals.ts';
import { strictObject } from '../../contract/strict-object.ts';
import { list } from '../list.ts';

/** `front` of a request: two or three of the criteria that are known. */
export function frontSchema<Name extends string>(names: readonly [Name, ...Name[]], meaning: string) {
  return strictObject({
    criteria: list(z.enum(names), { minItems: 2, maxItems: 3 }, 'criteria').describe(`Two or three of: ${meaning}`),
  })
    .check(
      conditions(({ criteria }, refuse) => {
        const again = criteria.findIndex((name, i) => criteria.indexOf(name) !== i);
        if (again < 0) return;
        refuse(['criteria', again], 'duplicate', `is ${criteria[again]}, given before; give it once`, criteria[again]);
      }),
    )
    .describe('The Pareto front between criteria');
}

export function frontAnswerSchema<Policy extends z.ZodType>(policy: Policy) {
  return z
    .array(
      z.object({
        criteria: z.record(z.string(), z.number()).meta(number('The value of each criterion')),
        policy: policy.describe('What to do at these prices'),
        weightOfSecond: z
          .array(z.number().nullable())
          .length(2)
          .optional()
          .meta(number('With two criteria: range of the second’s price, the first costing 1; null: unlimited')),
      }),
    )
    .optional()
    .describe('With `front`: what is best at some prices of the criteria');
}
