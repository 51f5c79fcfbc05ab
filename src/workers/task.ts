/** What crosses between the service and a worker, and how a worker runs a task. */
import type { Operation } from '../operations/operation.ts';
import { deadlineBudget, type Progress } from '../solvers/budget.ts';
import { readArrow } from './arrow/read.ts';
import { writeArrow } from './arrow/write.ts';
import { now } from './clock.ts';
import { type LogQuery, parseLog, prepareLog } from './log-body.ts';
import {
  failed,
  parse,
  prepareParsed,
  type Ready,
  type Refusal,
  type RunFacts,
  type RunLimits,
  solve,
  validated,
} from './pipeline.ts';
import { toJson } from './to-json.ts';

/** How an answer is written. */
export type AnswerFormat = 'json' | 'arrow';

export interface Task {
  readonly operation: string;
  readonly body: Uint8Array;
  /** How the body is written: as the request, or as a crawl log with the rest of the request in `logQuery`. */
  readonly format: 'json' | 'arrow' | 'log';
  readonly answer: AnswerFormat;
  readonly logQuery?: LogQuery;
  readonly validateOnly: boolean;
  readonly limits: RunLimits;
  /** How long the task waited for a worker. */
  readonly queueMs: number;
}

export type TaskResult =
  | {
      readonly kind: 'answer';
      readonly body: Uint8Array | string;
      readonly format: AnswerFormat;
      readonly facts: RunFacts;
    }
  | Refusal;

/** What a worker says: that it takes tasks; of a task, how long it may take, how far it is, and what came of it. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'time-limit'; readonly timeLimitMs: number }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'result'; readonly result: TaskResult };

/** The longest progress waits: a channel that nobody reads while it solves must not fill up. */
const progressEveryMs = 20;

const decoder = new TextDecoder();

/** Runs one task; the time limit counts from this call. */
export function runTask(operation: Operation, task: Task, send: (message: WorkerMessage) => void): TaskResult {
  const takenAt = now();
  const { limits, queueMs } = task;
  try {
    const ready = readyOf(operation, task, (timeLimitMs) => send({ kind: 'time-limit', timeLimitMs }));
    if (ready.kind !== 'ready') return ready;
    if (task.validateOnly) {
      const { json, facts } = validated(ready);
      return { kind: 'answer', body: Buffer.from(json), format: 'json', facts };
    }
    let reportAt = 0;
    const budget = deadlineBudget({
      clock: now,
      deadline: takenAt + Math.min(ready.timeLimitMs, limits.maxTimeLimitMs),
      seed: ready.request.seed,
      report: (progress) => {
        if (now() < reportAt) return;
        reportAt = now() + progressEveryMs;
        send({ kind: 'progress', progress });
      },
    });
    const solved = solve(ready, budget, now, queueMs);
    if (solved.kind === 'problem') return solved;
    const { envelope, facts } = solved;
    const body = task.answer === 'arrow' ? writeArrow(operation, envelope) : Buffer.from(toJson(envelope));
    return { kind: 'answer', body, format: task.answer, facts };
  } catch (error) {
    return failed(error, { queueMs });
  }
}

/** In a function of its own: the parsed body is garbage when it returns, and is not held while the solver runs. */
function readyOf(operation: Operation, task: Task, sendLimit: (timeLimitMs: number) => void): Ready | Refusal {
  const { body, format, logQuery, limits } = task;
  // Before anything is checked: a check that does not end is ended by the clock like a solve.
  const noteLimit = (value: unknown): void =>
    sendLimit(Math.min(timeLimitIn(value) ?? limits.defaultTimeLimitMs, limits.maxTimeLimitMs));
  if (logQuery !== undefined) {
    const log = parseLog(operation, body, logQuery);
    if (log.kind === 'problem') return log;
    noteLimit(log.value);
    return prepareLog(operation, log, limits);
  }
  const parsed = format === 'arrow' ? readArrow(operation, body) : parse(decoder.decode(body));
  if (parsed.kind === 'problem') return parsed;
  noteLimit(parsed.value);
  return prepareParsed(operation, parsed.value, limits);
}

/** The time limit of a request that nobody has checked yet. */
function timeLimitIn(value: unknown): number | undefined {
  const options: unknown = Reflect.get(Object(value), 'options');
  const limit: unknown = Reflect.get(Object(options), 'timeLimitMs');
  return typeof limit === 'number' && limit > 0 ? limit : undefined;
}
