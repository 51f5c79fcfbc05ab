/** The pilot of the Scrapy integration, by Scrapy itself, and its coin against the golden vectors. */
import { type ChildProcess, execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coin } from '../../src/solvers/freshness/index.ts';
import { spawnSite } from './scrapy-site.ts';

const run = promisify(execFile);
const folder = resolve('integrations/scrapy');
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
}

describe.skipIf(python === undefined)('a pilot run by Scrapy', () => {
  const command = python ?? '';
  const environment = { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
  let work = '';
  let site: ChildProcess;
  let url = '';

  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), 'scrapy-pilot-'));
    ({ site, url } = await spawnSite(command));
  });
  afterAll(() => {
    site.kill();
    rmSync(work, { recursive: true });
  });

  it('keeps each arm to its pages, makes the probes, and has them judged from its log', async () => {
    const day = 86_400;
    const now = Math.floor(Date.now() / 1000);
    // One period that neither begins nor ends while this runs.
    const period = 1000 * day;
    const pilot = { seed: 'a pilot', start: now, period, probeEvery: 0.25, unit: 'page', grace: 900 };
    const file = (name: string, text: string): string => {
      writeFileSync(join(work, name), text);
      return join(work, name);
    };
    const pages = Array.from({ length: 12 }, (_, i) => `${url}/page-${i}`);
    const isPlan = (page: string): boolean => coin(pilot.seed, page, Math.floor(now / period)) === 'plan';
    expect(new Set(pages.map(isPlan)).size).toBe(2);
    const past = pages.flatMap((page) =>
      [10, 7, 4].map((ago) => JSON.stringify({ page, time: now - ago * day, status: 200, signature: 'old' })),
    );
    const log = file('log.ndjson', `${past.join('\n')}\n`);
    const pilotFile = file('pilot.json', JSON.stringify(pilot));
    const words = [
      'src/cli.ts',
      'pilot',
      'today',
      pilotFile,
      log,
      '--interval',
      '3s',
      '--crawls',
      '8',
      '--now',
      `${now}`,
    ];
    const today = file('today.csv', (await run(process.execPath, words)).stdout);
    const lines = readFileSync(today, 'utf8').trim().split('\n').slice(1);
    const of = (why: string) => lines.filter((line) => line.endsWith(`,${why}`)).map((line) => line.split(',')[1]);
    expect(of('plan').every(isPlan)).toBe(true);
    expect(of('yours')).toEqual(pages.filter((page) => !isPlan(page)));
    expect(of('probe')).toHaveLength(12);

    await run(command, [join(folder, 'tests/crawl.py'), today, log, pilotFile, ...pages], { env: environment });
    const made: readonly Logged[] = readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line): Logged => JSON.parse(line))
      .filter(({ time }) => time >= now);
    const count = (list: readonly string[], page: string) => list.filter((each) => each === page).length;
    const fetched = made.map((each) => each.page);
    const planned = [...of('plan'), ...of('probe')];
    // Its own rule asks for every page once, and the plan's pages are not its to fetch. Of fetches that are overdue, as
    // the crawler takes its time to start, one a page is made.
    for (const page of pages) {
      const own = count(of('yours'), page);
      expect(count(fetched, page), page).toBeLessThanOrEqual(own + count(planned, page));
      expect(count(fetched, page), page).toBeGreaterThanOrEqual(Math.min(1, own + count(planned, page)));
    }

    const { stdout, stderr } = await run(process.execPath, [
      'src/cli.ts',
      'pilot',
      'verdict',
      pilotFile,
      log,
      '--json',
    ]);
    const answer: { solution: { freshness: { probes: number }; verdict: string } } = JSON.parse(stdout);
    expect(stderr).toMatch(/\d+ probes of \d+ due/);
    expect(answer.solution.freshness.probes).toBeGreaterThan(3);
    expect(answer.solution.verdict).toBe('go-on');
  });

  it('tosses the coin of every other language', () => {
    const code = `import json, sys
from crawl_optimizer_scrapy import Pilot
wrong = 0
for toss in json.load(open("test/fixtures/coin.json"))["coins"]:
    pilot = object.__new__(Pilot)
    pilot.seed, pilot.period, pilot.by_host = toss["seed"], 1, False
    wrong += pilot.is_plan(toss["unit"], toss["period"]) != (toss["arm"] == "plan")
print(wrong)`;
    expect(execFileSync(command, ['-c', code], { env: environment, encoding: 'utf8' }).trim()).toBe('0');
  });
});
