/**
 * A batch Markovian arrival process from the timestamps of arrivals.
 *
 * The record: sorted; a gap above `sessionGap` ends a session and is dropped; a gap at or below `batchGap` adds to the
 * batch. Intervals between batches run from start to start, which keeps the rate. Or they run from the end of one to
 * the start of the next: the reading of Avrachenkov et al., which overstates the rate. No pair of a lag spans two
 * sessions.
 * Model: interval marginal with mean and squared coefficient of variation c²:
 * - c² > 1: hyperexponential (p, μ₁, μ₂) on three moments (on two, with balanced means, where three are impossible);
 *   D₀ = −diag(μ), D₁ = diag(μ)(ηI + (1−η)e·π), π = (p, 1−p). Lag-k correlation η^k(c²−1)/(2c²); η by least squares over the
 *   lags, within −min(p/(1−p), (1−p)/p) ≤ η < 1.
 * - c² ≤ 1: no such process; a renewal one with mixed Erlang intervals (Poisson at c² = 1).
 * Batches independent of the intervals: D_k = d_k·D₁, d_k the share of batches of size k.
 * Stopping rule for η: golden sections to 1e−10 on either side of 0. Complexity: O(n log n + n·lags).
 * Source: Avrachenkov et al. 2012, section 7; Diamond & Alfa 2000. The paper's printed correlations .622 … .507 cannot
 * belong to its matrices: in this family c² bounds every correlation by (c²−1)/(2c²) = .0623. They are ten times too
 * large. (Processes of more phases and another form reach more with the same mean and variance.)
 */
import type { Warning } from '../../answer.ts';
import { type Budget, NothingToReturn, unlimitedBudget } from '../../budget.ts';
import { ConditionNotMet } from '../../condition.ts';
import { createLaw } from '../../laws/index.ts';
import { goldenSection } from '../../numerics/search/golden-section.ts';
import type { ArrivalProcessProblem } from '../problem.ts';
import { fitBranches, fitMixedErlang, momentsOf, sampleMoments } from './service-time.ts';

export interface ArrivalRecord {
  /** Intervals between batches, and the position in that list at which each session starts. */
  readonly intervals: Float64Array;
  readonly sessionStarts: Uint32Array;
  /** Number of batches by size: counts[k] of size k. */
  readonly batchCounts: Uint32Array;
  readonly batches: number;
}

export interface SeriesMoments {
  readonly mean: number;
  /** Mean squared deviation: the sum over n, not n − 1. */
  readonly variance: number;
  /** Correlations at lags 1, 2, …; null where no session is long enough. */
  readonly correlations: readonly (number | null)[];
}

type ArrivalShape = 'three-moments' | 'balanced-means' | 'mixed-erlang' | 'poisson';

export interface ArrivalFit {
  /** D₀, D₁, … of the batch Markovian arrival process, each as a list of rows. */
  readonly matrices: readonly (readonly (readonly number[])[])[];
  readonly fitted: SeriesMoments;
  readonly shape: ArrivalShape;
  readonly eta: number;
  /** The largest correlation the marginal allows at any lag; 0 for a renewal process. */
  readonly largestCorrelation: number;
}

/** Splits timestamps (in any order) into sessions, batches and intervals. */
export function readArrivals(
  timestamps: ArrayLike<number>,
  batchGap: number,
  sessionGap: number,
  fromStart: boolean,
): ArrivalRecord {
  const times = Float64Array.from(timestamps).sort();
  const intervals: number[] = [];
  const sessionStarts: number[] = [0];
  const sizes = new Map<number, number>();
  let size = 1;
  let reference = times[0];
  let batches = 0;
  const close = (): void => {
    sizes.set(size, (sizes.get(size) ?? 0) + 1);
    batches++;
  };
  for (let k = 1; k < times.length; k++) {
    const gap = times[k] - times[k - 1];
    if (gap <= batchGap) {
      size++;
      if (!fromStart) reference = times[k];
      continue;
    }
    close();
    size = 1;
    if (gap > sessionGap) sessionStarts.push(intervals.length);
    else intervals.push(times[k] - reference);
    reference = times[k];
  }
  close();
  const largest = Math.max(...sizes.keys());
  const batchCounts = new Uint32Array(largest + 1);
  for (const [k, count] of sizes) batchCounts[k] = count;
  return {
    intervals: Float64Array.from(intervals),
    sessionStarts: Uint32Array.from(sessionStarts),
    batchCounts,
    batches,
  };
}

