/** A Trino server on loopback with tables in memory, its classes fetched by Maven; started and ended by the test. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { waitForOutput } from '../wait-for-output.ts';

const version = '435';

/** Where `mvn -q -f test/engines/trino package` puts the server; null where it has not, or Java 17 is missing. */
export const trinoFolder: string | null = findTrino(
  process.env.TRINO_FOLDER ?? fileURLToPath(new URL('../../../artefacts/trino', import.meta.url)),
);

function findTrino(folder: string): string | null {
  if (!existsSync(join(folder, 'lib')) || !existsSync(join(folder, 'plugin'))) return null;
  try {
    const [, major] = /^\S+ (\d+)/.exec(execFileSync('java', ['--version'], { encoding: 'utf8' })) ?? [];
    return Number(major) >= 17 ? folder : null;
  } catch {
    return null;
  }
}

/** A port that nothing listens on: Trino has to be told its own. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

export class TrinoServer {
  readonly #folder = mkdtempSync(join(tmpdir(), 'trino-'));
  #child: ChildProcess | null = null;
  #url = '';

  async start(classes: string): Promise<void> {
    this.#url = `http://127.0.0.1:${await freePort()}`;
    const catalogs = join(this.#folder, 'catalog');
    const settings = join(this.#folder, 'config.properties');
    mkdirSync(catalogs);
    writeFileSync(join(catalogs, 'memory.properties'), 'connector.name=memory\n');
    writeFileSync(
      settings,
      [
        'node.environment=test',
        'node.internal-address=127.0.0.1',
        'coordinator=true',
        'node-scheduler.include-coordinator=true',
        `http-server.http.port=${new URL(this.#url).port}`,
        `discovery.uri=${this.#url}`,
        `plugin.dir=${join(classes, 'plugin')}`,
        `catalog.config-dir=${catalogs}`,
        'query.max-memory-per-node=200MB',
        'memory.heap-headroom-per-node=200MB',
      ].join('\n'),
    );
    const program = fileURLToPath(new URL('StartTrino.java', import.meta.url));
    // its code lives a minute: compiling it thoroughly costs more than it gains
    const words = ['-Xmx768m', '-XX:TieredStopAtLevel=1', '-Djdk.attach.allowAttachSelf=true', `-Dconfig=${settings}`];
    this.#child = spawn('java', [...words, '-cp', join(classes, 'lib', '*'), program, version], {
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await waitForOutput(this.#child, /SERVER STARTED/);
    // It takes statements before it knows that it may itself read what they write.
    await this.rows('CREATE TABLE ready AS SELECT 1 AS one');
    while (!(await this.#hasNodes())) await setTimeout(200);
    await this.rows('DROP TABLE ready');
  }

  async #hasNodes(): Promise<boolean> {
    try {
      return (await this.rows('SELECT one FROM ready')).length === 1;
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('No nodes available')) return false;
      throw error;
    }
  }

  /** Sends a statement, and asks for what it gives until there is no more. */
  async rows(statement: string): Promise<Readonly<Record<string, unknown>>[]> {
    const headers = { 'x-trino-user': 'tester', 'x-trino-catalog': 'memory', 'x-trino-schema': 'default' };
    const rows: Readonly<Record<string, unknown>>[] = [];
    let next: unknown = `${this.#url}/v1/statement`;
    for (let request: RequestInit = { method: 'POST', body: statement }; typeof next === 'string'; request = {}) {
      const page = Object(await (await fetch(next, { ...request, headers })).json());
      if (page.error !== undefined) throw new Error(page.error.message);
      for (const cells of page.data ?? []) {
        rows.push(Object.fromEntries(page.columns.map(({ name }: { name: string }, i: number) => [name, cells[i]])));
      }
      next = page.nextUri;
    }
    return rows;
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
