/**
 * How long a plan takes, where the time ends before there is one. The checks are read first. On logs of 20,000 to
 * 60,000 pages with 3 to 60 checks each, the whole plan took 3 to 9 times as long as that.
 */
import { type Budget, NothingToReturn, reportingAs } from '../budget.ts';

/** Near the upper end, so that a second try with that time ends with a plan. */
const wholeOverChecks = 8;

export class TimeNeeded {
  /** For the reading of the checks. */
  readonly reading: Budget;
  readonly #budget: Budget;
  readonly #atFirstMs: number;
  #share = 0;
  #readMs: number | null = null;

  constructor(budget: Budget) {
    this.#budget = budget;
    this.#atFirstMs = budget.remainingMs();
    this.reading = reportingAs(budget, (progress) => {
      this.#share = progress.fraction ?? this.#share;
      return progress;
    });
  }

  /** The checks have been read. */
  read(): void {
    this.#readMs = this.#spentMs();
  }

  /** An error with the time that a plan takes, where the time has ended and as far as it can be told. */
  withNeededTime(error: unknown): unknown {
    if (!(error instanceof NothingToReturn)) return error;
    const readMs = this.#readMs ?? this.#spentMs() / this.#share;
    if (!(readMs > 0 && readMs < Number.POSITIVE_INFINITY)) return error;
    return new NothingToReturn(error.message, Number((wholeOverChecks * readMs).toPrecision(2)));
  }

  #spentMs(): number {
    return this.#atFirstMs - this.#budget.remainingMs();
  }
}
