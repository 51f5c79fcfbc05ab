/** Decodes the bytes of a log to text, piece by piece. */

/** Bytes that are decoded at a time. */
const pieceBytes = 2 ** 20;
/** First bytes that show the encoding. */
const sampleBytes = 200;

/** Bytes as they arrive. */
export type ByteChunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

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
export async function* decodeChunks(pieces: ByteChunks, isCut: () => boolean = () => false): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let beginning: Uint8Array = new Uint8Array(0);
  let rest = '';
  let hasLines = false;
  for await (const piece of pieces) {
    const bytes = beginning.length > 0 ? Uint8Array.from([...beginning, ...piece]) : piece;
    if (decoder === null && bytes.length < sampleBytes) {
      beginning = bytes;
      continue;
    }
    decoder ??= new TextDecoder(encodingOf(bytes));
    beginning = new Uint8Array(0);
    for (let from = 0; from < bytes.length; from += pieceBytes) {
      const text = rest + decoder.decode(bytes.subarray(from, from + pieceBytes), { stream: true });
      const end = text.length > 2 * pieceBytes ? text.length : text.lastIndexOf('\n') + 1;
      rest = text.slice(end);
      hasLines ||= end > 0;
      if (end > 0) yield text.slice(0, end);
    }
  }
  // fewer bytes than show an encoding for sure
  if (decoder === null) {
    decoder = new TextDecoder(encodingOf(beginning));
    rest = decoder.decode(beginning, { stream: true });
  }
  if (!(isCut() && hasLines)) yield rest + decoder.decode();
}
