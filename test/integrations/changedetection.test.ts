/**
 * The sidecar of changedetection.io against a stub of its API: watches deleted meanwhile, errors, a disk that is full.
 * (changedetection-instance.test.ts has the software itself.)
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { waitFor } from './wait-for.ts';

const run = promisify(execFile);
const folder = resolve('integrations/changedetection');
const program = join(folder, 'crawl_optimizer_changedetection.py');
const env = {
  ...process.env,
  PYTHONPATH: `${folder}:${resolve('clients/python/price')}`,
  PYTHONDONTWRITEBYTECODE: '1',
};
const own = { weeks: 0, days: 3, hours: 0, minutes: 0, seconds: 0 };
const watches = new Map<string, object>();
let answers = true;

/** The API of changedetection.io. */
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body: object = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
  const say = (status: number, value: unknown) => response.writeHead(status).end(JSON.stringify(value));
  const path = request.url ?? '';
  const uuid = /^\/api\/v1\/watch\/(\w+)/.exec(path)?.[1] ?? '';
  if (!answers) return say(503, 'not now');
  if (path === '/api/v1/watch') return say(200, Object.fromEntries(watches));
  const watch = watches.get(uuid);
  if (watch === undefined) return say(404, 'no such watch');
  if (path.endsWith('/history')) {
    const count = Number(Reflect.get(watch, 'snapshots') ?? 1);
    return say(200, Object.fromEntries(Array.from({ length: count }, (_, n) => [1 + n, 'a'])));
  }
  if (request.method === 'PUT') watches.set(uuid, { ...watch, ...body });
  return say(200, watches.get(uuid));
});

describe('the intervals of the watches', () => {
  const work = temporaryFolder();
  const state = join(work, 'intervals.json');
  let base = '';

  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    base = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
  });
  beforeEach(() => {
    for (const uuid of ['a', 'b', 'c']) {
      watches.set(uuid, {
        uuid,
        url: `http://site/${uuid}`,
        time_between_check: own,
        time_between_check_use_default: true,
      });
    }
  });
  afterAll(() => {
    server.close();
  });

  const sidecar = async (...words: string[]): Promise<void> => {
    const run = spawn('python3', [program, '--api', base, '--state', state, ...words], { env, stdio: 'inherit' });
    expect((await once(run, 'exit'))[0]).toBe(0);
  };
  const intervals = () => [...watches.values()].map((watch) => Reflect.get(watch, 'time_between_check'));

  it('follow a price, and are put back when asked, but for a watch that was deleted', async () => {
    // 20 checks, an hour apart: a changed at 2 of them, b at none; c was never checked
    const watch = { last_checked: 20 * 3600 + 1, check_count: 21, time_between_check: own };
    watches.set('a', { ...watches.get('a'), ...watch, snapshots: 3 });
    watches.set('b', { ...watches.get('b'), ...watch });
    await sidecar('--per-day', '24');
    const units = { weeks: 604_800, days: 86_400, hours: 3600, minutes: 60, seconds: 1 };
    const seconds = intervals().map((parts) =>
      Object.entries(units).reduce((sum, [name, unit]) => sum + unit * Number(Reflect.get(parts, name)), 0),
    );
    expect(seconds[0]).toBeLessThan(seconds[1]);
    expect(seconds.reduce((sum, each) => sum + 86_400 / each, 0)).toBeCloseTo(24, 0);
    watches.delete('c');
    await sidecar('--restore');
    expect(intervals()).toEqual([own, own]);
    expect([...watches.values()].map((watch) => Reflect.get(watch, 'time_between_check_use_default'))).toEqual([
      true,
      true,
    ]);
    expect(existsSync(state)).toBe(false);
  });

  it('are set again and again, also after changedetection.io did not answer', async () => {
    const words = ['--api', base, '--state', state, '--per-day', '24', '--every', '0.2'];
    answers = false;
    const loop = spawn('python3', [program, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [said, failures] = [loop.stdout, loop.stderr].map((stream) => createInterface({ input: stream }));
    await once(failures, 'line');
    answers = true;
    for (let round = 0; round < 2; round++) {
      expect((await once(said, 'line'))[0]).toBe('3 watches, 24 checks a day');
    }
    loop.kill('SIGTERM');
    await once(loop, 'exit');
    expect(intervals()[0]).not.toEqual(own);
  });

  it('follow no check that failed, also after the watch answered again', async () => {
    // 11 checks, an hour apart, of which 2 saw a change; then the page fails twice and is there again
    const check = (count: number, error: string | false) =>
      watches.set('a', {
        ...watches.get('a'),
        last_checked: count * 3600,
        check_count: count,
        last_error: error,
        snapshots: 3,
      });
    check(11, false);
    const words = ['--api', base, '--state', state, '--per-day', '24', '--every', '3600', '--min-interval', '0.02'];
    const loop = spawn('python3', [program, ...words], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const looked = (count: number) =>
      waitFor('a look', async () => {
        const known: unknown = JSON.parse(readFileSync(join(work, 'intervals.checks.json'), 'utf8'));
        return Reflect.get(Object(Reflect.get(Object(known), 'a')), 'checks') === count || undefined;
      });
    await once(createInterface({ input: loop.stdout }), 'line');
    for (const count of [12, 13]) {
      check(count, 'Error - 503');
      await looked(count);
    }
    // under way: it has its time, but is not counted yet
    watches.set('a', { ...watches.get('a'), last_checked: 14 * 3600 });
    check(14, false);
    await looked(14);
    loop.kill('SIGTERM');
    await once(loop, 'exit');
    const code = `import json, sys
from crawl_optimizer_changedetection import Checks, Json, read_watches, seen_of
api = Json(sys.argv[1])
print(json.dumps({each["uuid"]: seen_of(each) for each in read_watches(api, Checks(api, sys.argv[2], 1))}))`;
    const { stdout } = await run('python3', ['-c', code, base, join(work, 'intervals.checks.json')], { env });
    expect(JSON.parse(stdout).a).toEqual([11, 2, (14 * 3600 - 1) / 11]);
    rmSync(join(work, 'intervals.checks.json'));
  });

  it('stay noted, all of them, where the disk is full while they are put back', () => {
    // a file system without room, as far as writing a file goes: the part that is written breaks off
    const code = `import json, os, pathlib, sys
import crawl_optimizer_changedetection as cd
class Api:
    def ask(self, method, path, body=None):
        if "bad" in path: raise RuntimeError(f"{method} {path}: 500 x")
path = pathlib.Path(sys.argv[1])
intervals = cd.Intervals(Api(), path)
kept = {"time_between_check": {"hours": 1}, "time_between_check_use_default": False}
intervals.keep([{"uuid": "good", **kept}, {"uuid": "bad", **kept}])
before = path.read_text()
def full(descriptor): raise OSError(28, "No space left on device")
cd.os.fsync = full
try: intervals.restore()
except OSError as error: print(error.errno)
print(path.read_text() == before)`;
    const output = execFileSync('python3', ['-c', code, join(work, 'full.json')], { env, encoding: 'utf8' });
    expect(output).toBe('28\nTrue\n');
  });
});
