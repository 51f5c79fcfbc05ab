/** The bytes of a log → its text, piece by piece. */

/** Bytes that are decoded at a time. */
const pieceBytes = 2 ** 20;

/**
 * What a TextDecoder takes: a WARC one character a byte, XML as it declares, everything else UTF-8, or UTF-16 by its byte
 * order mark, which is no part of the text, or by the zero bytes of its first letter.
 */
export function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first > 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second > 0)) return 'utf-16be';
  const beginning = String.fromCharCode(...bytes.subarray(0, 200));
  // the name by which decoders know ISO 8859-1
  if (beginning.startsWith('WARC/')) return 'latin1';
  const declared = /^<\?xml\s[^>]*?encoding\s*=\s*["']((?:iso-8859|windows)-[\d-]+|us-ascii)["']/i.exec(beginning)?.[1];
  return declared ?? 'utf-8';
}

export function* textPieces(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder(encodingOf(bytes));
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    yield decoder.decode(bytes.subarray(from, from + pieceBytes), { stream: true });
  }
  yield decoder.decode();
}