/**
 * Mean, variance (over n) and correlations at lags 1..lags of the intervals. Only pairs within a session count.
 *
 * @throws NothingToReturn when the budget ends first
 */
export function observeSeries(
  { intervals, sessionStarts }: ArrivalRecord,
  lags: number,
  budget: Budget = unlimitedBudget(),
): SeriesMoments {
  const n = intervals.length;
  const { mean, variance } = sampleMoments(intervals);
  const correlations = Array.from({ length: lags }, (_, index) => {
    const lag = index + 1;
    if (budget.stopRequested()) throw new NothingToReturn('the correlations were not complete');
    let sum = 0;
    let pairs = 0;
    for (let s = 0; s < sessionStarts.length; s++) {
      const end = s + 1 < sessionStarts.length ? sessionStarts[s + 1] : n;
      for (let k = sessionStarts[s]; k + lag < end; k++) {
        sum += (intervals[k] - mean) * (intervals[k + lag] - mean);
        pairs++;
      }
    }
    return pairs > 0 && variance > 0 ? sum / pairs / variance : null;
  });
  return { mean, variance, correlations };
}

/** The arrival process with the observed moments and correlations; where `thirdMoment` is null, with two moments. */
export function fitArrivals(
  observed: SeriesMoments,
  thirdMoment: number | null,
  batchShares: readonly number[],
): ArrivalFit {
  const { mean, variance } = observed;
  const scv = variance / (mean * mean);
  if (scv <= 1 + 1e-9) return fitRenewal(observed, scv, batchShares);
  const three = thirdMoment === null ? null : momentsOf(mean, variance + mean * mean, thirdMoment);
  const { probability, rates, balanced: isBalanced } = fitBranches(three, mean, scv);
  const largestCorrelation = (scv - 1) / (2 * scv);
  const odds = probability / (1 - probability);
  const eta = bestDecay(observed.correlations, largestCorrelation, -Math.min(odds, 1 / odds));
  const start = [probability, 1 - probability];
  // At the least decay a diagonal entry is 0, which rounding must not turn into a negative rate.
  const d1 = rates.map((rate, i) => start.map((p, j) => Math.max(0, rate * ((1 - eta) * p + (i === j ? eta : 0)))));
  const d0 = rates.map((rate, i) => rates.map((_, j) => (i === j ? -rate : 0)));
  return {
    matrices: [d0, ...batchShares.map((share) => d1.map((row) => row.map((x) => share * x)))],
    fitted: { mean, variance, correlations: observed.correlations.map((_, k) => largestCorrelation * eta ** (k + 1)) },
    shape: isBalanced ? 'balanced-means' : 'three-moments',
    eta,
    largestCorrelation,
  };
}

function fitRenewal(observed: SeriesMoments, scv: number, batchShares: readonly number[]): ArrivalFit {
  const fit = fitMixedErlang(observed.mean, Math.min(1, scv));
  if (fit.kind !== 'fitted') throw new Error('a mixed Erlang law exists for every scv up to 1');
  const form = createLaw(fit.distribution).phaseType();
  if (form === null) throw new Error('a mixed Erlang law is of phase type');
  const { initial, generator: d0 } = form;
  const exits = d0.map((row, i) => (i === d0.length - 1 ? -row[i] : 0));
  const d1 = exits.map((exit) => initial.map((p) => exit * p));
  const fittedScv = Math.max(scv, fit.note === 'mean-only' ? 1 / initial.length : 0);
  return {
    matrices: [d0, ...batchShares.map((share) => d1.map((row) => row.map((x) => share * x)))],
    fitted: {
      mean: observed.mean,
      variance: Math.min(1, fittedScv) * observed.mean * observed.mean,
      correlations: observed.correlations.map(() => 0),
    },
    shape: initial.length === 1 ? 'poisson' : 'mixed-erlang',
    eta: 0,
    largestCorrelation: 0,
  };
}

/** The decay η in [lowest, 1) that minimises Σ_k (c·η^k − r_k)² over the observed lags; 0 where no lag is observed. */
export function bestDecay(correlations: readonly (number | null)[], c: number, lowest: number): number {
  const cost = (eta: number): number =>
    correlations.reduce<number>((sum, r, k) => (r === null ? sum : sum + (c * eta ** (k + 1) - r) ** 2), 0);
  if (correlations.every((r) => r === null)) return 0;
  // the squared error of a power has a minimum on either side of 0
  const [negative, positive] = [goldenSection(cost, lowest, 0, 1e-10), goldenSection(cost, 0, 1 - 1e-6, 1e-10)];
  return negative.value < positive.value ? negative.at : positive.at;
}

