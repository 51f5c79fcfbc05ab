/** The time limit that a request asks for, read before the request is checked: the clock runs from its arrival. */
import { parseUncounted, type Refusal } from './pipeline.ts';

/** Bodies up to this size are parsed for it; of larger ones the two ends are looked at. */
const parsedBytes = 64 * 1024;
const endBytes = 1024;

/** `options.timeLimitMs` of a parsed body; undefined where it names none. */
export function timeLimitOf(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || !('options' in value)) return undefined;
  const { options } = value;
  if (typeof options !== 'object' || options === null || !('timeLimitMs' in options)) return undefined;
  return typeof options.timeLimitMs === 'number' && options.timeLimitMs >= 0 ? options.timeLimitMs : undefined;
}

/** What is read of a body that has to wait; the limit is undefined where it is not known. */
export type ReadAhead = { readonly kind: 'waits'; readonly timeLimitMs: number | undefined } | Refusal;

/**
 * Reads a body of JSON that has to wait: `options.timeLimitMs`, in a large one where `options` comes first or last, and
 * in a small one whether it is JSON at all. Takes at most a millisecond, whatever the size.
 *
 * @param fallback the limit of a body that names none
 */
export function readAhead(body: Uint8Array, fallback: number): ReadAhead {
  if (body.byteLength > parsedBytes) return { kind: 'waits', timeLimitMs: limitAtTheEnds(body) };
  const parsed = parseUncounted(body);
  if (parsed.kind === 'problem') return parsed;
  return { kind: 'waits', timeLimitMs: timeLimitOf(parsed.value) ?? fallback };
}

function limitAtTheEnds(body: Uint8Array): number | undefined {
  try {
    const first = new TextDecoder('latin1').decode(body.subarray(0, endBytes));
    const last = new TextDecoder('latin1').decode(body.subarray(-endBytes));
    const found =
      /^\s*\{\s*"options"\s*:\s*(\{[^{}]*\})/.exec(first) ?? /"options"\s*:\s*(\{[^{}]*\})\s*\}\s*$/.exec(last);
    return found === null ? undefined : timeLimitOf({ options: JSON.parse(found[1]) });
  } catch {
    // Not JSON: the worker will say so.
    return undefined;
  }
}
