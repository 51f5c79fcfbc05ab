/**
 * The time limit that a request asks for, read before the request is checked. The clock runs from its arrival, and a
 * request may wait for a worker longer than its limit.
 */
import { arrowRequestText } from '../arrow/request-text.ts';
import { backslash } from '../lifted/json-bytes.ts';
import { parseUncounted, type Refusal, type RequestFormat } from '../pipeline.ts';
import { maxOptionsBytes, name, OptionsSearch } from './options-search.ts';
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
const openObject = Buffer.from('{');

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

/** Where a text may name a limit for the last time; −1 where it does not, as most do not, and is not searched. */
async function lastNamed(text: Buffer, { isOver, turns }: AskedLimit): Promise<number> {
  for (let to = text.length; to > 0 && !isOver(); to -= glancedATurn) {
    const from = Math.max(0, to - glancedATurn);
    const slice = text.subarray(from, to + longestSpelling);
    const at = await turns.take(() => Math.max(...spellings.map((spelling) => slice.lastIndexOf(spelling))));
    if (at >= 0) return from + at;
  }
  return -1;
}

/** The options of a text that ends with them, or soon after: from there on it is the end of an object. */
function optionsAtEnd(text: Buffer, named: number): unknown {
  const from = Math.max(1, named - maxOptionsBytes);
  const at = from + text.subarray(from, named).lastIndexOf(name);
  if (at < from || text.length - at > parsedBytes || text[at - 1] === backslash) return undefined;
  const rest = parseUncounted(Buffer.concat([openObject, text.subarray(at)]));
  return rest.kind === 'parsed' ? rest.value : undefined;
}

/** Searches a body of any size for its time limit, a slice a turn of the event loop. */
export async function searchTimeLimit(body: Uint8Array, written: RequestFormat, asked: AskedLimit): Promise<number> {
  const { fallback, isOver, turns } = asked;
  if (written === 'log') return fallback;
  const bytes = written === 'arrow' ? arrowRequestText(body) : body;
  if (bytes === null) return fallback;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const named = await lastNamed(text, asked);
  if (named < 0) return fallback;
  const atEnd = timeLimitOf(optionsAtEnd(text, named));
  if (atEnd !== undefined) return atEnd;
  const search = new OptionsSearch(text.subarray(0, named + maxOptionsBytes));
  while (!(await turns.take(() => isOver() || search.advance(bytesATurn)))) {
    // The next slice has a turn of its own.
  }
  return isOver() ? fallback : (timeLimitOf({ options: search.options }) ?? fallback);
}
