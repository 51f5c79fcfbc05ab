/** A solve that may be given up for a better place: past its moment the budget throws where the solver polls it. */
import type { Budget } from '../solvers/budget.ts';

/** Thrown through a solver whose attempt has taken too long. Solvers are pure: nothing is left behind. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned';
}

/** `budget` until the moment `until` on `clock`; from then on every question is answered by {@link Abandoned}. */
export function attemptBudget(budget: Budget, clock: () => number, until: number): Budget {
  const check = (): void => {
    if (clock() >= until) throw new Abandoned('the attempt has taken too long');
  };
  return {
    seed: budget.seed,
    stopRequested: () => {
      check();
      return budget.stopRequested();
    },
    remainingMs: () => {
      check();
      return budget.remainingMs();
    },
    report: (progress) => {
      check();
      budget.report(progress);
    },
  };
}
