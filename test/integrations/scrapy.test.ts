import { type ChildProcess, execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnSite } from './scrapy-site.ts';

const run = promisify(execFile);
const folder = resolve('integrations/scrapy');
/** A Python that has Scrapy: the one `.ci/run` makes, or the machine's. */
const python = ['artefacts/python/bin/python', 'python3'].find((each) => {
  if (each.includes('/') && !existsSync(each)) return false;
  try {
    execFileSync(each, ['-c', 'import scrapy'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

interface Logged {
  readonly page: string;
  readonly time: number;
  readonly status: number;
  readonly signature?: string;
}

describe.skipIf(python === undefined)(
  'the loop log → plan → crawl → log, run by Scrapy against a site of its own',
  () => {
    const command = python ?? '';
    let work = '';
    let site: ChildProcess;
    let url = '';
    let plan = '';
    let log = '';

    beforeAll(async () => {
      work = mkdtempSync(join(tmpdir(), 'scrapy-'));
      plan = join(work, 'plan.csv');
      log = join(work, 'log.ndjson');
      ({ site, url } = await spawnSite(command));
    });
    afterAll(() => {
      site.kill();
      rmSync(work, { recursive: true });
    });

    const crawl = async (): Promise<readonly Logged[]> => {
      const environment = { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
      await run(command, [join(folder, 'tests/crawl.py'), plan, log], { env: environment });
      return readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    };
    const pages = ['fast', 'slow', 'down', 'drop'];

    it('keeps a log that the next plan is made from, and follows that plan when its fetches are due', async () => {
      // The first plans: each page once, at once. What a run before it made is not made again.
      let first: readonly Logged[] = [];
      for (let turn = 0; turn < 3; turn++) {
        const now = new Date(Date.now()).toISOString();
        writeFileSync(plan, ['time,page', ...pages.map((page) => `${now},${url}/${page}`)].join('\n'));
        first = await crawl();
      }
      expect(first).toHaveLength(12);
      const lines = readFileSync(log, 'utf8');
      // The same plan again, after a line that was only half written: all of it is done already.
      writeFileSync(log, `${lines}{"page": "${url}/fa`);
      await crawl().catch(() => []);
      expect(readFileSync(log, 'utf8')).toBe(`${lines}{"page": "${url}/fa\n`);
      writeFileSync(log, lines);
      const of = (page: string) => first.filter((each) => each.page === `${url}/${page}`);
      expect(of('down').every(({ status }) => status === 500)).toBe(true);
      expect(of('drop').every(({ status }) => status === 0)).toBe(true);
      expect(new Set(of('fast').map(({ signature }) => signature)).size).toBeGreaterThan(1);

      const words = ['src/cli.ts', 'plan', log, '--crawls', '12', '--interval', '3s', '--host-delay', '0s'];
      const { stdout, stderr } = await run(process.execPath, words);
      expect(stderr).toContain('4 pages, 12 fetches');
      expect(stderr).toContain('6 failed');
      writeFileSync(plan, stdout);
      const planned = stdout
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(','));
      expect(planned).toHaveLength(12);

      const second = (await crawl()).slice(12);
      const times = new Map<string, number[]>();
      for (const [time, page] of planned) times.set(page, [...(times.get(page) ?? []), Date.parse(time) / 1000]);
      for (const [page, due] of times) {
        const made = second.filter((each) => each.page === page).map(({ time }) => time);
        // Of fetches that were overdue when Scrapy was up, one a page.
        expect(made.length).toBeGreaterThan(0);
        expect(made.length).toBeLessThanOrEqual(due.length);
        // Never before it is due; how long after depends on the machine.
        for (const [k, time] of made.entries()) expect(time).toBeGreaterThan(due[k] - 0.01);
      }
    });

    it('leaves a page that fails alone for a while, tries it once, and comes back to it in the next plan', async () => {
      const file = join(work, 'failing.ndjson');
      const environment = { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
      /** The requests of /down and /down/too by a plan of these slots: epoch seconds. */
      const requests = async (slots: Readonly<Record<string, readonly number[]>>): Promise<readonly number[]> => {
        const count = async (): Promise<readonly number[]> => {
          const seen: readonly (readonly [string, unknown])[] = JSON.parse(await (await fetch(`${url}/seen`)).text());
          return ['/down', '/down/too'].map((page) => seen.filter(([path]) => path === page).length);
        };
        const rows = Object.entries(slots).flatMap(([page, times]) =>
          times.map((time) => `${new Date(1000 * time).toISOString()},${url}${page}`),
        );
        writeFileSync(plan, ['time,page', ...rows].join('\n'));
        const before = await count();
        await run(command, [join(folder, 'tests/crawl.py'), plan, file], { env: environment });
        return (await count()).map((after, k) => after - before[k]);
      };
      // Scrapy tries each twice
      expect(await requests({ '/down': [1], '/down/too': [1] })).toEqual([2, 2]);
      const made: readonly Logged[] = readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const after = Math.ceil(Math.max(...made.map(({ time }) => time)));
      // the same plan goes on: of the slots after a failure one is left out; the next plan has none to leave out
      expect(await requests({ '/down': [1, after], '/down/too': [after] })).toEqual([0, 1]);
      expect(await requests({ '/down': [1, after, after + 0.001, after + 0.002], '/down/too': [] })).toEqual([1, 0]);
    });

    it('asks conditionally from the second fetch of a page on, also in a later run', async () => {
      const response = await fetch(`${url}/seen`);
      const seen: readonly (readonly [string, string | null])[] = JSON.parse(await response.text());
      const slow = seen.filter(([path]) => path === '/slow').map(([, validator]) => validator);
      expect(slow[0]).toBeNull();
      expect(slow.at(-1)).toBe('"0"');
      expect(readFileSync(log, 'utf8')).toContain('"status": 304');
    });

    it('reads the JSON answer of crawl-plan, rows or columns, as it reads the table', async () => {
      const answer = {
        status: 'feasible',
        solution: {
          pages: [{ id: 'a' }, { id: 'b' }],
          schedule: [
            { time: 2, page: 0 },
            { time: 1, page: 1 },
          ],
        },
      };
      const columns = { solution: { pages: { id: ['a', 'b'] }, schedule: { time: [2, 1], page: [0, 1] } } };
      const files = [answer, columns, { status: 'infeasible', conflict: {} }].map((each, k) => {
        const file = join(work, `answer-${k}.json`);
        writeFileSync(file, JSON.stringify(each));
        return file;
      });
      const table = join(work, 'answer.csv');
      writeFileSync(table, 'time,page\n1970-01-01T00:00:02Z,a\n1970-01-01T00:00:01Z,b\n');
      const code = `import sys
from crawl_optimizer_scrapy import read_plan
for path in sys.argv[1:]:
    try: print([(fetch.time, fetch.page) for fetch in read_plan(path)])
    except ValueError as error: print(str(error).split("its ")[-1])`;
      const environment = { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
      const { stdout } = await run(command, ['-c', code, ...files, table], { env: environment });
      const same = "[(1, 'b'), (2, 'a')]";
      const lines = stdout.trim().split('\n');
      expect(lines.map((line) => line.replaceAll('.0', ''))).toEqual([same, same, 'status is infeasible', same]);
    });
  },
);
