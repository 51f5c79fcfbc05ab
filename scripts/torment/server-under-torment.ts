/** Starts the tormented server, starts it again when it is lost, and asks it how it is. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { operations } from '../../src/operations/index.ts';
import { factsOf } from '../../src/routes/served-operations.ts';

export interface Condition {
  /** The longest turns of the event loop since the last time it was asked. */
  readonly wallMs: number;
  readonly processorMs: number;
  /** How long the collections of garbage took in the turn that took the processor longest, milliseconds on the wall. */
  readonly collections: readonly number[];
  readonly residentBytes: number;
  readonly workersLost: number;
}

const none: Condition = { wallMs: 0, processorMs: 0, collections: [], residentBytes: 0, workersLost: 0 };

export class ServerUnderTorment {
  url = '';
  /** How often the service itself ended. */
  lost = 0;
  readonly #environment: Readonly<Record<string, string>>;
  #process: ChildProcess | null = null;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(environment: Readonly<Record<string, string>>) {
    this.#environment = environment;
  }

  async start(): Promise<void> {
    const file = fileURLToPath(new URL('./tormented-server.ts', import.meta.url));
    const started = fork(file, [], { env: { ...process.env, ...this.#environment } });
    this.#process = started;
    this.#ended = once(started, 'exit');
    started.send(operations.map(factsOf));
    const [{ url }]: { url: string }[] = await once(started, 'message');
    this.url = url;
  }

  /** True while the process runs; counts and replaces it once it does not. */
  async check(): Promise<boolean> {
    if (this.#process?.exitCode === null && this.#process.signalCode === null) return true;
    this.lost++;
    await this.start();
    return false;
  }

  async condition(): Promise<Condition> {
    const server = this.#process;
    if (server === null || !server.connected) return none;
    const answer = once(server, 'message');
    server.send('condition');
    const [condition]: Condition[] = await Promise.race([answer, this.#ended.then(() => [none])]);
    return condition;
  }

  async stop(): Promise<void> {
    const server = this.#process;
    if (server === null || server.exitCode !== null) return;
    server.send('stop');
    await this.#ended;
  }
}
