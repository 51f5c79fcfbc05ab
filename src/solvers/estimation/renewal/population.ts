/**
 * What all pages together say of one page's mean gap, before its own checks are looked at.
 *
 * Model: θ_i = ln(mean gap of page i) is normal about a line in z_i = ln(mean time between its checks). Crawlers look
 * more often at pages that change more often. A page pulled to a centre common to all would then seem less regular than
 * it is. Fitted by expectation maximisation. The line comes by least squares through the pages' means of θ, its slope
 * with a normal prior of variance 1 about 0. The variance about it with one page's worth of 1, so that a page alone is
 * not pulled anywhere. Source: Dempster, Laird & Rubin 1977; Gelman et al. 2013, chapter 15 (hierarchical regressions).
 */
export interface Population {
  /** Of θ where z is `spacing`, the mean of the pages' z. */
  readonly centre: number;
  readonly spacing: number;
  /** How much θ rises with z. */
  readonly slope: number;
  readonly variance: number;
}

/** ln of the density of θ of a page of this z. */
export function logPrior(theta: number, population: Population, z: number): number {
  const { centre, spacing, slope, variance } = population;
  const away = theta - centre - slope * (z - spacing);
  return -0.5 * (away ** 2 / variance + Math.log(2 * Math.PI * variance));
}

/** What is known of the pages: means and variances of θ, and z. */
interface Pages {
  readonly theta: Float64Array;
  readonly variance: Float64Array;
  readonly z: Float64Array;
}

/** The population that fits the pages best; `known`: its variance so far, against which the slope's prior is weighed. */
export function fittedPopulation({ theta, variance, z }: Pages, known = 1): Population {
  const centre = mean(theta);
  const spacing = mean(z);
  let product = 0;
  let square = known;
  for (const [p, value] of theta.entries()) {
    product += (z[p] - spacing) * (value - centre);
    square += (z[p] - spacing) ** 2;
  }
  const slope = product / square;
  let sum = 1;
  for (const [p, value] of theta.entries()) sum += (value - centre - slope * (z[p] - spacing)) ** 2 + variance[p];
  return { centre, spacing, slope, variance: sum / (theta.length + 1) };
}

function mean(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** In standard deviations of the centre and the line, and of the variance in logarithms. */
export const distance = (from: Population, to: Population): number =>
  (Math.abs(to.centre - from.centre) + Math.abs(to.slope - from.slope)) / Math.sqrt(from.variance) +
  Math.abs(Math.log(to.variance / from.variance));
