/**
 * The order in which to access the pages, as a cycle that is repeated for ever, with its exact cost, bounds and
 * warnings.
 *
 * The model is that of access-frequencies. Two stages (Coffman, Liu & Weber 1997): frequencies (given, or the optimal
 * ones), then an order that spaces the accesses of every page as evenly as it can (portfolio.ts). The bound is a lower
 * bound on the cost of any policy; for given frequencies on the cost of any order with these frequencies.
 */
import { accessPages } from '../access-frequencies/access-pages.ts';
import { minFrequencyConflict } from '../access-frequencies/problem.ts';
import { provedWithin, type Warning } from '../answer.ts';
import type { Budget } from '../budget.ts';
import { findSequence, type SequenceResult } from './portfolio.ts';
import type { AccessSequenceProblem } from './problem.ts';
import { rotateCycle } from './rotate-cycle.ts';

/** Relative gap up to which a cycle is called optimal. */
const tolerance = 1e-9;

/**
 * The answer of `access-sequence` in the form of the contract. Complexity: see portfolio.ts.
 *
 * @throws ConditionNotMet where the load or the gain of a page is out of range
 * @throws NothingToReturn when the budget runs out before the first cycle
 */
export function solveAccessSequence(problem: AccessSequenceProblem, budget: Budget) {
  const { accessTime, changeRate, weight, minFrequency, method, cycleLength, longestCycle } = problem;
  const conflict = minFrequencyConflict(minFrequency, changeRate.length);
  if (conflict !== null)
    return { status: 'infeasible' as const, conflict, warnings: [], statistics: { solver: method } };
  const pages = accessPages(accessTime, changeRate, weight, problem.place, budget);
  const sum = problem.frequency?.reduce((a, b) => a + b, 0) ?? 1;
  const frequency = problem.frequency?.map((f) => f / sum) ?? null;
  const result = findSequence({ pages, frequency, minFrequency, method, cycleLength, longestCycle }, budget);
  const { cost, bound, counts, staleness, overallBound, methods } = result;
  const rotation = problem.lastAccess === undefined ? null : rotateCycle(pages, result.sequence, problem.lastAccess);
  const sequence = rotation?.sequence ?? result.sequence;
  return {
    ...provedWithin(tolerance, cost, bound),
    solution: { method: result.method, sequence, cycleLength: sequence.length, counts, pages: { staleness } },
    supplement: {
      methods,
      ...(rotation !== null && { firstCycle: { cost: rotation.cost } }),
      bounds: { overall: overallBound, frequencies: bound },
    },
    warnings: warningsOf(result, sum),
    statistics: { solver: result.method, pages: changeRate.length, methodsTried: methods.length },
  };
}

export type AccessSequence = Exclude<ReturnType<typeof solveAccessSequence>, { readonly status: 'infeasible' }>;

function warningsOf(result: SequenceResult, sum: number): Warning[] {
  const warnings: Warning[] = [];
  if (Math.abs(sum - 1) > 1e-6)
    warnings.push({
      code: 'frequencies-scaled',
      detail: `the frequencies sum to ${sum}; they were divided by it, as shares of all accesses`,
      pointer: '/pages',
    });
  if (result.starved > 0)
    warnings.push({
      code: 'zero-frequency-pages',
      detail: `${result.starved} of the pages have frequency 0 and do not occur in the cycle: they are always stale; set minFrequency to keep every page alive`,
    });
  if (result.absent > 0)
    warnings.push({
      code: 'absent-pages',
      detail: `${result.absent} pages of positive frequency do not occur in this cycle of ${result.sequence.length} and are always stale; a longer cycleLength has room for them, a minFrequency makes it`,
    });
  if (result.belowMinimum > 0)
    warnings.push({
      code: 'below-min-frequency',
      detail: `${result.belowMinimum} pages occur less often in this cycle of ${result.sequence.length} than minFrequency asks: the method ${result.method} has counts of its own; the other methods keep to it`,
      pointer: '/minFrequency',
    });
  if (result.isStopped)
    warnings.push({
      code: 'time-limit',
      detail:
        'the time limit ended the search before every method had been tried; raise options.timeLimitMs for the rest',
    });
  return warnings;
}
