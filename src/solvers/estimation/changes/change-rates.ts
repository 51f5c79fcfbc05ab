/**
 * Change rates of pages from the checks a crawler made of them.
 *
 * Model: page i changes as a Poisson process of rate λ_i (changes per time unit). A check tells whether it changed
 * since the check before, or how old its latest change is. Method: the maximum of the likelihood, or of the
 * bias-reduced score, by Newton in ln λ (change-likelihood.ts); the likelihood-ratio interval {λ :
 * 2(ℓ(λ̂) − ℓ(λ)) ≤ χ²₁}. With a gamma prior the prior's density (in ln λ) is added. For checks much shorter than 1/λ
 * that is the posterior mean (shape + changes)/(rate + time). Where every check agrees the maximum runs off to 0 or ∞.
 * Then the estimate is the one at half a change (or half a check without one). The interval is one-sided and exact:
 * P(all these checks agree | bound) = 1 − confidence. Complexity: some ten exponentials a distinct changed gap of a
 * page; no allocation a page. Stopping rule: 1e−12 in ln λ for the rate (1e−9 where bias is reduced at irregular
 * checks), 1e−8 for the interval's ends. Source: Cho & Garcia-Molina 2003; Firth 1993. Known limits: a page that
 * changes at nearly every check is not identified: all that is known is that it is fast. Its interval says so by its
 * width.
 */
import type { Warning } from '../../answer.ts';
import type { Budget } from '../../budget.ts';
import { NothingToReturn } from '../../budget.ts';
import { standardNormalQuantile } from '../../numerics/special/normal-quantile.ts';
import type { ChangeRatesProblem } from '../problem.ts';
import { ChangeLikelihood } from './change-likelihood.ts';
import { type CheckHistory, pageCount, unchangedOutcome } from './check-history.ts';
import { fitGammaPrior, type GammaPrior } from './gamma-prior.ts';

/** Checks and pages between two polls of the budget. */
const checksPerPoll = 4096;

/** Estimates by page; rates per time unit. */
export interface PageRates {
  readonly rate: Float64Array;
  /**
   * Ends of the confidence interval: low is 0 where no change was seen, high Infinity where every check saw a change.
   */
  readonly interval: { readonly low: Float64Array; readonly high: Float64Array };
  readonly checks: Uint32Array;
  readonly changes: Uint32Array;
}

/**
 * Every page's change rate. A page without a check gets the rate of all pages pooled (1 where no page has a check and
 * no prior is given).
 * @throws NothingToReturn when the budget ends first
 */
export function solveChangeRates(problem: ChangeRatesProblem, budget: Budget) {
  const { history } = problem;
  const pages = pageCount(history);
  const weights = problem.weights ?? null;
  let prior: GammaPrior | null = null;
  if (problem.prior === 'empirical-bayes') prior = fitGammaPrior(history, budget);
  else if (problem.prior !== 'none') ({ prior } = problem);
  const { uncheckedCount, ...estimates } = estimatePages(problem, prior, budget);
  const { rate, high, checks } = estimates;
  if (uncheckedCount > 0) {
    const commonRate = pooledRate(history, weights);
    for (let i = 0; i < pages; i++) {
      if (checks[i] > 0 || problem.skip?.[i] === 1) continue;
      rate[i] = commonRate;
      high[i] = Number.POSITIVE_INFINITY;
    }
  }
  const hasPrior = problem.prior !== 'empirical-bayes' || prior !== null;
  const { low, changes } = estimates;
  return {
    status: 'evaluated' as const,
    solution: { pages: { rate, interval: { low, high }, checks, changes }, prior },
    warnings: warningsOf(uncheckedCount, uncheckedCount < pages, hasPrior),
    statistics: { solver: problem.method, pages, checks: history.elapsed.length },
  };
}

type Estimates = Omit<PageRates, 'interval'> & PageRates['interval'];

/** Estimates by page; `uncheckedCount` counts the pages that have neither a check nor a prior. */
type PageEstimates = Estimates & { readonly uncheckedCount: number };

/**
 * Estimates every page from its own checks and the prior.
 *
 * @throws NothingToReturn when the budget ends first
 */
function estimatePages(problem: ChangeRatesProblem, prior: GammaPrior | null, budget: Budget): PageEstimates {
  const { history } = problem;
  const pages = pageCount(history);
  const [rate, low, high] = [new Float64Array(pages), new Float64Array(pages), new Float64Array(pages)];
  const [checks, changes] = [new Uint32Array(pages), new Uint32Array(pages)];
  const estimates = { rate, low, high, checks, changes };
  const estimator = new PageEstimator(problem, prior);
  let uncheckedCount = 0;
  let checksSincePoll = 0;
  for (let i = 0; i < pages; i++) {
    if (problem.skip?.[i] === 1) continue;
    const from = history.offsets[i];
    const to = history.offsets[i + 1];
    checksSincePoll += to - from + 1;
    if (checksSincePoll >= checksPerPoll || i === 0) {
      checksSincePoll = 0;
      if (budget.stopRequested()) throw new NothingToReturn(`stopped after ${i} of ${pages} pages`);
      budget.report({ fraction: i / pages });
    }
    checks[i] = to - from;
    for (let k = from; k < to; k++) if (history.outcome[k] !== unchangedOutcome) changes[i]++;
    if (from === to && prior === null) uncheckedCount++;
    else estimator.estimate(i, estimates);
  }
  return { uncheckedCount, ...estimates };
}

