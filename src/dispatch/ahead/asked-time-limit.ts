/**
 * The time limit that a request asks for, read before the request is checked. The clock runs from its arrival, and a
 * request may wait for a worker longer than its limit.
 */
import { arrowRequestText } from '../arrow/request-text.ts';
import { parseUncounted, type Refusal, type RequestFormat } from '../pipeline.ts';
import { OptionsSearch } from './options-search.ts';
import type { Turns } from './turns.ts';

/** Bodies up to this size are parsed for it; larger ones are searched. */
const parsedBytes = 64 * 1024;
/** Bytes searched in one turn of the event loop: about half a millisecond. */
const bytesATurn = 128 * 1024;
/** Bytes looked through in one turn for what a limit cannot be without: that takes a hundredth of the time. */
const glancedATurn = 4 * 1024 * 1024;
/** A limit is spelt so, or with escapes. */
const spellings = ['timeLimitMs', '\\u'] as const;
const longestSpelling = spellings[0].length;

/** `options.timeLimitMs` of a parsed body; undefined where it names none. */
export function timeLimitOf(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || !('options' in value)) return undefined;
  const { options } = value;
  if (typeof options !== 'object' || options === null || !('timeLimitMs' in options)) return undefined;
  return typeof options.timeLimitMs === 'number' && options.timeLimitMs >= 0 ? options.timeLimitMs : undefined;
}

/** What is read at once of a body that has to wait; the limit is undefined where it takes a search. */
type ReadAhead = { readonly kind: 'waits'; readonly timeLimitMs: number | undefined } | Refusal;

/**
 * Reads a small body of JSON that has to wait: its time limit, and whether it is JSON at all. Takes at most a
 * millisecond.
 *
 * @param fallback the limit of a body that names none
 */
export function readAhead(body: Uint8Array, written: RequestFormat, fallback: number): ReadAhead {
  if (written !== 'json' || body.byteLength > parsedBytes) return { kind: 'waits', timeLimitMs: undefined };
  const parsed = parseUncounted(body);
  if (parsed.kind === 'problem') return parsed;
  return { kind: 'waits', timeLimitMs: timeLimitOf(parsed.value) ?? fallback };
}

interface AskedLimit {
  /** The limit of a body that names none, as a log never does, or cannot be read. */
  readonly fallback: number;
  /** Asked between slices; true ends the search with the fallback. */
  readonly isOver: () => boolean;
  /** Shared by all bodies that are searched. */
  readonly turns: Turns;
}

/** Whether a text may name a limit: most bodies do not, and are not searched. */
async function mayNameLimit(text: Uint8Array, { isOver, turns }: AskedLimit): Promise<boolean> {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  for (let from = 0; from < bytes.length && !isOver(); from += glancedATurn) {
    const slice = bytes.subarray(from, from + glancedATurn + longestSpelling);
    if (await turns.take(() => spellings.some((spelling) => slice.includes(spelling)))) return true;
  }
  return false;
}

/** Searches a body of any size for its time limit, a slice a turn of the event loop. */
export async function searchTimeLimit(body: Uint8Array, written: RequestFormat, asked: AskedLimit): Promise<number> {
  const { fallback, isOver, turns } = asked;
  if (written === 'log') return fallback;
  const text = written === 'arrow' ? arrowRequestText(body) : body;
  if (text === null || !(await mayNameLimit(text, asked))) return fallback;
  const search = new OptionsSearch(text);
  while (!(await turns.take(() => isOver() || search.advance(bytesATurn)))) {
    // The next slice has a turn of its own.
  }
  return isOver() ? fallback : (timeLimitOf({ options: search.options }) ?? fallback);
}
