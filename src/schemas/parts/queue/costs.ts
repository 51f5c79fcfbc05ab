/** Cost fields of queue operations; each operation picks those of its model. */

import { cost, costRate } from '../../contract/field.ts';
import { real } from '../../contract/range.ts';

/** Larger costs are assumed to be in the wrong unit. */
export const largestCost = 1e15;

const price = (description: string, unit: string) =>
  real({ atLeast: 0, atMost: largestCost }).default(0).meta(cost(description, { unit }));

export const costFields = {
  loss: real({ atLeast: 0, atMost: largestCost })
    .default(1)
    .meta(cost('Per lost page', { unit: 'cost/page' })),
  starvation: real({ atLeast: 0, atMost: largestCost })
    .default(0)
    .meta(costRate('γ: per time unit with nothing to index', { lever: { factor: 10 } })),
  crawler: price('Per active crawler and time unit', 'cost/time'),
  obsolescence: price('Per page that expires while it waits', 'cost/page'),
  response: price('Per time unit of mean response time', 'cost/time'),
};
