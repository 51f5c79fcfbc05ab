/** What crosses to a worker and back, and how a task is run there. */
import type { Operation } from '../operations/operation.ts';
import { type Budget, deadlineBudget } from '../solvers/budget.ts';
import { now } from './clock.ts';
import { type Outcome, prepare, type RunFacts, type RunLimits, run, validated } from './pipeline.ts';

/** A task as it stands in the head of its frame; the request's bytes are the body. */
export interface WorkerTask {
  readonly operation: string;
  readonly limits: RunLimits;
  readonly validateOnly: boolean;
}

/** The head of the frame that carries a task. */
export interface TaskHead extends WorkerTask {
  readonly id: number;
  /** Milliseconds since the request's arrival, and the time of day, when the frame was written: clocks of two processes agree on the latter only. */
  readonly elapsedMs: number;
  readonly sentAt: number;
}

/** The head of the frame that carries a result; an answer's bytes are the body. */
export interface ResultHead {
  readonly id: number;
  readonly result: { readonly kind: 'answer'; readonly facts: RunFacts } | Extract<Outcome, { kind: 'problem' }>;
  /** Resident memory of the worker after the task, bytes. */
  readonly residentBytes: number;
}

export type WorkerResult =
  | { readonly kind: 'answer'; readonly bytes: Uint8Array; readonly facts: RunFacts }
  | Extract<Outcome, { kind: 'problem' }>;

/** What a running task tells and asks the process that sent it. */
export interface TaskLine {
  readonly cancelled: () => boolean;
  readonly timeLimit: (timeLimitMs: number) => void;
  readonly progress: Budget['report'];
}

/**
 * Runs one task with the given operations; never throws.
 *
 * @param arrivedAt when the request had arrived, on this process's clock: its time limit counts from there
 */
export function runTask(
  task: WorkerTask,
  text: string,
  operations: readonly Operation[],
  arrivedAt: number,
  line: TaskLine,
): Outcome {
  const queueMs = Math.max(0, now() - arrivedAt);
  const operation = operations.find(({ name }) => name === task.operation);
  if (operation === undefined) throw new Error(`no operation ${task.operation} in this worker`);
  const ready = prepare(operation, text, task.limits);
  if (ready.kind !== 'ready') return ready;
  if (task.validateOnly) return validated(ready);
  line.timeLimit(ready.timeLimitMs);
  const budget = deadlineBudget({
    clock: now,
    deadline: arrivedAt + ready.timeLimitMs,
    seed: ready.request.seed,
    cancelled: line.cancelled,
    report: line.progress,
  });
  return run(ready, budget, now, queueMs);
}
