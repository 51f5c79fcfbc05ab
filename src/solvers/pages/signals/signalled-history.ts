/** Change rates of maximum likelihood by checks and signals together, now and after one more check. */

import { day } from '../../day.ts';
import { pooledRate } from '../../estimation/changes/change-rates.ts';
import { type CheckHistory, changedOutcome, unchangedOutcome } from '../../estimation/changes/check-history.ts';
import { isNever } from '../never.ts';
import type { SignalQuality } from './signal-cycle.ts';
import { type GammaLaw, type SignalledChecks, signalledRate } from './signalled-rate.ts';

const year = 365 * day;
/** Shape of the Gamma prior of a rate, whose mean is the pooled rate; fitted to real pages. */
const priorShape = 0.85;
/** Cap on the recall: if every change were signalled, a page without a signal would never be worth a fetch. */
const largestRecall = 0.999;
/** Floor of the recall: below it signals carry no information, and their terms are lost in rounding errors. */
const smallestRecall = 1e-9;

/** Signals of changes (sitemap lastmod, IndexNow, pings), and how far they can be trusted. */
export interface SignalEvidence {
  /** By page: share of its signals that are right, in (0, 1]; NaN for a page without signals. */
  readonly precision: Float64Array;
  /** By page: share of its changes that are signalled, in [0, 1]. */
  readonly recall: Float64Array;
  /** By page: number of signals since its last fetch. */
  readonly sinceFetch: Float64Array;
  /** By check: number of signals between the previous check of the page and this one. */
  readonly byCheck: Float64Array;
}

/**
 * What is known of the pages' changes. Times in epoch seconds, NaN for a page never fetched, and for a rate not given.
 */
interface Evidence {
  readonly now: number;
  readonly history: CheckHistory;
  readonly changeRate: Float64Array;
  readonly lastCrawl: Float64Array;
}

/** Checks and signals of pages together. */
export class SignalledHistory {
  readonly signals: SignalEvidence;
  readonly #evidence: Evidence;
  readonly #prior: GammaLaw;
  readonly #weight: Float64Array;

  /** @param expected mean of the prior, in changes a second, where no page has a check */
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

  /** The rate of page i of maximum likelihood, in changes a second, with its 95% interval. */
  rate(i: number): { readonly rate: number; readonly low: number; readonly high: number } {
    return signalledRate(this.#checksOf(i), this.quality(i), this.#prior);
  }

  /** The rates of page i after one more check at an age, for both outcomes. @param rateBefore the rate without it */
  revisedRate(i: number, age: number, rateBefore: number): readonly [ifUnchanged: number, ifChanged: number] {
    if (!Number.isNaN(this.#evidence.changeRate[i]) || isNever(age)) return [rateBefore, rateBefore];
    const checks = this.#checksOf(i);
    const rateAfter = (outcome: number): number =>
      signalledRate(checks, this.quality(i), this.#prior, { age, outcome }).rate;
    return [rateAfter(unchangedOutcome), rateAfter(changedOutcome)];
  }

  /** The checks of page i, as `signalledRate` takes them. */
  #checksOf(i: number): SignalledChecks {
    const { history, lastCrawl, now } = this.#evidence;
    const { byCheck, sinceFetch } = this.signals;
    return {
      elapsed: history.elapsed,
      outcome: history.outcome,
      signals: byCheck,
      weight: this.#weight,
      from: history.offsets[i],
      to: history.offsets[i + 1],
      timeSinceCheck: Number.isNaN(lastCrawl[i]) ? 0 : Math.max(0, now - lastCrawl[i]),
      signalsSinceCheck: sinceFetch[i],
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
