/** The law of service times from three moments or from a sample: chooses the fit and says what is not reproduced. */
import type { Warning } from '../../answer.ts';
import type { Budget } from '../../budget.ts';
import { ConditionNotMet } from '../../condition.ts';
import type { ServiceTimeProblem } from '../problem.ts';
import {
  fitBranches,
  fitMoments,
  lawMoments,
  type MomentNote,
  type Moments,
  momentsOf,
  sampleMoments,
} from './service-time.ts';

/** @throws ConditionNotMet where the moments overflow or underflow double precision */
export function solveServiceTime(problem: ServiceTimeProblem, budget: Budget) {
  const observed = observedMoments(problem);
  const sample = valuesOf(problem);
  if (sample && observed.scv > 1) {
    const { distribution, logLikelihood, passes, stopped } = fitBranches(sample, observed, budget);
    return {
      status: 'evaluated' as const,
      solution: { distribution, observed, fitted: lawMoments(distribution), logLikelihood },
      warnings: stopped ? [stoppedEarly] : [],
      statistics: { solver: 'expectation-maximisation', iterations: passes },
    };
  }
  const statistics = { solver: 'moments' };
  const fit = fitMoments(observed);
  if (fit.kind === 'impossible') return { status: 'infeasible' as const, conflict: fit.conflict, statistics };
  const { distribution, note } = fit;
  return {
    status: 'evaluated' as const,
    solution: { distribution, observed, fitted: lawMoments(distribution) },
    warnings: notReproduced(observed, note),
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
  const observed = sample === null ? scaled(problem) : sampleMoments(sample);
  requireDoublePrecision(observed, sample === null ? 'moments' : 'sample');
  return observed;
}

function scaled({ moments: [m1, m2, m3] = [], scale }: ServiceTimeProblem): Moments {
  return momentsOf(m1 / scale, m2 / scale / scale, m3 / scale / scale / scale);
}

/**
 * Refuses moments that overflow or underflow double precision. It also refuses a shape (the moments of the value over
 * its mean) so far from any law's that products of it would.
 */
function requireDoublePrecision({ moments }: Moments, place: 'sample' | 'moments'): void {
  const largest = 1e290;
  const farthest = 1e100;
  const [m1, m2, m3] = moments;
  const shape = [m2 / m1 / m1, m3 / m1 / m1 / m1];
  const inRange = [...moments, m1 * m1].every((m) => m > 1 / largest && m < largest);
  if (inRange && shape.every((m) => m > 1 / farthest && m < farthest)) return;
  const detail =
    `divided by scale, the moments are ${m1}, ${m2} and ${m3}: they must lie between ${1 / largest} and ${largest}, and ` +
    `m2/m1² and m3/m1³ between ${1 / farthest} and ${farthest}; choose a scale near the mean`;
  throw new ConditionNotMet([place], 'beyond-double-precision', detail);
}

const stoppedEarly: Warning = {
  code: 'stopped-early',
  detail:
    'the time limit ended the passes of expectation maximisation before they had settled; raise options.timeLimitMs',
};

function notReproduced({ scv }: Moments, note: MomentNote): Warning[] {
  if (note === 'exact') return [];
  const detail =
    note === 'two-moments'
      ? `scv ${scv} is at most 1: a mixture of Erlang laws on mean and variance; the third moment is not reproduced`
      : `scv ${scv} is below 0.01: an Erlang law of 100 stages on the mean; variance and third moment are not reproduced`;
  return [{ code: 'two-moments', detail }];
}
