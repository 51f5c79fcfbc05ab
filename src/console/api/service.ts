/** The service that the console asks: the one it is served by. */
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { Progress } from './answer.ts';
import { retryAfterMs } from './ask-patiently.ts';
import { isRecord } from './json.ts';
import { storedKey } from './key.ts';
import { serviceUrl } from './service-url.ts';

export interface Reply {
  readonly kind: 'answer' | 'problem';
  readonly value: unknown;
  /** The wait that the service asks for before it is asked again. */
  readonly retryAfterMs?: number | undefined;
}

/** How a solve is ended early. */
export interface Leaving {
  /** Nobody wants its answer any more. */
  readonly signal: AbortSignal;
  /** The best it has found is wanted now. */
  readonly stop?: AbortSignal | undefined;
}

/** Leaves a solve that was told to stop and says nothing for so long. */
const longestStopMs = 10_000;

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

/** Answers a question; rejects when it is left, when nobody can be reached, or where what it has found cannot be had. */
export async function ask(
  operation: string,
  request: unknown,
  { signal, stop }: Leaving,
  onProgress: (progress: Progress) => void,
): Promise<Reply> {
  const key = storedKey();
  const headers: Readonly<Record<string, string>> = key ? { 'x-api-key': key } : {};
  const lost = new AbortController();
  const response = await fetch(serviceUrl(`v1/${operation}`), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/problem+json',
      ...headers,
    },
    body: JSON.stringify(request),
    signal: AbortSignal.any([signal, lost.signal]),
  });
  const id = response.headers.get('x-request-id');
  const askForBest = async (): Promise<void> => {
    setTimeout(() => lost.abort(), longestStopMs);
    const told = await fetch(serviceUrl(`v1/solves/${id}/stop`), { method: 'POST', headers });
    if (!told.ok) lost.abort();
  };
  const onStop = (): Promise<void> => askForBest().catch(() => lost.abort());
  if (stop?.aborted) onStop();
  else stop?.addEventListener('abort', onStop, { once: true });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (isStream && response.body !== null) return lastEvent(response.body, onProgress);
  const problem: unknown = await response.json().catch(() => ({ detail: `HTTP status ${response.status}` }));
  return { kind: 'problem', value: problem, retryAfterMs: retryAfterMs(response.headers.get('retry-after')) };
}

/** What is published of the operations (OpenAPI). */
export async function publishedDocument(): Promise<unknown> {
  const response = await fetch(serviceUrl('openapi.json'));
  if (!response.ok) throw new Error(`GET /openapi.json answered ${response.status}`);
  return response.json();
}
