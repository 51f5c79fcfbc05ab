/** What an operator does to a service, by mistake or on purpose. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { smallRequest } from './small-and-large.ts';
import { type SpawnedServer, spawnServer } from './spawned-server.ts';
import { readyStatus } from './test-service.ts';

let running: SpawnedServer | undefined;
afterEach(async () => {
  running?.process.kill('SIGKILL');
  await running?.exited;
  running = undefined;
});

const post = (url: string, operation: string, body: object): Promise<Response> =>
  fetch(`${url}/v1/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const small = JSON.parse(smallRequest.body);

describe('the log', () => {
  it('has the request id, route, status and times, and nothing of the request', async () => {
    const logged = await spawnServer({ API_KEYS: 'a-secret-key' });
    running = logged;
    const answer = await fetch(`${logged.url}/v1/crawler-count?validateOnly=false`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'a-secret-key' },
      body: JSON.stringify({ crawlerRate: 1.23456789, service: { type: 'wrong-word' } }),
    });
    expect(answer.status).toBe(422);
    const response = await fetch(`${logged.url}/v1/crawler-count`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'a-secret-key' },
      body: smallRequest.body,
    });
    expect(response.status).toBe(200);
    logged.process.kill('SIGTERM');
    expect(await logged.exited).toBe(0);
    const lines = logged.log().split('\n');
    const [refusal, answered] = lines.filter((each) => each.includes('"request"')).map((each) => JSON.parse(each));
    expect(refusal).toMatchObject({
      requestId: answer.headers.get('x-request-id'),
      route: '/v1/crawler-count',
      operation: 'crawler-count',
      httpStatus: 422,
    });
    expect(answered).toEqual({
      // the members that pino writes at the beginning of every line
      ...Object.fromEntries(Object.entries(JSON.parse(lines[0])).slice(0, 4)),
      time: expect.any(Number),
      requestId: response.headers.get('x-request-id'),
      method: 'POST',
      route: '/v1/crawler-count',
      httpStatus: 200,
      totalMs: expect.any(Number),
      operation: 'crawler-count',
      where: 'inline',
      left: false,
      status: 'optimal',
      solveMs: expect.any(Number),
      queueMs: expect.any(Number),
      gap: 0,
      solver: 'closed-form',
      work: expect.any(Number),
      msg: 'request',
    });
    expect(logged.log()).not.toMatch(/a-secret-key|1\.23456789|wrong-word|validateOnly/);
  });
});

describe('a second signal', () => {
  it('ends at once what the first would have waited for', async () => {
    running = await spawnServer({ DRAIN_DELAY_MS: '600000' });
    running.process.kill('SIGTERM');
    await expect.poll(() => running?.log()).toContain('draining');
    running.process.kill('SIGTERM');
    expect(await running.exited).toBe(1);
    expect(running.log()).toContain('SIGTERM again');
  });
});

const readOnly = ['unshare', '--mount', 'sh', 'test/service/read-only.sh'];
const canMount = process.getuid?.() === 0 && spawnSync(readOnly[0], [...readOnly.slice(1), 'true']).status === 0;

describe('a user without rights, a home or a place to write', () => {
  it(`is all the service needs${canMount ? ', on a file system that is read-only' : ''}`, async () => {
    const uid = process.getuid?.() === 0 ? 65_532 : undefined;
    const as = canMount ? { within: readOnly } : uid === undefined ? {} : { uid };
    running = await spawnServer({ HOME: '', TMPDIR: '/nonexistent' }, as);
    // A busy machine may take longer than the usual limit to start the worker.
    const patient = { ...small, options: { timeLimitMs: 60_000 } };
    expect((await post(running.url, 'crawler-count', patient)).status).toBe(200);
    expect(await readyStatus(running.url)).toBe(200);
  });
});

describe('a disk that is full, under the log', () => {
  it('costs lines of the log and no request', async () => {
    // The port must be known, as the log is lost. No other test listens at this address, so none takes the port
    // meanwhile.
    const host = '127.0.0.2';
    const port = await freePort(host);
    const env = {
      ...process.env,
      HOST: host,
      PORT: String(port),
      WORKERS: '1',
      LOG_LEVEL: 'info',
      MAX_EVENT_LOOP_DELAY_MS: '0',
    };
    const server = spawn(process.execPath, ['src/server.ts'], {
      env,
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    });
    let complaints = '';
    server.stderr?.on('data', (chunk: Buffer) => {
      complaints += chunk.toString();
    });
    const url = `http://${host}:${port}`;
    try {
      await expect
        .poll(() =>
          fetch(`${url}/health/live`).then(
            ({ ok }) => ok,
            () => false,
          ),
        )
        .toBe(true);
      for (let i = 0; i < 200; i++) expect((await post(url, 'crawler-count', small)).status).toBe(200);
      expect(server.exitCode).toBeNull();
      expect(complaints).toBe('');
    } finally {
      const exited = once(server, 'exit');
      server.kill('SIGTERM');
      expect((await exited)[0]).toBe(0);
    }
  });
});

describe('a clone without development dependencies', () => {
  it('says at /console how to build it, and serves everything else', async () => {
    const hook = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
      const { existsSync } = fs;
      fs.existsSync = (path) => !/(node_modules.vite|dist.console)$/.test(path) && existsSync(path);
      syncBuiltinESMExports();`;
    const execArgv = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`];
    running = await spawnServer({}, { execArgv });
    for (const path of ['/console', '/console/', '/console/index.html']) {
      const answer = await fetch(`${running.url}${path}`);
      expect(answer.status, path).toBe(404);
      expect(Object(await answer.json()).detail).toContain('npm run build');
    }
    expect((await post(running.url, 'crawler-count', small)).status).toBe(200);
  });
});

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}
