/** The thread that solves: the main one stays free to hear Ctrl-C, which a solver that runs could not. */
import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { keepCompiledCode } from '../../compile-cache.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Outcome, RunLimits } from '../../workers/pipeline.ts';
import type { SolverTerms } from './solver.ts';

keepCompiledCode();
const terms: SolverTerms & { readonly stop: SharedArrayBuffer } = workerData;
const stop = new Int32Array(terms.stop);
const { readConfig } = await import('../../config.ts');
const { loadOperation } = await import('../../operations/load.ts');
const { now } = await import('../../workers/clock.ts');
const { prepare, prepareParsed, run, validated } = await import('../../workers/pipeline.ts');
const { deadlineBudget } = await import('../../solvers/budget.ts');
const { ProgressBar } = await import('./progress-bar.ts');

async function findOperation(): Promise<Operation | undefined> {
  const alone = await loadOperation(terms.operation);
  if (alone !== undefined) return alone;
  const { operations } = await import('../../operations/index.ts');
  return operations.find(({ name }) => name === terms.operation);
}

function answer(operation: Operation, request: string | object, limits: RunLimits): Outcome {
  const ready =
    typeof request === 'string' ? prepare(operation, request, limits) : prepareParsed(operation, request, limits);
  if (ready.kind !== 'ready') return ready;
  if (terms.validateOnly) return validated(ready);
  const bar = new ProgressBar(operation.name, (line) => writeSync(2, line), now);
  const budget = deadlineBudget({
    clock: now,
    deadline: now() + ready.timeLimitMs,
    seed: ready.request.seed,
    cancelled: () => Atomics.load(stop, 0) !== 0,
    report: (progress) => {
      if (terms.progress) bar.show(progress);
    },
  });
  try {
    return run(ready, budget, now);
  } finally {
    bar.clear();
  }
}

/** What the environment allows, or why it is refused. */
function limits(): RunLimits | Error {
  try {
    const { defaultTimeLimitMs, maxTimeLimitMs, maxWork } = readConfig(process.env);
    return { defaultTimeLimitMs: terms.timeLimitMs ?? defaultTimeLimitMs, maxTimeLimitMs, maxWork };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

const found = await findOperation();
const allowed = limits();
// At once: who pipes requests into a misspelt operation need not wait for the first of them.
if (found === undefined) parentPort?.postMessage({ kind: 'unknown' });
else {
  parentPort?.on('message', (request: string | object) => {
    parentPort?.postMessage(allowed instanceof Error ? allowed : answer(found, request, allowed));
  });
}
