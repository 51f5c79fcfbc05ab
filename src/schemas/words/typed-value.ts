/** Properties of a request as they are typed: `costs.loss=5` on a command line, or in the query of a URL. */
import { durationSeconds, momentSeconds } from './durations.ts';

/** Parses a typed value: JSON, a duration, a moment, or a word. */
export function typedValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return durationSeconds(text) ?? momentSeconds(text) ?? text;
  }
}

/** Maximum depth of a property's dotted name. */
const maxDepth = 8;

/**
 * The request with a value at the property of this name, such as `crawls`, `costs.loss` or `pages[0].weight`.
 *
 * @param refuse throws, with the reason, for a name that is none, and for a place beyond the end of a list
 */
export function withProperty(
  request: unknown,
  name: string,
  value: unknown,
  refuse: (reason: string) => never,
): object {
  const path = name.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  if (path.length > maxDepth) {
    const short = JSON.stringify(name.slice(0, 40));
    refuse(`${short}… names a property ${path.length} levels deep; none lies deeper than ${maxDepth}`);
  }
  if (path.includes('')) refuse(`${JSON.stringify(name)} names no property`);
  const change = (document: unknown, [step, ...rest]: readonly string[]): object => {
    const record = typeof document === 'object' && document !== null ? document : {};
    const inner: unknown = Object.hasOwn(record, step) ? Reflect.get(record, step) : undefined;
    const newValue = rest.length === 0 ? value : change(inner, rest);
    if (!Array.isArray(document) || !/^\d+$/.test(step)) return { ...record, [step]: newValue };
    if (Number(step) > document.length) refuse(`[${step}] is beyond the ${document.length} items of the list`);
    return Object.assign([...document], { [step]: newValue });
  };
  return change(request, path);
}
