/** Which law the gaps between updates follow. */
import type { Budget } from '../../budget.ts';
import { ConditionNotMet } from '../../condition.ts';
import type { UpdateProcessProblem } from '../problem.ts';
import { rankUpdateLaws } from './update-process.ts';

/** Smallest gap relative to the mean: a smaller one is lost in the rounding of every sum. */
const minGapShare = 1e-200;
/** Range of the mean: outside it squares of gaps overflow or underflow. */
const maxMean = 1e100;
const minMean = 1e-100;

/** @throws ConditionNotMet where the gaps are too far apart for double precision; O(gaps) */
export function requireNearGaps({ gaps, openGap }: UpdateProcessProblem): void {
  let mean = 0;
  for (const gap of gaps) mean += gap / gaps.length;
  if (!(mean >= minMean && mean <= maxMean)) {
    const message = `have a mean of ${mean}; it must lie between ${minMean} and ${maxMean}: choose a unit of time near it`;
    throw new ConditionNotMet(['gaps'], 'beyond-double-precision', message);
  }
  const smallGap = gaps.findIndex((gap) => gap < mean * minGapShare);
  if (smallGap >= 0) {
    const message = `must be at least ${minGapShare} of the mean gap of ${mean}; got ${gaps[smallGap]}: leave it out`;
    throw new ConditionNotMet(['gaps', smallGap], 'beyond-double-precision', message);
  }
  if (openGap > mean / minGapShare) {
    const message = `must be at most ${1 / minGapShare} times the mean gap of ${mean}; got ${openGap}`;
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
