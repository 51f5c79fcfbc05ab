/**
 * The queue in front of the indexing engine, controlled by switching crawlers on and off: its arrivals by number of
 * active crawlers, its service and its size. Shared by the queue operations.
 */
import * as z from 'zod';
import { ConditionNotMet } from '../../../solvers/condition.ts';
import type { Distribution } from '../../../solvers/laws/index.ts';
import { type ArrivalModel, phaseTypeForm, type QueueDescription } from '../../../solvers/queue/index.ts';
import { crawlerCount, number, pageCount, plain, probability, rate } from '../../contract/field.ts';
import { list, squareMatrix } from '../../contract/list.ts';
import { integer, real } from '../../contract/range.ts';
import type { Refuse } from '../../contract/refusals.ts';
import { choice, strictObject } from '../../contract/strict-object.ts';
import { distribution, exponential, phaseTypeDistribution } from '../distribution.ts';

export const queueLimits = {
  capacity: 2000,
  arrivalPhases: 64,
  matrices: 129,
  modes: 64,
  quantiles: 100,
  /** Columns of a policy's table by phases: 64 arrival phases by 64 service phases. */
  phasePairs: 4096,
} as const;

/** Maximum number of crawlers in a request. */
export const crawlerLimit = 1_000_000;

type ExponentialLaw = z.output<typeof exponential>;

/** Rates outside this range are assumed to be in the wrong unit. */
const [smallestRate, largestRate] = [1e-100, 1e100];
const exponentialRate = real({ atLeast: smallestRate, atMost: largestRate })
  .transform((perTime): ExponentialLaw => ({ type: 'exponential', rate: perTime }))
  .meta({ title: 'rate', ...rate() });

/** Time to index a page: any distribution with a finite mean. */
export const anyService: z.ZodType<Distribution, z.input<typeof distribution> | number> = z
  .union([exponentialRate, distribution])
  .describe('Time to index a page: a law, or an exponential rate');

/** Exponential time to index a page: the distribution or its rate. */
export const exponentialOrRate = z
  .union([exponentialRate, exponential])
  .describe('Time to index a page: an exponential law, or its rate');

/** A distribution with a phase-type form, or the rate of an exponential one. */
export const phaseTypeOrRate = z.union([exponentialRate, phaseTypeDistribution]);

/** Arrival rate λ of one crawler; rates outside the range are assumed to be in the wrong unit. */
export const rateOfCrawler = (smallest: number, largest: number) =>
  real({ atLeast: smallest, atMost: largest }).meta(
    rate('λ: pages that one active crawler brings (Poisson)', { unit: 'pages/time' }),
  );

export const availableCrawlers = (maxCrawlers: number, leftOut: string) =>
  integer({ atLeast: 1, atMost: maxCrawlers })
    .optional()
    .meta(crawlerCount(`Number of crawlers; left out: ${leftOut}`));

const matrix = squareMatrix('ArrivalMatrix', queueLimits.arrivalPhases);

const matrices = list(
  matrix.meta(rate('D_k: rates of batches of k pages, from phase (row) to phase (column)', { unit: 'batches/time' })),
  { minItems: 1, maxItems: queueLimits.matrices },
).describe('D0 changes the phase, D_k also brings k pages; rows of ΣD_k sum to 0');

const positions = { minItems: 1, maxItems: queueLimits.modes };

/** The arrival process of each mode, in one of five forms. */
export const arrivalModel = z
  .discriminatedUnion('model', [
    strictObject('PerModeArrivals', {
      model: z.literal('per-mode').describe('Matrices for each crawler count'),
      modes: list(
        strictObject('ModeArrivals', {
          crawlers: integer({ atLeast: 0, atMost: crawlerLimit }).meta(
            crawlerCount('Active crawlers, each count once; 0 has D0 alone'),
          ),
          matrices,
        }).describe('Arrivals while this number of crawlers is active'),
        positions,
      ).describe('One entry for each crawler count, all with the same phases'),
    }),
    strictObject('SuperpositionArrivals', {
      model: z.literal('superposition').describe('Independent crawlers; mode l: the first l are active'),
      crawlers: list(
        strictObject('CrawlerArrivals', { matrices }).describe('The arrival process of one crawler'),
        positions,
      ).describe(
        `The crawlers, the always active one first; the product of their phases is at most ${queueLimits.arrivalPhases}`,
      ),
    }),
    strictObject('ThinningArrivals', {
      model: z.literal('thinning').describe('One process; mode l keeps each batch with its probability'),
      matrices,
      probabilities: list(real({ above: 0, atMost: 1 }), positions).meta(
        probability('Probability of keeping a batch in modes 1, 2, …'),
      ),
    }),
    strictObject('MarkedArrivals', {
      model: z.literal('marked').describe('One process with batches marked by crawler; mode l: the first l deliver'),
      d0: matrix.meta(rate('D0: changes of phase without pages, with all crawlers active')),
      crawlers: list(
        list(matrix.meta(rate('D_k of one crawler', { unit: 'batches/time' })), {
          minItems: 1,
          maxItems: queueLimits.matrices - 1,
        }).meta({ id: 'MarkedCrawler' }),
        positions,
      ).describe('D1, D2, … of each crawler; rows of D0 plus all of them sum to 0'),
    }),
    strictObject('ScaledArrivals', {
      model: z.literal('scaled').describe('One process; mode l scales its speed'),
      matrices,
      factors: list(real({ above: 0 }), positions).meta(number('Speed of modes 1, 2, …')),
    }),
  ])
  .meta({ id: 'Arrivals', ...plain('Arrivals by mode: the number of active crawlers') });

