/**
 * One shape for all pages, a mean gap for each: the marginal likelihood of a shape.
 *
 * Model: θ_i = ln(mean gap of page i) is normal with mean m and variance s² over the pages; its own checks then follow
 * the renewal process. Method: the page's integral over θ_i by Laplace at its mode (damped Newton steps on
 * differences); m and s² by steps of expectation maximisation, s² with one page's worth of 1, so that a page alone is
 * not pulled anywhere.
 * To maximise over every θ_i instead would favour regular laws: as many free means as pages fit by chance.
 * Complexity: four or five likelihoods a page and pass. Modes and population are kept from one shape to the next, which
 * is near it.
 * Source: Tierney & Kadane 1986 (Laplace); Dempster, Laird & Rubin 1977.
 */
import type { Poll } from '../../budget.ts';
import { AgeRecursion } from './age-recursion.ts';
import type { CheckRuns } from './check-runs.ts';
import type { LawFamily } from './law-families.ts';
import { type UnitLaw, unitLaw } from './unit-law.ts';

const difference = 0.1;
const longestStep = 0.8;
const passes = 2;
/** Elementary steps to settle a page, for polls: four or five likelihoods, each a microsecond or so a change seen. */
const stepsPerRun = 5000;

/** Where the pages' means are thought to be. */
export interface Population {
  readonly centre: number;
  readonly variance: number;
}

export class PooledFit {
  readonly runs: CheckRuns;
  /** θ by page: the modes at the last shape tried. */
  readonly theta: Float64Array;
  population: Population;
  readonly #recursion = new AgeRecursion();
  readonly #poll: Poll | undefined;

  /** @param poll told of every page settled */
  constructor(runs: CheckRuns, theta: Float64Array, poll?: Poll) {
    this.runs = runs;
    this.#poll = poll;
    this.theta = theta.slice();
    this.population = updated(theta, 0);
  }

  /** Goes back to modes found before: those under a law far from the next may lie where Newton's steps lead nowhere. */
  startFrom(theta: Float64Array): void {
    this.theta.set(theta);
    this.population = updated(theta, 0);
  }

  /** ln of the marginal likelihood of all pages under the family's law of shape coordinate x. */
  logLikelihood(family: LawFamily, x: number): number {
    const law = unitLaw(family.distribution(x, 1));
    let sum = 0;
    for (let pass = 0; pass < passes; pass++) {
      sum = 0;
      let spread = 0;
      for (let p = 0; p < this.theta.length; p++) {
        const { value, variance } = this.#settle(law, p);
        sum += value + 0.5 * Math.log(variance / this.population.variance);
        spread += variance;
      }
      this.population = updated(this.theta, spread);
    }
    return sum;
  }

  /** Every page's mode under a population known beforehand. */
  settleUnder(population: Population, family: LawFamily, x: number): void {
    const law = unitLaw(family.distribution(x, 1));
    this.population = population;
    for (let p = 0; p < this.theta.length; p++) for (let k = 0; k < 4; k++) this.#settle(law, p);
  }

  /** ln P(checks of `runs` | each page's mode): to compare what is predicted of checks held out. */
  atModes(family: LawFamily, x: number, runs: CheckRuns): number {
    const law = unitLaw(family.distribution(x, 1));
    let sum = 0;
    for (let p = 0; p < this.theta.length; p++) {
      sum += this.#recursion.logLikelihood(runs, p, law, Math.exp(this.theta[p]));
    }
    return sum;
  }

  /** Moves θ_p to its mode; the joint density there (over that of the prior's peak) and the variance about it. */
  #settle(law: UnitLaw, p: number): { value: number; variance: number } {
    this.#poll?.(stepsPerRun * (this.runs.offsets[p + 1] - this.runs.offsets[p]));
    const { centre, variance: prior } = this.population;
    const density = (theta: number): number =>
      this.#recursion.logLikelihood(this.runs, p, law, Math.exp(theta)) - (theta - centre) ** 2 / (2 * prior);
    const at = this.theta[p];
    const below = density(at - difference);
    const here = density(at);
    const above = density(at + difference);
    const slope = (above - below) / (2 * difference);
    const curvature = Math.max(-(above - 2 * here + below) / difference ** 2, 0.5 / prior);
    const variance = 1 / curvature;
    const step = Math.max(-longestStep, Math.min(longestStep, slope / curvature));
    for (const part of [step, step / 4]) {
      const value = density(at + part);
      if (value < here) continue;
      this.theta[p] = at + part;
      return { value, variance };
    }
    return { value: here, variance };
  }
}

function updated(theta: Float64Array, spread: number): Population {
  let centre = 0;
  for (const value of theta) centre += value / theta.length;
  let square = spread + 1;
  for (const value of theta) square += (value - centre) ** 2;
  return { centre, variance: square / (theta.length + 1) };
}
