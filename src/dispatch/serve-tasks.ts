/**
 * The life of a worker process: read a task, run it, write its result, again. Nothing here waits for events. Reading
 * blocks until a task comes, which answers a small request some 25 µs after it was sent. While a solver runs it looks
 * for a cancellation itself. When the service has gone, reading ends and so does the process.
 */
import { readSync, writeFileSync, writeSync } from 'node:fs';
import module from 'node:module';
import { Socket } from 'node:net';
import type { Operation } from '../operations/operation.ts';
import { Incoming, type PartHead, type TakenBody } from './arriving/incoming.ts';
import { Abandoned } from './attempt.ts';
import { now } from './clock.ts';
import type { BodyFormat, Outcome, WrittenOutcome } from './pipeline.ts';
import { FrameReader, frameDescriptor, framePieces, ownPlace } from './wire/frames.ts';
import { cancelBytes, type Signal, signalDescriptor, writeSignal } from './wire/signals.ts';
import { type ResultHead, runTask, type TaskHead, type TaskLine } from './worker-task.ts';

/** Read at once where a frame may begin: what comes of a larger body is read to its place. */
const chunkBytes = 16 * 1024;
/** Looking for a cancellation costs a system call: some 40 µs. */
const lookEveryMs = 5;
const progressEveryMs = 20;
/** While a larger body arrives a thread is started, which takes some 100 ms. */
const worthThreads = 4 * 2 ** 20;
/** Where more lies outside the heap after a body that threads saw, garbage is collected. */
const mostOutside = 256 * 2 ** 20;
/** The same of all that threads share too, after a large body: what is collected sooner is given out again, slowly. */
const mostShared = 448 * 2 ** 20;

