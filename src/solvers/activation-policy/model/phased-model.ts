/**
 * The controlled queue of activation-model.ts with indexing times in phases, pages in batches, and crawlers whose
 * arrivals are correlated.
 *
 * Model: each active crawler brings batches by a batch Markovian arrival process of its own, {D_0, D_1, …}, of W
 * phases. D_k are the rates of batches of k pages. A batch deactivates its crawler, which may be reactivated at once
 * and then goes on in the phase that the batch left. A crawler that is switched on later begins in phase w with
 * probability α_w. This is the law of the phase that batches leave in the long run. Pages are indexed one at a time in
 * times of phase-type law (β, S), M phases. The queue holds K pages, what of a batch does not fit is lost, and each
 * departure may activate one crawler more. Cost per unit time: γ·1(q = 0) + pages lost per unit time + w·(active
 * crawlers). State (q, x, m): queue length, how many active crawlers are in each phase, phase of indexing (none at
 * q = 0). (0, 0) is excluded, as in activation-model.ts. With M = W = 1 and single pages it is that model. Source: Liu
 * & Nain (2006), section 1.2.2, whose exponential times and single pages these replace; for the processes Lucantoni
 * (1991).
 */
import { ConditionNotMet } from '../../condition.ts';
import {
  assemblePhaseType,
  batchRates,
  checkedProcess,
  fundamentalRate,
  listedAt,
  meanOfPhaseType,
  onePhase,
  type PhaseType,
  type PhaseTypeLaw,
  phaseLawOf,
  recogniseExponential,
} from '../../queue/index.ts';
import type { ActivationModel } from './activation-model.ts';
import { checkRates } from './model-limits.ts';

/** What the caller describes beyond rates: what is left out is exponential, or a page at a time. */
export interface PhasedDescription {
  readonly service?: PhaseTypeLaw | undefined;
  /** Chances of batches of one crawler: shares of the batches that have 1, 2, … pages. */
  readonly batchShares?: readonly number[] | undefined;
  /** D_0, D_1, … of one crawler, in place of its rate and batches. */
  readonly arrivals?: readonly (readonly (readonly number[])[])[] | undefined;
}

/** One crawler's process. */
interface CrawlerProcess {
  /** W. */
  readonly phases: number;
  /** D_0, D_1, …, W×W each, row-major. */
  readonly matrices: readonly Float64Array[];
  /** α. */
  readonly begins: Float64Array;
  /** Pages per unit time while always active. */
  readonly pageRate: number;
}

export interface PhasedModel {
  readonly capacity: number;
  readonly crawlers: number;
  readonly starvationWeight: number;
  readonly crawlerCost: number;
  readonly queueCost: number;
  readonly service: PhaseType;
  /** 1/mean of the service. */
  readonly serviceRate: number;
  readonly process: CrawlerProcess;
}

/** The phases that one crawler may have. */
export const maxCrawlerPhases = 8;
/** The pages that a batch may have. */
export const maxBatch = 128;

/**
 * @param numbers `crawlerRate` counts batches and is not used with `arrivals`, `indexingRate` is not used with `service`
 * @throws ConditionNotMet for what is no law or no process, and for rates too far apart
 */
export function assemblePhased(numbers: ActivationModel, description: PhasedDescription): PhasedModel {
  const { capacity, crawlers, starvationWeight, crawlerCost, queueCost = 0 } = numbers;
  const service = serviceOf(numbers, description);
  const serviceRate = 1 / meanOfPhaseType(service);
  const process = processOf(numbers, description);
  checkRates(process.pageRate, serviceRate, description.arrivals === undefined ? 'crawlerRate' : 'arrivals');
  return {
    capacity,
    crawlers,
    starvationWeight,
    crawlerCost,
    queueCost,
    service,
    serviceRate,
    process,
  };
}

/** Whether anything is in phases or batches: else the model is that of activation-model.ts, with the rates given. */
export function isPhased({ service, process }: PhasedModel): boolean {
  return service.phases > 1 || process.phases > 1 || process.matrices.length > 2;
}

function serviceOf({ indexingRate }: ActivationModel, { service }: PhasedDescription): PhaseType {
  if (service !== undefined) return recogniseExponential(assemblePhaseType(service, ['service']));
  return onePhase(indexingRate);
}

function processOf(
  { crawlerRate }: ActivationModel,
  { arrivals, batchShares = [1] }: PhasedDescription,
): CrawlerProcess {
  if (arrivals === undefined) {
    const total = batchShares.reduce((sum, share) => sum + share, 0);
    const last = batchShares.findLastIndex((share) => share > 0);
    const rates = batchShares.slice(0, last + 1).map((share) => (crawlerRate * share) / total);
    return {
      phases: 1,
      matrices: [-crawlerRate, ...rates].map((rate) => new Float64Array([rate])),
      begins: new Float64Array([1]),
      pageRate: rates.reduce((sum, rate, i) => sum + (i + 1) * rate, 0),
    };
  }
  const matrices = checkedProcess(arrivals, listedAt(['arrivals']));
  const last = matrices.findLastIndex((matrix, batch) => batch > 0 && matrix.some((rate) => rate > 0));
  const used = matrices.slice(0, last + 1);
  const phases = Math.round(Math.sqrt(used[0].length));
  if (phases > maxCrawlerPhases) {
    const message = `has ${phases} phases; at most ${maxCrawlerPhases} are taken for one crawler`;
    throw new ConditionNotMet(['arrivals', 'matrices', 0], 'too-many-phases', message);
  }
  return { phases, matrices: used, begins: afterBatches(used, phases), pageRate: fundamentalRate(used) };
}

/** The law of the phase that batches leave: θ(D_1 + D_2 + …), made to sum to 1. */
function afterBatches(matrices: readonly Float64Array[], n: number): Float64Array {
  const batches = batchRates(matrices);
  const law = phaseLawOf(matrices);
  const left = new Float64Array(n);
  for (let from = 0; from < n; from++) for (let to = 0; to < n; to++) left[to] += law[from] * batches[from * n + to];
  const total = left.reduce((sum, rate) => sum + rate, 0);
  return left.map((rate) => rate / total);
}
