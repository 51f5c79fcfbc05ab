/** Input → requests: one JSON document, or NDJSON, one request a line, each handed on as soon as its line is there. */

interface RequestText {
  readonly text: string;
  /** Where it begins; the first line is 1. */
  readonly line: number;
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * The requests of an input, in order. An input whose first line is whole JSON by itself is NDJSON; any other is one
 * document. Blank lines are skipped; an input without a request gives one empty text, which is then refused as not
 * JSON.
 */
export async function* requestTexts(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<RequestText> {
  const decoder = new TextDecoder();
  let form: 'unknown' | 'lines' | 'document' = 'unknown';
  let pieces: string[] = [];
  let line = 1;
  let requests = 0;
  for await (const chunk of input) {
    let rest = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    while (form !== 'document') {
      const end = rest.indexOf('\n');
      if (end < 0) break;
      const text = pieces.join('') + rest.slice(0, end);
      pieces = [];
      rest = rest.slice(end + 1);
      if (text.trim() !== '') {
        if (form === 'unknown') form = isJson(text) ? 'lines' : 'document';
        if (form === 'document') {
          pieces.push(text, '\n');
          break;
        }
        requests++;
        yield { text, line };
      }
      line++;
    }
    if (rest !== '') pieces.push(rest);
  }
  const text = pieces.join('') + decoder.decode();
  if (text.trim() !== '' || requests === 0) yield { text, line };
}
