/** Starts the tormented server, starts it again when it is lost, and asks it how it is. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { operations } from '../../src/operations/index.ts';
import { factsOf } from '../../src/routes/served-operations.ts';
import { clockMs } from './clock.ts';
import type { HostControl } from './host-control.ts';
import type { Turns } from './turn-watch.ts';

/** Its turns since the last time it was asked, and how it is. */
export interface Condition extends Turns {
  readonly residentBytes: number;
}

const none: Condition = { longestWallMs: 0, longestProcessorMs: 0, long: [], residentBytes: 0 };

interface TormentedParts {
  /** Whether what `npm run build` made is started, as an operator does, in place of the sources. */
  readonly build?: boolean;
  /** Tells what of the time the host of this machine took. */
  readonly control?: HostControl;
}

export class ServerUnderTorment {
  url = '';
  /** How often the service itself ended. */
  lost = 0;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #build: boolean;
  readonly #control: HostControl | undefined;
  #process: ChildProcess | null = null;
  #ended: Promise<unknown> = Promise.resolve();
  #asked: Promise<Condition> | undefined;

  constructor(environment: Readonly<Record<string, string>>, { build = false, control }: TormentedParts = {}) {
    this.#environment = environment;
    this.#build = build;
    this.#control = control;
  }

  async start(): Promise<void> {
    // What was asked of the Node that torments is no business of the one that is tormented.
    const { NODE_OPTIONS: _, ...inherited } = process.env;
    const env = { ...inherited, ...this.#environment };
    const started = this.#build ? forkBuild(env) : forkSources(env);
    this.#process = started;
    this.#ended = once(started, 'exit');
    this.url = await Promise.race([
      this.#build ? urlInLog(started) : urlInMessage(started),
      this.#ended.then(() => Promise.reject(new Error('the service ended before it listened'))),
    ]);
  }

  /** True while the process runs; counts and replaces it once it does not. */
  async check(): Promise<boolean> {
    if (this.#process?.exitCode === null && this.#process.signalCode === null) return true;
    this.lost++;
    await this.start();
    return false;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  /** For how long since a moment the host held the processor that it held longest. */
  hostPauseMs(since: number): number {
    return this.#control?.mostPausedMs(since, clockMs()) ?? 0;
  }

  /** Two that ask at once are told the same turns, so that none goes unseen. */
  condition(): Promise<Condition> {
    this.#asked ??= this.#condition().finally(() => {
      this.#asked = undefined;
    });
    return this.#asked;
  }

  async #condition(): Promise<Condition> {
    const server = this.#process;
    if (server === null || !server.connected) return none;
    const answer = once(server, 'message');
    server.send('condition');
    const [condition]: Condition[] = await Promise.race([answer, this.#ended.then(() => [none])]);
    return condition;
  }

  /** Worker processes that ended without being told to, since the service was started last. */
  async workersLost(): Promise<number> {
    const metrics = await (await fetch(`${this.url}/metrics`)).text();
    return Number(/^crawl_optimizer_workers_lost_total (\d+)$/m.exec(metrics)?.[1]);
  }

  async stop(): Promise<void> {
    const server = this.#process;
    if (server === null || server.exitCode !== null) return;
    server.send('stop');
    await this.#ended;
  }
}

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** The service from its sources, which knows of its operations what a build knows. */
function forkSources(env: NodeJS.ProcessEnv): ChildProcess {
  const started = fork(pathOf('./tormented-server.ts'), [], { env });
  started.send(operations.map(factsOf));
  return started;
}

async function urlInMessage(started: ChildProcess): Promise<string> {
  const [{ url }]: { url: string }[] = await once(started, 'message');
  return url;
}

/** The build, with what watches it loaded first. */
function forkBuild(env: NodeJS.ProcessEnv): ChildProcess {
  return fork(pathOf('../../dist/server.js'), [], {
    env: { MAX_EVENT_LOOP_DELAY_MS: '0', ...env, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'info' },
    execArgv: ['--import', pathOf('./watched-build.ts')],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
}

/** Where a build says that it listens; the rest of its log is read and dropped. */
function urlInLog(started: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text: string | undefined = '';
    started.stdout?.on('data', (chunk: Buffer) => {
      if (text === undefined) return;
      text += chunk.toString();
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
      if (found === undefined) return;
      text = undefined;
      resolve(found);
    });
  });
}
