/** What passes between a solver's thread and one that does parts for it: messages, and numbers that both see. */
import type { MessagePort } from 'node:worker_threads';
import type { Part } from '../../solvers/budget.ts';

/** What the other thread is started with. */
export interface PartsLine {
  readonly port: MessagePort;
  /** Shared; places below. */
  readonly state: Int32Array;
}

/** The number of the part done last. */
export const doneAt = 0;
/** Parts up to this number are to stop. */
export const stoppedAt = 1;
/** Grows while the other thread runs. */
export const beatsAt = 2;
/** 1 once the other thread has ended. */
export const endedAt = 3;
export const places = 4;

/** What is shared stays while a thread has seen it, which does not hurry its collector. */
export const collectPart: Part<null, null> = {
  name: 'collect',
  run() {
    globalThis.gc?.();
    return null;
  },
};

/** A part on its way; numbers grow from 1. */
export interface PartOrder {
  readonly id: number;
  readonly part: string;
  readonly input: unknown;
  readonly seed: number;
  /** Milliseconds. */
  readonly remainingMs: number;
}

export type PartReport = { readonly id: number } & (
  | { readonly kind: 'done'; readonly output: unknown }
  | { readonly kind: 'failed' }
);
