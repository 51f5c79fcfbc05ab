/**
 * The load of one access on a page that changes at Poisson rate s: L(s) = −ln E e^(−sX), X the access time. Its excess
 * s·E X − L(s) ≥ 0 is what randomness of the access time alone makes stale.
 *
 * Source of the model: Coffman, Liu & Weber (1997), Lemma 3.1 and Theorem 3.3.
 */
import { createLaw, type Distribution, type LogTransform } from '../laws/index.ts';

/** An access time, seen by pages that change. */
export interface AccessTime extends LogTransform {
  /** E X. */
  readonly mean: number;
}

/**
 * O(1) a call; O(n) for n empirical values, O(p³) for p phases, some hundred exponentials for lognormal and Weibull.
 */
export function accessTime(distribution: Distribution): AccessTime {
  const { mean, logTransform } = createLaw(distribution);
  return { mean, ...logTransform };
}
