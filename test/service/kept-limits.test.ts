/** Time limits of requests that wait: while the worker is taken, every form of body keeps its own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { timed } from '../timed.ts';
import { arrowStream, numbers } from './arrow-streams.ts';
import { listeningService, until } from './test-service.ts';

const limitMs = 300;
const defaultMs = 400;
let service: App & { url: string };
const taken = new AbortController();

beforeAll(async () => {
  service = await listeningService({ WORKERS: '1', DEFAULT_TIME_LIMIT_MS: String(defaultMs) });
  const long = JSON.stringify({ value: 3e5, options: { timeLimitMs: 3e5 } });
  post('test/spin', long, 'application/json', taken.signal).catch(() => {});
  await until(() => service.dispatcher.inFlight === 1);
});
afterAll(async () => {
  taken.abort();
  await service.server.close();
});

function post(path: string, body: string | Buffer, type: string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${service.url}/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: typeof body === 'string' ? body : new Uint8Array(body),
    ...(signal && { signal }),
  });
}

const options = { timeLimitMs: limitMs };
const pages = Array.from({ length: 5000 }, (_, i) => ({ id: `"options": {"timeLimitMs": 1} \\ ${i}`, rate: i }));
const json = 'application/json';
const arrow = 'application/vnd.apache.arrow.stream';
const bodies: [form: string, type: string, body: string | Buffer, limit: number][] = [
  ['small', json, JSON.stringify({ value: 1, options }), limitMs],
  ['small, without options', json, JSON.stringify({ value: 1 }), defaultMs],
  ['large, options first', json, JSON.stringify({ options, pages }), limitMs],
  ['large, options in the middle', json, JSON.stringify({ value: 1, options, pages }), limitMs],
  ['large, options last', json, JSON.stringify({ pages, options }), limitMs],
  [
    'large, options spelt with an escape',
    json,
    JSON.stringify({ value: 1, options, pages }).replace('"options":', '"\\u006fptions":'),
    limitMs,
  ],
  ['large, options deeper only', json, JSON.stringify({ pages, more: { options: { timeLimitMs: 5 } } }), defaultMs],
  ['large, without options', json, JSON.stringify({ pages }), defaultMs],
  ['large, and not JSON', json, `${JSON.stringify({ pages })}}`, defaultMs],
  ['Arrow, with options', arrow, arrowStream({ rate: numbers([1, 2]) }, { value: 1, options }), limitMs],
  ['Arrow, without options', arrow, arrowStream({ rate: numbers([1, 2]) }, { value: 1 }), defaultMs],
  ['damaged Arrow', arrow, Buffer.concat([Buffer.from([255, 255, 255, 255, 9, 0, 0, 0]), Buffer.alloc(9)]), defaultMs],
];

describe('while the worker is taken, the limit of a body is kept', () => {
  it.each(bodies)('%s', timed, async (_form, type, body, limit) => {
    const start = performance.now();
    const answer = await post('test/spin', body, type);
    const elapsed = performance.now() - start;
    expect(answer.status).toBe(504);
    expect(elapsed).toBeGreaterThan(0.9 * limit);
    expect(elapsed).toBeLessThan(1.1 * limit + 1000);
    const { detail } = (await answer.json()) as { detail: string };
    expect(detail).toMatch(new RegExp(`^the time limit of ${limit} ms was reached after \\d+ ms: .+timeLimitMs \\d+$`));
  });
});
