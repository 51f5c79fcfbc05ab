/** Answer fields of a target: the number of crawls, and the curve. */

import * as z from 'zod';
import { crawlCount, number, plain, share, time } from '../../contract/field.ts';
import { numberOrNull } from '../../contract/range.ts';

const measured = {
  freshness: z
    .number()
    .optional()
    .meta(share('Share of the time with a current copy, mean by weight', { unit: 'of the time' })),
  staleness: z
    .number()
    .optional()
    .meta(share('Share of the time with a stale copy, mean by weight', { unit: 'of the time' })),
  meanDelay: z.number().optional().meta(time('Time that an item waits, mean by weight')),
  harmonic: z.number().optional().meta(number('Value of objective harmonic, mean by weight')),
};
const price = numberOrNull.meta(number('Change of the measure by one more crawl; null: none is needed'));

/** Top-level answer fields of every operation with a target. */
export const targetAnswerFields = {
  curve: z
    .array(
      z
        .object({
          crawls: z.number().meta(crawlCount('Crawls, in the unit of the answer’s', { role: 'first' })),
          ...measured,
          price,
        })
        .meta({ 'x-class': 'CurvePoint' }),
    )
    .optional()
    .meta(plain('With curve: what more or fewer crawls reach, fewest first')),
};

/** `crawls` of the solution, with a target. */
export const crawlsNeeded = z
  .number()
  .optional()
  .meta(crawlCount('With target: the fewest crawls that keep it', { role: 'first' }));
