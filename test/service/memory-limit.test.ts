/** A container with little memory: the sizes that nobody has set become smaller, the service says so and serves. */
import { afterEach, expect, it } from 'vitest';
import { largeRequest, smallRequest } from './small-and-large.ts';
import { type SpawnedServer, spawnServer } from './spawned-server.ts';

const mebibyte = 2 ** 20;

let running: SpawnedServer | undefined;
afterEach(async () => {
  running?.process.kill('SIGTERM');
  await running?.exited;
});

const post = (path: string, body: string): Promise<Response> =>
  fetch(`${running?.url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

it('of 512 MiB lets the service start with smaller sizes, which it says, and serve', async () => {
  const belief = `data:text/javascript,process.constrainedMemory = () => ${512 * mebibyte}`;
  const nothingSet = { WORKERS: '', WORKER_MEMORY_MB: '', BODY_LIMIT_BYTES: '', IN_FLIGHT_BYTES: '' };
  running = await spawnServer(nothingSet, { execArgv: ['--import', belief] });
  const logLines: Record<string, unknown>[] = running
    .log()
    .split('\n')
    .filter((line) => line.includes('"msg":"sizes"'))
    .map((line) => JSON.parse(line));
  expect(logLines).toHaveLength(1);
  expect(logLines[0]).toMatchObject({
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
