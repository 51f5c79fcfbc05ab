/** Workers that a nursery starts: whose children they are, how they begin and end, and what a lost nursery costs. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { Nursery } from '../../src/dispatch/start/nursery.ts';
import type { StartedWorker, WorkerCommand } from '../../src/dispatch/start/start.ts';
import { greeting, type Signal, SignalReader } from '../../src/dispatch/wire/signals.ts';
import { nurseryFile } from '../../src/worker-file.ts';

const command: WorkerCommand = {
  parameters: [fileURLToPath(new URL('./idle-worker.ts', import.meta.url))],
  environment: { PATH: process.env.PATH },
};
const broken = { parameters: ['-e', 'throw new Error("no such worker")'], environment: {} };

let nursery: Nursery;
afterEach(() => nursery.close());

function open(): Nursery {
  nursery = new Nursery(nurseryFile);
  nursery.open();
  return nursery;
}

const parentOf = (pid: number): number =>
  Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

interface Started {
  readonly worker: StartedWorker;
  readonly ended: Promise<string>;
}

function startIn(starter: Nursery, what = command): Promise<Started> {
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  const { promise, resolve } = Promise.withResolvers<Started>();
  starter.start(what, { onStarted: (worker) => resolve({ worker, ended }), onEnded: end });
  return promise;
}

/** Greets a worker and returns the first thing it says. */
function firstSignal({ signals }: StartedWorker): Promise<Signal> {
  const { promise, resolve } = Promise.withResolvers<Signal>();
  const reader = new SignalReader(resolve);
  signals.on('data', (chunk) => reader.push(chunk)).on('error', () => {});
  signals.write(greeting);
  return promise;
}

describe('a nursery', () => {
  it('starts a worker as its own child, whose pipes are the service’s, and tells its end', async () => {
    const { worker, ended } = await startIn(open());
    expect(parentOf(worker.pid)).toBe(nursery.pid);
    expect(await firstSignal(worker)).toEqual({ task: 0, kind: 'started' });
    worker.kill();
    expect(await ended).toContain('SIGKILL');
  });

  it('tells the last words of a worker that fails', async () => {
    const { ended } = await startIn(open(), broken);
    expect(await ended).toMatch(/it ended with 1: .*no such worker/s);
  });

  it('that is lost takes no worker with it, and is replaced', async () => {
    const { worker, ended } = await startIn(open());
    const lost = nursery.pid ?? 0;
    process.kill(lost, 'SIGKILL');
    await expect.poll(() => nursery.pid).not.toBe(lost);
    expect(await firstSignal(worker)).toEqual({ task: 0, kind: 'started' });
    await expect.poll(() => nursery.pid).toBeGreaterThan(0);
    const next = await startIn(nursery);
    expect(parentOf(next.worker.pid)).toBe(nursery.pid);
    for (const { kill } of [worker, next.worker]) kill();
    expect(await ended).toBe('it ended');
    expect(await next.ended).toContain('SIGKILL');
  });

  it('that is lost leaves starting to the service until it is replaced', async () => {
    const lost = open().pid ?? 0;
    process.kill(lost, 'SIGKILL');
    await expect.poll(() => nursery.pid, { interval: 1 }).toBeUndefined();
    const { worker, ended } = await startIn(nursery);
    expect(parentOf(worker.pid)).toBe(process.pid);
    worker.kill();
    expect(await ended).toContain('SIGKILL');
  });

  it('ends with the service, and the workers with both', async () => {
    const { worker, ended } = await startIn(open());
    const { pid = 0 } = nursery;
    nursery.close();
    await expect.poll(() => runs(pid)).toBe(false);
    for (const pipe of [worker.frames, worker.signals]) pipe.destroy();
    await expect.poll(() => runs(worker.pid)).toBe(false);
    expect(await ended).toBe('it ended');
  });
});
