/** `--set crawls=40`: values of a request changed from the command line. */

import { typedValue } from '../../words/typed-value.ts';
import { UsageError } from '../arguments.ts';

export interface Setting {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Levels of a property's dotted name. */
const deepestProperty = 8;

/**
 * `crawls=40`, `interval=6h`, `now=2026-06-11`, `costs.loss=5`, `pages[0].weight=2`.
 *
 * @throws UsageError
 */
export function settingsOf(pairs: readonly string[]): Setting[] {
  return pairs.map((pair) => {
    const found = /^([^=\s]+)=(.*)$/s.exec(pair);
    const path = found?.[1].replaceAll(/\[(\d+)\]/g, '.$1').split('.') ?? [];
    if (found === null || path.some((step) => step === '' || step === '__proto__')) {
      throw new UsageError(
        `--set must be <property>=<value>, as in crawls=40 or costs.loss=5; got ${JSON.stringify(pair)}`,
      );
    }
    if (path.length > deepestProperty) {
      throw new UsageError(
        `--set ${JSON.stringify(pair.slice(0, 40))}… names a property ${path.length} levels deep; none lies deeper than ${deepestProperty}`,
      );
    }
    return { path, value: typedValue(found[2]) };
  });
}

function changed(document: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(document) && /^\d+$/.test(step)) {
    if (Number(step) > document.length) {
      throw new UsageError(`--set [${step}] is beyond the ${document.length} items of the list`);
    }
    const items: unknown[] = [...document];
    items[Number(step)] = changed(items[Number(step)], rest, value);
    return items;
  }
  const record = typeof document === 'object' && document !== null ? document : {};
  const inner: unknown = Object.hasOwn(record, step) ? Reflect.get(record, step) : undefined;
  return { ...record, [step]: changed(inner, rest, value) };
}

/** The same of a request that is an object. */
export const withSettingsIn = (request: object, settings: readonly Setting[]): object =>
  settings.reduce<object>((before, { path, value }) => Object.assign({}, changed(before, path, value)), request);

/** The request with the settings in it; a text that is not JSON is left to be refused as what it is. */
export function withSettings(text: string, settings: readonly Setting[]): string {
  if (settings.length === 0) return text;
  let request: unknown;
  try {
    request = JSON.parse(text);
  } catch {
    return text;
  }
  for (const { path, value } of settings) request = changed(request, path, value);
  try {
    return JSON.stringify(request);
  } catch {
    throw new UsageError('--set: the request nests arrays or objects too deep to be written again');
  }
}
