/** Schema of the conflict of a target that no number of crawls reaches. */
import * as z from 'zod';
import { id, number, plain } from '../../contract/field.ts';

export const targetConflict = z
  .object({
    detail: z.string().meta(plain('The target that cannot be reached, and how near one can come')),
    measure: z.string().meta(plain('The measure of the target')),
    target: z.number().meta(number('The target, in its measure')),
    reachable: z.number().meta(number('The best that any number of crawls reaches')),
    limits: z
      .array(
        z
          .object({
            limit: z.string().meta(plain('Property of the limit that binds')),
            host: z.string().optional().meta(id('The host whose limit it is')),
            price: z.number().meta(number('Gain of the measure by one more crawl at this limit')),
          })
          .meta({ 'x-class': 'BindingLimit' }),
      )
      .meta(plain('The limits that bind, most expensive first, at most 20')),
  })
  .meta({ 'x-class': 'TargetConflict' });
