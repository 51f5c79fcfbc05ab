/** The sidecar of changedetection.io, against an instance of its own and the service. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
  let folder = '';
  const running = (): Instance => {
    if (instance === undefined) throw new Error('no instance');
    return instance;
  };
  const ask = <T>(method: string, path: string, body?: object): Promise<T> => running().ask(method, path, body);
  const watches = (): Promise<Watch[]> => running().watches();
  const python = join(programs ?? '', 'python');
  const source = resolve('integrations/changedetection');
  const env = { ...process.env, PYTHONPATH: `${source}:${resolve('clients/python/price')}` };
  const wordsOf = (words: readonly string[]): string[] => {
    const [program, state] = [join(source, 'crawl_optimizer_changedetection.py'), join(folder, 'intervals.json')];
    const common = ['--api', running().base, '--key', running().key, '--min-interval', '1', '--state', state];
    return ['-B', program, ...common, ...words];
  };
  const sidecar = async (...words: string[]): Promise<string> => (await run(python, wordsOf(words), { env })).stdout;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'changedetection-'));
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
    instance = await startChangedetection(programs ?? '', folder);
  });
  afterAll(async () => {
    instance?.stop();
    site.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const checkedAtLeast = (counts: ReadonlyMap<string, number>): Promise<Watch[]> =>
    waitFor('the checks', async () => {
      const now = await watches();
      const all = now.every(({ uuid, check_count }) => check_count >= (counts.get(uuid) ?? 1));
      return all && now.length === 2 ? now : undefined;
    });

  it('sets the time between checks by a price, from what the checks saw, and puts it back', async () => {
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

    const before = now.map(({ time_between_check }) => time_between_check);
    expect(await sidecar('--per-day', '480')).toContain('2 watches, 480 checks a day');
    now = await watches();
    const seconds = (path: string): number => {
      const units = { weeks: 604_800, days: 86_400, hours: 3600, minutes: 60, seconds: 1 };
      const between = of(path).time_between_check;
      return Object.entries(units).reduce((sum, [name, unit]) => sum + unit * (between[name] ?? 0), 0);
    };
    // Twenty checks an hour cannot keep a page fresh that was another at every check, seconds apart (Cho &
    // Garcia-Molina 2003, section 4.3): they go to the one that can.
    expect(3600 / seconds('/fast') + 3600 / seconds('/slow')).toBeCloseTo(20, 0);
    expect(seconds('/slow')).toBeLessThan(seconds('/fast'));
    await sidecar('--restore');
    expect((await watches()).map(({ time_between_check }) => time_between_check)).toEqual(before);
  });

  it('takes no failed check for one that found no change', async () => {
    const address = site.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await ask('POST', '/watch', { url: `http://127.0.0.1:${port}/down` });
    await waitFor('the first check', async () =>
      (await watches()).find((each) => each.url.endsWith('/down') && each.check_count > 0),
    );
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
      const program = `import json, os, shutil
from crawl_optimizer_changedetection import Checks, Json, read_watches, seen_of
api = Json(${JSON.stringify(running().base)}, **{"x-api-key": ${JSON.stringify(running().key)}})
state, copy = ${JSON.stringify(state)}, ${JSON.stringify(`${state}.copy`)}
if os.path.exists(state):
    shutil.copy(state, copy)
watches = read_watches(api, Checks(api, copy, 1))
print(json.dumps({each["url"]: seen_of(each) for each in watches}))`;
      const { stdout } = await run(python, ['-B', '-c', program], { env });
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
    expect(await known()).toMatchObject([expect.any(Number), 0, expect.any(Number)]);
    const words = wordsOf(['--per-day', '1', '--every', '3600']);
    const loop = spawn(python, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(loop.stdout, 'data');
    down = true;
    for (const failures of [1, 2]) {
      await checkedMore();
      await failuresSeen(failures);
    }
    expect(await known()).toBeNull();
    down = false;
    await checkedMore();
    expect(await known()).toMatchObject([(await found()).check_count - 1 - 2, 0, expect.any(Number)]);
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
        const program = `import json
from crawl_optimizer_changedetection import Checks, Json, read_watches, seen_of
api = Json(${JSON.stringify(other.base)}, **{"x-api-key": ${JSON.stringify(other.key)}})
print(json.dumps(seen_of(read_watches(api, Checks(api, ${JSON.stringify(join(home, 'checks.json'))}, 1))[0])))`;
        return JSON.parse((await run(python, ['-B', '-c', program], { env })).stdout);
      };
      await sleep(2000);
      await check(false);
      expect(await checksOf()).toMatchObject([1, 0, expect.any(Number)]);
      // a look that comes after failures between answers: the last check does not tell of them
      for (const isDown of [true, false, true, true, false]) await check(isDown);
      await noted(3);
      expect(await checksOf()).toMatchObject([checks - 1 - 3, 0, expect.any(Number)]);
      expect(checks).toBe(7);
    } finally {
      other.stop();
    }
  });
});
