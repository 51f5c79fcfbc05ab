/**
 * A small process that starts workers in place of the service. Whoever starts a process stands still while the tables
 * of its memory are copied and until the new process runs its program. The service stood still for 5 to 140 ms, the
 * longer the more it held and the busier the processors were. The nursery holds little, and nobody waits for it.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type StartListener, startHere, type WorkerCommand, type WorkerStarter } from './start.ts';

/** What the service asks of its nursery. */
export interface NurseryOrder {
  readonly id: number;
  readonly command: WorkerCommand;
}

/** What a nursery says of a worker: its pipes, one with each message, and its end. */
export type NurseryReport = { readonly id: number } & (
  | { readonly kind: 'frames' | 'signals'; readonly pid: number }
  | { readonly kind: 'ended'; readonly reason: string }
);

const flags = ['--max-old-space-size=32', '--max-semi-space-size=1'];
/** A lost process is started again after this time. */
const restartAfterMs = 500;

/** A worker that was ordered and has not ended. */
interface Ordered {
  readonly listener: StartListener;
  frames?: Socket;
  signals?: Socket;
}

export class Nursery implements WorkerStarter {
  readonly #file: URL;
  readonly #ordered = new Map<number, Ordered>();
  #process: ChildProcess | undefined;
  #nextId = 1;
  #closed = false;

  /** @param file module that serves as a nursery */
  constructor(file: URL) {
    this.#file = file;
  }

  /** The process; undefined while there is none. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Starts the process. Before that, and while it is lost, workers are started here. */
  open(): void {
    if (this.#closed) return;
    const started = fork(fileURLToPath(this.#file), [], {
      execArgv: flags,
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#process = started;
    started.on('message', (report: NurseryReport, pipe: unknown) => this.#reported(report, pipe));
    const lost = (): void => this.#lost(started);
    started.on('error', lost).on('exit', lost).on('disconnect', lost);
  }

  start(command: WorkerCommand, listener: StartListener): void {
    if (this.#process?.connected !== true) {
      startHere.start(command, listener);
      return;
    }
    const id = this.#nextId++;
    this.#ordered.set(id, { listener });
    const order: NurseryOrder = { id, command };
    // Where this fails the nursery is lost, and that is told.
    this.#process.send(order, () => {});
  }

  close(): void {
    this.#closed = true;
    if (this.#process?.connected === true) this.#process.disconnect();
  }

  #reported(report: NurseryReport, pipe: unknown): void {
    const ordered = this.#ordered.get(report.id);
    if (ordered === undefined) return;
    if (report.kind === 'ended') {
      this.#end(report.id, report.reason);
      return;
    }
    if (!(pipe instanceof Socket)) return;
    ordered[report.kind] = pipe;
    const { frames, signals, listener } = ordered;
    if (frames === undefined || signals === undefined) return;
    const { pid } = report;
    listener.onStarted({ frames, signals, pid, kill: () => this.#kill(report.id, pid) });
  }

  #end(id: number, reason: string): void {
    const ordered = this.#ordered.get(id);
    this.#ordered.delete(id);
    ordered?.listener.onEnded(reason);
  }

  /** Ends a process that is not this one's child; its number is its own until its end has been told. */
  #kill(id: number, pid: number): void {
    if (!this.#ordered.has(id)) return;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended, and that will be told.
    }
  }

  /** Workers outlive their nursery: each one's end shows in its pipe. What had not arrived never will. */
  #lost(nursery: ChildProcess): void {
    if (this.#process !== nursery) return;
    this.#process = undefined;
    nursery.kill('SIGKILL');
    for (const [id, { frames, signals }] of this.#ordered) {
      if (frames === undefined || signals === undefined) this.#end(id, 'the process that starts workers has ended');
      else if (frames.closed) this.#end(id, 'it ended');
      else frames.once('close', () => this.#end(id, 'it ended'));
    }
    if (!this.#closed) setTimeout(() => this.open(), restartAfterMs).unref();
  }
}
