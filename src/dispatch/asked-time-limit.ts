/** The time limit that a request asks for, read before the request is checked: the clock runs from its arrival. */

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

/**
 * `options.timeLimitMs` of a body, for a request that has to wait: in a large one it is found where `options` comes
 * first or last. Takes at most a millisecond, whatever the size.
 *
 * @returns `fallback` where the body names none, undefined where that is not known
 */
export function askedTimeLimit(body: Uint8Array, fallback: number): number | undefined {
  try {
    if (body.byteLength <= parsedBytes) return timeLimitOf(JSON.parse(new TextDecoder().decode(body))) ?? fallback;
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