/** Estimates pages one after another, with one likelihood object for all. */
class PageEstimator {
  readonly #likelihood = new ChangeLikelihood();
  readonly #history: CheckHistory;
  readonly #weights: Float64Array | null;
  readonly #prior: GammaPrior | null;
  readonly #reduceBias: boolean;
  readonly #confidence: number;
  /** Fall of ℓ from its maximum to the ends of an interval. */
  readonly #drop: number;

  constructor({ history, method, confidence, weights = null }: ChangeRatesProblem, prior: GammaPrior | null) {
    this.#history = history;
    this.#weights = weights;
    this.#prior = prior;
    this.#reduceBias = method === 'bias-reduced' && prior === null;
    this.#confidence = confidence;
    const z = standardNormalQuantile(0.5 + 0.5 * confidence);
    this.#drop = 0.5 * z * z;
  }

  /** Estimates page i, which has a check or a prior; `changes[i]` is the number of its checks that saw a change. */
  estimate(i: number, { rate, low, high, changes }: Estimates): void {
    const likelihood = this.#likelihood;
    const prior = this.#prior;
    const reduceBias = this.#reduceBias;
    const from = this.#history.offsets[i];
    const to = this.#history.offsets[i + 1];
    likelihood.load(this.#history, from, to, this.#weights, reduceBias);
    if (prior !== null) {
      likelihood.addPrior(prior.shape, prior.rate);
      rate[i] = likelihood.maximise(false, prior.shape / prior.rate);
      [low[i], high[i]] = likelihood.crossings(rate[i], this.#drop);
    } else if (changes[i] === 0) {
      high[i] = -Math.log1p(-this.#confidence) / likelihood.exposure;
      if (!reduceBias) likelihood.load(this.#history, from, to, this.#weights, true);
      likelihood.spreadHalfAChange();
      rate[i] = likelihood.maximise(reduceBias, 0.5 / likelihood.span);
    } else if (likelihood.exposure === 0) {
      low[i] = likelihood.minRateOfAllChanged(this.#confidence);
      high[i] = Number.POSITIVE_INFINITY;
      if (!reduceBias) {
        likelihood.load(this.#history, from, to, this.#weights, true);
        likelihood.withholdHalfAChange();
      }
      rate[i] = likelihood.maximise(true, Math.log1p(2 * (to - from)) / likelihood.shortestGap);
    } else {
      const start = likelihood.changes / (likelihood.exposure + 0.5 * (likelihood.span - likelihood.exposure));
      const peak = likelihood.maximise(false, start);
      [low[i], high[i]] = likelihood.crossings(peak, this.#drop);
      rate[i] = reduceBias ? likelihood.maximise(true, peak) : peak;
    }
  }
}

function warningsOf(uncheckedCount: number, anyCheck: boolean, hasPrior: boolean): Warning[] {
  const warnings: Warning[] = [];
  if (uncheckedCount > 0) {
    const detail = anyCheck
      ? uncheckedCount === 1
        ? '1 page has no check: its rate is that of all pages pooled, its interval unbounded'
        : `${uncheckedCount} pages have no check: their rate is that of all pages pooled, their interval unbounded`
      : 'no page has a check: the rate of 1 per time unit says nothing; give a prior {shape, rate}';
    warnings.push({ code: 'no-checks', detail, pointer: '/pages' });
  }
  if (!hasPrior) {
    const detail = 'no prior was fitted: at least two pages with checks, and one change, are needed';
    warnings.push({ code: 'no-prior', detail, pointer: '/prior' });
  }
  return warnings;
}

/**
 * One rate for all checks of all pages: half a change more than was seen, over the total time between checks; 1 without
 * any check.
 *
 * @param maxGap longer gaps count as this long
 */
export function pooledRate(history: CheckHistory, weights: Float64Array | null, maxGap = Infinity): number {
  const { elapsed, outcome } = history;
  let changes = 0.5;
  let time = 0;
  for (let k = 0; k < elapsed.length; k++) {
    const weight = weights === null ? 1 : weights[k];
    const gap = elapsed[k];
    if (outcome[k] !== unchangedOutcome) changes += weight;
    time += weight * (gap < maxGap ? gap : maxGap);
  }
  return time > 0 ? changes / time : 1;
}
