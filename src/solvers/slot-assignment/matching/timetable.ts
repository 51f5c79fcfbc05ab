import type { Budget } from '../../budget.ts';

/**
 * Shares of the time, less what is reserved, that must be left when a stage of a search ends: a cold start that is far
 * from its end, any cold start, the prices to begin with, the auction, the exact search, the exchanges of neighbours.
 */
const leftAfter = { slowCold: 0.8, cold: 0.55, start: 0.3, auction: 0.1, exact: 0.05, exchange: 0.01 } as const;

type Stage = keyof typeof leftAfter;

/** When the stages of a search end; without a deadline no stage ends for lack of time. */
export class Timetable {
  private readonly budget: Budget;
  private readonly reservedMs: number;
  private readonly shared: number;

  /** @param reservedMs to be left at the end of all stages */
  constructor(budget: Budget, reservedMs: number) {
    const whole = budget.remainingMs();
    this.budget = budget;
    this.reservedMs = whole === Number.POSITIVE_INFINITY ? 0 : reservedMs;
    this.shared = whole === Number.POSITIVE_INFINITY ? 0 : Math.max(0, whole - reservedMs);
  }

  /** Milliseconds that must be left when the stage ends. */
  leftMs(stage: Stage): number {
    return this.reservedMs + leftAfter[stage] * this.shared;
  }

  /** Whether the stage must end. @param moreMs to be left besides */
  past(stage: Stage, moreMs = 0): boolean {
    return this.budget.stopRequested() || this.budget.remainingMs() < this.leftMs(stage) + moreMs;
  }
}
