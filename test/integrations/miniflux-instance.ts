/** Miniflux itself, on a PostgreSQL of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../engines/postgres-server.ts';
import { freePort, waitFor } from './wait-for.ts';

export interface Miniflux {
  readonly base: string;
  readonly key: string;
  /** Ends it at once, as a crash does; `start` starts it again. */
  readonly crash: () => Promise<void>;
  readonly start: () => void;
  readonly stop: () => void;
}

export async function startMiniflux(program: string, postgres: string, feeds: readonly string[]): Promise<Miniflux> {
  const work = mkdtempSync(join(tmpdir(), 'miniflux-'));
  const database = startPostgres(postgres);
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const socket = decodeURIComponent(/host=(.*)/.exec(database.url)?.[1] ?? '');
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
  const begin = (): ChildProcess => spawn(program, ['-c', settings], { env: {}, stdio: 'ignore' });
  let instance = begin();
  const basic = `Basic ${Buffer.from('admin:test-password').toString('base64')}`;
  const post = async (path: string, body: object): Promise<string> => {
    const headers = { authorization: basic, 'content-type': 'application/json' };
    const response = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.text();
  };
  const { token: key }: { token: string } = JSON.parse(
    await waitFor('an API key', () => post('/v1/api-keys', { description: 'test' })),
  );
  for (const feed of feeds) await post('/v1/feeds', { feed_url: feed, category_id: 1 });
  return {
    base,
    key,
    async crash() {
      const ended = once(instance, 'exit');
      instance.kill('SIGKILL');
      await ended;
    },
    start() {
      instance = begin();
    },
    stop() {
      instance.kill();
      database.stop();
      rmSync(work, { recursive: true, force: true });
    },
  };
}
