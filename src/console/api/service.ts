/** The service that the console asks: the one it is served by. */
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { Progress } from './answer.ts';
import { retryAfterMs } from './ask-patiently.ts';
import { isRecord } from './json.ts';

/** The key of a service that asks for one is kept for this tab only. */
const storageName = 'crawl-optimizer-api-key';

export const storedKey = (): string => sessionStorage.getItem(storageName) ?? '';

export const storeKey = (key: string): void => sessionStorage.setItem(storageName, key);

export const serviceUrl = (path: string): string => new URL(`../${path}`, document.baseURI).href;

interface Reply {
  readonly kind: 'answer' | 'problem';
  readonly value: unknown;
  /** The wait that the service asks for before it is asked again. */
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

/** Answers a question; rejects when it is aborted, or when nobody can be reached. */
export async function ask(
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

/** What is published of the operations (OpenAPI). */
export async function publishedDocument(): Promise<unknown> {
  const response = await fetch(serviceUrl('openapi.json'));
  if (!response.ok) throw new Error(`GET /openapi.json answered ${response.status}`);
  return response.json();
}