/** Poisson arrivals by mode: l active crawlers have rate l·λ. */
export function poissonModes(lambda: number, crawlers: number): ArrivalModel {
  const factors = Array.from({ length: crawlers }, (_, i) => i + 1);
  return { model: 'scaled', matrices: [[[-lambda]], [[lambda]]], factors };
}

/** Poisson arrivals with a mode for each crawler count. */
export function poissonCounts(lambda: number, counts: readonly number[]): ArrivalModel {
  const modes = [...new Set(counts)].map((crawlers) => {
    const totalRate = crawlers * lambda;
    return { crawlers, matrices: crawlers === 0 ? [[[0]]] : [[[-totalRate]], [[totalRate]]] };
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

/** The properties of a request that describe the queue. */
export const queueShape = {
  capacity: integer({ atLeast: 1, atMost: queueLimits.capacity }).meta(
    pageCount('K: most pages in the system, including the one being indexed', { lever: { factor: 4 } }),
  ),
  crawlerRate: rateOfCrawler(smallestRate, largestRate).optional(),
  arrivals: arrivalModel.optional(),
  service: phaseTypeOrRate.describe('Time to index a page: a phase-type law, or an exponential rate'),
  obsolescence: phaseTypeOrRate
    .nullable()
    .default(null)
    .meta(plain('Time after which a waiting page is worthless; left out or null: never')),
  admission: choice('Admission', ['partial', 'complete-rejection', 'complete-admission'])
    .optional()
    .meta(
      plain('What happens to batches that do not fit; left out: partial, which admits what fits', { role: 'advanced' }),
    ),
  modes: list(integer({ atLeast: 0, atMost: crawlerLimit }), { minItems: 1, maxItems: queueLimits.modes })
    .optional()
    .meta(crawlerCount('Crawler counts that may be used; left out: all; 0 never with an empty queue')),
};

/** The parsed queue fields. */
interface WrittenQueue extends Omit<QueueDescription, 'arrivals' | 'service' | 'obsolescence'> {
  readonly crawlerRate?: number | undefined;
  readonly arrivals?: ArrivalModel | undefined;
  readonly crawlers?: number | undefined;
  readonly service: Distribution;
  readonly obsolescence: Distribution | null;
}

/** Converts a queue to the solvers' form; null if it is refused. */
export function queueDescription(wireQueue: WrittenQueue, refuse: Refuse): QueueDescription | null {
  const { crawlerRate: lambda, arrivals, crawlers, service, obsolescence, modes, ...rest } = wireQueue;
  if ((lambda === undefined) === (arrivals === undefined)) {
    refuse(
      [],
      'one-of',
      'must have crawlerRate (pages of one crawler per time unit) or arrivals, one of them',
      wireQueue,
    );
    return null;
  }
  let laws: Pick<QueueDescription, 'service' | 'obsolescence'>;
  try {
    laws = {
      service: phaseTypeForm(service, 'service'),
      obsolescence: obsolescence === null ? null : phaseTypeForm(obsolescence, 'obsolescence'),
    };
  } catch (error) {
    if (!(error instanceof ConditionNotMet)) throw error;
    refuse(error.path, error.code, error.message, wireQueue);
    return null;
  }
  if (arrivals !== undefined) return { ...rest, ...laws, arrivals, modes: availableModes(arrivals, modes, crawlers) };
  const maxCrawlers = crawlers ?? modes?.reduce((a, b) => Math.max(a, b));
  if (lambda === undefined || maxCrawlers === undefined || maxCrawlers > queueLimits.modes) {
    const message =
      maxCrawlers === undefined
        ? 'is missing: with crawlerRate give how many crawlers there are'
        : `must be at most ${queueLimits.modes} here, where each count is a mode; got ${maxCrawlers}`;
    refuse(['crawlers'], maxCrawlers === undefined ? 'crawlers-missing' : 'too-many-modes', message, maxCrawlers);
    return null;
  }
  return { ...rest, ...laws, arrivals: poissonModes(lambda, maxCrawlers), modes };
}

/** The allowed crawler counts among those of the arrival model. */
function availableModes(
  arrivals: ArrivalModel,
  modes: readonly number[] | undefined,
  crawlers: number | undefined,
): readonly number[] | undefined {
  if (crawlers === undefined) return modes;
  return (modes ?? arrivalCounts(arrivals)).filter((count) => count <= crawlers);
}
