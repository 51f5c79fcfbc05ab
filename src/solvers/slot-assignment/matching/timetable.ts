import type { Budget } from '../../budget.ts';

/** Shares of the time, less what is reserved, that must be left when a stage ends. */
const leftAfter = {
  slowCold: 0.8,
  cold: 0.55,
  layers: 0.4,
  samples: 0.26,
  auction: 0.1,
  exact: 0.06,
  cut: 0.03,
  exchange: 0.01,
} as const;

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

  /** Whether the stage must end, with so many milliseconds more to be left. */
  past(stage: Stage, moreMs = 0): boolean {
    return this.budget.stopRequested() || this.msFor(stage) < moreMs;
  }

  /** Milliseconds until the stage must end. */
  msFor(stage: Stage): number {
    return this.budget.remainingMs() - this.leftMs(stage);
  }

  /** Says when one more layer like those done since it was last asked would not fit into their stage. */
  noRoomForAnother(): () => boolean {
    let before = this.budget.remainingMs();
    return () => {
      const now = this.budget.remainingMs();
      const step = before - now;
      before = now;
      return this.budget.stopRequested() || now - step < this.leftMs('layers');
    };
  }
}
