/** One worker process, seen from the service: started, given one task at a time, ended. */
import { fileURLToPath } from 'node:url';
import type { Awaited, PartHead } from './arriving/incoming.ts';
import { now } from './clock.ts';
import type { StartedWorker, WorkerStarter } from './start/start.ts';
import { workerFlags } from './start/worker-flags.ts';
import { FrameReader, framePieces } from './wire/frames.ts';
import type { Places } from './wire/places.ts';
import { greeting, type Signal, SignalReader, writeCancel } from './wire/signals.ts';
import type { ResultHead, TaskHead, WorkerResult, WorkerTask } from './worker-task.ts';

export interface WorkerProcessOptions {
  /** Module that serves tasks. */
  readonly workerFile: URL;
  /** Limit of its heap, MiB. */
  readonly workerMemoryMb: number;
  readonly starter: WorkerStarter;
  /** Of answers. */
  readonly places: Places;
}

/** A task with what its caller wants to know of it. */
interface SentTask {
  readonly task: WorkerTask;
  readonly body: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly arrivedAt: number;
  /** How many processors nobody else of this service uses. */
  readonly spare: number;
  readonly onSignal: (signal: Signal) => void;
  readonly onResult: (result: WorkerResult) => void;
  /** The process ended before it had a result. */
  readonly onLost: (reason: string) => void;
}

/** So much is sent ahead at a time: a pipe that is read takes it at once. What it does not waits a turn of the loop. */
const partBytes = 128 * 1024;

/** Variables a worker needs; the others (keys, addresses) are none of a solver's business. */
const passedOn = ['PATH', 'HOME', 'TZ', 'TMPDIR', 'NODE_ENV', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE'];

export class WorkerProcess {
  /** Null until it runs. */
  #process: StartedWorker | null = null;
  #running: (SentTask & { readonly id: number }) | null = null;
  #nextId = 1;
  /** A body that still arrives, and how much of it has been sent. */
  #ahead: { readonly body: Uint8Array; sent: number } | null = null;
  readonly #end: Promise<void>;
  #tellEnd = (): void => {};
  /** Resident memory after the last task, bytes. */
  residentBytes = 0;
  /** When the last task ended, or the process started. */
  idleSince = now();
  /** True once it was told to end. */
  told = false;
  /** True once it can take tasks: its modules are loaded. */
  started = false;
  readonly #places: Places;
  readonly #onStarted: () => void;
  readonly #onEnd: (ended: WorkerProcess) => void;

  constructor(options: WorkerProcessOptions, onStarted: () => void, onEnd: (ended: WorkerProcess) => void) {
    this.#places = options.places;
    this.#onStarted = onStarted;
    this.#onEnd = onEnd;
    this.#end = new Promise((resolve) => {
      this.#tellEnd = resolve;
    });
    const { workerFile, workerMemoryMb, starter } = options;
    const command = {
      parameters: [...workerFlags(workerMemoryMb, process.versions.v8), fileURLToPath(workerFile)],
      environment: Object.fromEntries(passedOn.map((name) => [name, process.env[name]])),
    };
    starter.start(command, {
      onStarted: (started) => this.#greet(started),
      onEnded: (reason) => this.#ended(reason),
    });
  }

  /** True while it cannot take a task: it starts, has one, or is about to end though its last result has come. */
  get busy(): boolean {
    return !this.started || this.#running !== null || this.told;
  }

  /** Sends a task; only to a process that is not busy. Returns the number to cancel it by. */
  run(sent: SentTask): number {
    const id = this.#nextId++;
    this.#running = { ...sent, id };
    const { task, arrivedAt, spare } = sent;
    const ahead = this.holds(sent.body) ? (this.#ahead?.sent ?? 0) : 0;
    this.#ahead = null;
    const head: TaskHead = { ...task, id, elapsedMs: now() - arrivedAt, sentAt: Date.now(), spare, ahead };
    this.#write(head, ahead === 0 ? sent.body : sent.body.subarray(ahead));
    return id;
  }

  /** Whether the start of this body, or of any, has been sent. */
  holds(body?: Uint8Array): boolean {
    return this.#ahead !== null && (body === undefined || body === this.#ahead.body);
  }

  /** Sends what has come of a body of which a task may be made; only to a process that is not busy. */
  sendAhead(body: Uint8Array, available: number, awaited: Awaited, spare: number): boolean {
    let at = this.holds(body) ? (this.#ahead?.sent ?? 0) : 0;
    for (
      let sent = at + partBytes;
      sent <= available && this.#process?.frames.writableLength === 0;
      sent += partBytes
    ) {
      this.#write({ part: { ...awaited, at, length: body.length, spare } }, body.subarray(at, sent));
      this.#ahead = { body, sent };
      at = sent;
    }
    return available - at >= partBytes;
  }

  /** No task will be made of the body of which the start has been sent. */
  forget(): void {
    this.#ahead = null;
    this.#write({ part: 'forget' });
  }

  #write(head: TaskHead | PartHead, ...body: readonly Uint8Array[]): void {
    this.#process?.frames.cork();
    for (const piece of framePieces(head, body)) this.#process?.frames.write(piece);
    this.#process?.frames.uncork();
  }

  /** Asks the task to stop and return what it has. */
  cancel(id: number): void {
    if (this.#running?.id === id) this.#process?.signals.write(writeCancel(id));
  }

  /** Ends the process at once, whatever it does; its task is lost. */
  kill(): void {
    this.told = true;
    this.#process?.kill();
  }

  /** Resolves when the process has ended. */
  ended(): Promise<void> {
    return this.#end;
  }

  #greet(started: StartedWorker): void {
    this.#process = started;
    if (this.told) started.kill();
    const frames = new FrameReader<ResultHead>(
      (head, body) => this.#answered(head, body),
      (length) => this.#places.take(length),
    );
    const signals = new SignalReader((signal) => this.#signalled(signal));
    started.frames.on('data', (chunk: Buffer) => frames.push(chunk)).on('error', () => {});
    started.signals.on('data', (chunk: Buffer) => signals.push(chunk)).on('error', () => {});
    started.signals.write(greeting);
  }

  #ended(reason: string): void {
    this.#process?.frames.destroy();
    this.#process?.signals.destroy();
    const lost = this.#running;
    this.#running = null;
    this.#tellEnd();
    this.#onEnd(this);
    lost?.onLost(reason);
  }

  #answered({ id, result, residentBytes }: ResultHead, body: Buffer): void {
    const running = this.#running;
    if (running?.id !== id) return;
    this.#running = null;
    this.residentBytes = residentBytes;
    this.idleSince = now();
    running.onResult(result.kind === 'answer' ? { ...result, bytes: body } : result);
  }

  #signalled(signal: Signal): void {
    if (signal.kind === 'started') {
      this.started = true;
      this.idleSince = now();
      this.#onStarted();
      return;
    }
    if (this.#running?.id === signal.task) this.#running.onSignal(signal);
  }
}
