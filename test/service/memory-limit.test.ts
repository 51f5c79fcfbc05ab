/**
 * A container with little memory: the sizes that nobody has set become smaller, the service says so and serves. Where
 * this user may make a memory group the kernel holds the service to it; elsewhere only the figure it reads is that
 * small.
 */
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { largeRequest, smallRequest } from './small-and-large.ts';
import { type SpawnedServer, spawnServer } from './spawned-server.ts';

const mebibyte = 2 ** 20;

/**
 * A memory group for the service, or undefined where the system has another kind of groups or this user no right to.
 */
function memoryGroup(bytes: number): string | undefined {
  try {
    const groups = readFileSync('/proc/self/cgroup', 'utf8').split('\n');
    const own = groups.find((line) => line.includes(':memory:'))?.split(':')[2];
    if (own === undefined) return undefined;
    const group = join('/sys/fs/cgroup/memory', own, `crawl-optimizer-${process.pid}-${bytes}`);
    mkdirSync(group);
    writeFileSync(join(group, 'memory.limit_in_bytes'), String(bytes));
    return group;
  } catch {
    return undefined;
  }
}

let running: SpawnedServer | undefined;
let group: string | undefined;
afterEach(async () => {
  running?.process.kill('SIGTERM');
  await running?.exited;
  if (group !== undefined) rmdirSync(group);
});

/** Starts the service in the group, or in the belief that it is in one. */
function startWithin(bytes: number): Promise<SpawnedServer> {
  group = memoryGroup(bytes);
  const nothingSet = { WORKERS: '', WORKER_MEMORY_MB: '', BODY_LIMIT_BYTES: '', IN_FLIGHT_BYTES: '' };
  if (group !== undefined) {
    const within = ['sh', '-c', `echo $$ > '${join(group, 'cgroup.procs')}' && exec "$@"`, 'sh'];
    return spawnServer(nothingSet, { within });
  }
  const belief = `data:text/javascript,process.constrainedMemory = () => ${bytes}`;
  return spawnServer(nothingSet, { execArgv: ['--import', belief] });
}

const post = (path: string, body: string): Promise<Response> =>
  fetch(`${running?.url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

describe('with little memory', () => {
  it('of 512 MiB the service starts with smaller sizes, says so and serves', async () => {
    running = await startWithin(512 * mebibyte);
    const said: Record<string, unknown>[] = running
      .log()
      .split('\n')
      .filter((line) => line.includes('"msg":"sizes"'))
      .map((line) => JSON.parse(line));
    expect(said).toHaveLength(1);
    expect(said[0]).toMatchObject({
      workers: 1,
      workerMemoryMb: 128,
      bodyLimitBytes: 16 * mebibyte,
      inFlightBytes: 32 * mebibyte,
    });
    for (const { path, body } of [smallRequest, largeRequest(50_000)]) {
      expect((await post(path, body)).status, path).toBe(200);
    }
    expect((await post(smallRequest.path, ' '.repeat(16 * mebibyte + 1))).status).toBe(413);
    expect((await post(smallRequest.path, ' '.repeat(16 * mebibyte))).status).toBe(400);
    expect(running.process.exitCode).toBeNull();
  });
});
