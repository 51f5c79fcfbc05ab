/**
 * From histories to rates: those given, those that signals and checks tell together, and beliefs of the others.
 *
 * A page whose rate is given has it. A page with signals has the likeliest rate by its checks and signals, taken as
 * known. All others are believed (pages/evidence); the rate said is the belief's mean, its interval holds 95% of it.
 * Without any check of any page the prior's mean is the mean of the given rates, or one change in 30 days. This is the
 * order of what studies of the web have found (Cho & Garcia-Molina 2000).
 */
import { type Budget, NothingToReturn, type Part } from '../../budget.ts';
import { beliefsWithin, believe, meanRate, type RateBeliefs, rateInterval } from '../../pages/evidence/index.ts';
import { doneInRuns, evenRuns, joined, sharedBytes } from '../../parts.ts';
import { type Evidence, SignalledHistory } from './signal-rates.ts';

const day = 86_400;
const unheardOf = 1 / (30 * day);
/** Pages described between two looks at the budget. */
const pagesPerPoll = 1024;
/** From so many pages on, which take some 20 ms, they are worth another's hand. */
const sharedFromPages = 8192;

/** Lists by page. */
export interface PageRates {
  /** Changes a second: given, likeliest, or the mean of what is believed. */
  readonly rate: Float64Array;
  /** The 95% interval. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** 1 where the rate is given or taken as known. */
  readonly known: Uint8Array;
  /** Of all pages, those of known rates included; null where there are none but these. */
  readonly beliefs: RateBeliefs | null;
  /** Checks and signals of pages together; null where no page has signals. */
  readonly signalled: SignalledHistory | null;
}

/** @throws NothingToReturn when the budget ends before all checks are read */
export function pageRates(evidence: Evidence, budget: Budget): PageRates {
  const { history, changeRate, signals } = evidence;
  const given = changeRate.filter((rate) => !Number.isNaN(rate));
  const known = Uint8Array.from(changeRate, (rate) => (Number.isNaN(rate) ? 0 : 1));
  const expected = given.length > 0 ? given.reduce((sum, rate) => sum + rate, 0) / given.length : unheardOf;
  const beliefs = given.length === known.length ? null : believe(history, expected, budget);
  const rate = changeRate.slice();
  const low = rate.slice();
  const high = rate.slice();
  const signalled = signals === undefined ? null : new SignalledHistory(evidence, signals, expected);
  if (signalled !== null) signalRates(signalled, { rate, low, high, known }, budget);
  if (beliefs !== null) describe(beliefs, { rate, low, high, known }, budget);
  return { rate, low, high, known, beliefs, signalled };
}

/** What is written. */
type WrittenRates = Omit<PageRates, 'beliefs' | 'signalled'>;

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

/** Pages whose rates are believed, as far as they are not known. */
type Believed = Pick<PageRates, 'known'> & { readonly beliefs: RateBeliefs };

/** Means and intervals of the pages that are not known; of pages that were never checked all alike. NaN of the others. */
export const intervalsPart: Part<Believed, Pick<PageRates, 'rate' | 'low' | 'high'>> = {
  name: 'rate-intervals',
  run({ beliefs, known }, budget) {
    const rate = new Float64Array(beliefs.pages).fill(Number.NaN);
    const low = rate.slice();
    const high = rate.slice();
    let unchecked: readonly [number, number] | null = null;
    let stopped = false;
    for (let i = 0; i < rate.length; i++) {
      if (i % pagesPerPoll === 0 && !stopped) stopped = budget.stopRequested();
      if (known[i] === 1) continue;
      rate[i] = meanRate(beliefs, i);
      const isPrior = beliefs.scale[4 * i] === beliefs.prior.scale && beliefs.shape[4 * i] === beliefs.prior.shape;
      // once the time is up nothing is said of how well a rate is known
      const interval: readonly [number, number] = stopped
        ? [0, Infinity]
        : ((isPrior ? unchecked : null) ?? rateInterval(beliefs, i));
      if (isPrior) unchecked = interval;
      low[i] = interval[0];
      high[i] = Math.max(interval[1], rate[i]);
    }
    return { rate, low, high };
  },
};

/** Writes them. */
function describe(beliefs: RateBeliefs, rates: WrittenRates, budget: Budget): void {
  const { known } = rates;
  const piece = (from: number, to: number): Believed => ({
    beliefs: beliefsWithin(beliefs, from, to),
    known: sharedBytes(known, from, to),
  });
  const made = doneInRuns(intervalsPart, evenRuns(known.length, budget.hands, sharedFromPages), piece, budget);
  for (const name of ['rate', 'low', 'high'] as const) {
    const found = joined(made.map((each) => each[name]));
    for (let i = 0; i < known.length; i++) if (known[i] === 0) rates[name][i] = found[i];
  }
}
