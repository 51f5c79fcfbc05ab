/**
 * Decides where a request is answered: in this process if it is small and its estimated work is at most a millisecond,
 * otherwise by a worker. Both run the same four steps.
 */
import type { Operation } from '../operations/operation.ts';
import { deadlineBudget, type Progress } from '../solvers/budget.ts';
import { now } from './clock.ts';
import { parseJson } from './log-body.ts';
import { type Outcome, prepareParsed, type Refusal, type RunLimits, run, validationAnswer } from './pipeline.ts';
import type { Pool, PoolResult } from './pool.ts';
import type { Task } from './worker.ts';

/** The service's own process solves a request of at most this size (bytes) and estimated work (ns). */
const cheapBytes = 64 * 1024;
const cheapWork = 1e6;

export type RoutedResult = PoolResult & { readonly where: 'inline' | 'worker' };

export interface Question extends Omit<Task, 'operation' | 'queueMs' | 'limits'> {
  readonly operation: Operation;
  /** Called only for requests that go to a worker; the signal is aborted when the caller disconnects. */
  readonly createSignal: () => AbortSignal;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** The body of a crawl log, in place of `body`. */
  readonly pieces?: AsyncGenerator<Uint8Array | Refusal, undefined>;
}

/** Answers a question; never rejects. */
export async function answerQuestion(question: Question, limits: RunLimits, pool: Pool): Promise<RoutedResult> {
  const { operation, createSignal, onProgress, pieces, ...task } = question;
  const outcome = answerCheap(question, limits);
  if (outcome.kind !== 'not-cheap') return { ...outcome, where: 'inline' };
  const extras = { signal: createSignal(), onProgress, timeLimitMs: outcome.timeLimitMs, pieces };
  return { ...(await pool.run({ ...task, operation: operation.name, limits }, extras)), where: 'worker' };
}

/** The outcome of a cheap request; `not-cheap` for any other, with its time limit if the body was parsed. */
function answerCheap(question: Question, limits: RunLimits): Outcome | { kind: 'not-cheap'; timeLimitMs?: number } {
  const { operation, body, packing, format, validateOnly } = question;
  const isPlain = packing === undefined && format === 'json' && question.answer === 'json';
  if (!isPlain || body.byteLength > cheapBytes) return { kind: 'not-cheap' };
  const takenAt = now();
  const parsed = parseJson(operation, body);
  if (parsed.kind === 'problem') return parsed;
  const ready = prepareParsed(operation, parsed.value, limits);
  if (ready.kind === 'problem') return ready;
  if (validateOnly) return validationAnswer(ready);
  if (ready.work > cheapWork) return { kind: 'not-cheap', timeLimitMs: ready.timeLimitMs };
  const { seed } = ready.request;
  return run(ready, deadlineBudget({ clock: now, deadline: takenAt + ready.timeLimitMs, seed }), now);
}
