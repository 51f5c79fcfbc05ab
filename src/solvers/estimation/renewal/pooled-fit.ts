/**
 * One shape for all pages, a mean gap for each: the marginal likelihood of a shape.
 *
 * Model: θ_i = ln(mean gap of page i) is drawn from a population (population.ts); the page's checks then follow the
 * renewal process. Method: the likelihood of every page's checks on a grid of θ_i that holds its mass (mass-grid.ts).
 * Sums over it are the page's integral and the mean and variance of θ_i, from which the population comes, and so on in
 * turn. Normal approximations in place of the sums (Laplace) fail for laws with a least and a longest gap. Their
 * likelihood in θ_i has edges closer together than any difference that finds a curvature. Maximising over every θ_i
 * instead would overfit, with one free mean per page. Complexity: eight to twenty likelihoods a page and shape; twice
 * that where the population moves. Grids are laid about the means and as wide as at the shape before, which is near.
 */
import type { Poll } from '../../budget.ts';
import { holdsMass, type MassGrid, massGrid, massOf } from '../../numerics/quadrature/mass-grid.ts';
import { AgeRecursion } from './age-recursion.ts';
import type { CheckRuns } from './check-runs.ts';
import type { LawFamily } from './law-families.ts';
import { distance, fittedPopulation, logPrior, type Population } from './population.ts';
import { type UnitLaw, unitLaw } from './unit-law.ts';

/** Of the grids, in standard deviations of a page's θ. */
const firstStep = 0.7;
/** A page's variance before its checks are looked at, in that of the population. */
const varianceAtFirst = 0.5;
/** Where grids are laid a page's variance counts as at least that, in that of the population. */
const leastVariance = 4e-4;
const inCore = 4;
const mostRounds = 4;
const mostUpdates = 30;
/** Moves of the population (distance) that do not matter. */
const settled = 1e-3;
/** Shapes this much less likely than the best leave no trace in where the next grids are laid. */
const farBelow = 30;
/** Elementary steps for a change seen, for polls: a microsecond or so. */
const stepsPerRun = 1000;

/** What is known of the pages' θ under a law and a population. */
interface PagesKnown {
  readonly logLikelihood: number;
  readonly theta: Float64Array;
  readonly variance: Float64Array;
}

export class PooledFit {
  readonly runs: CheckRuns;
  population: Population;
  /** At the last shape tried that is not far less likely than the best. */
  #pages: PagesKnown;
  #most = Number.NEGATIVE_INFINITY;
  readonly #recursion = new AgeRecursion();
  readonly #poll: Poll | undefined;

  /**
   * @param theta a first guess
   * @param poll told of every likelihood
   */
  constructor(runs: CheckRuns, theta: Float64Array, poll?: Poll) {
    this.runs = runs;
    this.#poll = poll;
    this.population = fittedPopulation({ theta, variance: new Float64Array(theta.length), z: runs.spacing });
    this.#pages = unknown(theta, this.population);
  }

  /** By page: mean of θ. */
  get theta(): Float64Array {
    return this.#pages.theta;
  }

  /** ln of the marginal likelihood of all pages under the family's law of shape coordinate x. */
  logLikelihood(family: LawFamily, x: number): number {
    const law = unitLaw(family.distribution(x, 1));
    let { population } = this;
    let likelihoods = Array.from(this.theta, (_, p) => this.#likelihood(law, population, p, this.#pages));
    let pages = this.#pages;
    for (let round = 0; round < mostRounds; round++) {
      for (let update = 0; update < mostUpdates; update++) {
        const before = population;
        pages = knownFrom(likelihoods, this.runs.spacing, before);
        population = fittedPopulation({ ...pages, z: this.runs.spacing }, before.variance);
        if (distance(before, population) < settled) break;
      }
      const outgrown = likelihoods.map((each, p) => !holdsMass(weighted(each, population, this.runs.spacing[p])));
      if (!outgrown.includes(true)) break;
      likelihoods = likelihoods.map((each, p) => (outgrown[p] ? this.#likelihood(law, population, p, pages) : each));
    }
    if (pages.logLikelihood > this.#most - farBelow) {
      this.#pages = pages;
      this.population = population;
    }
    this.#most = Math.max(this.#most, pages.logLikelihood);
    return pages.logLikelihood;
  }

  /** Every page's mean of θ under a population known beforehand. */
  settleUnder(population: Population, family: LawFamily, x: number): void {
    const law = unitLaw(family.distribution(x, 1));
    const first = unknown(this.theta, population);
    const likelihoods = Array.from(this.theta, (_, p) => this.#likelihood(law, population, p, first));
    this.population = population;
    this.#pages = knownFrom(likelihoods, this.runs.spacing, population);
  }

  /** ln P(checks of `runs` | each page's θ as it stands): to compare what is predicted of checks held out. */
  atMeans(family: LawFamily, x: number, runs: CheckRuns): number {
    const law = unitLaw(family.distribution(x, 1));
    let sum = 0;
    for (let p = 0; p < this.theta.length; p++) {
      sum += this.#recursion.logLikelihood(runs, p, law, Math.exp(this.theta[p]));
    }
    return sum;
  }

  /** ln P(checks of page p | θ) on a grid that holds the mass of θ under a population. */
  #likelihood(law: UnitLaw, population: Population, p: number, { theta, variance }: PagesKnown): MassGrid {
    const changes = this.runs.offsets[p + 1] - this.runs.offsets[p];
    const prior = (at: number): number => logPrior(at, population, this.runs.spacing[p]);
    const density = (at: number): number => {
      this.#poll?.(stepsPerRun * changes);
      return this.#recursion.logLikelihood(this.runs, p, law, Math.exp(at)) + prior(at);
    };
    const step = firstStep * Math.sqrt(Math.max(leastVariance * population.variance, variance[p]));
    const { first, step: found, logDensity } = massGrid(density, { at: theta[p], step, inCore });
    return { first, step: found, logDensity: logDensity.map((value, k) => value - prior(first + k * found)) };
  }
}

const unknown = (theta: Float64Array, population: Population): PagesKnown => ({
  logLikelihood: Number.NEGATIVE_INFINITY,
  theta: theta.slice(),
  variance: new Float64Array(theta.length).fill(varianceAtFirst * population.variance),
});

/** A likelihood times the prior of a page of this spacing. */
const weighted = ({ first, step, logDensity }: MassGrid, population: Population, spacing: number): MassGrid => ({
  first,
  step,
  logDensity: logDensity.map((value, k) => value + logPrior(first + k * step, population, spacing)),
});

function knownFrom(likelihoods: readonly MassGrid[], spacing: Float64Array, population: Population): PagesKnown {
  const theta = new Float64Array(likelihoods.length);
  const variance = new Float64Array(likelihoods.length);
  let logLikelihood = 0;
  for (const [p, grid] of likelihoods.entries()) {
    const posterior = massOf(weighted(grid, population, spacing[p]));
    logLikelihood += posterior.logMass;
    theta[p] = posterior.mean;
    variance[p] = posterior.variance;
  }
  return { logLikelihood, theta, variance };
}
