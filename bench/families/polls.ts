/** A budget that ends after a number of polls, the same on every machine. */
import type { Budget } from '../../src/solvers/budget.ts';

export function pollsBudget(polls: number): Budget {
  let pollCount = 0;
  return { seed: 0, stopRequested: () => pollCount++ >= polls, remainingMs: () => 1e9, report: () => {} };
}
