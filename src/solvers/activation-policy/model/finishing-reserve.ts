/**
 * Time kept back for what must still be done once the iteration stops. That is one pass over the rows for the averages
 * of the policy, and the answer itself. A time limit covers both, so the iteration has to end that much earlier.
 */
import { type Budget, endingEarlier, NothingToReturn } from '../../budget.ts';

/** Measured on slow, shared cores: twice to four times what it takes on quiet ones. */
const msPerStep = 2.5e-7;
const msForTheAnswer = 40;
/** The answer lists two numbers a crawler. */
const msPerCrawler = 2e-4;
/** Never more than this share of what is left at the start. */
const maxShare = 0.35;

/** The budget of a request, divided. */
export interface DividedBudget {
  /** Ends early enough for the last pass and the answer. */
  readonly iterating: Budget;
  /** Ends early enough for the answer. */
  readonly finishing: Budget;
  /** Whether the reserve is enough for the last pass. */
  readonly coversLastPass: boolean;
}

/** Divides a budget for a chain of this size. */
export function divideBudget(whole: Budget, capacity: number, crawlers: number): DividedBudget {
  const lastPassMs = msPerStep * 3 * crawlers * (capacity + 1) ** 2;
  const most = maxShare * whole.remainingMs();
  const answerMs = Math.min(msForTheAnswer + msPerCrawler * crawlers, most);
  const coversLastPass = answerMs + lastPassMs <= most;
  return {
    iterating: endingEarlier(whole, coversLastPass ? answerMs + lastPassMs : answerMs),
    finishing: endingEarlier(whole, answerMs),
    coversLastPass,
  };
}

/** Rows of some hundred thousand states together, to be gone through between two polls: a power of two. */
export function rowsBetweenPolls(capacity: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(1e5 / (capacity + 1))));
}

/**
 * Asked every so often during the evaluation of a policy, which has nothing to show before its end.
 *
 * @throws NothingToReturn once the budget has ended
 */
export function requireEvaluationTime(budget: Budget): void {
  if (budget.stopRequested()) throw new NothingToReturn('the policy had not been evaluated');
}
