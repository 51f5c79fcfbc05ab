/** What callers of a pool may rely on: who waits, how long, and what becomes of a task whose worker is ended. */
import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { Pool, type PoolResult } from '../../src/workers/pool.ts';
import { waitUntil } from '../service/test-service.ts';

let pool: Pool | undefined;
afterEach(() => pool?.close());

async function startPool(environment: Record<string, string>): Promise<Pool> {
  const config = readConfig({ WORKERS: '1', WORKER_MEMORY_MB: '64', QUEUE_TIMEOUT_MS: '120000', ...environment });
  const started = new Pool({ ...config, workerFile: new URL('../service/faulty-worker.ts', import.meta.url) });
  pool = started;
  await waitUntil(() => started.isReady);
  return started;
}

const limits = { defaultTimeLimitMs: 10_000, maxTimeLimitMs: 60_000, maxWork: 1e13 };

function run(pool: Pool, operation: string, body: unknown, signal = new AbortController().signal): Promise<PoolResult> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const task = {
    operation,
    body: Buffer.from(text),
    format: 'json',
    answer: 'json',
    validateOnly: false,
    limits,
  } as const;
  return pool.run(task, { signal });
}

const statusOf = (result: PoolResult): number | string =>
  result.kind === 'problem' ? result.problem.status : result.kind;

describe('a task that waits', () => {
  it('does not use up its time limit: that counts from when a worker takes it', async () => {
    const own = await startPool({});
    const first = run(own, 'test/spin', { value: 2500 });
    const second = await run(own, 'test/spin', { value: 50, options: { timeLimitMs: 2000 } });
    expect(statusOf(await first)).toBe('answer');
    expect(second.kind === 'answer' && JSON.parse(Buffer.from(second.body).toString()).solution.value).toBe(0);
    expect(second.facts.queueMs).toBeGreaterThan(2000);
  });

  it('is refused as busy when it has waited too long, with a time to come back and no word of its limit', async () => {
    const own = await startPool({ QUEUE_TIMEOUT_MS: '200' });
    const left = new AbortController();
    const first = run(own, 'test/spin', { value: 60_000 }, left.signal);
    const second = await run(own, 'test/echo-in-worker', { value: 1, options: { timeLimitMs: 50 } });
    expect(second).toMatchObject({
      kind: 'problem',
      problem: { status: 503, retryAfterSeconds: expect.any(Number) },
    });
    expect(JSON.stringify(second)).not.toContain('timeLimitMs');
    left.abort();
    expect(statusOf(await first)).toBe('left');
  });

  it('leaves the queue with its caller', async () => {
    const own = await startPool({});
    const left = new AbortController();
    const running = run(own, 'test/spin', { value: 60_000 }, left.signal);
    const waiting = run(own, 'test/echo-in-worker', { value: 1 }, left.signal);
    await waitUntil(() => own.waiting === 1);
    left.abort();
    expect((await Promise.all([running, waiting])).map(statusOf)).toEqual(['left', 'left']);
    expect(own.inFlight).toBe(0);
  });
});

describe('a worker that is ended', () => {
  it('has another in its place that stands ready', async () => {
    const own = await startPool({ WORKERS: '2' });
    await Promise.all([1, 2, 3].map((value) => run(own, 'test/echo-in-worker', { value })));
    for (let round = 0; round < 3; round++) {
      const left = new AbortController();
      const hangingTask = run(own, 'test/hang', { value: 1 }, left.signal);
      await waitUntil(() => own.running === 1);
      left.abort();
      expect(statusOf(await hangingTask)).toBe('left');
      expect(statusOf(await run(own, 'test/echo-in-worker', { value: round }))).toBe('answer');
    }
    expect(own.lostWorkers).toBe(0);
  });

  it('for the memory that reading a body takes refuses that body, and no other request', async () => {
    const own = await startPool({ WORKERS: '2' });
    const other = run(own, 'test/spin', { value: 1500 });
    const wide = await run(own, 'test/echo-in-worker', `{"value": [${'{},'.repeat(8e6)}0]}`);
    expect(wide).toMatchObject({ kind: 'problem', problem: { status: 413 } });
    expect(JSON.stringify(wide)).toContain('Arrow');
    expect(statusOf(await other)).toBe('answer');
    expect(statusOf(await run(own, 'test/echo-in-worker', { value: 1 }))).toBe('answer');
    expect(own.lostWorkers).toBe(1);
  });
});

describe('a pool whose worker cannot start', () => {
  it('says that it is not ready, and does not start it again without a pause', async () => {
    const crashing = new Pool({
      ...readConfig({ WORKERS: '1' }),
      workerFile: new URL('./no-such-worker.ts', import.meta.url),
    });
    pool = crashing;
    await waitUntil(() => crashing.lostWorkers >= 2);
    expect(crashing.isReady).toBe(false);
    const lostBefore = crashing.lostWorkers;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(crashing.lostWorkers - lostBefore).toBeLessThan(6);
  });
});
