/** Splits an input into requests: one JSON document, or NDJSON, whose requests are yielded line by line. */

interface RequestText {
  readonly text: string;
  /** Number of its first line, from 1. */
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
  let [text, line, requests, isDocument] = ['', 1, 0, false];
  for await (const chunk of input) {
    const [end, ...starts] = (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })).split('\n');
    text += end;
    for (const start of starts) {
      isDocument ||= requests === 0 && text.trim() !== '' && !isJson(text);
      if (isDocument) {
        text += `\n${start}`;
        continue;
      }
      if (text.trim() !== '') {
        requests++;
        yield { text, line };
      }
      text = start;
      line++;
    }
  }
  text += decoder.decode();
  if (text.trim() !== '' || requests === 0) yield { text, line };
}
