/**
 * The answer of `access-frequencies` in the form of the contract: optimal frequencies, or the fewest accesses for a
 * target.
 */
import type { Budget } from '../budget.ts';
import { type MeasureTarget, targetConflict } from '../pages/targets/index.ts';
import { solveFrequencies } from './frequencies.ts';
import type { AccessFrequenciesProblem } from './problem.ts';
import { accessCurve, solveAccessTarget } from './target.ts';

export interface AccessFrequenciesQuestion {
  readonly problem: AccessFrequenciesProblem;
  /** The target to meet; null: the frequencies of one crawler are optimised. */
  readonly target: MeasureTarget | null;
  /** Whether to return the trade-off of cost against accesses. */
  readonly curve: boolean;
}

/**
 * @throws ConditionNotMet where the load or the gain of a page is out of range
 * @throws NothingToReturn when the budget ends before the loads of the pages are known
 * @internal
 */
export function solveAccessFrequencies(question: AccessFrequenciesQuestion, budget: Budget) {
  const { problem, target, curve } = question;
  if (target !== null) return fewestAccesses(problem, target, curve, budget);
  const answer = solveFrequencies(problem, budget);
  const solver = problem.policy === 'deterministic' ? 'even-spacing' : 'randomized-accessing';
  const { status, warnings } = answer;
  if (answer.status === 'infeasible') {
    return { status, conflict: answer.conflict, warnings, statistics: { solver } };
  }
  const { objective, frequency, staleness, multiplier, starved, meanAccessTime } = answer;
  return {
    status,
    objective,
    solution: { pages: { frequency, staleness }, multiplier, starved, meanAccessTime },
    supplement: curve ? { curve: accessCurve(problem, 1, budget) } : {},
    warnings,
    statistics: { solver, pages: frequency.length },
  };
}

/** The fewest accesses that meet the target. */
function fewestAccesses(problem: AccessFrequenciesProblem, target: MeasureTarget, curve: boolean, budget: Budget) {
  const statistics = { solver: 'clearing-price', pages: problem.changeRate.length };
  const answer = solveAccessTarget(problem, target.maxResidual, budget);
  if (answer.status === 'infeasible') {
    return {
      status: answer.status,
      conflict: answer.conflict ?? targetConflict(target, answer.minCost, []),
      warnings: [],
      statistics,
    };
  }
  const { status, objective, frequency, staleness, multiplier, starved, meanAccessTime, crawlers, total } = answer;
  return {
    status,
    objective,
    solution: {
      pages: { frequency, staleness },
      multiplier,
      starved,
      meanAccessTime,
      crawls: objective.value,
      crawlers,
    },
    supplement: curve && total > 0 ? { curve: accessCurve(problem, total, budget) } : {},
    warnings: answer.warnings,
    statistics,
  };
}
