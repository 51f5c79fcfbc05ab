/**
 * The start of a body that still arrives at the service, in the worker that may get its task. It is kept in its place,
 * and read as far as it goes. Nothing depends on it. Where the task goes elsewhere, or never comes, it is forgotten.
 */
import type { Operation } from '../../operations/operation.ts';
import { ColumnsAhead } from '../arrow/ahead.ts';
import { Arriving } from '../lifted/arriving.ts';
import type { BodyFormat } from '../pipeline.ts';
import { Begun } from './begun.ts';

/** What a body that still arrives will be. */
export interface Awaited {
  readonly operation: string;
  readonly format: BodyFormat;
}

/** The head of a frame that carries a part of such a body: where it begins, the body's length, processors to spare. */
export interface PartHead {
  readonly part: (Awaited & { readonly at: number; readonly length: number; readonly spare: number }) | 'forget';
}

export interface TakenBody {
  readonly bytes: Uint8Array;
  /** The reading of it that has begun, of JSON and of Arrow. */
  readonly begun?: Begun | null;
  readonly ahead?: ColumnsAhead | null;
}

export class Incoming {
  readonly #bytes: Buffer;
  readonly #begun: Begun | null;
  readonly #ahead: ColumnsAhead | null;
  #filled = 0;

  /** Bytes that have come. */
  get filled(): number {
    return this.#filled;
  }

  /** @param bytes its place */
  constructor({ operation: name, format }: Awaited, bytes: Buffer, operations: readonly Operation[]) {
    this.#bytes = bytes;
    const operation = operations.find((each) => each.name === name);
    const isJson = format === 'json';
    this.#begun = operation && isJson ? new Begun(operation, this.#bytes, new Arriving(bytes.length, 0)) : null;
    this.#ahead = operation && !isJson ? new ColumnsAhead(operation, this.#bytes) : null;
  }

  /** Where the next part goes. */
  placeOf(length: number): Buffer {
    return this.#bytes.subarray(this.#filled, this.#filled + length);
  }

  /** A part of so many bytes is in its place. */
  added(length: number): void {
    this.#filled += length;
    this.#begun?.read(this.#filled);
    this.#ahead?.read(this.#filled);
  }

  /** The body, all of which is in its place. */
  get whole(): TakenBody {
    return { bytes: this.#bytes, begun: this.#begun, ahead: this.#ahead };
  }
}
