/** The service that the console asks: the one it is served by. */
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { isAnswer, type Outcome, type Problem, type Progress } from './answer.ts';
import { pause, retryAfterMs, retryWhileBusy } from './ask-patiently.ts';
import { isRecord, type Json } from './json.ts';

/** The API key is kept for this tab only. */
const storageName = 'crawl-optimizer-api-key';

export const storedKey = (): string => sessionStorage.getItem(storageName) ?? '';

export const storeKey = (key: string): void => sessionStorage.setItem(storageName, key);

export const serviceUrl = (path: string): string => new URL(`../${path}`, document.baseURI).href;

interface Reply {
  readonly kind: 'answer' | 'problem';
  readonly value: unknown;
  /** Retry-After of a refusal, ms. */
  readonly retryAfterMs?: number | undefined;
}

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Reads the events of a solve up to its answer or problem. */
async function lastEvent(body: ReadableStream<BufferSource>, onProgress: (progress: Progress) => void): Promise<Reply> {
  const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for (const reader = events.getReader(); ; ) {
    const { done, value: event } = await reader.read();
    if (done) return { kind: 'problem', value: { detail: 'the connection ended before the answer' } };
    const value: unknown = JSON.parse(event.data);
    if (event.event === 'progress' && isRecord(value)) {
      const { fraction, incumbent, bound } = value;
      onProgress({ fraction: numberOrNull(fraction), incumbent: numberOrNull(incumbent), bound: numberOrNull(bound) });
    }
    if (event.event === 'answer' || event.event === 'problem') return { kind: event.event, value };
  }
}

/** The reply to a question; rejects when it is aborted, or when nobody can be reached. */
async function ask(
  operation: string,
  request: unknown,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Reply> {
  const key = storedKey();
  const response = await fetch(serviceUrl(`v1/${operation}`), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/problem+json',
      ...(key && { 'x-api-key': key }),
    },
    body: JSON.stringify(request),
    signal,
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (isStream && response.body !== null) return lastEvent(response.body, onProgress);
  const problem: unknown = await response.json().catch(() => ({ detail: `HTTP status ${response.status}` }));
  return { kind: 'problem', value: problem, retryAfterMs: retryAfterMs(response.headers.get('retry-after')) };
}

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
    const { kind, value, retryAfterMs: wait } = await ask(operation, request, signal, onProgress);
    if (kind === 'answer' && isAnswer(value)) {
      return { kind: 'answer', answer: value, elapsedMs: performance.now() - startedAt };
    }
    const problem = problemOf(value, 'what came back is no answer');
    return { kind: 'problem', problem: wait === undefined ? problem : { ...problem, retryAfterMs: wait } };
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'problem', problem: problemOf(undefined, `the service cannot be reached: ${reason}`) };
  }
}

/** Sends a follow-up question: without progress, and repeated after the Retry-After of a refusal. */
export const solveWithRetries = (operation: string, request: Json, signal: AbortSignal): Promise<Outcome> =>
  retryWhileBusy(
    () => solve(operation, request, signal),
    (milliseconds) => pause(milliseconds, signal),
    () => undefined,
  );

/** The OpenAPI document of the service. */
export async function publishedDocument(): Promise<unknown> {
  const response = await fetch(serviceUrl('openapi.json'));
  if (!response.ok) throw new Error(`GET /openapi.json answered ${response.status}`);
  return response.json();
}
