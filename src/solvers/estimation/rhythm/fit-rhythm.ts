/**
 * The course of change rates over the week that checks show, shared by the pages given.
 *
 * Page i changes at rate λ_i·r(t), ln r = Σ θ_j φ_j (week.ts). A check of a gap with m = λ_i ∫r finds no change with
 * probability e^{−m}; a change of known age has the density λ_i·r there. Maximised over θ and all ln λ_i together:
 * - Fisher scoring: with d = ∂m/∂(θ, ln λ_i) a check informs by d·dᵀ/(e^m − 1); each ln λ_i is eliminated from the
 *   system (Schur complement), so that a step costs the checks and one system of the θ.
 * - λ_i has a gamma prior of shape 0.85 about the pooled rate, θ_j a normal one about `centre` with standard deviation
 *   τ/h for the h-th wave: courses are drawn to smooth ones. The steps are made at a wide τ; how wide it is to be, and
 *   what is open about it, is for the evidence to say afterwards (open-variances.ts).
 * Complexity: some 150 operations a check and step, a dozen steps or two. Source: Fisher scoring, Osborne 1992. Limits:
 * the same course on every day, raised or lowered as a whole by the day of the week.
 */
import type { Budget } from '../../budget.ts';
import { NothingToReturn } from '../../budget.ts';
import { factorise, solveFactorised } from '../../numerics/linear/cholesky.ts';
import { changedAtKnownAge, unchanged } from '../changes/check-history.ts';
import { type NormalLikelihood, overSpreads } from './open-variances.ts';
import type { PlacedChecks } from './placed-checks.ts';
import { hoursInWeek, order, wave, waves } from './week.ts';

const priorShape = 0.85;
/** τ of the steps. */
const wideSpread = 0.8;
const mostSteps = 60;
const closeEnough = 1e-3;
/** No step moves a θ, or the logarithm of a rate, further. */
const longestStep = 1;
const checksPerPoll = 8192;
/** The waves, and before them the constant that stands for ln λ. */
const columns = waves + 1;

export interface RhythmFit {
  readonly theta: Float64Array;
  /** C, row-major. */
  readonly covariance: Float64Array;
  /** ln λ by page of the checks, per hour. */
  readonly logRate: Float64Array;
}

/** Which checks of each page: from..to−1. */
export interface CheckRange {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
}

/**
 * @param steady whether θ stays at the centre, and rates alone are fitted
 * @throws NothingToReturn when the budget ends first
 */
export function fitRhythm(
  checks: PlacedChecks,
  range: CheckRange,
  { centre, steady }: { readonly centre: Float64Array; readonly steady: boolean },
  budget: Budget,
): RhythmFit {
  const system = new RhythmSystem(checks, range, centre, budget);
  system.maximise(steady);
  if (steady) return { theta: centre, covariance: new Float64Array(waves * waves), logRate: system.logRate };
  const { theta, covariance } = overSpreads(system.likelihood, centre);
  system.theta.set(theta);
  system.maximise(true);
  return { theta, covariance, logRate: system.logRate };
}

/** ln P(the checks of a range) at given rates and course. */
export function logLikelihoodOf(checks: PlacedChecks, range: CheckRange, { theta, logRate }: RhythmFit): number {
  const table = new CourseTable();
  table.load(theta);
  const exposure = new Float64Array(columns);
  let sum = 0;
  for (let i = 0; i < logRate.length; i++) {
    for (let k = range.from[i]; k < range.to[i]; k++) {
      table.exposure(checks, k, exposure);
      const mean = Math.exp(logRate[i]) * exposure[0];
      if (checks.outcome[k] === unchanged) sum -= mean;
      else if (checks.outcome[k] === changedAtKnownAge)
        sum += logRate[i] + table.logCourse(checks.changeHour[k]) - mean;
      // A gap lost in rounding, of its moments or of ∫r where r is small, tells no course from another.
      else if (mean > 0) sum += Math.log(-Math.expm1(-mean));
    }
  }
  return sum;
}

