/** The sidecar of Miniflux, against an instance of its own on a PostgreSQL of its own, and the service. */
import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coin, estimatesFreshness } from '../../src/index.ts';
import { postgresPrograms, type Server, startPostgres } from '../engines/postgres-server.ts';
import { type SpawnedServer, spawnServer } from '../service/spawned-server.ts';
import { freePort, waitFor } from './wait-for.ts';

const run = promisify(execFile);
const folder = resolve('artefacts/miniflux');

/** Builds the sidecar and, where it is not built yet, Miniflux itself; what is missing, or null. */
function build(): string | null {
  if (postgresPrograms === undefined) return 'no PostgreSQL';
  const source = resolve('integrations/miniflux');
  const go = (words: readonly string[]) => spawnSync('go', words, { cwd: source, encoding: 'utf8', timeout: 400_000 });
  const sidecar = go(['build', '-o', join(folder, 'sidecar'), '.']);
  if (sidecar.error !== undefined) return `no Go: ${sidecar.error.message}`;
  if (sidecar.status !== 0) {
    // What cannot be fetched is missing; what cannot be compiled is a fault.
    if (/dial tcp|lookup |Forbidden|not found|timeout/i.test(sidecar.stderr))
      return 'the module of Miniflux is not to be had';
    throw new Error(sidecar.stderr);
  }
  if (existsSync(join(folder, 'miniflux'))) return null;
  if (process.env.BUILD_MINIFLUX === undefined) return 'Miniflux is not built; BUILD_MINIFLUX=1 builds it, in minutes';
  // Of Miniflux itself the sidecar's go.sum knows only the client: what else it is made from is noted in a copy.
  for (const file of ['go.mod', 'go.sum']) copyFileSync(join(source, file), join(folder, file));
  const copy = `-modfile=${join(folder, 'go.mod')}`;
  const built = go(['build', '-mod=mod', copy, '-o', join(folder, 'miniflux'), 'miniflux.app/v2']);
  return built.status === 0 ? null : `Miniflux cannot be built: ${built.stderr.slice(-200)}`;
}
const missing = build();
if (missing !== null) console.log(`the sidecar of Miniflux is skipped: ${missing}`);

