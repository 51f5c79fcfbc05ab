/** What crosses to a worker and back, and how a task is run there. */
import type { Operation } from '../operations/operation.ts';
import { type Budget, deadlineBudget } from '../solvers/budget.ts';
import { timeLimitOf } from './ahead/asked-time-limit.ts';
import type { TakenBody } from './arriving/incoming.ts';
import { writeArrow } from './arrow/write.ts';
import { attemptBudget } from './attempt.ts';
import { now } from './clock.ts';
import { type BesideLog, readyOfLog } from './logged/parse-log.ts';
import {
  type BodyFormat,
  type Outcome,
  parse,
  parseArrow,
  prepareParsed,
  type Ready,
  type Refusal,
  type RequestFormat,
  type RunFacts,
  type RunLimits,
  runWritten,
  validated,
  type WrittenOutcome,
} from './pipeline.ts';
import { serialiseBytes } from './serialise.ts';

/** A task as it stands in the head of its frame; the request's bytes are the body. */
export interface WorkerTask {
  readonly operation: string;
  readonly limits: RunLimits;
  readonly validateOnly: boolean;
  /** How the body is written, and how the answer shall be. */
  readonly body: RequestFormat;
  /** What stands beside a body that is a crawl log. */
  readonly beside?: BesideLog;
  readonly answer: BodyFormat;
  /** Given where the task is an attempt only: it is abandoned when it has taken this long. */
  readonly attemptMs?: number;
}

/** The head of the frame that carries a task. */
export interface TaskHead extends WorkerTask {
  readonly id: number;
  /**
   * Milliseconds since the request's arrival, and the time of day, when the frame was written: clocks of two processes
   * agree on the latter only.
   */
  readonly elapsedMs: number;
  readonly sentAt: number;
  /** How many processors nobody else of this service uses. */
  readonly spare: number;
  /** Bytes of the body that have been sent ahead. */
  readonly ahead: number;
}

/** The head of the frame that carries a result; an answer's bytes are the body. */
export interface ResultHead {
  readonly id: number;
  readonly result:
    | { readonly kind: 'answer'; readonly facts: RunFacts; readonly format: BodyFormat }
    | Refusal
    | { readonly kind: 'abandoned' };
  /** Resident memory of the worker after the task, bytes. */
  readonly residentBytes: number;
}

export type WorkerResult =
  | { readonly kind: 'answer'; readonly bytes: Uint8Array; readonly facts: RunFacts; readonly format: BodyFormat }
  | Refusal
  | { readonly kind: 'abandoned' };

/** What a running task tells and asks the process that sent it. */
export interface TaskLine {
  readonly cancelled: () => boolean;
  readonly timeLimit: (timeLimitMs: number) => void;
  readonly progress: Budget['report'];
}

/** A task that has reached its worker. */
interface ArrivedTask {
  readonly task: WorkerTask;
  /** On this process's clock; the time limit counts from there. */
  readonly arrivedAt: number;
  /** Hands the request's bytes over: they are gone once they are parsed. */
  readonly takeBody: () => TakenBody;
  readonly line: TaskLine;
}

/**
 * Runs one task with the given operations.
 *
 * @throws Abandoned when the task was an attempt, and has taken too long
 */
export function runTask(
  { task, arrivedAt, takeBody, line }: ArrivedTask,
  operations: readonly Operation[],
): Outcome | WrittenOutcome {
  const startedAt = now();
  const queueMs = Math.max(0, startedAt - arrivedAt);
  const operation = operations.find(({ name }) => name === task.operation);
  if (operation === undefined) throw new Error(`no operation ${task.operation} in this worker`);
  const ready = readyOf(operation, task, { takeBody, line });
  if (ready.kind !== 'ready') return ready;
  if (task.validateOnly) return validated(ready);
  const budget = deadlineBudget({
    clock: now,
    deadline: arrivedAt + ready.timeLimitMs,
    seed: ready.request.seed,
    cancelled: line.cancelled,
    report: line.progress,
  });
  const { attemptMs } = task;
  const within = attemptMs === undefined ? budget : attemptBudget(budget, now, startedAt + attemptMs);
  const write = (envelope: object): readonly Uint8Array[] =>
    task.answer === 'arrow' ? writeArrow(operation, envelope) : serialiseBytes(envelope);
  return runWritten(ready, write, within, now, queueMs);
}

/** In a function of its own: the parsed body is garbage when it returns, and is not held while the solver runs. */
function readyOf(
  operation: Operation,
  { body, beside, limits }: WorkerTask,
  { takeBody, line }: Omit<ArrivedTask, 'task' | 'arrivedAt'>,
): Ready | Refusal {
  if (beside !== undefined)
    return readyOfLog(operation, () => takeBody().bytes, beside, { limits, timeLimit: line.timeLimit });
  const { bytes, begun, ahead } = takeBody();
  const parsed =
    body === 'arrow' ? parseArrow(operation, bytes, limits, ahead) : parse(operation, bytes, limits, begun);
  if (parsed.kind !== 'parsed') return parsed;
  // Said before anything is checked: a check that does not end is ended by the clock like a solve.
  line.timeLimit(Math.min(timeLimitOf(parsed.value) ?? limits.defaultTimeLimitMs, limits.maxTimeLimitMs));
  return prepareParsed(operation, parsed.value, limits);
}