/** The code of a failed system call; undefined for any other error. */
function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** Writes everything, waiting where the other side reads slowly. */
function writeAll(descriptor: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EPIPE' || code === 'ECONNRESET') process.exit(0);
      if (code !== 'EAGAIN' && code !== 'EINTR') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

/** The signals of one task at a time. */
class Line implements TaskLine {
  readonly #bytes = Buffer.alloc(64 * cancelBytes);
  #task = 0;
  #cancelled = 0;
  #lookAt = 0;
  #tellAt = 0;

  /** Waits for the greeting: what a worker says before that might get lost with whoever started it. */
  constructor() {
    if (readChunk(signalDescriptor, this.#bytes) === 0) process.exit(0);
    // Taking the descriptor over sets it to answer at once where there is nothing to read.
    new Socket({ fd: signalDescriptor }).on('error', () => {});
  }

  /** Turns to the next task. */
  start(task: number): void {
    this.#task = task;
    this.#lookAt = 0;
    this.#tellAt = 0;
  }

  readonly cancelled = (): boolean => {
    const at = now();
    if (at >= this.#lookAt) {
      this.#lookAt = at + lookEveryMs;
      this.#look();
    }
    return this.#cancelled >= this.#task;
  };

  /** Says that tasks can be taken. */
  started(): void {
    this.#tell({ task: 0, kind: 'started' });
  }

  readonly timeLimit = (timeLimitMs: number): void => this.#tell({ task: this.#task, kind: 'time-limit', timeLimitMs });

  readonly progress: TaskLine['progress'] = (progress) => {
    const at = now();
    if (at < this.#tellAt) return;
    this.#tellAt = at + progressEveryMs;
    this.#tell({ task: this.#task, kind: 'progress', progress });
  };

  /** A signal that finds no room is left out: the service would have read the earlier ones long ago. */
  #tell(signal: Signal): void {
    try {
      writeSync(signalDescriptor, writeSignal(signal));
    } catch (error) {
      if (errorCode(error) === 'EPIPE') process.exit(0);
    }
  }

  #look(): void {
    try {
      const read = readSync(signalDescriptor, this.#bytes);
      // The service has gone: nobody waits for any result.
      if (read === 0) process.exit(0);
      for (let at = 0; at + cancelBytes <= read; at += cancelBytes) this.#cancelled = this.#bytes.readUInt32LE(at);
    } catch (error) {
      const code = errorCode(error);
      if (code !== 'EAGAIN' && code !== 'EINTR') process.exit(0);
    }
  }
}

/**
 * Serves tasks until the service closes its end; never returns.
 */
export function serveTasks(operations: readonly Operation[]): never {
  preferredVictim();
  // The service decides when its workers end: it still has requests to finish when the signal comes to all of them.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  const line = new Line();
  line.started();
  // A worker is ended, it does not exit: what was compiled for its start would never be kept for the next.
  module.flushCompileCache?.();
  const chunk = Buffer.allocUnsafeSlow(chunkBytes);
  const arrived: Arrived[] = [];
  let incoming: Incoming | null = null;
  /**
   * The place of the last such body: the system gives out memory slower than a body is copied. Threads see JSON, which
   * they read too; from shared memory numbers are copied at a fifth of the speed.
   */
  let room = ownPlace(0);
  const roomFor = (length: number, shared: boolean): Buffer => {
    if (room.length < length || room.buffer instanceof SharedArrayBuffer !== shared || arrived.length > 0)
      room = shared ? Buffer.from(new SharedArrayBuffer(length)) : ownPlace(length);
    return room.subarray(0, length);
  };
  const placeOf = (length: number, head: TaskHead | PartHead): Buffer => {
    if ('part' in head) {
      if (head.part === 'forget') incoming = null;
      else if (head.part.at === 0) {
        incoming = new Incoming(head.part, roomFor(head.part.length, head.part.format === 'json'), operations);
      }
      return incoming?.placeOf(length) ?? ownPlace(length);
    }
    if (head.ahead === 0) return ownPlace(length);
    if (head.ahead !== incoming?.filled) throw new Error('what was sent ahead of a body is not here');
    return incoming.placeOf(length);
  };
  const reader = new FrameReader<TaskHead | PartHead>((head, body) => {
    if ('part' in head) incoming?.added(body.length);
    else {
      arrived.push(new Arrived(head, head.ahead > 0 && incoming !== null ? incoming.whole : { bytes: body }));
      incoming = null;
    }
  }, placeOf);
  for (;;) {
    const place = reader.place(chunkBytes);
    const read = readChunk(frameDescriptor, place ?? chunk);
    if (read === 0) process.exit(0);
    if (place === null) reader.push(chunk.subarray(0, read));
    else reader.took(read);
    for (let task = arrived.shift(); task !== undefined; task = arrived.shift()) {
      answerTask(task, { operations, line });
      // what threads share does not hurry the collector: it collects while nobody waits
      if (task.isLarge) collect(task.isShared);
    }
  }
}

function collect(isShared: boolean): void {
  const { external, arrayBuffers } = process.memoryUsage();
  if (arrayBuffers > mostShared || (isShared && external > mostOutside)) globalThis.gc?.();
}

/** Waits for something to read; 0 where nothing will come. */
function readChunk(descriptor: number, chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(descriptor, chunk);
    } catch (error) {
      if (errorCode(error) !== 'EINTR') return 0;
    }
  }
}

/** A frame that has arrived whole. */
class Arrived {
  readonly head: TaskHead;
  readonly isLarge: boolean;
  readonly isShared: boolean;
  #body: TakenBody;

  constructor(head: TaskHead, body: TakenBody) {
    this.head = head;
    this.#body = body;
    this.isLarge = body.bytes.length >= worthThreads;
    this.isShared = body.bytes.buffer instanceof SharedArrayBuffer;
  }

  readonly takeBody = (): TakenBody => {
    const taken = this.#body;
    this.#body = { bytes: new Uint8Array(0) };
    return taken;
  };
}

interface Serving {
  readonly operations: readonly Operation[];
  readonly line: Line;
}

function answerTask({ head, takeBody }: Arrived, { operations, line }: Serving): void {
  const onTheWayMs = Math.max(0, Date.now() - head.sentAt);
  line.start(head.id);
  const arrivedAt = now() - head.elapsedMs - onTheWayMs;
  const { result, pieces } = resultOf(head.answer, () =>
    runTask({ task: head, arrivedAt, takeBody, line }, operations),
  );
  const reply: ResultHead = { id: head.id, result, residentBytes: process.memoryUsage.rss() };
  for (const piece of framePieces(reply, pieces)) writeAll(frameDescriptor, piece);
}

function resultOf(
  format: BodyFormat,
  runIt: () => Outcome | WrittenOutcome,
): { result: ResultHead['result']; pieces: readonly Uint8Array[] } {
  try {
    const outcome = runIt();
    if (outcome.kind === 'problem') return { result: outcome, pieces: [] };
    const { facts } = outcome;
    if (outcome.kind === 'written') return { result: { kind: 'answer', facts, format }, pieces: outcome.pieces };
    return { result: { kind: 'answer', facts, format: 'json' }, pieces: [Buffer.from(outcome.json)] };
  } catch (error) {
    if (error instanceof Abandoned) return { result: { kind: 'abandoned' }, pieces: [] };
    throw error;
  }
}

/** Asks the kernel, where it can be asked, to end a worker rather than the service when memory runs out. */
function preferredVictim(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Another system, or none of our business: the limits of the pool still hold.
  }
}
