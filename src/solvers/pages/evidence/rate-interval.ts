/**
 * Between which rates a page's change rate lies with 95%: quantiles of its mixture of Gamma laws.
 *
 * ln of a tail is nearly straight in ln λ: the search for an age (worth-search.ts) finds the lower tail at λ and the
 * upper one at 1/λ, from the normal quantile of ln λ, to a thousandth of the rate.
 */
import { gammaFunction } from '../../numerics/special/gamma-function.ts';
import { largeShape, lowerGamma, poissonTerm, upperGamma } from '../../numerics/special/incomplete-gamma.ts';
import { normal95 } from '../../numerics/special/normal-quantile.ts';
import { meanRate, meanSquareRate, memories, type RateBeliefs } from './rate-beliefs.ts';
import { WorthSearch } from './worth-search.ts';

/** Probability of a rate below the interval, and of one above it. */
const tail = 0.025;
/** Relative tolerance of the ends of the interval. */
const tolerance = 1e-3;

export function rateInterval(beliefs: RateBeliefs, i: number): readonly [low: number, high: number] {
  const { shape, scale, share } = beliefs;
  const mean = meanRate(beliefs, i);
  const spread = Math.sqrt(Math.log1p(Math.max(1e-12, meanSquareRate(beliefs, i) / mean / mean - 1)));
  const middle = Math.log(mean) - 0.5 * spread * spread;
  /** Γ(a + 1) by memory, computed once for all rates; NaN for a large a, whose tails do not use it. */
  const gammas = [0, 1, 2, 3].map((k) => {
    const a = shape[memories * i + k];
    return a < largeShape ? gammaFunction(a + 1) : Number.NaN;
  });
  /** Adds the probability beyond a rate, and two derivatives of it: by −ln λ of the upper tail, else by ln λ. */
  const addTail = (upper: boolean, rate: number, sums: Float64Array): void => {
    for (let k = 0; k < memories; k++) {
      const at = memories * i + k;
      const x = scale[at] * rate;
      const term = poissonTerm(shape[at], x, gammas[k]);
      const density = share[at] * shape[at] * term;
      sums[0] += share[at] * (upper ? upperGamma(shape[at], x, term) : lowerGamma(shape[at], x, term));
      sums[1] += density;
      sums[2] += upper ? density * (x - shape[at]) : density * (shape[at] - x);
    }
  };
  const search = new WorthSearch(2, (end, x, sums) => addTail(end === 1, end === 1 ? 1 / x : x, sums));
  search.evaluate(0, Math.exp(middle - normal95 * spread));
  search.evaluate(1, Math.exp(-middle - normal95 * spread));
  return [search.ageAt(0, tail, tolerance), 1 / search.ageAt(1, tail, tolerance)];
}
