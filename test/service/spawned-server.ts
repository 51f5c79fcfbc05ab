/** The service as a process of its own, as `npm start` runs it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface SpawnedServer {
  readonly url: string;
  readonly process: ChildProcess;
  /** Everything written to its log so far. */
  log(): string;
  /** Resolves with the exit code. */
  readonly exited: Promise<unknown>;
}

/** Ends a child process with the tests: one that a failed test left would hold the run open for ever. */
export function killAtExit<Process extends ChildProcess>(child: Process): Process {
  const end = (): void => {
    child.kill('SIGKILL');
  };
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return child;
}

/** Settings under which the server does not refuse requests on a busy machine. */
const patient = { MAX_EVENT_LOOP_DELAY_MS: '0', QUEUE_TIMEOUT_MS: '120000' };

export async function spawnServer(
  environment: Record<string, string> = {},
  options: {
    readonly execArgv?: readonly string[];
    readonly uid?: number;
    /** A command, with its arguments, that runs the server's command. */
    readonly within?: readonly string[];
  } = {},
): Promise<SpawnedServer> {
  const { execArgv = [], uid, within = [] } = options;
  const [command, ...rest] = [...within, process.execPath, ...execArgv, 'src/server.ts'];
  const server = killAtExit(
    spawn(command, rest, {
      ...(uid !== undefined && { uid, gid: uid }),
      env: {
        ...process.env,
        PORT: '0',
        HOST: '127.0.0.1',
        LOG_LEVEL: 'info',
        WORKERS: '1',
        ...patient,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const exited = once(server, 'exit').then(([code]: unknown[]) => code);
  let text = '';
  let address: string | undefined;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  server.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    // The address is searched for once: the log of an hour's run is long.
    address ??= /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
    if (address !== undefined) resolve(address);
  });
  exited.then((code) => reject(new Error(`the server ended with ${String(code)} before it listened: ${text}`)));
  return { url: await promise, process: server, log: () => text, exited };
}
