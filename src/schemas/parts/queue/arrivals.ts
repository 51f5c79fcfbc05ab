/** Arrival processes by number of active crawlers. */

import * as z from 'zod';
import type { ArrivalModel } from '../../../solvers/queue/index.ts';
import { crawlerCount, type Field, number, plain, probability, rate } from '../../contract/field.ts';
import { list, squareMatrix } from '../../contract/list.ts';
import { integer, real } from '../../contract/range.ts';
import { strictObject } from '../../contract/strict-object.ts';
import { crawlerLimit, queueLimits } from './limits.ts';

/** Arrival rate λ of one crawler. */
export const crawlerRate = real({ atLeast: 1e-100, atMost: 1e100 }).meta(
  rate('λ: pages that one active crawler brings (Poisson)', { unit: 'pages/time' }),
);

export const availableCrawlers = (most: number, leftOut: string) =>
  integer({ atLeast: 1, atMost: most })
    .optional()
    .meta(crawlerCount(`Number of crawlers; left out: ${leftOut}`));

const matrix = (field: Field) => squareMatrix(queueLimits.arrivalPhases).meta(field);

const matrices = list(
  matrix(rate('D_k: rates of batches of k pages, from phase (row) to phase (column)', { unit: 'batches/time' })),
  { minItems: 1, maxItems: queueLimits.matrices },
).describe('D0 changes the phase, D_k also brings k pages; rows of ΣD_k sum to 0');

const positions = { minItems: 1, maxItems: queueLimits.modes };

/** The arrival process of each mode, in one of five forms. */
export const arrivalModel = z
  .discriminatedUnion('model', [
    strictObject({
      model: z.literal('per-mode').describe('Matrices for each crawler count'),
      modes: list(
        strictObject({
          crawlers: integer({ atLeast: 0, atMost: crawlerLimit }).meta(
            crawlerCount('Active crawlers, each count once; 0 has D0 alone'),
          ),
          matrices,
        }).describe('Arrivals while this number of crawlers is active'),
        positions,
      ).describe('One entry for each crawler count, all with the same phases'),
    }),
    strictObject({
      model: z.literal('superposition').describe('Independent crawlers; mode l: the first l are active'),
      crawlers: list(
        strictObject({ matrices }).meta({
          ...plain('The arrival process of one crawler'),
          'x-class': 'CrawlerArrivals',
        }),
        positions,
      ).describe(
        `The crawlers, the always active one first; the product of their phases is at most ${queueLimits.arrivalPhases}`,
      ),
    }),
    strictObject({
      model: z.literal('thinning').describe('One process; mode l keeps each batch with its probability'),
      matrices,
      probabilities: list(real({}), positions).meta(probability('Probability of keeping a batch in modes 1, 2, …')),
    }),
    strictObject({
      model: z.literal('marked').describe('One process with batches marked by crawler; mode l: the first l deliver'),
      d0: matrix(rate('D0: changes of phase without pages, with all crawlers active')),
      crawlers: list(
        list(matrix(rate('D_k of one crawler', { unit: 'batches/time' })), {
          minItems: 1,
          maxItems: queueLimits.matrices - 1,
        }).meta({ 'x-class': 'MarkedCrawler' }),
        positions,
      ).describe('D1, D2, … of each crawler; rows of D0 plus all of them sum to 0'),
    }),
    strictObject({
      model: z.literal('scaled').describe('One process; mode l scales its speed'),
      matrices,
      factors: list(real({}), positions).meta(number('Speed of modes 1, 2, …')),
    }),
  ])
  .meta({ description: 'Arrivals by mode: the number of active crawlers', 'x-class': 'Arrivals' });

/** Poisson arrivals by mode: l active crawlers have rate l·λ. */
export function poissonModes(lambda: number, crawlers: number): ArrivalModel {
  const factors = Array.from({ length: crawlers }, (_, i) => i + 1);
  return { model: 'scaled', matrices: [[[-lambda]], [[lambda]]], factors };
}

/** Poisson arrivals with a mode for each crawler count. */
export function poissonCounts(lambda: number, counts: readonly number[]): ArrivalModel {
  const modes = [...new Set(counts)].map((crawlers) => {
    const all = crawlers * lambda;
    return { crawlers, matrices: crawlers === 0 ? [[[0]]] : [[[-all]], [[all]]] };
  });
  return { model: 'per-mode', modes };
}

/** The crawler counts for which an arrival model is defined. */
export function arrivalCounts(arrivals: ArrivalModel): number[] {
  if (arrivals.model === 'per-mode') return arrivals.modes.map(({ crawlers }) => crawlers);
  const { length } =
    arrivals.model === 'thinning'
      ? arrivals.probabilities
      : arrivals.model === 'scaled'
        ? arrivals.factors
        : arrivals.crawlers;
  return Array.from({ length }, (_, i) => i + 1);
}
