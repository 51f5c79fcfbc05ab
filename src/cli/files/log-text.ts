/** A log's file → its text. */
import { constants } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { LogRefusal } from '../../logs/log-record.ts';

/** No text is longer. */
const mostBytes = constants.MAX_STRING_LENGTH;

/**
 * Unpacked where it is gzip; a WARC one character a byte, everything else UTF-8. `-` is stdin.
 *
 * @throws LogRefusal where it cannot be unpacked, or is too long for one text
 */
export function textOf(file: string): string {
  const raw = readFileSync(file === '-' ? 0 : file);
  const bytes = raw[0] === 0x1f && raw[1] === 0x8b ? unpacked(raw) : raw;
  if (bytes.length > mostBytes) throw new LogRefusal(tooLong);
  return bytes.toString(bytes.subarray(0, 5).toString('latin1') === 'WARC/' ? 'latin1' : 'utf8');
}

const tooLong = `a log has at most ${Math.floor(mostBytes / 2 ** 20)} MiB, unpacked; give fewer days of it`;

function unpacked(raw: Buffer): Buffer {
  try {
    return gunzipSync(raw, { maxOutputLength: mostBytes });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LogRefusal(error instanceof RangeError ? tooLong : `it cannot be unpacked: ${reason}`);
  }
}
