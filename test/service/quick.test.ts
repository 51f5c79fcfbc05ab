/** What small requests meet while every worker is taken. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { Dispatcher } from '../../src/dispatch/dispatcher.ts';
import { Pool } from '../../src/dispatch/pool.ts';
import { startHere } from '../../src/dispatch/start/start.ts';
import { Places } from '../../src/dispatch/wire/places.ts';
import { loaded } from '../../src/routes/served-operations.ts';
import { faultyOperations } from './faulty-operations.ts';
import { listeningService, until } from './test-service.ts';

let service: App & { url: string };
beforeAll(async () => {
  service = await listeningService({ WORKERS: '1', QUEUE_LIMIT: '4', QUICK_WORKER: 'true' });
});
afterAll(() => service.server.close());

const post = (operation: string, body: object, signal?: AbortSignal) =>
  fetch(`${service.url}/v1/test/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });

/** What a short solve answers; one that was held up in the quick process waits for the worker, and is asked again. */
async function quickly(sent: number): Promise<number> {
  for (;;) {
    const response = await post('echo-in-worker', { value: sent, options: { timeLimitMs: 1000 } });
    if (response.status === 200) return value(response);
    expect(response.status).toBe(504);
  }
}

async function value(response: Response): Promise<number> {
  const answer: { solution: { value: number } } = JSON.parse(await response.text());
  return answer.solution.value;
}

describe('while the only worker is taken', () => {
  it('short solves are answered, a long one waits its turn, one that hangs is ended by its own limit', async () => {
    const leaving = new AbortController();
    const taken = post('spin', { value: 600_000, options: { timeLimitMs: 600_000 } }, leaving.signal).catch(
      (error: unknown) => error,
    );
    await until(() => service.dispatcher.inFlight === 1);
    expect(await quickly(7)).toBe(7);
    const hanging = post('hang', { value: 1, options: { timeLimitMs: 500 } });
    expect((await hanging).status).toBe(504);
    const waiting = post('spin', { value: 50, options: { timeLimitMs: 60_000 } });
    await until(() => service.dispatcher.queueDepth === 1);
    // What cannot be read needs no worker: it is refused while all are taken, without a place in the queue.
    const url = `${service.url}/v1/test/spin`;
    const unreadable = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' });
    expect(unreadable.status).toBe(400);
    expect(service.dispatcher.queueDepth).toBe(1);
    expect(await quickly(8)).toBe(8);
    expect(service.dispatcher.inFlight).toBe(2);
    leaving.abort();
    expect(await taken).toBeInstanceOf(Error);
    expect(await value(await waiting)).toBe(0);
  });
});

describe('before any worker has started', () => {
  it('a request waits for the first that does, and not for the process of short solves', async () => {
    const config = readConfig({ WORKERS: '1', WORKER_MEMORY_MB: '512' });
    const places = new Places();
    const workerFile = new URL('./faulty-worker.ts', import.meta.url);
    const options = { ...config, workerFile, starter: startHere, places };
    const workers = new Pool(options);
    // a process that is never started
    const quick = new Pool({ ...options, workers: 1 }, { first: new Promise(() => {}) });
    const close = async () => {
      await Promise.all([workers.close(), quick.close()]);
    };
    const dispatcher = new Dispatcher(options, { workers, quick, places, close });
    const [echo] = faultyOperations.filter(({ name }) => name === 'test/echo-in-worker').map(loaded);
    const body = new TextEncoder().encode(JSON.stringify({ value: 7 }));
    const leaving = () => new AbortController().signal;
    expect(dispatcher.started).toBe(false);
    const { kind } = await dispatcher.handle({ operation: echo, body, validateOnly: false, leaving });
    expect(kind).toBe('answer');
    await dispatcher.close();
  });
});
