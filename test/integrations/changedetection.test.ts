/** The sidecar of changedetection.io, against an instance of its own and the service. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SpawnedServer, spawnServer } from '../service/spawned-server.ts';
import {
  changedetectionPrograms,
  type Instance,
  startChangedetection,
  type Watch,
} from './changedetection-instance.ts';
import { waitFor } from './wait-for.ts';

const run = promisify(execFile);
const programs = changedetectionPrograms('.');
if (programs === null) console.log('the sidecar of changedetection.io is skipped: no artefacts/changedetection');

describe.skipIf(programs === null)('the sidecar of changedetection.io', () => {
  let fetches = 0;
  let down = false;
  // /fast is another at every fetch, /slow never; /down does not answer while it is down
  const site = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.statusCode = down && request.url === '/down' ? 503 : 200;
    response.end(`<p>${request.url === '/fast' ? `version ${++fetches}` : 'always the same'}</p>`);
  });
  let instance: Instance | undefined;
  let service: SpawnedServer | undefined;
  let folder = '';
  const running = (): Instance => {
    if (instance === undefined) throw new Error('no instance');
    return instance;
  };
  const ask = <T>(method: string, path: string, body?: object): Promise<T> => running().ask(method, path, body);
  const watches = (): Promise<Watch[]> => running().watches();
  const python = join(programs ?? '', 'python');
  const source = resolve('integrations/changedetection');
  const wordsOf = (words: readonly string[]): string[] => {
    const [program, state] = [join(source, 'crawl_optimizer_changedetection.py'), join(folder, 'intervals.json')];
    const asked = ['--service', service?.url ?? '', '--min-interval', '1'];
    return ['-B', program, '--api', running().base, '--key', running().key, ...asked, '--state', state, ...words];
  };
  const sidecar = async (...words: string[]): Promise<string> => (await run(python, wordsOf(words))).stdout;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'changedetection-'));
    service = await spawnServer();
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
    instance = await startChangedetection(programs ?? '', folder);
  });
  afterAll(async () => {
    instance?.stop();
    service?.process.kill();
    site.close();
    await service?.exited;
    rmSync(folder, { recursive: true, force: true });
  });

  const checkedAtLeast = (counts: ReadonlyMap<string, number>): Promise<Watch[]> =>
    waitFor('the checks', async () => {
      const now = await watches();
      const all = now.every(({ uuid, check_count }) => check_count >= (counts.get(uuid) ?? 1));
      return all && now.length === 2 ? now : undefined;
    });

  it('sets the time between checks from what the checks saw, and rechecks by the plan', async () => {
    const address = site.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    for (const path of ['fast', 'slow']) await ask('POST', '/watch', { url: `http://127.0.0.1:${port}/${path}` });
    let now = await checkedAtLeast(new Map());
    for (let round = 0; round < 4; round++) {
      for (const { uuid } of now) await ask('GET', `/watch/${uuid}?recheck=1`);
      now = await checkedAtLeast(new Map(now.map(({ uuid, check_count }) => [uuid, check_count + 1])));
    }
    const of = (path: string): Watch => {
      const found = now.find(({ url }) => url.endsWith(path));
      if (found === undefined) throw new Error(`no watch of ${path}`);
      return found;
    };
    expect(of('/fast').history_n).toBeGreaterThan(3);
    expect(of('/slow').history_n).toBe(1);

    expect(await sidecar('--crawls', '20', '--interval', '3600')).toMatch(/2 watches, (19|20) checks planned/);
    now = await watches();
    const seconds = (watch: Watch): number => {
      const units = { weeks: 604_800, days: 86_400, hours: 3600, minutes: 60, seconds: 1 };
      return Object.entries(units).reduce((sum, [name, unit]) => sum + unit * (watch.time_between_check[name] ?? 0), 0);
    };
    // The rates of checks add up to what was allowed. Twenty checks an hour cannot keep a page fresh that was another
    // at every check, seconds apart (Cho & Garcia-Molina 2003, section 4.3). They go to the one that can. A watch
    // without a check in the plan keeps its interval, here the instance's own: no units of its own.
    const planned = (path: string): number => (seconds(of(path)) === 0 ? 0 : 3600 / seconds(of(path)));
    // Twenty, or nineteen where both were checked less than --min-interval ago: then the slot of that moment is idle.
    expect(planned('/fast') + planned('/slow')).toBeGreaterThan(18.5);
    expect(planned('/fast') + planned('/slow')).toBeLessThan(20.5);
    expect(planned('/slow')).toBeGreaterThan(planned('/fast'));

    const intervals = now.map(seconds);
    const before = new Map(now.map(({ uuid, check_count }) => [uuid, check_count]));
    const said = await sidecar('--crawls', '4', '--interval', '4', '--recheck');
    const due = Number(/2 watches, (3|4) checks planned/.exec(said)?.[1]);
    expect(due, said).toBeGreaterThan(2);
    const total = await waitFor('the checks of the plan', async () => {
      now = await watches();
      const more = now.reduce((sum, { uuid, check_count }) => sum + check_count - (before.get(uuid) ?? 0), 0);
      return more >= due ? more : undefined;
    });
    expect(total).toBe(due);
    // the intervals of before
    expect(now.map(seconds)).toEqual(intervals);
  });

  it('follows a plan table: intervals of the watches in it, by their URL or id; the others keep theirs', async () => {
    const of = (now: readonly Watch[], path: string): Watch => {
      const found = now.find(({ url }) => url.endsWith(path));
      if (found === undefined) throw new Error(`no watch of ${path}`);
      return found;
    };
    const before = await watches();
    const [fast, slow] = ['/fast', '/slow'].map((path) => of(before, path));
    const plan = join(folder, 'plan.csv');
    writeFileSync(plan, `id,interval,nextFetch\n${fast.url},0.5,\nhttp://elsewhere.example/,1,\n${slow.uuid},,\n`);
    expect(await sidecar('--table', plan, '--unit', 'day')).toContain('2 watches, 1 by the table');
    const now = await watches();
    expect(of(now, '/fast').time_between_check).toMatchObject({ days: 0, hours: 12, minutes: 0 });
    expect(of(now, '/slow').time_between_check).toEqual(slow.time_between_check);
    writeFileSync(plan, `id,interval\n${slow.uuid},2\n`);
    expect(await sidecar('--table', plan, '--unit', 'hour')).toContain('1 by the table');
    expect(of(await watches(), '/slow').time_between_check).toMatchObject({ days: 0, hours: 2, minutes: 0 });
    await sidecar('--restore');
    expect((await watches()).map(({ time_between_check }) => time_between_check)).toEqual(
      before.map(({ time_between_check }) => time_between_check),
    );
  });

  it('puts the intervals back after it was killed, also where a watch was deleted meanwhile', async () => {
    const intervals = async (): Promise<Map<string, unknown>> =>
      new Map((await watches()).map((watch) => [watch.uuid, watch.time_between_check]));
    const address = site.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const own = { weeks: 0, days: 3, hours: 0, minutes: 0, seconds: 0 };
    for (const path of ['down', 'deleted']) {
      const url = `http://127.0.0.1:${port}/${path}`;
      await ask('POST', '/watch', { url, time_between_check: own, time_between_check_use_default: false });
    }
    const before = await waitFor('the watches', async () => {
      const now = await intervals();
      return now.size === 4 ? now : undefined;
    });
    const killed = spawn(python, wordsOf(['--crawls', '4', '--interval', '3600', '--recheck']), {
      stdio: 'ignore',
    });
    const ended = once(killed, 'exit');
    await waitFor('its own schedule to be put off', async () => {
      const now = [...(await intervals()).values()];
      return now.every((each) => Reflect.get(Object(each), 'weeks') === 520) || undefined;
    });
    killed.kill('SIGKILL');
    await ended;
    const deleted = (await watches()).find(({ url }) => url.endsWith('/deleted'))?.uuid ?? '';
    await running().remove(deleted);
    await sidecar('--restore');
    before.delete(deleted);
    expect(await intervals()).toEqual(before);
    expect(existsSync(join(folder, 'intervals.json'))).toBe(false);
  });

  it('takes no failed check for one that found no change', async () => {
    const state = join(folder, 'intervals.checks.json');
    const found = async (): Promise<Watch> => {
      const watch = (await watches()).find(({ url }) => url.endsWith('/down'));
      if (watch === undefined) throw new Error('no watch of /down');
      return watch;
    };
    const checkedMore = async (): Promise<void> => {
      const { uuid, check_count } = await found();
      await ask('GET', `/watch/${uuid}?recheck=1`);
      await waitFor('a check', async () => ((await found()).check_count > check_count ? true : undefined));
    };
    const known = async (): Promise<unknown> => {
      // looks of its own, beside those of the sidecar that runs
      const program = `import json, os, shutil, sys; sys.path.insert(0, ${JSON.stringify(source)})
from crawl_optimizer_changedetection import Checks, Json, page_of, read_watches
api = Json(${JSON.stringify(running().base)}, **{"x-api-key": ${JSON.stringify(running().key)}})
state, copy = ${JSON.stringify(state)}, ${JSON.stringify(`${state}.copy`)}
if os.path.exists(state):
    shutil.copy(state, copy)
watches = read_watches(api, Checks(api, copy, 1))
print(json.dumps({each["url"]: page_of(each)["checks"] for each in watches}))`;
      const { stdout } = await run(python, ['-B', '-c', program]);
      return Object.entries(JSON.parse(stdout)).find(([url]) => url.endsWith('/down'))?.[1];
    };
    const failuresSeen = (count: number) =>
      waitFor('a look', async () => {
        const { uuid } = await found();
        const noted: unknown = Reflect.get(Object(JSON.parse(readFileSync(state, 'utf8'))), uuid);
        return Reflect.get(Object(noted), 'failed') === count || undefined;
      });
    await checkedMore();
    await checkedMore();
    // checks of one second, which is as exactly as their times are kept, say nothing
    await sleep(2000);
    await checkedMore();
    expect(await known()).toMatchObject({ changes: 0 });
    const words = wordsOf(['--per-day', '1', '--every', '3600']);
    const loop = spawn(python, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(loop.stdout, 'data');
    down = true;
    for (const failures of [1, 2]) {
      await checkedMore();
      await failuresSeen(failures);
    }
    expect(await known()).toEqual([]);
    down = false;
    await checkedMore();
    expect(await known()).toMatchObject({ checks: (await found()).check_count - 1 - 2, changes: 0 });
    loop.kill('SIGTERM');
    await once(loop, 'exit');
    await sidecar('--restore');
  });

  it('counts each failed check by its plugin, however seldom the sidecar looks', async () => {
    const home = join(folder, 'with-plugin');
    const metadata = join(home, 'modules/crawl_optimizer_changedetection-0.1.0.dist-info');
    mkdirSync(metadata, { recursive: true });
    const name = 'crawl_optimizer_changedetection_plugin';
    copyFileSync(join(source, `${name}.py`), join(home, `modules/${name}.py`));
    const project = readFileSync(join(source, 'pyproject.toml'), 'utf8');
    const [, entry] = /^\[project\.entry-points\.changedetectionio\]\n(.*)$/m.exec(project) ?? [];
    writeFileSync(join(metadata, 'entry_points.txt'), `[changedetectionio]\n${entry?.replaceAll('"', '')}\n`);
    writeFileSync(
      join(metadata, 'METADATA'),
      'Metadata-Version: 2.1\nName: crawl-optimizer-changedetection\nVersion: 0.1.0\n',
    );
    const other = await startChangedetection(programs ?? '', home, join(home, 'modules'));
    try {
      const address = site.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      down = false;
      const { uuid } = await other.ask<{ uuid: string }>('POST', '/watch', { url: `http://127.0.0.1:${port}/down` });
      const checked = (count: number) =>
        waitFor('a check', async () => {
          const [watch] = await other.watches();
          return watch.check_count >= count ? watch : undefined;
        });
      const noted = (failed: number) =>
        waitFor('the note', async () => {
          const note: unknown = Reflect.get((await other.watches())[0], 'crawl_optimizer_failed');
          return Reflect.get(Object(note), 'failed') === failed || undefined;
        });
      let checks = (await checked(1)).check_count;
      const check = async (isDown: boolean): Promise<void> => {
        down = isDown;
        await other.ask('GET', `/watch/${uuid}?recheck=1`);
        checks = (await checked(checks + 1)).check_count;
      };
      const checksOf = async (): Promise<unknown> => {
        const program = `import json, sys; sys.path.insert(0, ${JSON.stringify(source)})
from crawl_optimizer_changedetection import Checks, Json, page_of, read_watches
api = Json(${JSON.stringify(other.base)}, **{"x-api-key": ${JSON.stringify(other.key)}})
print(json.dumps(page_of(read_watches(api, Checks(api, ${JSON.stringify(join(home, 'checks.json'))}, 1))[0])["checks"]))`;
        return JSON.parse((await run(python, ['-B', '-c', program])).stdout);
      };
      await sleep(2000);
      await check(false);
      expect(await checksOf()).toMatchObject({ checks: 1 });
      // a look that comes after failures between answers: the last check does not tell of them
      for (const isDown of [true, false, true, true, false]) await check(isDown);
      await noted(3);
      expect(await checksOf()).toMatchObject({ checks: checks - 1 - 3, changes: 0 });
      expect(checks).toBe(7);
    } finally {
      other.stop();
    }
  });
});