describe.skipIf(missing !== null)('the sidecar of Miniflux', () => {
  const fetched = new Map<string, number>();
  const now = Date.now();
  const hour = 3_600_000;
  /** /often has an entry every half hour of the last days, /seldom every two days. */
  const site = createServer((request, response) => {
    const path = request.url ?? '';
    fetched.set(path, (fetched.get(path) ?? 0) + 1);
    const step = path === '/often' ? hour / 2 : 48 * hour;
    const items = Array.from({ length: path === '/often' ? 100 : 10 }, (_, k) => {
      const date = new Date(now - (k + 0.5) * step).toUTCString();
      return `<item><title>${k}</title><link>http://site.example${path}/${k}</link><guid>${path}${k}</guid><pubDate>${date}</pubDate></item>`;
    });
    response.setHeader('content-type', 'application/rss+xml');
    response.end(
      `<?xml version="1.0"?><rss version="2.0"><channel><title>${path}</title><link>http://site.example</link>${items.join('')}</channel></rss>`,
    );
  });
  let work = '';
  let database: Server | undefined;
  let instance: ChildProcess | undefined;
  let service: SpawnedServer | undefined;
  let base = '';
  let key = '';

  beforeAll(async () => {
    work = mkdtempSync(join(tmpdir(), 'miniflux-'));
    const server = startPostgres(postgresPrograms ?? '');
    database = server;
    service = await spawnServer();
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    const socket = decodeURIComponent(/host=(.*)/.exec(server.url)?.[1] ?? '');
    const settings = join(work, 'miniflux.conf');
    writeFileSync(
      settings,
      [
        `DATABASE_URL=user=tester dbname=postgres host=${socket} sslmode=disable`,
        `LISTEN_ADDR=127.0.0.1:${port}`,
        'RUN_MIGRATIONS=1',
        'CREATE_ADMIN=1',
        'ADMIN_USERNAME=admin',
        'ADMIN_PASSWORD=test-password',
        'DISABLE_SCHEDULER_SERVICE=1',
        'FETCHER_ALLOW_PRIVATE_NETWORKS=1',
      ].join('\n'),
    );
    // No environment: Miniflux reads its settings from it as well, and the test runner sets a BASE_URL.
    instance = spawn(join(folder, 'miniflux'), ['-c', settings], { env: {}, stdio: 'ignore' });
    const basic = `Basic ${Buffer.from('admin:test-password').toString('base64')}`;
    const post = async (path: string, body: object): Promise<Response> =>
      fetch(base + path, {
        method: 'POST',
        headers: { authorization: basic, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    key = await waitFor('an API key', async () => {
      const response = await post('/v1/api-keys', { description: 'test' });
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      const { token }: { token: string } = JSON.parse(await response.text());
      return token;
    });
    const address = site.address();
    const sitePort = typeof address === 'object' && address !== null ? address.port : 0;
    for (const path of ['often', 'seldom']) {
      const response = await post('/v1/feeds', { feed_url: `http://127.0.0.1:${sitePort}/${path}`, category_id: 1 });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    }
  });
  afterAll(async () => {
    instance?.kill();
    service?.process.kill();
    site.close();
    await service?.exited;
    database?.stop();
    rmSync(work, { recursive: true, force: true });
  });

  it('reads when entries were published, and refreshes by the plan: the busy feed oftener', async () => {
    const before = new Map(fetched);
    const words = [
      '-api',
      base,
      '-service',
      service?.url ?? '',
      '-crawls',
      '9',
      '-interval',
      '4s',
      '-min-interval',
      '100ms',
    ];
    const began = Date.now();
    const { stdout } = await run(join(folder, 'sidecar'), words, { env: { ...process.env, MINIFLUX_API_KEY: key } });
    expect(stdout).toContain('2 feeds, 9 refreshes planned');
    expect(Date.now() - began).toBeGreaterThan(2000);
    const more = (path: string): number => (fetched.get(path) ?? 0) - (before.get(path) ?? 0);
    expect(more('/often') + more('/seldom')).toBe(9);
    expect(more('/often')).toBeGreaterThan(more('/seldom'));
  });

  it('runs a pilot: the plan for one arm, an even rule for the other, and probes that are judged', async () => {
    const before = new Map(fetched);
    const [often, seldom] = ['1', '2'];
    // one period for the whole test, in which the coin of some seed gives the busy feed to the plan alone
    const period = 1e10;
    const seeds = Array.from({ length: 64 }, (_, k) => `real ${k}`);
    const seed = seeds.find((each) => coin(each, often, 0) === 'plan' && coin(each, seldom, 0) === 'incumbent');
    const [pilot, probes] = [join(work, 'pilot.json'), join(work, 'probes.ndjson')];
    writeFileSync(pilot, JSON.stringify({ seed, start: 0, period, probeEvery: 0.5, unit: 'page', grace: 900 }));
    const words = [
      '-api',
      base,
      '-service',
      service?.url ?? '',
      '-crawls',
      '9',
      '-interval',
      '4s',
      '-min-interval',
      '100ms',
    ];
    const more = ['-own', '1s', '-pilot', pilot, '-probes', probes];
    const { stdout } = await run(join(folder, 'sidecar'), [...words, ...more], {
      env: { ...process.env, MINIFLUX_API_KEY: key },
    });
    const made = readFileSync(probes, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const of = (page: string): number => made.filter((probe: { page: string }) => probe.page === page).length;
    const fetches = (path: string): number => (fetched.get(path) ?? 0) - (before.get(path) ?? 0);
    expect(made.length).toBeGreaterThan(4);
    // its own rule alone: four in four seconds, and its probes
    expect(fetches('/seldom')).toBe(4 + of(seldom));
    expect(fetches('/often')).toBeGreaterThan(of(often));
    expect(stdout).toContain(`2 feeds, ${fetches('/often') + fetches('/seldom')} refreshes planned`);
    const { solution } = estimatesFreshness({ probes: made, seed, period, settling: 0 });
    expect(solution).toMatchObject({ verdict: 'go-on', leftOut: { withoutArm: 0 } });
  });

  it('says what is wrong with a key', () => {
    const program = join(folder, 'sidecar');
    const words = ['-api', base, '-service', service?.url ?? '', '-crawls', '1'];
    const wrong = (): void =>
      void execFileSync(program, words, { env: { ...process.env, MINIFLUX_API_KEY: 'wrong' }, stdio: 'pipe' });
    expect(wrong).toThrow(/unauthorized/i);
  });
});
