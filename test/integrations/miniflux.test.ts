/** The sidecar of Miniflux, against an instance of its own on a PostgreSQL of its own. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresPrograms } from '../engines/postgres-server.ts';
import { type Miniflux, startMiniflux } from './miniflux-instance.ts';

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
  let miniflux: Miniflux | undefined;
  /** The sidecar, as a command on this instance. */
  const sidecar = (words: readonly string[], key = miniflux?.key) => {
    const common = ['-api', miniflux?.base ?? '', '-min-interval', '100ms'];
    return spawn(join(folder, 'sidecar'), [...common, ...words], {
      env: { ...process.env, MINIFLUX_API_KEY: key },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };
  const since = (before: ReadonlyMap<string, number>, path: string): number =>
    (fetched.get(path) ?? 0) - (before.get(path) ?? 0);

  beforeAll(async () => {
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
    const address = site.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const feeds = ['often', 'seldom'].map((path) => `http://127.0.0.1:${port}/${path}`);
    miniflux = await startMiniflux(join(folder, 'miniflux'), postgresPrograms ?? '', feeds);
  });
  afterAll(async () => {
    miniflux?.stop();
    site.close();
  });

  it('follows a price without a service, and goes on after Miniflux was down', async () => {
    const before = new Map(fetched);
    await miniflux?.crash();
    // more refreshes than two feeds take in a round, so that both are due
    const child = sidecar(['-per-day', '1000000']);
    try {
      expect((await once(createInterface({ input: child.stderr }), 'line'))[0]).toMatch(/refused/);
      const firstLine = once(createInterface({ input: child.stdout }), 'line');
      miniflux?.start();
      expect((await firstLine)[0]).toBe('2 feeds refreshed');
      expect([since(before, '/often'), since(before, '/seldom')]).toEqual([1, 1]);
    } finally {
      child.kill();
    }
  });

  it('says what is wrong with a key', async () => {
    const child = sidecar(['-per-day', '1'], 'wrong');
    try {
      expect((await once(createInterface({ input: child.stderr }), 'line'))[0]).toMatch(/unauthorized/i);
    } finally {
      child.kill();
    }
  });
});
