/** What a queue costs, in the same words in every operation that has one. Each takes the costs that it can price. */
import * as z from 'zod';
import { cost } from '../../contract/field.ts';

/** Prices outside this range are surely a mistake of units. */
export const largestCost = 1e15;

const price = (description: string, unit: string) =>
  z.number().min(0).max(largestCost).default(0).meta(cost(description, { unit }));

export const costFields = {
  loss: z
    .number()
    .min(0)
    .max(largestCost)
    .default(1)
    .meta(cost('Per lost page', { unit: 'cost/page' })),
  starvation: z
    .number()
    .min(0)
    .max(largestCost)
    .default(0)
    .meta(cost('γ: per time unit with nothing to index', { unit: 'cost/time', lever: { factor: 10 } })),
  crawler: price('Per active crawler and time unit', 'cost/time'),
  obsolescence: price('Per page that expires while it waits', 'cost/page'),
  response: price('Per time unit of mean response time', 'cost/time'),
};
