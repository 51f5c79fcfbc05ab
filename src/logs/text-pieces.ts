/** Decodes the bytes of a log to text, piece by piece. */

/** Bytes that are decoded at a time. */
const pieceBytes = 2 ** 20;

/**
 * The encoding of a log, as TextDecoder names it: a WARC is one character a byte, XML declares its encoding, and any
 * other text is UTF-8, or UTF-16 if it has a byte order mark (which the decoder drops) or a zero byte in its first letter.
 */
export function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first > 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second > 0)) return 'utf-16be';
  const beginning = String.fromCharCode(...bytes.subarray(0, 200));
  // TextDecoder's name of ISO 8859-1
  if (beginning.startsWith('WARC/')) return 'latin1';
  const declaredEncoding = /^<\?xml\s[^>]*?encoding\s*=\s*["']((?:iso-8859|windows)-[\d-]+|us-ascii)["']/i.exec(
    beginning,
  )?.[1];
  return declaredEncoding ?? 'utf-8';
}

export function* textPieces(bytes: Uint8Array): Generator<string> {
  const decoder = new TextDecoder(encodingOf(bytes));
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    yield decoder.decode(bytes.subarray(from, from + pieceBytes), { stream: true });
  }
  yield decoder.decode();
}
