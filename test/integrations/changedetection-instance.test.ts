/** The sidecar of changedetection.io, against an instance of its own and the service. */
import { execFile } from 'node:child_process';
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
      const watch = now.find(({ url }) => url.endsWith(path));
      if (watch === undefined) throw new Error(`no watch of ${path}`);
      return watch;
    };
    expect(of('/fast').history_n).toBeGreaterThan(3);
    expect(of('/slow').history_n).toBe(1);

    const previousTimes = now.map(({ time_between_check }) => time_between_check);
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
    expect((await watches()).map(({ time_between_check }) => time_between_check)).toEqual(previousTimes);
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
