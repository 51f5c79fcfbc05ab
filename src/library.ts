/**
 * An operation as a function of this process, without a server and without a worker. The check, the solver and the
 * answer are the same as over HTTP. `src/index.ts` exports one for every operation.
 */
import type * as z from 'zod';
import type { Operation } from './operations/operation.ts';
import { ProblemError } from './schemas/contract/problem.ts';
import { deadlineBudget, type Progress } from './solvers/budget.ts';
import { now } from './workers/clock.ts';
import { prepareParsed, type Refusal, type RunLimits, solve } from './workers/pipeline.ts';
import { toPlain } from './workers/to-json.ts';

/** How a call may be watched and stopped. A solve blocks the thread it runs on: use a worker thread for long ones. */
export interface CallOptions {
  /** Called now and then with the progress: share done, cost of the best solution so far, proved bound. */
  readonly onProgress?: (progress: Progress) => void;
  /** Polled every few thousand steps: return true to get the best solution found so far. */
  readonly stopRequested?: () => boolean;
}

/** An operation as a function. */
export type OperationFunction<Request, Answer> = (request: Request, options?: CallOptions) => Answer;

/** The request of an operation's function: `RequestOf<typeof crawlerCount>`. */
export type RequestOf<Call> = Call extends OperationFunction<infer Request, infer _Answer> ? Request : never;

/** The answer of an operation's function: `AnswerOf<typeof crawlerCount>`. */
export type AnswerOf<Call> = Call extends (...inputs: never[]) => infer Answer ? Answer : never;

const limits: RunLimits = {
  defaultTimeLimitMs: Number.POSITIVE_INFINITY,
  maxTimeLimitMs: Number.POSITIVE_INFINITY,
  maxWork: Number.POSITIVE_INFINITY,
};

/**
 * The function of an operation.
 *
 * @returns a function that throws {@link ProblemError} where the service would answer with problem details
 */
export function operationFunction<Req extends z.ZodType, Ans extends z.ZodType>(
  operation: Operation<Req, Ans>,
): OperationFunction<z.input<Req>, z.output<Ans>> {
  return (request, options = {}) => {
    const ready = prepareParsed(operation, request, limits);
    if (ready.kind !== 'ready') throw failure(ready);
    const budget = deadlineBudget({
      clock: now,
      deadline: now() + ready.timeLimitMs,
      seed: ready.request.seed,
      isCancelled: () => options.stopRequested?.() ?? false,
      report: (progress) => options.onProgress?.(progress),
    });
    const result = solve(ready, budget, now);
    if (result.kind === 'problem') throw failure(result);
    // The compiler checks the operation's `solve` against the answer's schema; toPlain only turns typed arrays into
    // arrays.
    return toPlain(result.envelope) as z.output<Ans>;
  };
}

function failure({ problem, failure: cause }: Refusal): ProblemError {
  return new ProblemError(problem, cause === undefined ? undefined : { cause });
}
