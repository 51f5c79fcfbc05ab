/**
 * What a solver may spend and how it says how far it is.
 *
 * A solver has no clock and no global state: whoever calls it passes a budget. Long solves poll `stopRequested()` every
 * few thousand steps. When it answers true, they return their incumbent (status `feasible`, with its gap) or, having
 * none, throw {@link NothingToReturn}.
 */
export interface Budget {
  /** True once the deadline has passed or the caller has left; cheap enough to be asked every thousand steps. */
  stopRequested(): boolean;
  /** Milliseconds left until the deadline; `Infinity` without one. */
  remainingMs(): number;
  /** Seed of every random choice: the same seed and input give the same solution to the bit. */
  readonly seed: number;
  /** Says how far the solve is: share done in [0, 1], cost of the incumbent, proved bound. Optional to call. */
  report(progress: Progress): void;
}

/** How far a solve is. What is not known is left out. */
export interface Progress {
  readonly fraction?: number;
  readonly incumbent?: number;
  readonly bound?: number;
}

/** A budget without a limit: for library users and tests. */
export function unlimitedBudget(seed = 0): Budget {
  return { stopRequested: () => false, remainingMs: () => Number.POSITIVE_INFINITY, seed, report: () => {} };
}

/** What a budget with a deadline is made of. */
interface DeadlineTerms {
  /** Milliseconds on any clock that never goes back. */
  readonly clock: () => number;
  /** When the time is up, on that clock; `Infinity` for never. */
  readonly deadline: number;
  readonly seed: number;
  /** Whether whoever asked has left; from then on nothing is left of the budget. */
  readonly cancelled?: () => boolean;
  readonly report?: (progress: Progress) => void;
}

/** A budget that ends at a time on a clock, or when it is cancelled. */
export function deadlineBudget({ clock, deadline, seed, cancelled, report }: DeadlineTerms): Budget {
  const left = cancelled ?? (() => false);
  return {
    seed,
    stopRequested: () => left() || clock() >= deadline,
    remainingMs: () => (left() ? 0 : Math.max(0, deadline - clock())),
    report: report ?? (() => {}),
  };
}

/** `budget` without its last `ms` milliseconds: for a phase that must leave time for the next. */
export function endingEarlier(budget: Budget, ms: number): Budget {
  return {
    seed: budget.seed,
    stopRequested: () => budget.stopRequested() || budget.remainingMs() < ms,
    remainingMs: () => Math.max(0, budget.remainingMs() - ms),
    report: (progress) => budget.report(progress),
  };
}

/**
 * `budget` without a share of the time that is left to it, which is kept for what comes next. Where there is no limit
 * it is all of `budget`.
 */
export function keepingShare(budget: Budget, share: number): Budget {
  const left = budget.remainingMs();
  return left < Number.POSITIVE_INFINITY ? endingEarlier(budget, share * left) : budget;
}

/**
 * Told how many elementary steps (about a nanosecond each) were made; throws {@link NothingToReturn} when time is up.
 */
export type Poll = (steps: number) => void;

/**
 * A poll that asks the budget once in 20 million steps. What takes less is never interrupted. So small work after the
 * deadline (an incumbent's measures) is still done, and long work ends within some 20 ms of it.
 *
 * @param unfinished what had not been done, for the message of {@link NothingToReturn}
 */
export function pollOf(budget: Budget, unfinished: string): Poll {
  const between = 2e7;
  let made = 0;
  return (steps) => {
    made += steps;
    if (made < between) return;
    made = 0;
    if (budget.stopRequested()) throw new NothingToReturn(unfinished);
  };
}

/** What `compute` gives, or `fallback` when the budget ends during it. */
export function unlessStopped<T>(fallback: T, compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    if (error instanceof NothingToReturn) return fallback;
    throw error;
  }
}

/** Thrown by a solver that was stopped before it had any solution to return. */
export class NothingToReturn extends Error {
  override readonly name = 'NothingToReturn';
  /** About how long the whole solve takes, ms; undefined where that is not known. */
  readonly neededMs: number | undefined;

  constructor(message?: string, neededMs?: number) {
    super(message);
    this.neededMs = neededMs;
  }
}
