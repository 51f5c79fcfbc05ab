/**
 * The course of change rates over the week that checks show, shared by the pages given.
 *
 * Page i changes at rate λ_i·r(t), ln r = Σ θ_j φ_j (week.ts). A check of a gap with m = λ_i ∫r finds no change with
 * probability e^{−m}; a change of known age has the density λ_i·r there. Maximised over θ and all ln λ_i together
 * (rhythm-system.ts). λ_i has a gamma prior of shape 0.85 about the pooled rate, θ_j a normal one about `centre` with
 * standard deviation τ/h for the h-th wave: courses are drawn to smooth ones. The steps are made at a wide τ; how wide
 * it is to be, and what is open about it, is for the evidence to say afterwards (open-variances.ts).
 * Limits: the same course on every day, raised or lowered as a whole by the day of the week.
 */
import type { Budget } from '../../budget.ts';
import { changedAtKnownAge, unchanged } from '../changes/check-history.ts';
import { CourseTable, columns } from './course-table.ts';
import { overSpreads } from './open-variances.ts';
import type { CheckRange, PlacedChecks } from './placed-checks.ts';
import { RhythmSystem } from './rhythm-system.ts';
import { waves } from './week.ts';

/** ln P at the maximum over that at the end of 99.9% of a normal likelihood in 14 dimensions: χ²/2. */
const farBelow = 18;

export interface RhythmFit {
  readonly theta: Float64Array;
  /** C, row-major. */
  readonly covariance: Float64Array;
  /** ln λ by page of the checks, per hour. */
  readonly logRate: Float64Array;
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
  const peak = system.theta.slice();
  const peakRate = system.logRate.slice();
  const least = system.value - farBelow;
  const { theta, covariance } = overSpreads(system.likelihood(), centre);
  system.theta.set(theta);
  // A sharp likelihood is not normal, and falls steeply towards the mean of a normal one: part of the way then.
  while (system.tryRates() < least) {
    for (let j = 0; j < waves; j++) theta[j] = 0.5 * (theta[j] + peak[j]);
    system.theta.set(theta);
    system.logRate.set(peakRate);
  }
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
