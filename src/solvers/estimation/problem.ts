/** The problem of each estimator, in plain numbers and typed arrays. */
import type { CheckHistory } from './changes/check-history.ts';
import type { GammaPrior } from './changes/gamma-prior.ts';

type Matrix = readonly (readonly number[])[];

export interface ChangeRatesProblem {
  /** The checks of every page; elapsed times must be above 0. */
  readonly history: CheckHistory;
  readonly method: 'maximum-likelihood' | 'bias-reduced';
  readonly prior: 'none' | 'empirical-bayes' | GammaPrior;
  /** Confidence of the intervals, in (0, 1). */
  readonly confidence: number;
  /** Weight of each check (null: 1 each), which may fade with its age. */
  readonly weights?: Float64Array | null;
  /** 1 for pages that are not estimated: their rate stays 0. */
  readonly skip?: Uint8Array;
}

export interface ArrivalProcessProblem {
  /** Times of arrivals, in any order, in one unit of time. */
  readonly timestamps: ArrayLike<number>;
  /** Longest time between two arrivals of one batch. */
  readonly batchGap: number;
  /** Time between arrivals above which a new session starts; left out: there is one session. */
  readonly sessionGap?: number | undefined;
  readonly lags: number;
  readonly interval: 'start-to-start' | 'end-to-start';
}

/** The service time by its three moments about 0 or by a sample of positive values. `scale` divides the values. */
export interface ServiceTimeProblem {
  readonly moments?: readonly number[] | undefined;
  readonly sample?: ArrayLike<number> | undefined;
  readonly scale: number;
}

export interface UpdateProcessProblem {
  /** Times between updates, in order, above 0. */
  readonly gaps: Float64Array;
  /** Time since the last update, if the next has not come yet; 0 for none. */
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
  /** c: click probabilities, a row for each position; or the parameters of Zipf's law. */
  readonly clicks: Matrix | ZipfClicks;
  /** b: impressions by page, each matrix of the shape of the clicks. */
  readonly impressions: readonly Matrix[];
  /** d: probability that a stale copy gives a wrong answer, by page. */
  readonly errorProbability: Float64Array;
  /** Name of each page; left out where the request has none. */
  readonly ids?: readonly (string | null)[];
}
