/**
 * What a solver may spend and how it says how far it is.
 *
 * A solver has no clock and no global state: whoever calls it passes a budget. Long solvers poll `stopRequested()`
 * every few thousand steps and, when it answers true, return their incumbent (status `feasible`, with its gap) or,
 * having none, throw {@link NothingToReturn}.
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

/** Thrown by a solver that was stopped before it had any solution to return. */
export class NothingToReturn extends Error {
  override readonly name = 'NothingToReturn';
}
