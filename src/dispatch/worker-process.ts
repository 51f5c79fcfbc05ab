/** One worker process, seen from the service: started, given one task at a time, ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import { Duplex, type Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { now } from './clock.ts';
import { FrameReader, frameDescriptor, framePieces } from './wire/frames.ts';
import { type Signal, SignalReader, signalDescriptor, writeCancel } from './wire/signals.ts';
import type { ResultHead, WorkerResult, WorkerTask } from './worker-task.ts';

export interface WorkerProcessOptions {
  /** Module that serves tasks. */
  readonly workerFile: URL;
  /** Limit of its heap, MiB. */
  readonly workerMemoryMb: number;
}

/** A task with what its caller wants to know of it. */
export interface SentTask {
  readonly task: WorkerTask;
  readonly body: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly arrivedAt: number;
  readonly onSignal: (signal: Signal) => void;
  readonly onResult: (result: WorkerResult) => void;
  /** The process ended before it had a result. */
  readonly onLost: (reason: string) => void;
}

/** Variables a worker needs; the others (keys, addresses) are none of a solver's business. */
const passedOn = ['PATH', 'HOME', 'TZ', 'TMPDIR', 'NODE_ENV', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE'];
/** As much of its last words is kept for the log. */
const lastWordsLength = 600;

export class WorkerProcess {
  readonly #process: ChildProcess;
  readonly #frames: Duplex;
  readonly #signals: Duplex;
  #running: (SentTask & { readonly id: number }) | null = null;
  #nextId = 1;
  #lastWords = '';
  #ended = false;
  /** Resident memory after the last task, bytes. */
  residentBytes = 0;
  /** When the last task ended, or the process started. */
  idleSince = now();
  /** True once it was told to end. */
  told = false;
  /** True once it can take tasks: its modules are loaded. */
  started = false;
  readonly #onStarted: () => void;

  constructor(options: WorkerProcessOptions, onStarted: () => void, onEnd: (ended: WorkerProcess) => void) {
    this.#onStarted = onStarted;
    const { workerFile, workerMemoryMb } = options;
    // A small young generation keeps one collection from promoting more than the leeway Node leaves a full heap.
    const flags = [`--max-old-space-size=${workerMemoryMb}`, '--max-semi-space-size=16'];
    this.#process = spawn(process.execPath, [...flags, fileURLToPath(workerFile)], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      env: Object.fromEntries(passedOn.map((name) => [name, process.env[name]])),
    });
    this.#frames = duplex(this.#process.stdio[frameDescriptor]);
    this.#signals = duplex(this.#process.stdio[signalDescriptor]);
    const frames = new FrameReader((head, body) => this.#answered(JSON.parse(head), body));
    const signals = new SignalReader((signal) => this.#signalled(signal));
    this.#frames.on('data', (chunk: Buffer) => frames.push(chunk)).on('error', () => {});
    this.#signals.on('data', (chunk: Buffer) => signals.push(chunk)).on('error', () => {});
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-lastWordsLength);
    });
    const end = (reason: string): void => {
      if (this.#ended) return;
      this.#ended = true;
      this.#frames.destroy();
      this.#signals.destroy();
      const lost = this.#running;
      this.#running = null;
      onEnd(this);
      lost?.onLost(reason);
    };
    this.#process.once('error', (error) => end(`it could not be started: ${error.message}`));
    this.#process.once('exit', (code, signal) => end(`it ended with ${signal ?? code}: ${this.#lastWords}`.trim()));
  }

  /** True while it cannot take a task: it starts, has one, or is about to end though its last result has come. */
  get busy(): boolean {
    return !this.started || this.#running !== null || this.told;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Sends a task; only to a process that is not busy. Returns the number to cancel it by. */
  run(sent: SentTask): number {
    const id = this.#nextId++;
    this.#running = { ...sent, id };
    const head = { ...sent.task, id, elapsedMs: now() - sent.arrivedAt, sentAt: Date.now() };
    for (const piece of framePieces(head, sent.body)) this.#frames.write(piece);
    return id;
  }

  /** Asks the task to stop and return what it has. */
  cancel(id: number): void {
    if (this.#running?.id === id) this.#signals.write(writeCancel(id));
  }

  /** Ends the process at once, whatever it does; its task is lost. */
  kill(): void {
    this.told = true;
    this.#process.kill('SIGKILL');
  }

  /** Resolves when the process has ended. */
  ended(): Promise<void> {
    if (this.#ended) return Promise.resolve();
    return new Promise((resolve) => {
      this.#process.once('exit', () => resolve());
      this.#process.once('error', () => resolve());
    });
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

function duplex(stream: Readable | ChildProcess['stdin'] | undefined): Duplex {
  if (stream instanceof Duplex) return stream;
  throw new Error('a worker process came without its pipes');
}