/** Largest batch that is accepted: a process with more matrices is of no use. */
export const maxBatchSize = 1000;

/**
 * Reads timestamps as batches and intervals. O(timestamps), and a sort where they are in no order.
 *
 * @throws ConditionNotMet where a batch is too large, there are too few intervals, or their mean is 0 or too small
 */
export function readRecord(problem: ArrivalProcessProblem): ArrivalRecord {
  const { timestamps, batchGap, sessionGap = Number.POSITIVE_INFINITY, interval } = problem;
  const record = readArrivals(timestamps, batchGap, sessionGap, interval === 'start-to-start');
  const largest = record.batchCounts.length - 1;
  if (largest > maxBatchSize) {
    const message = `of ${batchGap} makes a batch of ${largest} arrivals; at most ${maxBatchSize} are accepted: lower it`;
    throw new ConditionNotMet(['batchGap'], 'batch-too-large', message);
  }
  const { intervals } = record;
  let mean = 0;
  for (const x of intervals) mean += x / intervals.length;
  if (intervals.length < 2 || !(mean > 0)) {
    const message = `make ${intervals.length} intervals between batches; at least 2 of positive mean are needed: lower batchGap or raise sessionGap`;
    throw new ConditionNotMet(['timestamps'], 'too-few-intervals', message);
  }
  // the variance is a square: below this mean it underflows, and the shape of the law is lost
  if (mean < 1e-90) {
    const message = `have intervals of ${mean} on average; at least 1e-90 is needed: choose a smaller unit of time`;
    throw new ConditionNotMet(['timestamps'], 'beyond-double-precision', message);
  }
  return record;
}

/**
 * Fits a batch Markovian arrival process to timestamps.
 *
 * @throws ConditionNotMet where the timestamps cannot be read as batches and intervals
 * @throws NothingToReturn when the budget ends first
 */
export function solveArrivalProcess(problem: ArrivalProcessProblem, budget: Budget) {
  const { lags } = problem;
  const record = readRecord(problem);
  const observed = observeSeries(record, lags, budget);
  const [, , thirdMoment] = sampleMoments(record.intervals).moments;
  const shares = Array.from(record.batchCounts.subarray(1), (count) => count / record.batches);
  const fit = fitArrivals(observed, thirdMoment, shares);
  const meanBatch = shares.reduce((sum, share, k) => sum + share * (k + 1), 0);
  return {
    status: 'evaluated' as const,
    solution: {
      matrices: fit.matrices,
      batchSizes: shares.flatMap((probability, k) => (probability > 0 ? [{ size: k + 1, probability }] : [])),
      observed,
      fitted: fit.fitted,
      arrivalRate: meanBatch / fit.fitted.mean,
      batches: record.batches,
      sessions: record.sessionStarts.length,
    },
    warnings: arrivalWarnings(fit, observed),
    statistics: { solver: fit.shape, intervals: record.intervals.length, decay: fit.eta },
  };
}

function arrivalWarnings(fit: ArrivalFit, { mean, variance, correlations }: SeriesMoments): Warning[] {
  const { shape, largestCorrelation } = fit;
  const warnings: Warning[] = [];
  const scv = variance / (mean * mean);
  if (shape === 'mixed-erlang' || shape === 'poisson') {
    const detail = `the intervals have a squared coefficient of variation of ${scv.toPrecision(3)}, at most 1: a renewal process (${shape}) is fitted, without correlation`;
    warnings.push({ code: 'renewal-fallback', detail });
  }
  if (shape === 'balanced-means') {
    const detail =
      'no hyperexponential law has the third moment of these intervals: fitted on mean and variance, with balanced means';
    warnings.push({ code: 'third-moment-left', detail });
  }
  const lagOne = correlations[0];
  if (lagOne !== null && largestCorrelation > 0 && lagOne > largestCorrelation * 1.05) {
    const detail = `the correlation at lag 1 is ${lagOne}; with scv ${scv} this family reaches at most ${largestCorrelation}`;
    warnings.push({ code: 'correlation-out-of-reach', detail });
  }
  return warnings;
}
