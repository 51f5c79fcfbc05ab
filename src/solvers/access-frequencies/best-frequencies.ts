/**
 * How often to access each page, for ever: which policy, its exact cost, and what to know before relying on it.
 *
 * Model: one crawler accesses pages one after the other; an access takes a time X. Page i changes at Poisson rate μ_i
 * and is stale from its first change until its next access ends. Minimise Σ c_i r_i over shares f_i ≥ m of all
 * accesses, Σ f_i = 1. Methods: deterministic-frequencies.ts (accesses of a page evenly spaced: what no order can beat)
 * and randomized-frequencies.ts (every access drawn independently: exact). Both solve a convex problem to rounding, so
 * value and bound are equal. Stopped by the budget they give the frequencies at the last price tried, and what that
 * price proves (priced-frequencies.ts). Source: Coffman, Liu & Weber (1997), Theorems 3.3, 3.4 and 4.1, extended to any
 * weights.
 */
import { type Objective, objective, type Warning, warning } from '../answer.ts';
import { type Budget, endingEarlier } from '../budget.ts';
import { accessPages, evenStaleness, randomizedStaleness, totalCost } from './access-pages.ts';
import { deterministicFrequencies } from './deterministic-frequencies.ts';
import { type MinFrequencyConflict, minFrequencyConflict } from './min-frequency.ts';
import type { AccessFrequenciesProblem } from './problem.ts';
import { randomizedFrequencies } from './randomized-frequencies.ts';

export interface AccessFrequencies {
  /** `feasible` where the budget ended the search for the multiplier. */
  readonly status: 'optimal' | 'feasible';
  readonly objective: Objective;
  /** f_i, summing to 1. */
  readonly frequency: Float64Array;
  /** r_i. */
  readonly staleness: Float64Array;
  /** λ: cost saved by the next unit of frequency. */
  readonly multiplier: number;
  /** Pages of frequency 0. */
  readonly starved: number;
  /** E X. */
  readonly meanAccessTime: number;
  /** Sweeps over the pages. */
  readonly sweeps: number;
  readonly warnings: readonly Warning[];
}

export type AccessFrequenciesAnswer =
  | AccessFrequencies
  | { readonly status: 'infeasible'; readonly conflict: MinFrequencyConflict; readonly warnings: readonly Warning[] };

/** Frequencies at a price that is not exact are optimal below this gap. */
const optimalGap = 1e-9;
/** Milliseconds to finish, measure and write out a page, and how many of them may lie past the deadline. */
const msPerPage = 1e-3;
const grace = 500;
const raise = 'raise options.timeLimitMs';

/**
 * O(N) a sweep, 3 to 40 sweeps, and one transform of the law a page (a table of it when there are thousands).
 *
 * @throws ConditionNotMet where a page's load or worth is not a positive, finite double
 * @throws NothingToReturn when the budget runs out before the loads of the pages are known
 */
export function bestFrequencies(problem: AccessFrequenciesProblem, budget: Budget): AccessFrequenciesAnswer {
  const { accessTime, changeRate, weight, policy, minFrequency, place } = problem;
  const conflict = minFrequencyConflict(minFrequency, changeRate.length);
  if (conflict !== null) return { status: 'infeasible', conflict, warnings: [] };
  const pages = accessPages(accessTime, changeRate, weight, place, budget);
  const even = policy === 'deterministic';
  const afterwards = Math.max(0, msPerPage * changeRate.length - grace);
  const { frequency, multiplier, sweeps, stoppedAt } = (even ? deterministicFrequencies : randomizedFrequencies)(
    pages,
    minFrequency,
    endingEarlier(budget, afterwards),
  );
  const staleness = even ? evenStaleness(pages, frequency) : randomizedStaleness(pages, frequency);
  const cost = totalCost(pages, staleness);
  const starved = frequency.reduce((n, f) => (f === 0 ? n + 1 : n), 0);
  const value = objective(cost, stoppedAt === null ? cost : Math.min(cost, stoppedAt));
  const optimal = stoppedAt === null || (value.gap !== null && value.gap <= optimalGap);
  return {
    status: optimal ? 'optimal' : 'feasible',
    objective: value,
    frequency,
    staleness,
    multiplier,
    starved,
    meanAccessTime: pages.meanAccessTime,
    sweeps,
    warnings: [
      ...(optimal ? [] : [warning('stopped-early', `the time limit came before the multiplier was exact; ${raise}`)]),
      ...(starved > 0 ? [zeroFrequencyWarning(starved)] : []),
    ],
  };
}

/** The model asks for f > 0, so the value is approached and not attained. */
function zeroFrequencyWarning(starved: number): Warning {
  const pages = starved === 1 ? '1 page gets' : `${starved} pages get`;
  return {
    code: 'zero-frequency-pages',
    detail:
      `${pages} frequency 0: an access is worth more elsewhere, and such a page stays stale for ever. ` +
      'The objective counts it as stale. To access every page, set minFrequency',
  };
}
