/** What crosses to a worker and back: bytes and a few numbers, the bytes transferred. */
import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { Operation } from '../operations/operation.ts';
import { givenUpAt, now } from './clock.ts';
import { Control } from './control.ts';
import { type Outcome, prepare, type RunFacts, type RunLimits, run, validated } from './pipeline.ts';
import { runBudget } from './run-budget.ts';

export interface WorkerTask {
  readonly operation: string;
  readonly body: Uint8Array;
  readonly control: SharedArrayBuffer;
  /** Milliseconds since the epoch at which the body had arrived: the time limit counts from there. */
  readonly arrivedAt: number;
  readonly limits: RunLimits;
  readonly validateOnly: boolean;
}

/** Errors lose their fields on the way between threads, so results are tagged. */
export type WorkerResult =
  | { readonly kind: 'answer'; readonly bytes: Uint8Array<ArrayBuffer>; readonly facts: RunFacts }
  | Extract<Outcome, { kind: 'problem' }>;

/** Runs one task with the given operations; never throws. */
export function runTask(task: WorkerTask, operations: readonly Operation[]): WorkerResult {
  const startedAt = now();
  const queueMs = Math.max(0, startedAt - task.arrivedAt);
  const control = new Control(task.control);
  const operation = operations.find(({ name }) => name === task.operation);
  if (operation === undefined) throw new Error(`no operation ${task.operation} in this worker`);
  const ready = prepare(operation, new TextDecoder().decode(task.body), task.limits);
  if (ready.kind !== 'ready') return toResult(ready);
  if (task.validateOnly) return toResult(validated(ready));
  const deadline = task.arrivedAt + ready.timeLimitMs;
  control.givenUpAt = givenUpAt(task.arrivedAt, ready.timeLimitMs);
  return toResult(run(ready, runBudget(control, deadline, ready.request.seed), now, queueMs));
}

function toResult(outcome: Outcome): WorkerResult {
  if (outcome.kind === 'answer') {
    return { kind: 'answer', bytes: new TextEncoder().encode(outcome.json), facts: outcome.facts };
  }
  return outcome;
}

/** The result as piscina posts it without copying its bytes. */
export function transferred(result: WorkerResult): object {
  if (result.kind === 'problem') return result;
  return move({ [transferableSymbol]: [result.bytes.buffer], [valueSymbol]: result });
}
