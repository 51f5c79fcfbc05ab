/**
 * Rates of pages that have signals: the likeliest by checks and signals together (signals/signalled-rate.ts).
 *
 * Checks fade with e^{−age/365 days}; the prior is a Gamma law of shape .85, as real pages show, about the pooled rate.
 */
import { pooledRate } from '../../estimation/changes/change-rates.ts';
import { changed, unchanged } from '../../estimation/changes/check-history.ts';
import type { SignalQuality } from '../../signals/index.ts';
import { type GammaLaw, type SignalledChecks, signalledRate } from '../../signals/signalled-rate.ts';
import type { CrawlPlanProblem, SignalEvidence } from '../problem.ts';

const year = 365 * 86_400;
const priorShape = 0.85;
/**
 * A larger recall counts as this: where every change is signalled, nothing but a signal would make a page worth a
 * fetch.
 */
const largestRecall = 0.999;

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
    return { precision: precision[i], recall: Math.min(largestRecall, recall[i]) };
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
      matters: history.matters,
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
