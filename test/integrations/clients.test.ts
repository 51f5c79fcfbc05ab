/** The typed clients: built as their users build them, and asked against the service. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SpawnedServer, spawnServer } from '../service/spawned-server.ts';
import { javaTests, maven } from './maven.ts';

const run = promisify(execFile);
/** A Python with pandas, pyarrow, datamodel-code-generator, setuptools 77 or later, wheel and mypy. */
const python = resolve('artefacts/python-client/bin/python');
const modules = [
  'import pandas, pyarrow, datamodel_code_generator, mypy, setuptools, wheel',
  'assert int(setuptools.__version__.split(".")[0]) >= 77',
].join('; ');
const hasPython = existsSync(python) && spawnSync(python, ['-c', modules]).status === 0;
if (!hasPython) console.log('the client for Python is skipped: artefacts/python-client has not all it needs');

describe.skipIf(!hasPython)('the client for Python', () => {
  let service: SpawnedServer | undefined;
  let installed = '';
  const test = resolve('clients/python/tests/test_client.py');

  beforeAll(async () => {
    installed = mkdtempSync(join(tmpdir(), 'python-client-'));
    service = await spawnServer();
    const words = ['install', '-q', '--no-build-isolation', '--no-deps', '--no-index', '--target', installed];
    await run(python, ['-m', 'pip', ...words, resolve('clients/python')]);
  });
  afterAll(async () => {
    service?.process.kill();
    await service?.exited;
    rmSync(installed, { recursive: true, force: true });
  });

  it('asks with types, frames and Arrow streams', async () => {
    const environment = { ...process.env, PYTHONPATH: installed, PYTHONDONTWRITEBYTECODE: '1' };
    const { stderr } = await run(python, [test, service?.url ?? ''], { env: environment });
    expect(stderr).toMatch(/Ran [5-9] tests[\s\S]*OK/);
  });

  it('has types that mypy holds a caller to', async () => {
    const environment = { ...process.env, MYPYPATH: installed };
    const cache = join(installed, '.mypy_cache');
    const words = ['-m', 'mypy', '--strict', '--ignore-missing-imports', '--cache-dir', cache];
    const { stdout } = await run(python, [...words, test], { env: environment });
    expect(stdout).toContain('no issues');
    const wrong = 'from crawl_optimizer_client import Client\nClient().crawler_count({"crawlerRate": "fast"})\n';
    const refusalRun = run(python, [...words, '-c', wrong], { env: environment });
    await expect(refusalRun).rejects.toMatchObject({ stdout: expect.stringContaining('typeddict-item') });
  });
});

const java = resolve('clients/java');
const reduced = spawnSync('jq', ['-f', join(java, 'operations.jq'), resolve('openapi/openapi.json')], {
  encoding: 'utf8',
  maxBuffer: 1 << 26,
});
const hasJq = reduced.error === undefined;
if (!hasJq) console.log('the example for Java is skipped: no jq');

describe.skipIf(!hasJq)('the example for Java', () => {
  it('asks with generated types, and is told where a request is wrong', async (context) => {
    mkdirSync(join(java, 'target'), { recursive: true });
    writeFileSync(join(java, 'target/openapi.json'), reduced.stdout);
    rmSync(join(java, 'target/surefire-reports'), { recursive: true, force: true });
    const service = await spawnServer();
    const built = maven(['-f', join(java, 'pom.xml'), 'test', `-Dservice=${service.url}`]);
    service.process.kill();
    await service.exited;
    if (built.kind === 'unavailable') {
      console.log(`the example for Java is skipped: ${built.why}`);
      context.skip();
      return;
    }
    expect(built.passed, built.output).toBe(true);
    const tests = javaTests(java);
    expect(tests.filter(({ passed }) => !passed)).toEqual([]);
    expect(tests.map(({ name }) => name)).toContain('theCountIsNextToTheContinuousOptimum');
  });
});

/** Go takes what it has in its cache; nothing is fetched. */
const goEnvironment = { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' };

const suites = [
  { name: 'Python', command: 'python3', words: ['-B', 'clients/python/price/test_price.py'], folder: '.' },
  { name: 'Go', command: 'go', words: ['test', './...'], folder: 'clients/go' },
  { name: 'the sidecar of Miniflux', command: 'go', words: ['test', './...'], folder: 'integrations/miniflux' },
];

/** Why a suite cannot run; null where it can. */
function lacking(command: string, folder: string): string | null {
  if (command !== 'go') return spawnSync(command, ['--version']).status === 0 ? null : `no ${command}`;
  const listed = spawnSync('go', ['list', '-deps', './...'], { cwd: folder, env: goEnvironment, encoding: 'utf8' });
  if (listed.error !== undefined) return 'no go';
  return listed.status === 0 ? null : 'not every Go module is here';
}

describe('a price in other languages', () => {
  for (const { name, command, words, folder } of suites) {
    const why = lacking(command, folder);
    if (why !== null) console.log(`a price in ${name} is skipped: ${why}`);
    it.skipIf(why !== null)(`is held to the golden vectors: ${name}`, () => {
      const { status, stdout, stderr } = spawnSync(command, words, {
        cwd: folder,
        encoding: 'utf8',
        env: goEnvironment,
      });
      expect(status, `${stdout}${stderr}`).toBe(0);
    });
  }
});
