/** A worker process: takes a task, runs it, sends its result, takes the next; with the types of its messages. */
import { writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { Operation } from '../operations/operation.ts';
import { deadlineBudget, type Progress } from '../solvers/budget.ts';
import { readArrow } from './arrow/read.ts';
import { writeArrow } from './arrow/write.ts';
import { now } from './clock.ts';
import { type BodyEncoding, inflate } from './inflate.ts';
import { type LogQuery, type ParsedLog, parseJson, parseLog, prepareLog } from './log-body.ts';
import {
  type Outcome,
  type ParsedBody,
  prepareParsed,
  type Ready,
  type Refusal,
  type RunLimits,
  refuseError,
  solve,
  validationAnswer,
} from './pipeline.ts';
import { toJson } from './to-json.ts';

/** How a request or an answer is written. */
export type BodyFormat = 'json' | 'arrow';

export interface Task {
  readonly operation: string;
  /** The body; of a crawl log the first piece: the worker asks for the further ones. */
  readonly body: Uint8Array;
  readonly format: BodyFormat;
  /** How the body is compressed; undefined for a plain body that is no crawl log. */
  readonly packing?: BodyEncoding | undefined;
  readonly answer: BodyFormat;
  /** For a body that is a crawl log: the rest of the request. */
  readonly logQuery?: LogQuery | undefined;
  readonly validateOnly: boolean;
  readonly limits: RunLimits;
  /** How long the task waited for a worker. */
  readonly queueMs: number;
}

export type TaskResult = Outcome<Uint8Array | string>;

/** The next piece of a crawl log; null at its end. */
export interface PieceMessage {
  readonly piece: Uint8Array | null;
}

/** Messages of a worker: ready for tasks or the next piece; and for each task its time limit, progress and result. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'next-piece' }
  | { readonly kind: 'time-limit'; readonly timeLimitMs: number }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'result'; readonly result: TaskResult };

/** Minimum time between two progress messages, ms: more would fill the channel while the solver runs. */
const progressEveryMs = 20;

const send = (message: WorkerMessage): void => {
  process.send?.(message, undefined, undefined, () => {
    // An error here means that the service has ended; the disconnect handler below ends this process.
  });
};

/**
 * Serves tasks until the service closes the channel.
 *
 * @param load loads an operation by name, on its first task
 */
export function serveTasks(load: (name: string) => Promise<Operation | undefined>): void {
  preferredVictim();
  // The service decides when its workers end: it still has requests to finish when a signal comes to all of them.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  process.on('disconnect', () => process.exit(0));
  let pieces: Readable | null = null;
  process.on('message', async (message: Task | PieceMessage) => {
    if ('piece' in message) return void pieces?.push(message.piece);
    const operation = await load(message.operation);
    if (operation === undefined) throw new Error(`no operation ${message.operation} in this worker`);
    if (message.logQuery !== undefined) {
      pieces = new Readable({ read: () => send({ kind: 'next-piece' }) });
      pieces.push(message.body);
    }
    const result = await runTask(operation, message, pieces);
    pieces?.destroy();
    pieces = null;
    send({ kind: 'result', result });
  });
  send({ kind: 'ready' });
}

/** Asks the kernel, where it can be asked, to end a worker rather than the service when memory runs out. */
function preferredVictim(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux, or not permitted: the heap limit still holds.
  }
}

/**
 * Runs one task; the time limit counts from this call, or from the end of a crawl log.
 *
 * @param pieces the body of a crawl log; null for others
 */
async function runTask(operation: Operation, task: Task, pieces: Readable | null): Promise<TaskResult> {
  let startedAt = now();
  pieces?.once('end', () => {
    startedAt = now();
  });
  const { limits, queueMs } = task;
  try {
    const ready = await readyOf(operation, task, pieces);
    if (ready.kind !== 'ready') return ready;
    if (task.validateOnly) return validationAnswer(ready);
    let reportAt = 0;
    const budget = deadlineBudget({
      clock: now,
      deadline: startedAt + Math.min(ready.timeLimitMs, limits.maxTimeLimitMs),
      seed: ready.request.seed,
      report: (progress) => {
        if (now() < reportAt) return;
        reportAt = now() + progressEveryMs;
        send({ kind: 'progress', progress });
      },
    });
    const result = solve(ready, budget, now, queueMs);
    if (result.kind === 'problem') return result;
    const { envelope, facts } = result;
    const body = task.answer === 'arrow' ? writeArrow(operation, envelope) : Buffer.from(toJson(envelope));
    return { kind: 'answer', body, facts };
  } catch (error) {
    return refuseError(error, { queueMs });
  }
}

/** Parses and checks, in a separate function so that the parsed body is garbage before the solver runs. */
async function readyOf(operation: Operation, task: Task, pieces: Readable | null): Promise<Ready | Refusal> {
  const { limits } = task;
  const parsed = await parseBody(operation, task, pieces);
  if (parsed.kind === 'problem') return parsed;
  // The time limit is reported before the check, which may be long: the pool ends an endless check by this limit.
  const timeLimitMs = Math.min(timeLimitIn(parsed.value) ?? limits.defaultTimeLimitMs, limits.maxTimeLimitMs);
  send({ kind: 'time-limit', timeLimitMs });
  return 'notes' in parsed ? prepareLog(operation, parsed, limits) : prepareParsed(operation, parsed.value, limits);
}

async function parseBody(
  operation: Operation,
  { body, packing, logQuery, format }: Task,
  pieces: Readable | null,
): Promise<ParsedBody | ParsedLog | Refusal> {
  if (pieces !== null && logQuery !== undefined && packing !== undefined)
    return parseLog(operation, pieces, packing, logQuery);
  const bytes = packing === undefined ? body : inflate(body, packing);
  if ('kind' in bytes) return bytes;
  return format === 'arrow' ? readArrow(operation, bytes) : parseJson(operation, bytes);
}

/** The time limit of a parsed request that has not been validated. */
function timeLimitIn(value: unknown): number | undefined {
  const options: unknown = Reflect.get(Object(value), 'options');
  const limit: unknown = Reflect.get(Object(options), 'timeLimitMs');
  return typeof limit === 'number' && limit > 0 ? limit : undefined;
}