/** ∫r and ∫r·φ_j over any hours of the week. */
class CourseTable {
  /** r·(1, φ) by hour, and their sums up to each hour. */
  readonly #at = new Float64Array(hoursInWeek * columns);
  readonly #upTo = new Float64Array((hoursInWeek + 1) * columns);

  load(theta: Float64Array): void {
    for (let h = 0; h < hoursInWeek; h++) {
      let log = 0;
      for (let j = 0; j < waves; j++) log += theta[j] * wave[j * hoursInWeek + h];
      const rate = Math.exp(log);
      const row = h * columns;
      this.#at[row] = rate;
      for (let j = 0; j < waves; j++) this.#at[row + 1 + j] = rate * wave[j * hoursInWeek + h];
      for (let c = 0; c < columns; c++) this.#upTo[row + columns + c] = this.#upTo[row + c] + this.#at[row + c];
    }
  }

  logCourse(hour: number): number {
    return Math.log(this.#at[hour * columns]);
  }

  /** ∫r·(1, φ) over the gap of check k, in hours. */
  exposure({ begin, end, weeks }: PlacedChecks, k: number, out: Float64Array): void {
    const from = Math.floor(begin[k]);
    const to = Math.floor(end[k]);
    const fromShare = begin[k] - from;
    const toShare = end[k] - to;
    const fromRow = from * columns;
    const toRow = to * columns;
    const last = hoursInWeek * columns;
    for (let c = 0; c < columns; c++) {
      const before = this.#upTo[fromRow + c] + fromShare * this.#at[fromRow + c];
      out[c] = weeks[k] * this.#upTo[last + c] + this.#upTo[toRow + c] + toShare * this.#at[toRow + c] - before;
    }
  }
}

class RhythmSystem {
  readonly theta: Float64Array;
  readonly logRate: Float64Array;
  /** As it was before the last step. */
  readonly likelihood: NormalLikelihood = {
    at: new Float64Array(waves),
    slope: new Float64Array(waves),
    information: new Float64Array(waves * waves),
  };
  readonly #checks: PlacedChecks;
  readonly #range: CheckRange;
  readonly #centre: Float64Array;
  readonly #budget: Budget;
  readonly #table = new CourseTable();
  readonly #priorRate: number;
  /** Of the θ: the information without what the rates take of it, and the score; then of every page its own part. */
  readonly #information = new Float64Array(waves * waves);
  readonly #score = new Float64Array(waves);
  /** By page: the score and the information of ln λ, and its information with the θ. */
  readonly #ownScore: Float64Array;
  readonly #own: Float64Array;
  readonly #shared: Float64Array;

  constructor(checks: PlacedChecks, range: CheckRange, centre: Float64Array, budget: Budget) {
    const pages = checks.offsets.length - 1;
    this.#checks = checks;
    this.#range = range;
    this.#centre = centre;
    this.#budget = budget;
    this.theta = centre.slice();
    this.#ownScore = new Float64Array(pages);
    this.#own = new Float64Array(pages);
    this.#shared = new Float64Array(pages * waves);
    const mean = pooledRate(checks, range);
    this.#priorRate = priorShape / mean;
    this.logRate = new Float64Array(pages).fill(Math.log(mean));
  }

