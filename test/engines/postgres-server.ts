/** A PostgreSQL server of its own, in a temporary folder, on a socket there; started and ended by the test. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Debian keeps the server's programs out of the path. */
const folders = [
  '/usr/lib/postgresql/17/bin',
  '/usr/lib/postgresql/16/bin',
  '/usr/lib/postgresql/15/bin',
  '/usr/local/bin',
];

export const postgresPrograms = folders.find((folder) => existsSync(join(folder, 'initdb')));

export interface Server {
  readonly url: string;
  stop(): void;
}

/** @param port where it listens on loopback too; left out: on the socket alone */
export function startPostgres(programs: string, port?: number): Server {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  const data = join(folder, 'data');
  // the server refuses to run as root
  const root = process.getuid?.() === 0;
  if (root) execFileSync('chown', ['postgres', folder]);
  chmodSync(folder, 0o755);
  const run = (program: string, ...words: string[]): void => {
    const command = [join(programs, program), ...words];
    const [first, ...rest] = root ? ['runuser', '-u', 'postgres', '--', ...command] : command;
    execFileSync(first, rest, { stdio: 'ignore', cwd: folder });
  };
  run('initdb', '-D', data, '-A', 'trust', '-U', 'tester', '--no-sync');
  const tcp = port === undefined ? "''" : `127.0.0.1 -c port=${port}`;
  const settings = `-c listen_addresses=${tcp} -c unix_socket_directories=${folder} -c fsync=off`;
  run('pg_ctl', '-D', data, '-w', '-o', settings, '-l', join(folder, 'log'), 'start');
  return {
    url: `postgres://tester@/postgres?host=${encodeURIComponent(folder)}${port === undefined ? '' : `&port=${port}`}`,
    stop() {
      run('pg_ctl', '-D', data, '-m', 'fast', '-w', 'stop');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
