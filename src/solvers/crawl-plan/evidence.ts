/**
 * From histories to change rates: given rates, rates from signals and checks together, and beliefs for all other pages.
 *
 * A given rate is taken as it is. A page with signals has the rate of maximum likelihood by its checks and signals
 * together (pages/signals), treated as known; checks fade with e^{−age/365 days}. For every other page there is a
 * belief (pages/evidence): the rate in the answer is the mean of the belief, and its interval has 95% of the
 * probability. If no page has a check the mean of the prior is the mean of the given rates, or one change in 30 days,
 * the order of magnitude in studies of the web (Cho & Garcia-Molina 2000).
 */
import { type Budget, NothingToReturn, stopCheck } from '../budget.ts';
import { day } from '../day.ts';
import { believe, meanRate, type RateBeliefs, rateInterval } from '../pages/evidence/index.ts';
import type { RateEstimates } from '../pages/models/index.ts';
import { SignalledHistory } from '../pages/signals/index.ts';
import { type LimitedProblem, planConflict, withFeedWindows } from './limits.ts';
import type { CrawlPlanProblem, PlanConflict } from './problem.ts';

/** Mean change rate without any evidence, per second: one change in 30 days. */
const defaultRate = 1 / (30 * day);

/** The 95% interval of each page's rate. */
interface RateIntervals {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

export interface PageRates extends RateEstimates {
  readonly intervals: RateIntervals;
}

/** A problem without a known conflict, its slots, and the rates of its pages. */
export interface ProblemWithRates extends LimitedProblem {
  readonly rates: PageRates;
}

/**
 * The rates of the pages, and the problem with maxInterval shortened by their feeds; or the conflict of these
 * intervals.
 *
 * @throws NothingToReturn when the budget ends before all checks are read
 */
export function ratesOrConflict(
  limits: LimitedProblem,
  budget: Budget,
): ProblemWithRates | { readonly conflict: PlanConflict } {
  const rates = pageRates(limits.problem, budget);
  const problem = withFeedWindows(limits.problem, rates.rate, budget);
  if (problem === limits.problem) return { ...limits, rates };
  const conflict = planConflict({ ...limits, problem }, budget);
  if (conflict === null) return { ...limits, problem, rates };
  return { conflict: { ...conflict, detail: `${conflict.detail}; feeds shorten maxInterval` } };
}

/** @throws NothingToReturn when the budget ends before all checks are read */
export function pageRates(evidence: CrawlPlanProblem, budget: Budget): PageRates {
  const { history, changeRate, signals } = evidence;
  const givenRates = changeRate.filter((rate) => !Number.isNaN(rate));
  const isKnown = new Uint8Array(changeRate.length).map((_, i) => (Number.isNaN(changeRate[i]) ? 0 : 1));
  const priorMean =
    givenRates.length > 0 ? givenRates.reduce((sum, rate) => sum + rate, 0) / givenRates.length : defaultRate;
  const beliefs = givenRates.length === isKnown.length ? null : believe(history, priorMean, budget);
  const rate = changeRate.slice();
  const low = rate.slice();
  const high = rate.slice();
  const signalHistory = signals === undefined ? null : new SignalledHistory(evidence, signals, priorMean);
  if (signalHistory !== null) signalRates(signalHistory, { rate, low, high, isKnown }, budget);
  if (beliefs === null) return { rate, isKnown, beliefs, signalHistory, intervals: { low, high } };
  for (let i = 0; i < rate.length; i++) if (isKnown[i] === 0) rate[i] = meanRate(beliefs, i);
  return {
    rate,
    isKnown,
    beliefs,
    signalHistory,
    intervals: intervalsOf({ beliefs, isKnown, rate, low, high }, budget),
  };
}

/** The lists that `signalRates` fills. */
type RateLists = Pick<RateEstimates, 'rate' | 'isKnown'> & RateIntervals;

/** Writes the rates of pages with signals whose rate is not given, and marks these rates as known. */
function signalRates(signalled: SignalledHistory, { rate, low, high, isKnown }: RateLists, budget: Budget): void {
  const isStopped = stopCheck(budget);
  for (let i = 0; i < rate.length; i++) {
    if (isStopped()) throw new NothingToReturn(`stopped at the signals of page ${i} of ${rate.length}`);
    if (!signalled.has(i) || isKnown[i] === 1) continue;
    isKnown[i] = 1;
    const estimate = signalled.rate(i);
    rate[i] = estimate.rate;
    low[i] = estimate.low;
    high[i] = estimate.high;
  }
}

/** Rates and intervals of the pages of known rate, and the beliefs about all other pages. */
type BelievedRates = RateLists & { readonly beliefs: RateBeliefs };

/** The intervals of all pages; pages that were never checked share one. */
function intervalsOf(lists: BelievedRates, budget: Budget): RateIntervals {
  const { beliefs, isKnown, rate, low: givenLow, high: givenHigh } = lists;
  const [low, high] = [givenLow.slice(), givenHigh.slice()];
  let priorInterval: readonly [number, number] | null = null;
  const isStopped = stopCheck(budget);
  for (let i = 0; i < rate.length; i++) {
    if (isKnown[i] === 1) continue;
    const isPrior = beliefs.scale[4 * i] === beliefs.prior.scale && beliefs.shape[4 * i] === beliefs.prior.shape;
    // after the time limit the interval is trivial: every rate lies in it
    const interval: readonly [number, number] = isStopped()
      ? [0, Infinity]
      : ((isPrior ? priorInterval : null) ?? rateInterval(beliefs, i));
    if (isPrior) priorInterval = interval;
    low[i] = interval[0];
    high[i] = Math.max(interval[1], rate[i]);
  }
  return { low, high };
}
