/** The problem of each estimator, in plain numbers and typed arrays. */
import type { CheckHistory } from './changes/check-history.ts';
import type { GammaPrior } from './changes/gamma-prior.ts';

type Matrix = readonly (readonly number[])[];

export interface ChangeRatesProblem {
  /** Elapsed times must be above 0. */
  readonly history: CheckHistory;
  readonly method: 'maximum-likelihood' | 'bias-reduced';
  readonly prior: 'none' | 'empirical-bayes' | GammaPrior;
  /** Confidence of the intervals, in (0, 1). */
  readonly confidence: number;
  /** Weight of each check (null: 1 each), e.g. fading with its age. */
  readonly weights?: Float64Array | null;
  /** 1 for pages whose rate is not needed: it stays 0. */
  readonly skip?: Uint8Array;
}

export interface ArrivalProcessProblem {
  /** In any order, in one unit of time. */
  readonly timestamps: ArrayLike<number>;
  /** Arrivals at most so far apart are one batch. */
  readonly batchGap: number;
  /** A longer gap is a pause; left out: none is. */
  readonly sessionGap?: number | undefined;
  readonly lags: number;
  readonly interval: 'start-to-start' | 'end-to-start';
}

/** Three moments about 0, or a sample of positive values, one of the two; `scale` divides the values. */
export interface ServiceTimeProblem {
  readonly moments?: readonly number[] | undefined;
  readonly sample?: ArrayLike<number> | undefined;
  readonly scale: number;
}

export interface UpdateProcessProblem {
  /** Times between updates, in order, above 0. */
  readonly gaps: Float64Array;
  /** Time since the last update, the next not having come yet; 0 for none. */
  readonly openGap: number;
}

/** Clicks by Zipf over all positions, times a geometric factor over the result pages. */
export interface ZipfClicks {
  /** θ in [0, 1]. */
  readonly zipf: number;
  /** s in [0, 1]: chance that a reader goes on to the next result page. */
  readonly continue: number;
  readonly positions: number;
  readonly pages: number;
}

export interface EmbarrassmentProblem {
  /** c, rows are positions; or how to make it. */
  readonly clicks: Matrix | ZipfClicks;
  /** b by page, each of the shape of the clicks. */
  readonly impressions: readonly Matrix[];
  /** d by page. */
  readonly errorProbability: Float64Array;
  /** By page; left out where the request has none. */
  readonly ids?: readonly (string | null)[];
}
