/**
 * The queue in front of the indexing engine as callers write it: shared by threshold-policy and simulations/queue.
 */
import * as z from 'zod';
import { createLaw, type Distribution } from '../../solvers/distributions/index.ts';
import { checkRate, type PhaseTypeLaw } from '../../solvers/threshold-policy/index.ts';
import { conditions } from '../contract/refusals.ts';
import { phaseTypeDistribution } from './distribution.ts';
import { list } from './list.ts';
import { numberList, numberMatrix, squareMatrix } from './number-list.ts';
import { strictObject } from './strict-object.ts';

/** Sizes a queue may have; published with the limits of the operations that take one. */
export const queueLimits = {
  capacity: 2000,
  arrivalPhases: 64,
  matrices: 129,
  modes: 64,
  quantiles: 100,
  /** Columns of a policy's table by phases: 64 arrival phases by 64 service phases. */
  phasePairs: 4096,
} as const;

const matrix = (description: string) => squareMatrix(description, queueLimits.arrivalPhases);

const matrices = list(
  matrix('D_k: rates per time unit of batches of k pages, from phase (row) to phase (column)'),
  { minItems: 1, maxItems: queueLimits.matrices },
  'matrices',
).describe(
  'D0, D1, D2, …: square matrices of one size (the arrival phases). D0: phase changes without pages, its diagonal minus the ' +
    'total rate out of the phase; D_k: changes that bring k pages. Rows of ΣD_k sum to 0',
);

const positions = { minItems: 1, maxItems: queueLimits.modes };

const arrivals = z
  .discriminatedUnion('model', [
    strictObject({
      model: z.literal('per-mode').describe('Each crawler count has matrices of its own'),
      modes: list(
        strictObject({
          crawlers: z
            .int()
            .min(0)
            .max(1_000_000)
            .describe('Active crawlers: the name of the mode, each given once; 0 has D0 alone'),
          matrices,
        }).describe('Arrivals while so many crawlers are active'),
        positions,
        'modes {crawlers, matrices}',
      ).describe('One entry for each crawler count that may be used, all with the same number of phases'),
    }),
    strictObject({
      model: z.literal('superposition').describe('Independent crawlers; mode l: the first l of them deliver pages'),
      crawlers: list(
        strictObject({ matrices }).describe('The arrival process of one crawler'),
        positions,
        'crawlers {matrices}',
      ).describe(
        `The crawlers, the always active one first; the product of their phases is at most ${queueLimits.arrivalPhases}`,
      ),
    }),
    strictObject({
      model: z.literal('thinning').describe('One process; in mode l each batch is kept with probability l'),
      matrices,
      probabilities: numberList('Probability of keeping a batch in modes 1, 2, …; above 0, at most 1', positions),
    }),
    strictObject({
      model: z
        .literal('marked')
        .describe('One process whose batches tell which crawler brings them; mode l: the first l deliver'),
      d0: matrix(
        'D0: phase changes without pages; its diagonal minus the total rate out of the phase, all crawlers active',
      ),
      crawlers: list(
        list(matrix('D_k of one crawler'), { minItems: 1, maxItems: queueLimits.matrices - 1 }, 'matrices'),
        positions,
        'lists of matrices',
      ).describe('For each crawler its D1, D2, …; rows of D0 plus all of them sum to 0'),
    }),
    strictObject({
      model: z.literal('scaled').describe('One process that runs faster with more crawlers: mode l has factor_l·D_k'),
      matrices,
      factors: numberList('Speed of modes 1, 2, …; above 0', positions),
    }),
  ])
  .describe(
    'How pages arrive in each mode. Modes are named by crawler count; where none is given, by position: 1, 2, …',
  );

/** The properties of a request that describe the queue. */
export const queueShape = {
  capacity: z
    .int()
    .min(1)
    .max(queueLimits.capacity)
    .describe('K: pages in the system at most, the one being indexed included'),
  arrivals,
  service: phaseTypeDistribution.describe('Time to index a page'),
  obsolescence: phaseTypeDistribution
    .nullable()
    .describe('Time after which a waiting page is worthless and leaves; null when pages do not expire'),
  admission: z
    .enum(['partial', 'complete-rejection', 'complete-admission'])
    .optional()
    .describe(
      'Batches that do not fit: partial (default) admits what fits; complete-rejection loses the whole batch; complete-admission ' +
        'admits every batch that finds a free place, whole',
    ),
  discipline: z
    .enum(['fifo', 'random'])
    .optional()
    .describe('Which waiting page is indexed next: the oldest (fifo, default) or one at random'),
  repairDiagonal: z
    .boolean()
    .optional()
    .describe(
      'Put the diagonal of D0 right where a row of ΣD_k does not sum to 0 (with a warning) instead of refusing',
    ),
};

