import { type Budget, type Progress, unlimitedBudget } from '../../src/solvers/budget.ts';

/** A budget that ends after so many polls, and counts them and what is reported. */
export function endingBudget(polls: number): Budget & { polled: number; reports: Progress[] } {
  const budget = {
    ...unlimitedBudget(),
    polled: 0,
    reports: [] as Progress[],
    stopRequested: () => budget.polled++ >= polls,
    report: (progress: Progress) => budget.reports.push(progress),
  };
  return budget;
}
