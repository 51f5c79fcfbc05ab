/**
 * The sidecar of changedetection.io and the watches' own intervals, against a stub of the API. It meets a watch that is
 * deleted in mid-plan, a signal, a crash. (changedetection.integration.ts has the software itself.)
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from './wait-for.ts';

const program = resolve('integrations/changedetection/crawl_optimizer_changedetection.py');
const own = { weeks: 0, days: 3, hours: 0, minutes: 0, seconds: 0 };
const watches = new Map<string, object>();
let rechecks: string[] = [];
let answers = true;
let plannedAt = 0;
let pagesSent: readonly unknown[] = [];
let planned: readonly { time: number; page: number }[] = [];

/** Both the API of changedetection.io and crawl-plan. */
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body: object = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
  const say = (status: number, value: unknown) => response.writeHead(status).end(JSON.stringify(value));
  const path = request.url ?? '';
  const uuid = /^\/api\/v1\/watch\/(\w+)/.exec(path)?.[1] ?? '';
  if (!answers) return say(503, 'not now');
  if (path === '/api/v1/watch') return say(200, Object.fromEntries(watches));
  if (path === '/v1/crawl-plan') {
    plannedAt = Number(Reflect.get(body, 'now'));
    pagesSent = Reflect.get(body, 'pages');
    const pages = [...watches.keys()].map((id) => ({ id, fetchInterval: 3600 }));
    return say(200, { solution: { pages, schedule: planned } });
  }
  const watch = watches.get(uuid);
  if (watch === undefined) return say(404, 'no such watch');
  if (path.endsWith('/history')) {
    const count = Number(Reflect.get(watch, 'snapshots') ?? 1);
    return say(200, Object.fromEntries(Array.from({ length: count }, (_, n) => [1 + n, 'a'])));
  }
  if (path.endsWith('recheck=1')) rechecks.push(uuid);
  if (request.method === 'PUT') watches.set(uuid, { ...watch, ...body });
  return say(200, watches.get(uuid));
});

describe('the intervals of the watches', () => {
  const folder = mkdtempSync(join(tmpdir(), 'intervals-'));
  const state = join(folder, 'intervals.json');
  let base = '';

  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    base = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
  });
  beforeEach(() => {
    rechecks = [];
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
    rmSync(folder, { recursive: true });
  });

  /** A run, and its end: listened for from the start, since it may come before anybody asks. */
  const start = (): { run: ChildProcess; ended: Promise<unknown> } => {
    const common = ['--api', base, '--service', base, '--state', state, '--crawls', '3', '--recheck'];
    const run = spawn('python3', ['-B', program, ...common], { stdio: ['ignore', 'ignore', 'inherit'] });
    return { run, ended: once(run, 'exit') };
  };
  const intervals = () => [...watches.values()].map((watch) => Reflect.get(watch, 'time_between_check'));
  const usesDefault = () => [...watches.values()].map((watch) => Reflect.get(watch, 'time_between_check_use_default'));

  it('are put back where a watch was deleted in mid-plan, and the other watches are rechecked', async () => {
    const soon = Date.now() / 1000;
    planned = [
      { time: soon, page: 0 },
      { time: soon, page: 1 },
      { time: soon, page: 2 },
    ];
    await start().ended;
    expect(rechecks).toEqual(['a', 'b', 'c']);
    expect(intervals()).toEqual([own, own, own]);

    planned = [
      { time: soon, page: 0 },
      { time: Date.now() / 1000 + 3600, page: 1 },
    ];
    const interrupted = start();
    await waitFor('a recheck', async () => (rechecks.length > 3 ? true : undefined));
    expect(intervals()[1]).toMatchObject({ weeks: 520 });
    watches.delete('c');
    interrupted.run.kill('SIGTERM');
    await interrupted.ended;
    expect(intervals()).toEqual([own, own]);
    expect(usesDefault()).toEqual([true, true]);
    expect(existsSync(state)).toBe(false);
  });

  it('are put back at the next start, where a run was killed', async () => {
    planned = [{ time: Date.now() / 1000 + 3600, page: 0 }];
    const killed = start();
    await waitFor('the change', async () => (Reflect.get(intervals()[2], 'weeks') === 520 ? true : undefined));
    killed.run.kill('SIGKILL');
    await killed.ended;
    planned = [];
    await start().ended;
    expect(intervals()).toEqual([own, own, own]);
  });

  it('are planned where a check was rounded to a second that is still to come', async () => {
    const ahead = Math.ceil(Date.now() / 1000) + 60;
    watches.set('a', { ...watches.get('a'), last_checked: ahead, check_count: 1 });
    planned = [];
    await start().ended;
    expect(plannedAt).toBe(ahead);
  });

  it('follow a price without a service, and are put back when asked', async () => {
    // 20 checks, an hour apart: a changed at 2 of them, b at none; c was never checked
    const checked = { last_checked: 20 * 3600 + 1, check_count: 21, time_between_check: own };
    watches.set('a', { ...watches.get('a'), ...checked, snapshots: 3 });
    watches.set('b', { ...watches.get('b'), ...checked });
    const python = async (...words: string[]) => {
      const run = spawn('python3', ['-B', program, '--api', base, '--state', state, ...words], { stdio: 'inherit' });
      expect((await once(run, 'exit'))[0]).toBe(0);
    };
    await python('--per-day', '24');
    const units = { weeks: 604_800, days: 86_400, hours: 3600, minutes: 60, seconds: 1 };
    const seconds = intervals().map((parts) =>
      Object.entries(units).reduce((sum, [name, unit]) => sum + unit * Number(Reflect.get(parts, name)), 0),
    );
    expect(seconds[0]).toBeLessThan(seconds[1]);
    expect(seconds.reduce((sum, each) => sum + 86_400 / each, 0)).toBeCloseTo(24, 0);
    await python('--restore');
    expect(intervals()).toEqual([own, own, own]);
  });

  it('are set again and again, also after changedetection.io did not answer', async () => {
    const words = ['--api', base, '--state', state, '--per-day', '24', '--every', '0.2'];
    answers = false;
    const loop = spawn('python3', ['-B', program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
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
    const loop = spawn('python3', ['-B', program, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
    const looked = (count: number) =>
      waitFor('a look', async () => {
        const known: unknown = JSON.parse(readFileSync(join(folder, 'intervals.checks.json'), 'utf8'));
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
    planned = [];
    await start().ended;
    expect(pagesSent[0]).toMatchObject({ checks: { checks: 11, changes: 2, gap: (14 * 3600 - 1) / 11 } });
    rmSync(join(folder, 'intervals.checks.json'));
  });
});
