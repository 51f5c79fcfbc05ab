/**
 * The course of a rhythm with all that is open about it: not only the θ at the likeliest spread τ of courses, but
 * over the spreads that the log leaves possible.
 *
 * A log of a few hundred changes says little of how far courses lie from flat ones. At one τ too small every θ is
 * drawn too close to the centre, and its interval is too narrow with it. About the maximum the likelihood is a normal
 * one in θ, with the slope g and the information I there; so for each τ of the day and of the week on a grid, in
 * closed form,
 *   C = (I + P)^{−1}, θ = centre + C·b, b = g + I(θ₀ − centre), ln evidence = (bᵀC b + ln|P| + ln|C|)/2,
 * P the precisions of the prior. τ is as likely to be between any two values as they are apart. θ is the mean over the
 * grid, weighed by evidence, and the covariance that of the mixture. Complexity: a factorisation of 14 × 14 for each of
 * the 64 points of the grid. Source: MacKay 1992 for the evidence; Gelman 2006 for the law of τ; the sum over a grid in
 * place of its maximum, Rue, Martino & Chopin 2009 (section 3).
 */
import { factorise, inverseFactorised } from '../../numerics/linear/cholesky.ts';
import { dailyWaves, order, waves } from './week.ts';

/** τ: from next to flat to hours that differ tenfold and more. */
const spreads = [0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.1, 1.6];

/** The likelihood about a point: its slope and information there, the rates eliminated. */
export interface NormalLikelihood {
  readonly at: Float64Array;
  readonly slope: Float64Array;
  /** Lower triangle, row-major. */
  readonly information: Float64Array;
}

export interface CourseEstimate {
  readonly theta: Float64Array;
  /** Row-major. */
  readonly covariance: Float64Array;
}

export function overSpreads({ at, slope, information }: NormalLikelihood, centre: Float64Array): CourseEstimate {
  const b = slope.slice();
  for (let j = 0; j < waves; j++) {
    for (let l = 0; l < waves; l++) b[j] += information[Math.max(j, l) * waves + Math.min(j, l)] * (at[l] - centre[l]);
  }
  const points = spreads.flatMap((day) => spreads.map((week) => underSpread(information, b, day, week)));
  const most = Math.max(...points.map(({ evidence }) => evidence));
  const weights = points.map(({ evidence }) => Math.exp(evidence - most));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = new Float64Array(waves);
  for (const [k, { move }] of points.entries()) {
    for (let j = 0; j < waves; j++) mean[j] += (weights[k] / total) * move[j];
  }
  const covariance = new Float64Array(waves * waves);
  for (const [k, point] of points.entries()) {
    for (let j = 0; j < waves; j++) {
      for (let l = 0; l < waves; l++) {
        const between = (point.move[j] - mean[j]) * (point.move[l] - mean[l]);
        covariance[j * waves + l] += (weights[k] / total) * (point.covariance[j * waves + l] + between);
      }
    }
  }
  return { theta: centre.map((each, j) => each + mean[j]), covariance };
}

/** θ − centre and its covariance at a spread of the day's waves and one of the week's, and its evidence's logarithm. */
function underSpread(information: Float64Array, b: Float64Array, day: number, week: number) {
  const matrix = information.slice();
  let logs = 0;
  for (let j = 0; j < waves; j++) {
    const precision = (order[j] / (j < dailyWaves ? day : week)) ** 2;
    matrix[j * waves + j] += precision;
    logs += Math.log(precision);
  }
  factorise(matrix, waves);
  for (let j = 0; j < waves; j++) logs -= 2 * Math.log(matrix[j * waves + j]);
  const covariance = inverseFactorised(matrix, waves);
  const move = new Float64Array(waves);
  let explained = 0;
  for (let j = 0; j < waves; j++) {
    for (let l = 0; l < waves; l++) move[j] += covariance[j * waves + l] * b[l];
    explained += move[j] * b[j];
  }
  // the grid is even in ln τ
  const prior = Math.log(day * week);
  return { move, covariance, evidence: 0.5 * (explained + logs) + prior };
}
