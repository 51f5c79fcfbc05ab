/**
 * The likelihood of a course and of all pages' rates together, and the climb to its maximum.
 *
 * With d = ∂m/∂(θ, ln λ_i), each ln λ_i is eliminated from the system (Schur complement), so that a step costs the
 * checks and one system of the θ. A step is halved until the penalised likelihood rises. Of a change of known age the
 * information is its curvature, λ_i∫r·φφᵀ over its gap. For checks two kinds lead the steps:
 * - Fisher's, d·dᵀ/(e^m − 1).
 * - The curvature that there is, where steps by Fisher's do not come to rest: λ_i∫r·φφᵀ of a gap without a change, and
 *   of a gap with one what of its curvature is never negative. Where all changes keep to an hour or two, or all fetches
 *   do, Fisher's has next to nothing in most directions although the likelihood bends in all.
 * What the log leaves open is told by Fisher's in either case: what is never negative is more than there is.
 * Complexity: some 150 operations a check and step, a dozen steps or two. Source: Fisher scoring, Osborne 1992; halved
 * steps, Nocedal & Wright 2006, chapter 3.
 */
import type { Budget } from '../../budget.ts';
import { NothingToReturn } from '../../budget.ts';
import { factorise, solveFactorised } from '../../numerics/linear/cholesky.ts';
import { changedAtKnownAge, unchanged } from '../changes/check-history.ts';
import { CourseTable, columns } from './course-table.ts';
import { HoursCovered } from './hours-covered.ts';
import type { NormalLikelihood } from './open-variances.ts';
import type { CheckRange, PlacedChecks } from './placed-checks.ts';
import { hoursInWeek, order, wave, waves } from './week.ts';

const priorShape = 0.85;
/** τ of the steps. */
const wideSpread = 0.8;
const mostSteps = 60;
/** Of all unknowns together by Fisher's information: what comes to rest does so in fewer. */
const mostFisherSteps = 20;
const stepsOfATrial = 6;
/** Of a step, where it is halved no more. */
const leastShare = 1 / 64;
const closeEnough = 1e-3;
/** No step moves a θ, or the logarithm of a rate, further. */
const longestStep = 1;
const checksPerPoll = 8192;

