/** The bytes of a log → its text, piece by piece. */

/** Bytes that are decoded at a time. */
const pieceBytes = 2 ** 20;

/**
 * What a TextDecoder takes: a WARC one character a byte, everything else UTF-8, or UTF-16 by its byte order mark, which is
 * no part of the text.
 */
export function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // the name by which decoders know ISO 8859-1
  return String.fromCharCode(...bytes.subarray(0, 5)) === 'WARC/' ? 'latin1' : 'utf-8';
}

export function* textPieces(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder(encodingOf(bytes));
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    yield decoder.decode(bytes.subarray(from, from + pieceBytes), { stream: true });
  }
  yield decoder.decode();
}
