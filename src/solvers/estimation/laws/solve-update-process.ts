/** Which law the gaps between updates follow. */
import type { Budget } from '../../budget.ts';
import { ConditionNotMet } from '../../condition.ts';
import type { UpdateProcessProblem } from '../problem.ts';
import { rankUpdateLaws } from './update-process.ts';

/** Farther from the mean a gap is lost in the rounding of every sum. */
const leastShare = 1e-200;
/** Means beyond these overflow where gaps are squared. */
const largestMean = 1e100;
const leastMean = 1e-100;

/** @throws ConditionNotMet where the gaps are too far apart for double precision; O(gaps) */
export function requireNearGaps({ gaps, openGap }: UpdateProcessProblem): void {
  let mean = 0;
  for (const gap of gaps) mean += gap / gaps.length;
  if (!(mean >= leastMean && mean <= largestMean)) {
    const message = `have a mean of ${mean}; it must lie between ${leastMean} and ${largestMean}: choose a unit of time near it`;
    throw new ConditionNotMet(['gaps'], 'beyond-double-precision', message);
  }
  const lost = gaps.findIndex((gap) => gap < mean * leastShare);
  if (lost >= 0) {
    const message = `must be at least ${leastShare} of the mean gap of ${mean}; got ${gaps[lost]}: leave it out`;
    throw new ConditionNotMet(['gaps', lost], 'beyond-double-precision', message);
  }
  if (openGap > mean / leastShare) {
    const message = `must be at most ${1 / leastShare} times the mean gap of ${mean}; got ${openGap}`;
    throw new ConditionNotMet(['openGap'], 'beyond-double-precision', message);
  }
}

/**
 * @throws ConditionNotMet where the gaps are too far apart for double precision
 * @throws NothingToReturn when the budget ends first
 */
export function solveUpdateProcess(problem: UpdateProcessProblem, budget: Budget) {
  const { gaps, openGap } = problem;
  requireNearGaps(problem);
  const candidates = rankUpdateLaws(gaps, openGap, budget);
  return {
    status: 'evaluated' as const,
    solution: { candidates },
    statistics: { solver: 'maximum-likelihood', gaps: gaps.length, candidates: candidates.length },
  };
}
