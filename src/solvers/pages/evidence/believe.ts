/**
 * The beliefs of all pages from their checks: prior, memories, and every history through the filter.
 *
 * - Memories have half-lives of 20, 80, 320 and 1,280 days, or as many units of their own where a log's gaps are much
 *   shorter than days.
 * - The prior is Gamma(½, ½/m). m begins at the changes over the time watched, and moves half the way, in its
 *   logarithm, to the mean of the beliefs that it leads to.
 * - The memories are weighed by exp(ℓ_k + ½ℓ̄_k): ℓ_k is how well memory k predicted the page's own checks, older ones
 *   fading with a half-life of 365 units, ℓ̄_k the mean over all pages without fading.
 * - A page without checks keeps the prior: every memory believes Gamma(½, ½/m), and ℓ_k is 0. Where no page has a check
 *   m is a rate that the caller expects.
 * Complexity: O(checks), and as many on a sample for m. Constants were set on histories that the replays do not judge.
 */
import { type Budget, NothingToReturn, stopCheck } from '../../budget.ts';
import { day } from '../../day.ts';
import { pooledRate } from '../../estimation/changes/change-rates.ts';
import { type CheckHistory, pageCount } from '../../estimation/changes/check-history.ts';
import { CheckFilter } from './check-filter.ts';
import { beliefsOf, type MemoryPrior, meanRate, memories, type RateBeliefs, weighMemories } from './rate-beliefs.ts';

/** Half-lives of the four memories, in units of time (usually days). */
const halfLives = [20, 80, 320, 1280] as const;
/** Typical gaps in a unit of time that is shorter than a day: else memories would hardly forget a log of minutes. */
const gapsPerUnit = 5;
/** Half-life of the prediction scores of the memories, in units of time. */
const fadingHalfLife = 365;
/** Shape of the Gamma prior of a rate. */
const priorShape = 0.5;
/**
 * Maximum number of pages that the prior's m is fitted to, and passes over these pages. With a single pass m has not
 * converged: believed costs are 10% lower in the mean (families seed 83).
 */
const [largestSample, passes] = [4096, 3];
/** Cap on a gap between checks, in typical gaps: a date of 1970 in a log is a default, not a fetch. */
const maxTypicalGaps = 1000;

/**
 * The belief about every page: its own checks taken into the prior; a page without checks keeps the prior.
 *
 * @param history times in seconds
 * @param expected m, in changes a second, where no page has a check
 * @throws NothingToReturn when the budget ends first
 */
export function believe(history: CheckHistory, expected: number, budget: Budget): RateBeliefs {
  const pages = pageCount(history);
  const sample = samplePages(pages);
  const gap = typicalGap(history, sample);
  const unit = Math.min(day, gapsPerUnit * gap);
  const poll = new CheckPoll(budget, history.elapsed.length * (1 + (passes * sample.length) / Math.max(1, pages)));
  const mean = history.elapsed.length === 0 ? expected : fittedMean(history, sample, gap, unit, poll);
  const prior = memoryPrior(mean, unit);
  const { unfadedSums, ...read } = readChecks(history, prior, poll);
  const beliefs = { pages, prior, ...read };
  for (let at = 0; at < unfadedSums.length; at++) prior.commonLogWeight[at % memories] += unfadedSums[at];
  for (let k = 0; k < memories; k++) prior.commonLogWeight[k] *= 0.5 / Math.max(1, pages);
  for (let i = 0; i < pages; i++) weighMemories(beliefs, i);
  return beliefs;
}

/** Beliefs of pages by their checks, memories not weighed yet, and ln P(a page's checks) by memory without fading. */
type FilteredChecks = Omit<RateBeliefs, 'pages' | 'prior'> & { readonly unfadedSums: Float64Array };

function readChecks(history: CheckHistory, prior: MemoryPrior, poll: CheckPoll): FilteredChecks {
  const pages = pageCount(history);
  const { shape, scale, share, logLikelihood } = beliefsOf(pages, prior);
  const filter = new CheckFilter({ pages, prior, shape, scale, share, logLikelihood });
  const unfadedSums = new Float64Array(memories * pages);
  for (let i = 0; i < pages; i++) {
    filter.logLikelihood.fill(0);
    takeAll(filter, history, i, i, poll);
    unfadedSums.set(filter.logLikelihood, memories * i);
  }
  return { shape, scale, share, logLikelihood, unfadedSums };
}

/** The prior of a mean rate. @param unit of the half-lives, in the time of the rate */
export function memoryPrior(mean: number, unit: number): MemoryPrior {
  return {
    shape: priorShape,
    scale: priorShape / mean,
    forgettingRate: Float64Array.from(halfLives, (each) => Math.LN2 / (each * unit)),
    fadingRate: Math.LN2 / (fadingHalfLife * unit),
    commonLogWeight: new Float64Array(memories),
  };
}

/** Positions of the pages that the prior is fitted to. */
function samplePages(pages: number): Uint32Array {
  const stride = Math.max(1, pages / largestSample);
  return Uint32Array.from({ length: Math.ceil(pages / stride) }, (_, s) => Math.floor(s * stride));
}

/** The prior's m by fixed-point passes over a sample of the pages: changes per unit of time. */
function fittedMean(history: CheckHistory, sample: Uint32Array, gap: number, unit: number, poll: CheckPoll): number {
  let mean = pooledRate(history, null, maxTypicalGaps * gap);
  for (let pass = 0; pass < passes; pass++) {
    const beliefs = beliefsOf(sample.length, memoryPrior(mean, unit));
    const filter = new CheckFilter(beliefs);
    let sum = 0;
    for (const [s, i] of sample.entries()) {
      takeAll(filter, history, i, s, poll);
      weighMemories(beliefs, s);
      sum += meanRate(beliefs, s);
    }
    mean = Math.sqrt((mean * sum) / sample.length);
  }
  return mean;
}

/** Takes page i's checks into belief `to`. */
function takeAll(
  filter: CheckFilter,
  { offsets, elapsed, outcome }: CheckHistory,
  i: number,
  to: number,
  poll: CheckPoll,
) {
  poll.countPage(offsets[i + 1] - offsets[i]);
  for (let k = offsets[i]; k < offsets[i + 1]; k++) {
    filter.take(to, elapsed[k], outcome[k]);
  }
}

/** The median gap between checks of the sampled pages, in seconds; a day where they have no check. */
function typicalGap({ offsets, elapsed }: CheckHistory, sample: Uint32Array): number {
  const gaps: number[] = [];
  for (const i of sample) for (let k = offsets[i]; k < offsets[i + 1]; k++) gaps.push(elapsed[k]);
  return gaps.length === 0 ? day : Float64Array.from(gaps).sort()[gaps.length >> 1];
}

/** Stops the reading of checks when the budget ends. */
class CheckPoll {
  readonly #budget: Budget;
  readonly #isStopped: (steps?: number) => boolean;
  readonly #checks: number;
  #checksRead = 0;

  /** @param checks approximate number of checks that will be read, for the progress */
  constructor(budget: Budget, checks: number) {
    this.#budget = budget;
    this.#isStopped = stopCheck(budget);
    this.#checks = checks;
  }

  /** Called before a page of so many checks is read. @throws NothingToReturn when the budget has ended */
  countPage(checks: number): void {
    const fraction = Math.min(1, this.#checksRead / Math.max(1, this.#checks));
    this.#checksRead += checks;
    if (this.#isStopped(checks + 1))
      throw new NothingToReturn(`${Math.floor(100 * fraction)}% of the checks were read`);
    this.#budget.report({ fraction });
  }
}
