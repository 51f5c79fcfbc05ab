/** Solves requests in this thread, because the command line has nothing else to do meanwhile and Ctrl-C ends the process. */
import { readConfig } from '../config.ts';
import type { Operation } from '../operations/operation.ts';
import { deadlineBudget } from '../solvers/budget.ts';
import { now } from '../workers/clock.ts';
import { type Outcome, prepare, prepareParsed, run, validationAnswer } from '../workers/pipeline.ts';
import { withProgress } from './progress-line.ts';

interface Terms {
  /** Milliseconds, for requests without options.timeLimitMs; by default that of the environment. */
  readonly timeLimitMs?: number | undefined;
  /** Check and estimate without solving. */
  readonly validateOnly?: boolean | undefined;
}

/** @throws ConfigurationError if a variable of the environment is invalid */
export function solve(operation: Operation, request: unknown, { timeLimitMs, validateOnly }: Terms = {}): Outcome {
  const { defaultTimeLimitMs, maxTimeLimitMs, maxWork } = readConfig(process.env);
  const limits = { defaultTimeLimitMs: timeLimitMs ?? defaultTimeLimitMs, maxTimeLimitMs, maxWork };
  const ready =
    typeof request === 'string' ? prepare(operation, request, limits) : prepareParsed(operation, request, limits);
  if (ready.kind !== 'ready') return ready;
  if (validateOnly) return validationAnswer(ready);
  const { seed } = ready.request;
  const deadline = now() + ready.timeLimitMs;
  return withProgress(operation.name, process.stderr, (report) =>
    run(ready, deadlineBudget({ clock: now, deadline, seed, report }), now),
  );
}
