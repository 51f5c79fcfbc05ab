/** The thread that solves: the main one stays free to hear Ctrl-C, which a solver that runs could not. */
import { parentPort, workerData } from 'node:worker_threads';
import { keepCompiledCode } from '../../compile-cache.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Progress } from '../../solvers/budget.ts';
import type { Outcome, RunLimits } from '../../workers/pipeline.ts';
import type { SolverMessage, SolverTerms } from './solver.ts';

keepCompiledCode();
const terms: SolverTerms & { readonly stop: SharedArrayBuffer } = workerData;
const stop = new Int32Array(terms.stop);
const { ConfigurationError, readConfig } = await import('../../config.ts');
const { now } = await import('../../workers/clock.ts');
const { prepare, prepareParsed, run, validated } = await import('../../workers/pipeline.ts');
const { deadlineBudget } = await import('../../solvers/budget.ts');
const { operationNamed } = await import('../operations.ts');

const send = (message: SolverMessage): void => parentPort?.postMessage(message);

/** Least milliseconds between two messages of progress. */
const reportEveryMs = 50;
let reportedAt = Number.NEGATIVE_INFINITY;

function report(progress: Progress): void {
  if (terms.progress !== true || now() - reportedAt < reportEveryMs) return;
  reportedAt = now();
  send({ kind: 'progress', progress });
}

function answer(operation: Operation, request: string | object, limits: RunLimits): Outcome {
  const ready =
    typeof request === 'string' ? prepare(operation, request, limits) : prepareParsed(operation, request, limits);
  if (ready.kind !== 'ready') return ready;
  if (terms.validateOnly) return validated(ready);
  const budget = deadlineBudget({
    clock: now,
    deadline: now() + ready.timeLimitMs,
    seed: ready.request.seed,
    cancelled: () => Atomics.load(stop, 0) !== 0,
    report,
  });
  return run(ready, budget, now);
}

const operation = await operationNamed(terms.operation);
parentPort?.on('message', (request: string | object) => {
  try {
    const { defaultTimeLimitMs, maxTimeLimitMs, maxWork } = readConfig(process.env);
    const limits = { defaultTimeLimitMs: terms.timeLimitMs ?? defaultTimeLimitMs, maxTimeLimitMs, maxWork };
    send({ kind: 'outcome', outcome: answer(operation, request, limits) });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    send({ kind: 'configuration', reason: error.message });
  }
});
