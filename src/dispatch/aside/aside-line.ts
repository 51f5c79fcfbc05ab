/** What passes between a solver's thread and the one that does its asides: messages, and three numbers that both see. */
import type { MessagePort } from 'node:worker_threads';

/** What the other thread is started with. */
export interface AsideLine {
  readonly port: MessagePort;
  /** Shared; places below. */
  readonly state: Int32Array;
}

/** The number of the task done last. */
export const doneAt = 0;
/** Tasks up to this number are to stop. */
export const stoppedAt = 1;
/** Grows while the other thread runs: one that is silent has ended. */
export const beatsAt = 2;
export const places = 3;

/** A task on its way; numbers grow from 1. */
export interface AsideOrder {
  readonly id: number;
  readonly task: string;
  readonly input: unknown;
  readonly seed: number;
  /** Milliseconds. */
  readonly remainingMs: number;
}

export type AsideReport = { readonly id: number } & (
  | { readonly kind: 'done'; readonly output: unknown }
  | { readonly kind: 'failed' }
);
