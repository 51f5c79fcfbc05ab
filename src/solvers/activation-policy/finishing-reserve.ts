/**
 * Time kept back for what must still be done once the iteration stops: one pass over the rows for the averages of the
 * policy, and the answer itself. A time limit covers both, so the iteration has to end that much earlier.
 */
import type { Budget, Progress } from '../budget.ts';

/** Measured on slow, shared cores: twice to four times what it takes on quiet ones. */
const MS_PER_STEP = 2.5e-7;
const MS_FOR_THE_ANSWER = 25;
/** Never more than this share of what is left at the start. */
const LARGEST_SHARE = 0.2;

/** The budget of a request, divided. */
export interface DividedBudget {
  readonly whole: Budget;
  /** Ends early enough for the last pass. */
  readonly iterating: Budget;
  /** Whether the reserve is enough for the last pass; if not, it is only made when time happens to be left. */
  readonly coversLastPass: boolean;
}

/** Divides a budget for a chain of this size. */
export function divideBudget(whole: Budget, capacity: number, crawlers: number): DividedBudget {
  const lastPassMs = MS_PER_STEP * 3 * crawlers * (capacity + 1) ** 2;
  const most = LARGEST_SHARE * whole.remainingMs();
  const reserve = Math.min(MS_FOR_THE_ANSWER + lastPassMs, most);
  const iterating = {
    seed: whole.seed,
    stopRequested: () => whole.stopRequested() || whole.remainingMs() < reserve,
    remainingMs: () => Math.max(0, whole.remainingMs() - reserve),
    report: (progress: Progress) => whole.report(progress),
  };
  return { whole, iterating, coversLastPass: lastPassMs <= most };
}
