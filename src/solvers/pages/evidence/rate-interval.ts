/**
 * Between which rates a page's change rate lies with 95%: quantiles of its mixture of Gamma laws.
 *
 * Halley's method on ln of the tail in ln λ, kept in a bracket, from the normal quantile of ln λ. Found to a thousandth
 * of the rate.
 */
import { gammaFunction } from '../../numerics/special/gamma-function.ts';
import { largeShape, lowerGamma, poissonTerm, upperGamma } from '../../numerics/special/incomplete-gamma.ts';
import { normal95 } from '../../numerics/special/normal-quantile.ts';
import { meanRate, meanSquareRate, memories, type RateBeliefs } from './rate-beliefs.ts';

/** Probability of a rate beyond either end of the interval. */
const tail = 0.025;
/** Length at which the search stops after a step; the remaining error is about its cube. */
const tolerance = 0.08;
/** Largest number of steps of the search; it mostly takes three or four. */
const maxSteps = 60;
/** Weight below which a memory is left out: small against tails of 2.5%. */
const negligibleShare = 1e-5;

export function rateInterval(beliefs: RateBeliefs, i: number): readonly [low: number, high: number] {
  const mean = meanRate(beliefs, i);
  const square = meanSquareRate(beliefs, i);
  const spread = Math.sqrt(Math.log1p(Math.max(1e-12, square / mean / mean - 1)));
  const middle = Math.log(mean) - 0.5 * spread * spread;
  const gammas = [0, 1, 2, 3].map((k) => gammaOf(beliefs.shape[memories * i + k]));
  const tails = { beliefs, gammas, i };
  return [
    Math.exp(quantile(tails, middle - normal95 * spread, lowerGamma, 1)),
    Math.exp(quantile(tails, middle + normal95 * spread, upperGamma, -1)),
  ];
}

/** Γ(a + 1) where a tail needs it: the same at all rates. */
const gammaOf = (shape: number): number => (shape < largeShape ? gammaFunction(shape + 1) : Number.NaN);

/** The laws of page i. */
interface Tails {
  readonly beliefs: RateBeliefs;
  readonly gammas: readonly number[];
  readonly i: number;
}

/** The ln λ beyond which one tail holds 2.5%; `rises` is 1 where the tail grows with λ, −1 where it falls. */
function quantile(
  { beliefs: { shape, scale, share }, gammas, i }: Tails,
  start: number,
  tailOf: (a: number, x: number, term: number) => number,
  rises: 1 | -1,
): number {
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  let at = start;
  for (let step = 0; step < maxSteps; step++) {
    let mass = 0;
    let density = 0;
    let slope = 0;
    for (let m = memories * i; m < memories * (i + 1); m++) {
      if (share[m] < negligibleShare) continue;
      const x = scale[m] * Math.exp(at);
      const term = poissonTerm(shape[m], x, gammas[m - memories * i]);
      mass += share[m] * tailOf(shape[m], x, term);
      density += share[m] * shape[m] * term;
      slope += share[m] * shape[m] * term * (shape[m] - x);
    }
    const miss = Math.log(mass / tail);
    if (rises * miss > 0) high = at;
    else low = at;
    const newton = (rises * miss * mass) / density;
    const bend = slope / density - (rises * density) / mass;
    let next = at - newton / Math.max(0.5, 1 - 0.5 * newton * bend);
    if (!(next > low && next < high)) {
      if (low === Number.NEGATIVE_INFINITY) next = high - 1;
      else next = high === Number.POSITIVE_INFINITY ? low + 1 : 0.5 * (low + high);
    }
    const step95 = Math.abs(next - at);
    at = next;
    if (step95 < tolerance) break;
  }
  return at;
}
