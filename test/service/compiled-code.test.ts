/** What the engine compiled for a start is kept for the next, by workers too, which are ended and do not exit. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import module from 'node:module';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { greeting, signalDescriptor } from '../../src/dispatch/wire/signals.ts';
import { endedWithTests, spawnServer } from './spawned-server.ts';
import { readyStatus } from './test-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'crawl-optimizer-compiled-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = (): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' });

describe('a worker that is ended', () => {
  it('has kept what was compiled for its start, where the engine can', async () => {
    const worker = endedWithTests(
      spawn(process.execPath, ['src/worker.ts'], {
        stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
        env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: folder },
      }),
    );
    const ended = once(worker, 'exit');
    const signals = worker.stdio[signalDescriptor];
    if (!(signals instanceof Socket)) throw new Error('the worker came without its pipes');
    signals.write(greeting);
    // It is written before the first task is read, which no worker gets here.
    const canKeep = module.flushCompileCache !== undefined;
    await expect.poll(() => files().length).toBeGreaterThan(canKeep ? 100 : -1);
    worker.kill('SIGKILL');
    await ended;
  });
});

describe('two services with one cache', () => {
  it('start beside each other while it is empty', async () => {
    const shared = mkdtempSync(join(tmpdir(), 'crawl-optimizer-shared-'));
    const environment = { NODE_COMPILE_CACHE: shared, QUICK_WORKER: 'false' };
    const both = await Promise.all([1, 2].map(() => spawnServer(environment)));
    expect(await Promise.all(both.map(({ url }) => readyStatus(url)))).toEqual([200, 200]);
    for (const { process: server } of both) server.kill('SIGTERM');
    expect(await Promise.all(both.map(({ exited }) => exited))).toEqual([0, 0]);
    rmSync(shared, { recursive: true, force: true });
  });
});