export class RhythmSystem {
  readonly theta: Float64Array;
  readonly logRate: Float64Array;
  readonly #checks: PlacedChecks;
  readonly #range: CheckRange;
  readonly #centre: Float64Array;
  readonly #budget: Budget;
  readonly #table = new CourseTable();
  readonly #covered = new HoursCovered();
  readonly #priorRate: number;
  /** Of the θ: the information without what the rates take of it, and the score; then of every page its own part. */
  readonly #information = new Float64Array(waves * waves);
  readonly #score = new Float64Array(waves);
  /** By page: the score and the information of ln λ, and its information with the θ. */
  readonly #ownScore: Float64Array;
  readonly #own: Float64Array;
  readonly #shared: Float64Array;
  /** The step of the θ, and of the ln λ. */
  readonly #step = new Float64Array(waves);
  readonly #rise: Float64Array;
  #curved = false;
  #value = 0;

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
    this.#rise = new Float64Array(pages);
    const mean = pooledRate(checks, range);
    this.#priorRate = priorShape / mean;
    this.logRate = new Float64Array(pages).fill(Math.log(mean));
  }

  /** ln P(the checks) and that of the rates under their prior, where the last climb ended. */
  get value(): number {
    return this.#value;
  }

  /** A few steps of the rates alone; the value there. */
  tryRates(): number {
    this.#climb(true, stepsOfATrial);
    return this.#value;
  }

  /** Steps until nothing moves, of all unknowns or, the θ being steady, of the rates alone. */
  maximise(steady: boolean): void {
    if (this.#climb(steady, steady ? mostSteps : mostFisherSteps)) return;
    this.#curved = true;
    // the rates first: from where they belong, steps of all unknowns together need no bound for each
    this.#climb(true, mostSteps);
    if (!steady) this.#climb(false, mostSteps);
    this.#curved = false;
    this.#look();
  }

  /** Where the last climb ended. */
  likelihood(): NormalLikelihood {
    return { at: this.theta.slice(), slope: this.#score.slice(), information: this.#information.slice() };
  }

  /** Steps that are halved until they rise; whether they came to rest. */
  #climb(steady: boolean, most: number): boolean {
    let here = this.#look();
    for (let step = 0; step < most; step++) {
      const largest = this.#aim(steady);
      const least = here - roundingOf(here);
      let share = 1;
      this.#move(share);
      here = this.#look();
      while (!(here >= least) && share > leastShare) {
        share /= 2;
        this.#move(-share);
        here = this.#look();
      }
      if (largest < closeEnough) return true;
      if (share > leastShare) continue;
      // nothing rises on this way
      this.#move(-share);
      this.#look();
      return false;
    }
    return false;
  }

  /** So much of the step on. */
  #move(share: number): void {
    for (let j = 0; j < waves; j++) this.theta[j] += share * this.#step[j];
    for (let i = 0; i < this.logRate.length; i++) this.logRate[i] += share * this.#rise[i];
  }

  /** Everything at the present θ and rates; the penalised likelihood there. */
  #look(): number {
    this.#table.load(this.theta);
    this.#covered.clear();
    this.#information.fill(0);
    this.#score.fill(0);
    this.#shared.fill(0);
    this.#value = 0;
    let looked = checksPerPoll;
    for (let i = 0; i < this.logRate.length; i++) {
      looked += 1 + this.#range.to[i] - this.#range.from[i];
      if (looked >= checksPerPoll) {
        looked = 0;
        if (this.#budget.stopRequested()) throw new NothingToReturn('stopped while fitting the rhythm of changes');
      }
      this.#addPage(i);
    }
    this.#covered.addTo(this.#information, this.#table);
    let penalty = 0;
    for (let j = 0; j < waves; j++) penalty += ((order[j] / wideSpread) * (this.theta[j] - this.#centre[j])) ** 2;
    return this.#value - 0.5 * penalty;
  }

  /** The next step; its largest move. */
  #aim(steady: boolean): number {
    const move = this.#step;
    // bounded each by itself, unknowns that depend on each other may lead down
    const whole = this.#curved && !steady;
    if (steady) move.fill(0);
    else this.#solveWaves(move);
    let largest = 0;
    for (let j = 0; j < waves; j++) largest = Math.max(largest, Math.abs(move[j]));
    for (let i = 0; i < this.logRate.length; i++) {
      let rise = this.#ownScore[i];
      for (let j = 0; j < waves; j++) rise -= this.#shared[i * waves + j] * move[j];
      rise /= this.#own[i];
      this.#rise[i] = whole ? rise : Math.max(-longestStep, Math.min(longestStep, rise));
      largest = Math.max(largest, Math.abs(rise));
    }
    if (whole && largest > longestStep) {
      for (let j = 0; j < waves; j++) move[j] *= longestStep / largest;
      for (let i = 0; i < this.logRate.length; i++) this.#rise[i] *= longestStep / largest;
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
    let value = priorShape * this.logRate[i] - own;
    for (let k = this.#range.from[i]; k < this.#range.to[i]; k++) {
      this.#table.exposure(this.#checks, k, d);
      for (let c = 0; c < columns; c++) d[c] *= rate;
      const known = outcome[k] === changedAtKnownAge;
      const still = outcome[k] === unchanged;
      if (known || (still && this.#curved)) {
        this.#covered.add(this.#checks, k, rate);
        value -= d[0];
        ownScore -= d[0];
        own += d[0];
        for (let j = 0; j < waves; j++) {
          score[j] -= d[j + 1];
          shared[j] += d[j + 1];
        }
        if (!known) continue;
        const h = changeHour[k];
        value += this.logRate[i] + this.#table.logCourse(h);
        ownScore += 1;
        for (let j = 0; j < waves; j++) score[j] += wave[j * hoursInWeek + h];
        continue;
      }
      // a gap lost in rounding
      if (d[0] === 0) continue;
      const odds = 1 / Math.expm1(d[0]);
      const slope = still ? -1 : odds;
      const informs = this.#curved ? curvatureOfChange(d[0], odds) : odds;
      value += still ? -d[0] : Math.log(-Math.expm1(-d[0]));
      ownScore += slope * d[0];
      own += informs * d[0] * d[0];
      for (let j = 0; j < waves; j++) {
        score[j] += slope * d[j + 1];
        const informed = informs * d[j + 1];
        shared[j] += informed * d[0];
        for (let l = 0; l <= j; l++) information[j * waves + l] += informed * d[l + 1];
      }
    }
    this.#value += value;
    this.#own[i] = own;
    this.#ownScore[i] = ownScore;
    for (let j = 0; j < waves; j++) {
      score[j] -= (shared[j] * ownScore) / own;
      for (let l = 0; l <= j; l++) information[j * waves + l] -= (shared[j] * shared[l]) / own;
    }
  }

  /** The step of the θ under their prior. */
  #solveWaves(move: Float64Array): void {
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

/** Of ln(1 − e^{−m}): what of its curvature along ln m is never negative, over m². */
function curvatureOfChange(m: number, odds: number): number {
  // below, the difference would be one of rounding
  const excess = m < 1e-4 ? 0.5 * m : (1 + odds) * m - 1;
  return (odds * excess) / m;
}

/** By so much a likelihood may be lower for rounding alone. */
function roundingOf(value: number): number {
  return 1e-11 * (1 + Math.abs(value));
}
