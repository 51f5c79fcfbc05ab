/**
 * What crosses beside the frames, while a worker solves: to the worker, the number of the task to cancel. From it, that
 * it has started, its task's time limit once it has read it, and how far it is. Signals have one size, so that they are
 * read without blocking.
 */
import type { Progress } from '../../solvers/budget.ts';

/** What a worker says: once that it can take tasks (task 0), and then while it works on each. */
export type Signal = { readonly task: number } & (
  | { readonly kind: 'started' }
  | { readonly kind: 'time-limit'; readonly timeLimitMs: number }
  | { readonly kind: 'progress'; readonly progress: Progress }
);

/** The file descriptor on which a worker process reads cancellations and writes signals. */
export const signalDescriptor = 4;

const signalBytes = 32;
const kinds = ['started', 'time-limit', 'progress'] as const;

export function writeSignal(signal: Signal): Buffer {
  const bytes = Buffer.alloc(signalBytes);
  bytes.writeUInt32LE(signal.task, 0);
  bytes.writeUInt32LE(kinds.indexOf(signal.kind), 4);
  if (signal.kind === 'time-limit') {
    bytes.writeDoubleLE(signal.timeLimitMs, 8);
  } else if (signal.kind === 'progress') {
    const { fraction = Number.NaN, incumbent = Number.NaN, bound = Number.NaN } = signal.progress;
    bytes.writeDoubleLE(fraction, 8);
    bytes.writeDoubleLE(incumbent, 16);
    bytes.writeDoubleLE(bound, 24);
  }
  return bytes;
}

function readSignal(bytes: Buffer): Signal {
  const task = bytes.readUInt32LE(0);
  const [first, incumbent, bound] = [8, 16, 24].map((at) => bytes.readDoubleLE(at));
  const kind = kinds[bytes.readUInt32LE(4)];
  if (kind === 'started') return { task, kind };
  if (kind === 'time-limit') return { task, kind: 'time-limit', timeLimitMs: first };
  const progress = {
    ...(Number.isNaN(first) ? {} : { fraction: first }),
    ...(Number.isNaN(incumbent) ? {} : { incumbent }),
    ...(Number.isNaN(bound) ? {} : { bound }),
  };
  return { task, kind: 'progress', progress };
}

/** Reads signals from the chunks they arrive in. */
export class SignalReader {
  readonly #onSignal: (signal: Signal) => void;
  #rest: Buffer = Buffer.alloc(0);

  constructor(onSignal: (signal: Signal) => void) {
    this.#onSignal = onSignal;
  }

  push(chunk: Buffer): void {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (; bytes.length >= signalBytes; bytes = bytes.subarray(signalBytes)) this.#onSignal(readSignal(bytes));
    this.#rest = bytes;
  }
}

/** Size of a cancellation: the number of the task. */
export const cancelBytes = 4;

export function writeCancel(task: number): Buffer {
  const bytes = Buffer.alloc(cancelBytes);
  bytes.writeUInt32LE(task, 0);
  return bytes;
}

/** What a worker is told first, by whoever has its pipes: to cancel task 0, of which there is none. */
export const greeting = writeCancel(0);
