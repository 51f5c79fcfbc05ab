/**
 * From histories to rates: those given, those that signals and checks tell together, and beliefs of the others.
 *
 * A page whose rate is given has it. A page with signals has the likeliest rate by its checks and signals together
 * (signals/signalled-rate.ts), taken as known; checks fade with e^{−age/365 days}. All others are believed (pages/evidence); the rate said is the belief's mean, its interval holds 95% of it.
 * Without any check of any page the prior's mean is the mean of the given rates, or one change in 30 days. This is the
 * order of what studies of the web have found (Cho & Garcia-Molina 2000).
 */
import { type Budget, NothingToReturn } from '../budget.ts';
import { day } from '../day.ts';
import { pooledRate } from '../estimation/changes/change-rates.ts';
import { changed, unchanged } from '../estimation/changes/check-history.ts';
import { believe, meanRate, type RateBeliefs, rateInterval } from '../pages/evidence/index.ts';
import type { SignalQuality } from '../pages/signals/index.ts';
import { type GammaLaw, type SignalledChecks, signalledRate } from '../pages/signals/signalled-rate.ts';
import type { CrawlPlanProblem, SignalEvidence } from './problem.ts';

const unheardOf = 1 / (30 * day);
/** Pages described between two looks at the budget. */
const pagesPerPoll = 1024;

/** Lists by page. */
export interface KnownRates {
  /** Changes a second: given, likeliest, or the mean of what is believed. */
  readonly rate: Float64Array;
  /** 1 where the rate is given or taken as known. */
  readonly known: Uint8Array;
  /** Of all pages, those of known rates included; null where there are none but these. */
  readonly beliefs: RateBeliefs | null;
  /** Checks and signals of pages together; null where no page has signals. */
  readonly signalled: SignalledHistory | null;
}

/** The 95% interval of each page's rate. */
interface RateIntervals {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

export interface PageRates extends KnownRates {
  /** Waits for them where another hand works them out. */
  readonly intervals: () => RateIntervals;
}

/** @throws NothingToReturn when the budget ends before all checks are read */
export function pageRates(evidence: Evidence, budget: Budget): PageRates {
  const { history, changeRate, signals } = evidence;
  const given = changeRate.filter((rate) => !Number.isNaN(rate));
  const known = new Uint8Array(changeRate.length).map((_, i) => (Number.isNaN(changeRate[i]) ? 0 : 1));
  const expected = given.length > 0 ? given.reduce((sum, rate) => sum + rate, 0) / given.length : unheardOf;
  const beliefs = given.length === known.length ? null : believe(history, expected, budget);
  const rate = changeRate.slice();
  const low = rate.slice();
  const high = rate.slice();
  const signalled = signals === undefined ? null : new SignalledHistory(evidence, signals, expected);
  if (signalled !== null) signalRates(signalled, { rate, low, high, known }, budget);
  if (beliefs === null) return { rate, known, beliefs, signalled, intervals: () => ({ low, high }) };
  for (let i = 0; i < rate.length; i++) if (known[i] === 0) rate[i] = meanRate(beliefs, i);
  const intervals = intervalsOf({ beliefs, known, rate, low, high }, budget);
  return { rate, known, beliefs, signalled, intervals: () => intervals };
}

/** What is written. */
type WrittenRates = Pick<KnownRates, 'rate' | 'known'> & RateIntervals;

/** Writes the rates of pages with signals where they are not given, and marks them as known. */
function signalRates(signalled: SignalledHistory, { rate, low, high, known }: WrittenRates, budget: Budget): void {
  for (let i = 0; i < rate.length; i++) {
    if ((i + 1) % pagesPerPoll === 0 && budget.stopRequested()) {
      throw new NothingToReturn(`stopped at the signals of page ${i} of ${rate.length}`);
    }
    if (!signalled.has(i) || known[i] === 1) continue;
    known[i] = 1;
    const found = signalled.rate(i);
    rate[i] = found.rate;
    low[i] = found.low;
    high[i] = found.high;
  }
}

/** Intervals of the pages that are known, and what is believed of the others. */
type Believed = WrittenRates & { readonly beliefs: RateBeliefs };

/** The intervals of all pages; of pages that were never checked all alike. */
function intervalsOf(believed: Believed, budget: Budget): RateIntervals {
  const { beliefs, known, rate, low: givenLow, high: givenHigh } = believed;
  const [low, high] = [givenLow.slice(), givenHigh.slice()];
  let unchecked: readonly [number, number] | null = null;
  let stopped = false;
  for (let i = 0; i < rate.length; i++) {
    if (i % pagesPerPoll === 0 && !stopped) stopped = budget.stopRequested();
    if (known[i] === 1) continue;
    const isPrior = beliefs.scale[4 * i] === beliefs.prior.scale && beliefs.shape[4 * i] === beliefs.prior.shape;
    // once the time is up nothing is said of how well a rate is known
    const interval: readonly [number, number] = stopped
      ? [0, Infinity]
      : ((isPrior ? unchecked : null) ?? rateInterval(beliefs, i));
    if (isPrior) unchecked = interval;
    low[i] = interval[0];
    high[i] = Math.max(interval[1], rate[i]);
  }
  return { low, high };
}

const year = 365 * day;
/** Of the Gamma law about the pooled rate: as real pages show. */
const priorShape = 0.85;
/**
 * A larger recall counts as this: where every change is signalled, nothing but a signal would make a page worth a
 * fetch.
 */
const largestRecall = 0.999;
/** A smaller recall counts as this: the signals are then worth nothing, and what they add is lost in rounding errors. */
const smallestRecall = 1e-9;

/** What is known of the pages' changes. */
export type Evidence = Pick<CrawlPlanProblem, 'history' | 'changeRate' | 'signals' | 'lastCrawl' | 'now'>;

/** Checks and signals of pages together. */
export class SignalledHistory {
  readonly signals: SignalEvidence;
  readonly #evidence: Evidence;
  readonly #prior: GammaLaw;
  readonly #weight: Float64Array;

