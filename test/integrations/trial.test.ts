/**
 * The coin of a trial and crawling by a price in other languages, against the golden vectors. The integrations' own
 * unit tests run the pilots. What a language needs and is not here is skipped by name.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { now } from '../../src/dispatch/clock.ts';
import { prepare, run } from '../../src/dispatch/pipeline.ts';
import { probesIn } from '../../src/logs/probe-log.ts';
import { freshness } from '../../src/operations/estimates/freshness.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { coin } from '../../src/solvers/freshness/index.ts';

/** Go takes what it has in its cache; nothing is fetched. */
const goEnvironment = { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' };

const suites = [
  { name: 'Python', command: 'python3', words: ['clients/python/tests/test_trial.py'], folder: '.', env: {} },
  {
    name: 'Python, by a price',
    command: 'python3',
    words: ['clients/python/tests/test_price.py'],
    folder: '.',
    env: {},
  },
  {
    name: 'the sidecar of changedetection.io',
    command: 'python3',
    words: ['-B', 'tests/test_pilot.py'],
    folder: 'integrations/changedetection',
    env: { PYTHONPATH: '.' },
  },
  { name: 'Go', command: 'go', words: ['test', './...'], folder: 'clients/go', env: goEnvironment },
  {
    name: 'the sidecar of Miniflux',
    command: 'go',
    words: ['test', './...'],
    folder: 'integrations/miniflux',
    env: goEnvironment,
  },
];

/** Why a suite cannot run; null where it can. */
function lacking(command: string, folder: string): string | null {
  if (command !== 'go') return spawnSync(command, ['--version']).status === 0 ? null : `no ${command}`;
  const listed = spawnSync('go', ['list', '-deps', './...'], { cwd: folder, env: goEnvironment, encoding: 'utf8' });
  if (listed.error !== undefined) return 'no go';
  return listed.status === 0 ? null : 'not every Go module is here';
}

const dealt: Dealt = JSON.parse(readFileSync('examples/pilot/pilot.json', 'utf8'));
const probes = probesIn(readFileSync('examples/pilot/probes.csv', 'utf8')) ?? [];
const unitAndPeriod = probes.map(({ time, page }) => ({ page, number: Math.floor(time / dealt.period) }));

describe('a trial and a price in other languages', () => {
  for (const { name, command, words, folder, env } of suites) {
    const why = lacking(command, folder);
    if (why !== null) console.log(`the trial in ${name} is skipped: ${why}`);
    it.skipIf(why !== null)(
      `is dealt and probed as recorded: ${name}`,
      () => {
        const environment = { ...process.env, ...env };
        const { status, stdout, stderr } = spawnSync(command, words, {
          cwd: folder,
          encoding: 'utf8',
          env: environment,
        });
        expect(status, `${stdout}${stderr}`).toBe(0);
      },
      240_000,
    );
  }

  const hasJava = spawnSync('javac', ['-version']).status === 0;
  if (!hasJava) console.log('the coin in Java is skipped: no javac');
  it.skipIf(!hasJava)(
    'is dealt and probed as recorded: Java',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'coin-'));
      try {
        const sources = ['main/java/org/crawloptimizer/trial/Trial', 'test/java/org/crawloptimizer/trial/TrialLines'];
        execFileSync('javac', ['-d', folder, ...sources.map((each) => `clients/java/src/${each}.java`)]);
        const { coins, probes: golden }: Vectors = JSON.parse(readFileSync('test/fixtures/coin.json', 'utf8'));
        const line = (seed: string, unit: string, number: number): string =>
          [Buffer.from(seed).toString('base64'), Buffer.from(unit).toString('base64'), number].join(' ');
        const asked = [
          ...coins.map(({ seed, unit, period }) => line(seed, unit, period)),
          ...golden.map(({ seed, cell }) => line(seed, '', cell)),
        ];
        const input = asked.join('\n');
        const words = ['-cp', folder, 'org.crawloptimizer.trial.TrialLines'];
        const answered = execFileSync('java', words, { input, encoding: 'utf8' }).trim().split('\n');
        const expected = [
          ...coins.map(({ arm }) => arm),
          ...golden.map(({ cell, time, page }) => `${cell + time} ${page}`),
        ];
        const read = (text: string): string =>
          text
            .split(' ')
            .map((each) => (/\d/.test(each) ? Number(each) : each))
            .join(' ');
        // The first words are arms; a probe's line has an arm as well, which is not asked for.
        const got = answered.map((text, i) =>
          i < coins.length ? text.split(' ')[0] : text.split(' ').slice(1).join(' '),
        );
        expect(got.map(read)).toEqual(expected.map(read));
        // The arms of a whole log: with the same arms the verdict is the same to the bit, as Python's test below shows.
        const ofLog = unitAndPeriod.map(({ page, number }) => line(dealt.seed, page, number)).join('\n');
        const arms = execFileSync('java', words, { input: ofLog, encoding: 'utf8' }).trim().split('\n');
        expect(arms.map((text) => text.split(' ')[0])).toEqual(
          unitAndPeriod.map(({ page, number }) => coin(dealt.seed, page, number)),
        );
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    120_000,
  );
});

describe('the verdict of a log', () => {
  const { seed, period } = dealt;
  const solutionOf = (request: object): unknown => {
    const ready = prepare(freshness, JSON.stringify(request), readConfig({}));
    if (ready.kind !== 'ready') throw new Error(JSON.stringify(ready));
    const outcome = run(ready, unlimitedBudget(0), now);
    if (outcome.kind !== 'answer') throw new Error(JSON.stringify(outcome));
    const { solution }: Solved = JSON.parse(outcome.json);
    return solution;
  };

  it.skipIf(lacking('python3', '.') !== null)('is the same to the bit by the arms that Python deals', () => {
    const code = `import json, sys
sys.path.insert(0, "clients/python/src/crawl_optimizer_client")
from trial import coin
seed, units = json.load(sys.stdin)
print(json.dumps([coin(seed, unit["page"], unit["number"]) for unit in units]))`;
    const input = JSON.stringify([seed, unitAndPeriod]);
    const said = execFileSync('python3', ['-B', '-c', code], { input, encoding: 'utf8', maxBuffer: 1 << 26 });
    const arms: readonly string[] = JSON.parse(said);
    const named = probes.map((probe, i) => ({ ...probe, arm: arms[i] }));
    expect(solutionOf({ probes: named, period })).toEqual(solutionOf({ probes, period, seed }));
  });
});

interface Dealt {
  readonly seed: string;
  readonly period: number;
}

interface Solved {
  readonly solution: unknown;
}

interface Vectors {
  readonly coins: readonly { seed: string; unit: string; period: number; arm: string }[];
  readonly probes: readonly { seed: string; cell: number; time: number; page: number }[];
}
