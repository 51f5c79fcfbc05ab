/** Inflates a compressed body. Runs in a worker, so that it does not block other requests. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { problem } from '../schemas/contract/problem.ts';
import { type Refusal, refuse } from './pipeline.ts';

const inflaters = { gzip: gunzipSync, br: brotliDecompressSync };
type Encoding = keyof typeof inflaters;
export const encodings = Object.keys(inflaters);
export const isEncoding = (name: string): name is Encoding => encodings.includes(name);

/** The encoding of a compressed body, and the largest size it may inflate to. */
export interface Packing {
  readonly encoding: Encoding;
  readonly maxBytes: number;
  /** Detail of the refusal of a body that inflates to more. */
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