/** Most pairs of an arrival phase and a service phase of a table by state. */
const mostRows = queueLimits.capacity + queueLimits.matrices;

/** A policy of the caller's. */
export const policySchema = strictObject({
  crawlersByQueueLength: numberList('Active crawlers at each queue length 0..K: K + 1 counts that the arrivals know', {
    minItems: 1,
    maxItems: queueLimits.capacity + 1,
  }).optional(),
  thresholds: numberList(
    'N − 1 integers in −1..K that do not decrease: the last queue length of the most active mode, of the next, …; −1: unused',
    { minItems: 0, maxItems: queueLimits.modes - 1 },
  ).optional(),
  crawlersByState: strictObject({
    phases: numberMatrix(
      'The columns of the table: pairs [arrival phase, service phase], numbered from 0 as in arrivals and service; each pair once',
      { rows: queueLimits.phasePairs, columns: 2 },
      { atLeast: 0, atMost: queueLimits.phasePairs, integer: true },
    ),
    table: numberMatrix(
      'Active crawlers in each state: a row for each queue length from 0, a column for each pair of phases; row 0 (nothing is ' +
        'being indexed) depends on the arrival phase alone',
      { rows: mostRows, columns: queueLimits.phasePairs },
      { atLeast: 0, atMost: 1_000_000, integer: true },
    ),
  })
    .optional()
    .describe('A count for each queue length and phases, as `observe` answers it'),
})
  .check(
    conditions((policy, refuse) => {
      const given = Object.values(policy).filter((form) => form !== undefined);
      if (given.length === 1) return;
      refuse([], 'one-of', 'must have crawlersByQueueLength, thresholds or crawlersByState, one of them', policy);
    }),
  )
  .describe('A policy, as crawlers by queue length, as thresholds, or as a table by queue length and phases');

/** The policy as the solver takes it; the schema has seen that there is one form. */
export function writtenPolicy(policy: z.output<typeof policySchema>) {
  const { crawlersByQueueLength, thresholds, crawlersByState } = policy;
  if (crawlersByState !== undefined) return { crawlersByState };
  return crawlersByQueueLength === undefined ? { thresholds: thresholds ?? [] } : { crawlersByQueueLength };
}

/**
 * The phase-type form of a law that has passed `phaseTypeDistribution`.
 *
 * @param property where the law stands in the request
 * @throws ConditionNotMet for a rate too large or too small to compute with, at the place where it was written
 */
export function phaseTypeForm(law: Distribution, property: 'service' | 'obsolescence'): PhaseTypeLaw {
  if (law.type === 'exponential' || law.type === 'erlang' || law.type === 'gamma') {
    checkRate(law.rate, [property, 'rate']);
  } else if (law.type === 'hyperexponential') {
    for (const [branch, rate] of law.rates.entries()) checkRate(rate, [property, 'rates', branch]);
  }
  const form = createLaw(law).phaseType();
  if (form === null) throw new TypeError(`${law.type} has no phase-type form and should have been refused`);
  return form;
}

const shown = (description: string) => z.number().describe(description);

/** Measures of a policy, in the units of the request. */
export const queueMeasures = {
  arrivalRate: shown('Pages that arrive per time unit, lost ones included'),
  lossProbability: shown('Share of the arriving pages that find no room'),
  obsolescenceProbability: shown('Share of the arriving pages that expire while waiting'),
  successProbability: shown('Share of the arriving pages that are indexed'),
  starvationProbability: shown('Share of time in which the system is empty'),
  activeCrawlers: shown('Mean number of active crawlers'),
  queueLength: shown('Mean number of pages in the system, the one being indexed included'),
  responseTime: shown('V1: mean time from arrival to the end of indexing, of the pages that are indexed'),
  obsoleteSojournTime: z
    .number()
    .nullable()
    .describe('V2: mean time in the system of the pages that expire; null when nothing expires'),
  sojournTime: shown('Mean time in the system over all arriving pages, lost ones counting 0'),
};
