/** Asks the service: a request as events, so that long solves show their progress and leaving stops them. */
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { isAnswer, type Outcome, type Problem, type Progress } from './answer.ts';
import { askPatiently, pause, retryAfterMs } from './ask-patiently.ts';
import { isRecord, type Json, type JsonObject } from './json.ts';
import { storedKey } from './key.ts';
import { serviceUrl } from './service-url.ts';

export type { Answer, Problem, Progress } from './answer.ts';

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);

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

function headers(accept: string): Record<string, string> {
  const key = storedKey();
  return { 'content-type': 'application/json', accept, ...(key ? { 'x-api-key': key } : {}) };
}

/** Sends a request; never rejects but when `signal` is aborted. */
export async function solve(
  operation: string,
  request: Json,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void = () => {},
): Promise<Outcome> {
  const started = performance.now();
  try {
    const response = await fetch(serviceUrl(`v1/${operation}`), {
      method: 'POST',
      headers: headers('text/event-stream, application/problem+json'),
      body: JSON.stringify(request),
      signal,
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    if (!isStream || response.body === null) {
      const problem: unknown = await response.json().catch(() => undefined);
      const wait = retryAfterMs(response.headers.get('retry-after'));
      return {
        kind: 'problem',
        problem: {
          ...problemOf(problem, `HTTP status ${response.status}`),
          ...(wait === undefined ? {} : { retryAfterMs: wait }),
        },
      };
    }
    const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    for (const reader = events.getReader(); ; ) {
      const { done, value: event } = await reader.read();
      if (done) break;
      const { event: name, data } = event;
      const value: unknown = JSON.parse(data);
      if (name === 'progress' && isRecord(value)) {
        const { fraction, incumbent, bound } = value;
        onProgress({
          fraction: numberOrNull(fraction),
          incumbent: numberOrNull(incumbent),
          bound: numberOrNull(bound),
        });
      }
      if (name === 'problem') return { kind: 'problem', problem: problemOf(value, '') };
      if (name === 'answer' && isAnswer(value)) {
        return { kind: 'answer', answer: value, elapsedMs: performance.now() - started };
      }
    }
    return { kind: 'problem', problem: problemOf(undefined, 'the connection ended before the answer') };
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'problem', problem: problemOf(undefined, `the service cannot be reached: ${reason}`) };
  }
}

/** The same for what is asked beside the main question, waiting where the service says how long; it shows nothing. */
export const solvePatiently = (operation: string, request: Json, signal: AbortSignal): Promise<Outcome> =>
  askPatiently(
    () => solve(operation, request, signal),
    (milliseconds) => pause(milliseconds, signal),
    () => undefined,
  );

/** The request as a curl command for a POSIX shell; a long body goes through a file. */
export function asCurl(operation: string, request: JsonObject): string {
  const url = serviceUrl(`v1/${operation}`);
  const body = JSON.stringify(request, null, 2);
  const key = storedKey() ? " \\\n  -H 'X-API-Key: …'" : '';
  const head = `curl -s '${url}' \\\n  -H 'Content-Type: application/json'${key} \\\n`;
  if (body.length > 20_000) return `${head}  --data-binary @request.json`;
  return `${head}  -d '${body.replaceAll("'", "'\\''")}'`;
}
