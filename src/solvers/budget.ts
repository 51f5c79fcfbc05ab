/**
 * The time a solver may take, and how it reports its progress.
 *
 * A solver has no clock and no global state: whoever calls it passes a budget. Long solves poll `stopRequested()` every
 * few thousand steps. When it answers true, they return their incumbent (status `feasible`, with its gap) or, having
 * none, throw {@link NothingToReturn}.
 */
export interface Budget {
  /** True once the deadline has passed or the caller has left; cheap enough to call every thousand steps. */
  stopRequested(): boolean;
  /** Milliseconds left until the deadline; `Infinity` without one. */
  remainingMs(): number;
  /** Seed of every random choice: the same seed and input give the same solution to the bit. */
  readonly seed: number;
  /** Reports progress: share done in [0, 1], cost of the incumbent, proved bound. Optional to call. */
  report(progress: Progress): void;
}

/** Progress of a solve; figures that are not known yet are left out. */
export interface Progress {
  readonly fraction?: number;
  readonly incumbent?: number;
  readonly bound?: number;
}

/** A budget without a limit: for library users and tests. */
export function unlimitedBudget(seed = 0): Budget {
  return { stopRequested: () => false, remainingMs: () => Number.POSITIVE_INFINITY, seed, report: () => {} };
}

/** Terms of a budget with a deadline. */
interface DeadlineTerms {
  /** Milliseconds on any clock that never goes back. */
  readonly clock: () => number;
  /** When the time is up, on that clock; `Infinity` for never. */
  readonly deadline: number;
  readonly seed: number;
  /** Whether the caller has left; from then on no time remains. */
  readonly isCancelled?: () => boolean;
  readonly report?: (progress: Progress) => void;
}

/** A budget that ends at a time on a clock, or when it is cancelled. */
export function deadlineBudget({ clock, deadline, seed, isCancelled, report }: DeadlineTerms): Budget {
  const hasEnded = isCancelled ?? (() => false);
  return {
    seed,
    stopRequested: () => hasEnded() || clock() >= deadline,
    remainingMs: () => (hasEnded() ? 0 : Math.max(0, deadline - clock())),
    report: report ?? (() => {}),
  };
}

/** `budget` without its last `ms` milliseconds: for a phase that must leave time for the next. */
export function reserveTime(budget: Budget, ms: number): Budget {
  return {
    seed: budget.seed,
    stopRequested: () => budget.stopRequested() || budget.remainingMs() < ms,
    remainingMs: () => Math.max(0, budget.remainingMs() - ms),
    report: (progress) => budget.report(progress),
  };
}

/**
 * `budget` without a share of its remaining time, which is reserved for the next phase; `budget` itself where it has no
 * limit.
 */
export function reserveShare(budget: Budget, share: number): Budget {
  const remainingMs = budget.remainingMs();
  return remainingMs < Number.POSITIVE_INFINITY ? reserveTime(budget, share * remainingMs) : budget;
}

/**
 * Counts elementary steps (about a nanosecond each) and throws {@link NothingToReturn} when the time is up.
 */
export type Poll = (steps: number) => void;

/**
 * A poll that asks the budget once in 20 million steps. What takes less is never interrupted. So small work after the
 * deadline (an incumbent's measures) is still done, and long work ends within some 20 ms of it.
 *
 * @param unfinished the phase that was not complete, for the message of {@link NothingToReturn}
 */
export function pollOf(budget: Budget, unfinished: string): Poll {
  const stepsPerPoll = 2e7;
  let stepsSincePoll = 0;
  return (steps) => {
    stepsSincePoll += steps;
    if (stepsSincePoll < stepsPerPoll) return;
    stepsSincePoll = 0;
    if (budget.stopRequested()) throw new NothingToReturn(unfinished);
  };
}

/** Steps between two looks at the clock, of some microseconds each: see {@link stopCheck}. */
const stepsPerLook = 256;

/**
 * `stopRequested` for inner loops: counts steps of at most some ten microseconds and looks at the clock at the first
 * step and then at every 256th. Once it has returned true it always does.
 */
export function stopCheck(budget: Budget): (steps?: number) => boolean {
  let stepsSinceLook = stepsPerLook;
  let isStopped = false;
  return (steps = 1) => {
    stepsSinceLook += steps;
    if (stepsSinceLook < stepsPerLook || isStopped) return isStopped;
    stepsSinceLook = 0;
    isStopped = budget.stopRequested();
    return isStopped;
  };
}

/** The result of `compute`, or `fallback` when the budget ends during it. */
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
  /** Approximate time that the whole solve takes, ms; undefined where that is not known. */
  readonly neededMs: number | undefined;

  constructor(message?: string, neededMs?: number) {
    super(message);
    this.neededMs = neededMs;
  }
}
