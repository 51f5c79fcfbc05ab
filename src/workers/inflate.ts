/** A packed body → its bytes, in a worker, where nobody else waits for it. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { problem } from '../schemas/contract/problem.ts';
import { type Refusal, refuse } from './pipeline.ts';

const inflaters = { gzip: gunzipSync, br: brotliDecompressSync };
type Encoding = keyof typeof inflaters;
export const encodings = Object.keys(inflaters);
export const isEncoding = (name: string): name is Encoding => encodings.includes(name);

/** How a body is packed, and how large it may become. */
export interface Packing {
  readonly encoding: Encoding;
  readonly maxBytes: number;
  /** What to say of a body that inflates to more. */
  readonly tooLarge: string;
}

/** Inflation ends at the limit: no more memory is taken than that. */
export function inflate(body: Uint8Array, { encoding, maxBytes, tooLarge }: Packing): Uint8Array | Refusal {
  try {
    return inflaters[encoding](body, { maxOutputLength: maxBytes });
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'ERR_BUFFER_TOO_LARGE') return refuse(problem('too-large', tooLarge));
    const reason = error instanceof Error ? error.message.slice(0, 100) : 'unreadable';
    return refuse(problem('bad-request', `the body is not ${encoding} data, or is truncated: ${reason}`));
  }
}
