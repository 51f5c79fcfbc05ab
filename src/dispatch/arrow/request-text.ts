/** The request in the metadata of an Arrow stream, read from its first message alone. */
import { tableFromIPC } from '@uwdata/flechette';
import { verifyStream } from './verify.ts';

/** Longer schemas are left to the worker. */
const maxSchemaBytes = 1024 * 1024;

/** The JSON of a stream's metadata under `request`, as bytes; null where there is none or it cannot be read. */
export function arrowRequestText(stream: Uint8Array): Uint8Array | null {
  if (stream.byteLength < 8) return null;
  const view = new DataView(stream.buffer, stream.byteOffset, 8);
  const continued = view.getInt32(0, true) === -1;
  const length = view.getInt32(continued ? 4 : 0, true);
  if (length <= 0 || length > maxSchemaBytes) return null;
  try {
    const first = stream.slice(0, (continued ? 8 : 4) + length);
    verifyStream(first);
    const text = tableFromIPC(first).schema.metadata?.get('request');
    return text === undefined ? null : new TextEncoder().encode(text);
  } catch {
    return null;
  }
}
