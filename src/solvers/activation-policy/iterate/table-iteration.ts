/**
 * Policy iteration over tables of yes-or-no decisions (Howard 1960), whatever chain they govern: measure the table,
 * take the better action at every decision, until no decision changes, or the cost no longer falls for a while (ties).
 */
import { type Budget, unlessStopped } from '../../budget.ts';

/** One action, 0 or 1, for each decision. */
export type Decisions = Uint8Array;

/** A decision process, as policy iteration needs it. */
export interface DecisionProcess<Evaluation extends { readonly cost: number }> {
  /** May change decisions where the table would leave the chain several recurrent classes. */
  evaluate(decisions: Decisions): Evaluation;
  /** Takes the better action everywhere; answers whether anything changed. */
  improve(evaluation: Evaluation, decisions: Decisions): boolean;
  /** What no policy costs less than, by the relative values of an evaluation. */
  bound(evaluation: Evaluation): number;
}

export interface Iterated<Evaluation> {
  /** The best table; the start where nothing was evaluated. */
  readonly decisions: Decisions;
  /** Null when the budget ended before the first evaluation. */
  readonly evaluation: Evaluation | null;
  /** No policy costs less; −∞ when nothing was evaluated. */
  readonly bound: number;
  readonly iterations: number;
  /** False when the budget ended first. */
  readonly converged: boolean;
}

/** When costs that no longer fall end an iteration. */
export interface Patience {
  /** Evaluations without progress, at most. */
  readonly evaluations: number;
  /** Costs that differ by less than this share are the same. */
  readonly sameCost: number;
}

const maxIterations = 200;

export function iterateTables<Evaluation extends { readonly cost: number }>(
  process: DecisionProcess<Evaluation>,
  start: Decisions,
  patience: Patience,
  budget: Budget,
): Iterated<Evaluation> {
  const decisions = start.slice();
  let best: Decisions = start.slice();
  let found: Evaluation | null = null;
  let bound = Number.NEGATIVE_INFINITY;
  let waited = 0;
  for (let iterations = 0; ; ) {
    const evaluation = unlessStopped(null, () => process.evaluate(decisions));
    if (evaluation === null) return { decisions: best, evaluation: found, bound, iterations, converged: false };
    iterations++;
    const before: number = found?.cost ?? Number.POSITIVE_INFINITY;
    const same = found === null ? 0 : patience.sameCost * Math.abs(before);
    waited = evaluation.cost < before - same ? 0 : waited + 1;
    if (found === null || evaluation.cost <= before + same) {
      best = decisions.slice();
      found = evaluation;
    }
    bound = Math.max(bound, process.bound(evaluation));
    budget.report({ incumbent: found.cost, bound });
    const impatient = iterations >= maxIterations || waited >= patience.evaluations;
    if (impatient || !process.improve(evaluation, decisions)) {
      return { decisions: best, evaluation: found, bound, iterations, converged: true };
    }
  }
}
