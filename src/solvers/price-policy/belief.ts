/**
 * A worker's belief about one page's change rate and its update by a check: twelve numbers a page, O(1) a check.
 *
 * The belief is that of pages/evidence for a page alone: four Gamma laws with memories of 20, 80, 320 and 1,280 units.
 * The memories are weighted by how well each predicted the page's own checks; the score over all pages is left out. The
 * update is that of check-filter.ts; scripts/reference/price.py repeats it for the golden vectors.
 */
import { day } from '../day.ts';
import { changedAtKnownAge, changedOutcome, unchangedOutcome } from '../estimation/index.ts';
import {
  beliefsOf,
  CheckFilter,
  meanRate,
  memories,
  memoryPrior,
  type RateBeliefs,
  weighMemories,
} from '../pages/evidence/index.ts';

/** The prior of a page, before its first check. */
export interface RatePrior {
  /** Changes per unit of time, in the mean over the pages; above 0. */
  readonly meanRate: number;
  /** Unit in which half-lives of memories are counted, in the unit of the times; left out: 86,400, a day in seconds. */
  readonly memoryUnit?: number;
}

/**
 * Per memory: the rate is Gamma(shape, scale); `foretold` is the log-likelihood of its checks, older ones discounted.
 */
export interface PageBelief {
  readonly shape: readonly number[];
  readonly scale: readonly number[];
  readonly foretold: readonly number[];
}

/** The result of a fetch. */
export interface PageCheck {
  /** Time since the previous fetch. */
  readonly elapsed: number;
  /** Whether the page had changed since the previous fetch. */
  readonly changed: boolean;
  /** Age of the latest change, at most `elapsed`, where known (Last-Modified). */
  readonly changeAge?: number;
}

/** The belief about a page before its first check: the prior. */
export function newBelief(prior: RatePrior): PageBelief {
  return pageOf(beliefsBefore(prior));
}

/**
 * The belief after a check. O(1).
 *
 * @throws RangeError where a time is negative or a change is older than the fetch before
 */
export function afterCheck(belief: PageBelief, check: PageCheck, prior: RatePrior): PageBelief {
  const { elapsed, changed: hasChanged, changeAge } = check;
  if (!(elapsed >= 0)) throw new RangeError(`elapsed must be at least 0; got ${elapsed}`);
  const beliefs = beliefsIn(belief, prior);
  const filter = new CheckFilter(beliefs);
  if (changeAge !== undefined && hasChanged) {
    if (!(changeAge >= 0 && changeAge <= elapsed)) {
      throw new RangeError(`changeAge must be between 0 and elapsed, ${elapsed}; got ${changeAge}`);
    }
    filter.wait(0, elapsed - changeAge);
    filter.take(0, changeAge, changedAtKnownAge);
  } else filter.take(0, elapsed, hasChanged ? changedOutcome : unchangedOutcome);
  return pageOf(beliefs);
}

/** The posterior mean of the rate, in changes per unit of the times. */
export function believedRate(belief: PageBelief): number {
  return meanRate(beliefsIn(belief, { meanRate: 1 }), 0);
}

/** The weight of each memory in the mixture; the weights sum to 1. */
export function memoryShares(belief: PageBelief): Float64Array {
  return beliefsIn(belief, { meanRate: 1 }).share;
}

function beliefsBefore({ meanRate: mean, memoryUnit = day }: RatePrior): RateBeliefs {
  return beliefsOf(1, memoryPrior(mean, memoryUnit));
}

function beliefsIn(belief: PageBelief, prior: RatePrior): RateBeliefs {
  const beliefs = beliefsBefore(prior);
  for (const name of ['shape', 'scale', 'foretold'] as const) {
    if (belief[name].length !== memories) throw new RangeError(`${name} must have ${memories} numbers`);
    beliefs[name === 'foretold' ? 'logLikelihood' : name].set(belief[name]);
  }
  weighMemories(beliefs, 0);
  return beliefs;
}

function pageOf({ shape, scale, logLikelihood }: RateBeliefs): PageBelief {
  return { shape: [...shape], scale: [...scale], foretold: [...logLikelihood] };
}