  /** Steps until nothing moves, of all unknowns or, the θ being steady, of the rates alone. */
  maximise(steady: boolean): void {
    for (let step = 0; step < mostSteps; step++) if (this.#step(steady) < closeEnough) break;
  }

  /** One step; the largest move. */
  #step(steady: boolean): number {
    this.#table.load(this.theta);
    this.#information.fill(0);
    this.#score.fill(0);
    this.#shared.fill(0);
    let looked = checksPerPoll;
    for (let i = 0; i < this.logRate.length; i++) {
      looked += 1 + this.#range.to[i] - this.#range.from[i];
      if (looked >= checksPerPoll) {
        looked = 0;
        if (this.#budget.stopRequested()) throw new NothingToReturn('stopped while fitting the rhythm of changes');
      }
      this.#addPage(i);
    }
    const move = new Float64Array(waves);
    if (!steady) this.#solveWaves(move);
    let largest = 0;
    for (let j = 0; j < waves; j++) {
      this.theta[j] += move[j];
      largest = Math.max(largest, Math.abs(move[j]));
    }
    for (let i = 0; i < this.logRate.length; i++) {
      let rise = this.#ownScore[i];
      for (let j = 0; j < waves; j++) rise -= this.#shared[i * waves + j] * move[j];
      rise /= this.#own[i];
      this.logRate[i] += Math.max(-longestStep, Math.min(longestStep, rise));
      largest = Math.max(largest, Math.abs(rise));
    }
    return largest;
  }

  /** The scores and the information of a page's checks, its own rate eliminated from those of the θ. */
  #addPage(i: number): void {
    const { outcome, changeHour } = this.#checks;
    const rate = Math.exp(this.logRate[i]);
    const d = new Float64Array(columns);
    const score = this.#score;
    const information = this.#information;
    const shared = this.#shared.subarray(i * waves, (i + 1) * waves);
    let own = this.#priorRate * rate;
    let ownScore = priorShape - own;
    for (let k = this.#range.from[i]; k < this.#range.to[i]; k++) {
      this.#table.exposure(this.#checks, k, d);
      for (let c = 0; c < columns; c++) d[c] *= rate;
      if (outcome[k] === changedAtKnownAge) {
        ownScore += 1 - d[0];
        own += 1;
        const h = changeHour[k];
        for (let j = 0; j < waves; j++) {
          const here = wave[j * hoursInWeek + h];
          score[j] += here - d[j + 1];
          shared[j] += here;
          for (let l = 0; l <= j; l++) information[j * waves + l] += here * wave[l * hoursInWeek + h];
        }
        continue;
      }
      // a gap lost in rounding
      if (d[0] === 0) continue;
      const odds = 1 / Math.expm1(d[0]);
      const slope = outcome[k] === unchanged ? -1 : odds;
      ownScore += slope * d[0];
      own += odds * d[0] * d[0];
      for (let j = 0; j < waves; j++) {
        score[j] += slope * d[j + 1];
        const informed = odds * d[j + 1];
        shared[j] += informed * d[0];
        for (let l = 0; l <= j; l++) information[j * waves + l] += informed * d[l + 1];
      }
    }
    this.#own[i] = own;
    this.#ownScore[i] = ownScore;
    for (let j = 0; j < waves; j++) {
      score[j] -= (shared[j] * ownScore) / own;
      for (let l = 0; l <= j; l++) information[j * waves + l] -= (shared[j] * shared[l]) / own;
    }
  }

  /** The step of the θ under their prior. */
  #solveWaves(move: Float64Array): void {
    this.likelihood.at.set(this.theta);
    this.likelihood.slope.set(this.#score);
    this.likelihood.information.set(this.#information);
    for (let j = 0; j < waves; j++) {
      const precision = (order[j] / wideSpread) ** 2;
      this.#information[j * waves + j] += precision;
      move[j] = this.#score[j] - precision * (this.theta[j] - this.#centre[j]);
    }
    factorise(this.#information, waves);
    solveFactorised(this.#information, waves, move);
    const far = move.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
    if (far > longestStep) for (let j = 0; j < waves; j++) move[j] *= longestStep / far;
  }
}

/** Changes an hour by all pages' checks, to first order. */
function pooledRate({ outcome, begin, end, weeks }: PlacedChecks, { from, to }: CheckRange): number {
  let changes = 0.5;
  let hours = 1e-9;
  for (let i = 0; i < from.length; i++) {
    for (let k = from[i]; k < to[i]; k++) {
      hours += weeks[k] * hoursInWeek + end[k] - begin[k];
      if (outcome[k] !== unchanged) changes++;
    }
  }
  return changes / hours;
}
