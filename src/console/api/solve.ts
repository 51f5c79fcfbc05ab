/** Sends a question to the service: long solves report progress, and can be aborted. */

import { isAnswer, type Outcome, type Problem, type Progress } from './answer.ts';
import { askPatiently, pause } from './ask-patiently.ts';
import { isRecord, type Json } from './json.ts';
import { ask } from './service.ts';

function problemOf(value: unknown, fallback: string): Problem {
  const record = isRecord(value) ? value : {};
  const errors = Array.isArray(record.errors) ? record.errors.filter(isRecord) : [];
  return {
    title: String(record.title ?? 'The service did not answer'),
    status: Number(record.status ?? 0),
    detail: String(record.detail ?? fallback),
    errors: errors.map(({ pointer, code, detail }) => ({
      pointer: String(pointer),
      code: String(code),
      detail: String(detail),
    })),
    errorCount: Number(record.errorCount ?? errors.length),
  };
}

/** Sends a question; rejects only when it is aborted. */
export async function solve(
  operation: string,
  request: Json,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void = () => {},
): Promise<Outcome> {
  const startedAt = performance.now();
  try {
    const { kind, value, retryAfterMs } = await ask(operation, request, signal, onProgress);
    if (kind === 'answer' && isAnswer(value)) {
      return { kind: 'answer', answer: value, elapsedMs: performance.now() - startedAt };
    }
    const problem = problemOf(value, 'what came back is no answer');
    return { kind: 'problem', problem: retryAfterMs === undefined ? problem : { ...problem, retryAfterMs } };
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'problem', problem: problemOf(undefined, `the service cannot be reached: ${reason}`) };
  }
}

/** The same for follow-up questions: without progress, repeated after the wait that the service names. */
export const solvePatiently = (operation: string, request: Json, signal: AbortSignal): Promise<Outcome> =>
  askPatiently(
    () => solve(operation, request, signal),
    (milliseconds) => pause(milliseconds, signal),
    () => undefined,
  );
