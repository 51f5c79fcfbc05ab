/** The law of service times from three moments or from a sample: chooses the fit and warns of what it does not reproduce. */
import type { Warning } from '../../answer.ts';
import { ConditionNotMet } from '../../condition.ts';
import type { Distribution } from '../../laws/index.ts';
import type { ServiceTimeProblem } from '../problem.ts';
import {
  branchesOn,
  fitMoments,
  lawMoments,
  type MomentNote,
  type Moments,
  momentsOf,
  sampleMoments,
} from './service-time.ts';

/** @throws ConditionNotMet where the moments overflow or underflow double precision */
export function solveServiceTime(problem: ServiceTimeProblem) {
  const observed = observedMoments(problem);
  const statistics = { solver: 'moments' };
  const fit = fitMoments(observed);
  if (fit.kind === 'fitted') {
    const { distribution, note } = fit;
    return {
      status: 'evaluated' as const,
      solution: { distribution, observed, fitted: lawMoments(distribution) },
      warnings: warningsOf(observed, note),
      statistics,
    };
  }
  // A sample is a law, whose first two moments some branches have; given moments may be no law's.
  if (problem.sample === undefined || !(observed.scv > 1)) {
    return { status: 'infeasible' as const, conflict: fit.conflict, statistics };
  }
  const { probability, rates } = branchesOn(null, observed.mean, observed.scv);
  const distribution: Distribution = {
    type: 'hyperexponential',
    probabilities: [probability, 1 - probability],
    rates: [...rates],
  };
  const detail = `${fit.conflict.detail}: fitted on mean and variance, with balanced means`;
  return {
    status: 'evaluated' as const,
    solution: { distribution, observed, fitted: lawMoments(distribution) },
    warnings: [{ code: 'third-moment-left' as const, detail }],
    statistics,
  };
}

const valuesOf = ({ sample, scale }: ServiceTimeProblem): Float64Array | null =>
  sample === undefined ? null : Float64Array.from(sample, (x) => x / scale);

/**
 * The moments that are to be reproduced; O(sample).
 *
 * @throws ConditionNotMet where they overflow or underflow double precision
 */
export function observedMoments(problem: ServiceTimeProblem): Moments {
  const sample = valuesOf(problem);
  const observed = sample === null ? scaledMoments(problem) : sampleMoments(sample);
  requireDoublePrecision(observed, sample === null ? 'moments' : 'sample');
  return observed;
}

function scaledMoments({ moments: [m1, m2, m3] = [], scale }: ServiceTimeProblem): Moments {
  return momentsOf(m1 / scale, m2 / scale / scale, m3 / scale / scale / scale);
}

/**
 * Refuses moments that overflow or underflow double precision. It also refuses a shape (the moments of the value over
 * its mean) so far from any law's that products of it would.
 */
function requireDoublePrecision({ moments }: Moments, place: 'sample' | 'moments'): void {
  const largest = 1e290;
  const largestShape = 1e100;
  const [m1, m2, m3] = moments;
  const shape = [m2 / m1 / m1, m3 / m1 / m1 / m1];
  const inRange = [...moments, m1 * m1].every((m) => m > 1 / largest && m < largest);
  if (inRange && shape.every((m) => m > 1 / largestShape && m < largestShape)) return;
  const detail =
    `divided by scale, the moments are ${m1}, ${m2} and ${m3}: they must lie between ${1 / largest} and ${largest}, and ` +
    `m2/m1² and m3/m1³ between ${1 / largestShape} and ${largestShape}; choose a scale near the mean`;
  throw new ConditionNotMet([place], 'beyond-double-precision', detail);
}

function warningsOf({ scv }: Moments, note: MomentNote): Warning[] {
  if (note === 'exact') return [];
  const detail =
    note === 'two-moments'
      ? `scv ${scv} is at most 1: a mixture of Erlang laws on mean and variance; the third moment is not reproduced`
      : `scv ${scv} is below 0.01: an Erlang law of 100 stages on the mean; variance and third moment are not reproduced`;
  return [{ code: 'two-moments', detail }];
}
