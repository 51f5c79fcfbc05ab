import { readFileSync } from 'node:fs';
import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { retries } from '../retries.ts';
import { listeningService, sharedService, waitUntil } from './test-service.ts';

const service = await sharedService({ QUEUE_LIMIT: '2', WORKER_MEMORY_MB: '128', DEFAULT_TIME_LIMIT_MS: '25000' });

const post = (operation: string, body: object) => supertest(service.url).post(`/v1/test/${operation}`).send(body);

/** Checks that the service answers as before the fault. */
async function expectHealthy(): Promise<void> {
  const answers = await Promise.all([1, 2, 3].map((value) => post('echo-in-worker', { value })));
  expect(answers.map(({ body }) => body.solution?.value)).toEqual([1, 2, 3]);
  await waitUntil(() => service.pool.inFlight === 0);
}

/** The child processes of a process, by Linux's /proc. */
function childrenOf(pid: number): number[] {
  return (readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []).map(Number);
}

describe('a fault stays with its own request:', () => {
  it.each([
    ['a worker that exits', 'exit', 500, 'worker-failed'],
    ['a worker that a signal kills', 'kill', 500, 'worker-failed'],
    ['a worker out of memory', 'exhaust-memory', 500, 'worker-failed'],
    ['a solver that throws', 'throw', 500, 'internal'],
    ['a solver that throws on the event loop', 'throw-inline', 500, 'internal'],
  ])('%s', async (_, operation, status, kind) => {
    const other = post('spin', { value: 300 });
    const [failed, spun] = await Promise.all([post(operation, { value: 1 }), other]);
    expect(failed.status).toBe(status);
    expect(failed.body.type).toBe(`urn:crawl-optimizer:problem:${kind}`);
    expect(JSON.stringify(failed.body)).not.toMatch(/secret|\.ts|\n {4}at /);
    expect(spun.status).toBe(200);
    await expectHealthy();
  });

  it('a solver that throws after its answer', async () => {
    const { lostWorkers: lost } = service.pool;
    expect((await post('throw-late', { value: 1 })).status).toBe(200);
    await waitUntil(() => service.pool.lostWorkers > lost);
    await expectHealthy();
  });
});

describe('the time limit', retries, () => {
  it.each([
    ['returns the incumbent of a solver that polls', 'spin', 60_000, 150],
    ['leaves a solver the time to return its incumbent', 'finish-late', 200, 50],
  ])('%s', async (_, operation, value, timeLimitMs) => {
    const { status, body } = await post(operation, { value, options: { timeLimitMs } });
    expect(status).toBe(200);
    expect(body.solution.value).toBe(1);
  });

  it('is a 504 when there is nothing to return', async () => {
    const { status, body } = await post('empty-handed', { value: 60_000, options: { timeLimitMs: 50 } });
    expect(status).toBe(504);
    expect(body.detail).toContain('options.timeLimitMs');
  });

  it('ends a worker that loops for ever, with a 504, and the pool recovers', async () => {
    const { status } = await post('hang', { value: 1, options: { timeLimitMs: 50 } });
    expect(status).toBe(504);
    await expectHealthy();
  });
});

describe('a worker that has no processor', () => {
  it('cannot report the time limit, and its request ends at the limit all the same', async () => {
    await expectHealthy();
    const children = childrenOf(process.pid);
    for (const worker of children) process.kill(worker, 'SIGSTOP');
    const { status, body } = await post('echo-in-worker', { value: 1, options: { timeLimitMs: 50 } });
    expect(status).toBe(504);
    // If the service did not know the limit of the request, the longest limit that it accepts would end the request.
    expect(body.detail).toContain('the time limit of 50 ms was reached');
    for (const worker of children) if (childrenOf(process.pid).includes(worker)) process.kill(worker, 'SIGCONT');
    await expectHealthy();
  });
});

describe('a full queue', () => {
  it('sheds load with 503 and Retry-After, and serves what it accepted', async () => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"value":600000}', signal };
    const running = [1, 2, 3].map(() => fetch(`${service.url}/v1/test/spin`, init).catch((error: unknown) => error));
    await waitUntil(() => service.pool.inFlight === 3);
    const accepted = post('echo-in-worker', { value: 7 }).then(({ body }) => body.solution.value);
    await waitUntil(() => service.pool.inFlight === 4);
    const answers = await Promise.all([1, 2, 3, 4].map((value) => post('echo-in-worker', { value })));
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    leaving.abort();
    expect(await accepted).toBe(7);
    for (const left of await Promise.all(running)) expect(left).toBeInstanceOf(Error);
    await waitUntil(() => service.pool.inFlight === 0);
    const [shed] = answers;
    expect(Number(shed.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(shed.body.type).toBe('urn:crawl-optimizer:problem:busy');
    await expectHealthy();
  });
});

describe('an event loop that lags', () => {
  it('sheds requests with one 503 and Retry-After, but tells of its health', async () => {
    const busy = await listeningService({ MAX_EVENT_LOOP_DELAY_MS: '15', WORKERS: '1' });
    const block = (): void => {
      const end = performance.now() + 400;
      while (performance.now() < end);
    };
    const statusOf = async () => {
      block();
      return fetch(`${busy.url}/v1/limits`);
    };
    let answer = await statusOf();
    for (let k = 0; answer.status === 200 && k < 20; k++) answer = await statusOf();
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(Object(await answer.json()).type).toBe('urn:crawl-optimizer:problem:busy');
    expect((await fetch(`${busy.url}/health/live`)).status).toBe(200);
    await busy.server.close();
  });
});
