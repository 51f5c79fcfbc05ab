/** Decodes the bytes of a log to text, piece by piece. */

/** Bytes that are decoded at a time. */
const pieceBytes = 2 ** 20;
/** First bytes that show the encoding. */
const sampleBytes = 200;

/** Bytes as they arrive. */
export type BytePieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * The encoding of a log, as TextDecoder names it: a WARC is one character a byte, XML declares its encoding, and any
 * other text is UTF-8, or UTF-16 if it has a byte order mark (which the decoder drops) or a zero byte in its first letter.
 */
export function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first > 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second > 0)) return 'utf-16be';
  const beginning = String.fromCharCode(...bytes.subarray(0, sampleBytes));
  // TextDecoder's name of ISO 8859-1
  if (beginning.startsWith('WARC/')) return 'latin1';
  const declaredEncoding = /^<\?xml\s[^>]*?encoding\s*=\s*["']((?:iso-8859|windows)-[\d-]+|us-ascii)["']/i.exec(
    beginning,
  )?.[1];
  return declaredEncoding ?? 'utf-8';
}

/**
 * The text of bytes that arrive in pieces.
 *
 * @param isCut whether the bytes turned out to be truncated, asked once they have ended: an unfinished line is then
 *   dropped, because a part of its values looks like other values
 */
export async function* textPieces(pieces: BytePieces, isCut: () => boolean = () => false): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let rest = '';
  let hasLines = false;
  for await (const bytes of largerPieces(pieces)) {
    decoder ??= new TextDecoder(encodingOf(bytes));
    const text = rest + decoder.decode(bytes, { stream: true });
    const end = text.length > 2 * pieceBytes ? text.length : text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    hasLines ||= end > 0;
    if (end > 0) yield text.slice(0, end);
  }
  if (decoder !== null && !(isCut() && hasLines)) yield rest + decoder.decode();
}

/** The same bytes, in pieces of at most `pieceBytes`, of which the first is large enough to show the encoding. */
async function* largerPieces(pieces: BytePieces): AsyncGenerator<Uint8Array> {
  let first: Uint8Array | null = new Uint8Array(0);
  for await (const piece of pieces) {
    let bytes = piece;
    if (first !== null) {
      bytes = first.length === 0 ? piece : Uint8Array.of(...first, ...piece);
      first = bytes.length < sampleBytes ? bytes : null;
      if (first !== null) continue;
    }
    for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes);
  }
  if (first !== null && first.length > 0) yield first;
}
