/**
 * The families of laws a page's gaps between updates may follow, each with the mean as its scale and one shape besides.
 *
 * The search runs over a coordinate x of the shape in which likelihoods are nearly parabolas. For Weibull and gamma
 * laws of shape k, x is ln k. For lognormal laws it is ln σ, for Lomax laws of shape α it is ln(α − 1) (α > 1:
 * crawl-allocation needs a mean). It is ln j for a period with jitter: gaps spread evenly over mean·(1 ± j). Every x is
 * as likely beforehand, but of Lomax laws every 1/α. The exponential law is 1/α = 0, and how far x runs towards it says
 * nothing.
 */
import type { Distribution } from '../../laws/index.ts';
import { logGamma } from '../../numerics/special/gamma-function.ts';

export type FamilyName = 'exponential' | 'weibull' | 'gamma' | 'lognormal' | 'lomax' | 'periodic';

export interface LawFamily {
  readonly name: FamilyName;
  /** The least and the largest x; equal where the family has no shape. */
  readonly lowest: number;
  readonly highest: number;
  /** The shape as the answer says it. */
  shape(x: number): number;
  /** ln of how likely x is beforehand, but for a constant. */
  logPrior(x: number): number;
  distribution(x: number, mean: number): Distribution;
}

const even = (): number => 0;

const exponential: LawFamily = {
  name: 'exponential',
  lowest: 0,
  highest: 0,
  shape: () => 1,
  logPrior: even,
  distribution: (_, mean) => ({ type: 'exponential', rate: 1 / mean }),
};

const weibull: LawFamily = {
  name: 'weibull',
  lowest: Math.log(0.25),
  highest: Math.log(12),
  shape: Math.exp,
  logPrior: even,
  distribution(x, mean) {
    const shape = Math.exp(x);
    return { type: 'weibull', shape, scale: mean * Math.exp(-logGamma(1 + 1 / shape)) };
  },
};

const gamma: LawFamily = {
  name: 'gamma',
  lowest: Math.log(0.1),
  highest: Math.log(100),
  shape: Math.exp,
  logPrior: even,
  distribution(x, mean) {
    const shape = Math.exp(x);
    return { type: 'gamma', shape, rate: shape / mean };
  },
};

const lognormal: LawFamily = {
  name: 'lognormal',
  lowest: Math.log(0.1),
  highest: Math.log(3),
  shape: Math.exp,
  logPrior: even,
  distribution(x, mean) {
    const sigma = Math.exp(x);
    return { type: 'lognormal', mu: Math.log(mean) - 0.5 * sigma * sigma, sigma };
  },
};

const lomax: LawFamily = {
  name: 'lomax',
  lowest: Math.log(0.05),
  highest: Math.log(50),
  shape: (x) => 1 + Math.exp(x),
  logPrior: (x) => x - 2 * Math.log1p(Math.exp(x)),
  distribution: (x, mean) => ({ type: 'lomax', shape: 1 + Math.exp(x), scale: mean * Math.exp(x) }),
};

const periodic: LawFamily = {
  name: 'periodic',
  lowest: Math.log(0.1),
  highest: 0,
  shape: Math.exp,
  logPrior: even,
  distribution(x, mean) {
    const jitter = Math.exp(x);
    return { type: 'uniform', min: mean * Math.max(0, 1 - jitter), max: mean * (1 + jitter) };
  },
};

/** The exponential law first: it is always fitted. */
export const lawFamilies: readonly LawFamily[] = [exponential, weibull, gamma, lognormal, lomax, periodic];
