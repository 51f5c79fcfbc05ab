/**
 * How pages change, read from a request: `changeRate`, `updates`, or the columns `process` with its parameters.
 *
 * Every page is a Poisson process, a renewal process of any law, or a list of possible times.
 */

import type { Law } from '../../../src/solvers/laws/index.ts';

/** What a certificate asks of the law of gaps between updates. */
export interface GapMoments {
  readonly law: Pick<Law, 'mean' | 'truncatedMean' | 'truncatedSecondMoment'>;
  readonly mean: number;
}

/** The update processes of a list of pages; typed arrays are by page unless said otherwise. */
export interface Updates {
  /** 0: Poisson, 2: renewal, 3: quasi-deterministic. */
  readonly process: Uint8Array;
  /** Mean time between updates; NaN for quasi-deterministic pages. */
  readonly meanGap: Float64Array;
  /** Position in `laws`, or among the quasi-deterministic pages. */
  readonly entry: Int32Array;
  readonly laws: readonly GapMoments[];
  /** Possible updates of quasi-deterministic page k: offsets[k]..offsets[k+1]−1; `staleAtStart` NaN where not given. */
  readonly quasi: {
    readonly offsets: Int32Array;
    readonly times: Float64Array;
    readonly probabilities: Float64Array;
    readonly staleAtStart: Float64Array;
  };
}

export const poisson = 0;
export const renewal = 2;
export const quasiDeterministic = 3;
