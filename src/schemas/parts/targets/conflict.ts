/** The wire's shape of a target that no number of crawls reaches. */
import * as z from 'zod';
import { id, number, plain } from '../../contract/field.ts';

export const targetConflict = z.object({
  detail: z.string().meta(plain('The target that cannot be reached, and how near one can come')),
  measure: z.string().meta(plain('The measure of the target')),
  target: z.number().meta(number('The target, in its measure')),
  reachable: z.number().meta(number('The best that any number of crawls reaches')),
  class: z.string().optional().meta(id('The class whose target it is')),
  host: z.string().optional().meta(id('The host whose target it is')),
  limits: z
    .array(
      z.object({
        limit: z.string().meta(plain('Property of the limit that binds')),
        host: z.string().optional().meta(id('The host whose limit it is')),
        price: z.number().meta(number('Gain of the measure by one more crawl at this limit')),
      }),
    )
    .meta(plain('The limits that bind, most expensive first, at most 20')),
  repairs: z
    .array(
      z.object({
        detail: z.string().meta(plain('The change in words')),
        changes: z
          .array(
            z.object({
              pointer: z.string().meta(plain('Where in the request, as a JSON pointer')),
              value: z.number().optional().meta(number('What to put there')),
              factor: z.number().optional().meta(number('What to multiply it by')),
              remove: z.boolean().optional().meta(plain('Whether to leave it out')),
            }),
          )
          .meta(plain('Changes that are needed together')),
      }),
    )
    .meta(plain('Lists of changes that would make it possible, smallest first')),
});
