/** A log's file → its text. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** Unpacked where it is gzip; a WARC one character a byte, everything else UTF-8. `-` is stdin. */
export function textOf(file: string): string {
  const raw = readFileSync(file === '-' ? 0 : file);
  const bytes = raw[0] === 0x1f && raw[1] === 0x8b ? gunzipSync(raw) : raw;
  return bytes.toString(bytes.subarray(0, 5).toString('latin1') === 'WARC/' ? 'latin1' : 'utf8');
}