  /** @param expected the mean rate where there is no check of any page */
  constructor(evidence: Evidence, signals: SignalEvidence, expected: number) {
    this.signals = signals;
    this.#evidence = evidence;
    this.#weight = fadingWeights(evidence);
    const mean = evidence.history.elapsed.length > 0 ? pooledRate(evidence.history, null) : expected;
    this.#prior = { shape: priorShape, rate: priorShape / mean };
  }

  /** Whether page i has signals. */
  has(i: number): boolean {
    return !Number.isNaN(this.signals.precision[i]);
  }

  quality(i: number): SignalQuality {
    const { precision, recall } = this.signals;
    return { precision: precision[i], recall: Math.max(smallestRecall, Math.min(largestRecall, recall[i])) };
  }

  /** The likeliest rate and its interval. */
  rate(i: number): { readonly rate: number; readonly low: number; readonly high: number } {
    return signalledRate(this.#of(i), this.quality(i), this.#prior);
  }

  /** The rate after one more check at an age, by its outcome. */
  revised(i: number, age: number, before: number): readonly [ifUnchanged: number, ifChanged: number] {
    if (!Number.isNaN(this.#evidence.changeRate[i]) || age === Number.POSITIVE_INFINITY) return [before, before];
    const seen = this.#of(i);
    const after = (outcome: number): number =>
      signalledRate(seen, this.quality(i), this.#prior, { age, outcome, before }).rate;
    return [after(unchanged), after(changed)];
  }

  /** As the likelihood takes them. */
  #of(i: number): SignalledChecks {
    const { history, lastCrawl, now } = this.#evidence;
    const { byCheck, since } = this.signals;
    return {
      elapsed: history.elapsed,
      outcome: history.outcome,
      signals: byCheck,
      weight: this.#weight,
      from: history.offsets[i],
      to: history.offsets[i + 1],
      since: Number.isNaN(lastCrawl[i]) ? 0 : Math.max(0, now - lastCrawl[i]),
      sinceSignals: since[i],
    };
  }
}

/** e^{−age/365 days} of every check, ages counted back from the page's last fetch. */
function fadingWeights({ history: { offsets, elapsed }, lastCrawl, now }: Evidence): Float64Array {
  const weights = new Float64Array(elapsed.length);
  for (let i = 0; i < lastCrawl.length; i++) {
    let age = Number.isNaN(lastCrawl[i]) ? 0 : Math.max(0, now - lastCrawl[i]);
    for (let k = offsets[i + 1] - 1; k >= offsets[i]; k--) {
      weights[k] = Math.exp(-age / year);
      age += elapsed[k];
    }
  }
  return weights;
}
