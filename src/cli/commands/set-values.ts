/** `--set crawls=40`: values of a request changed from the command line. */
import { typedValue } from '../../schemas/words/typed-value.ts';
import { UsageError } from '../failures.ts';

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
    const [, name, value] = /^([^=\s]+)=(.*)$/s.exec(pair) ?? [];
    const path = name?.replaceAll(/\[(\d+)\]/g, '.$1').split('.') ?? [''];
    if (path.some((step) => step === '' || step === '__proto__')) {
      throw new UsageError(
        `--set must be <property>=<value>, as in crawls=40 or costs.loss=5; got ${JSON.stringify(pair)}`,
      );
    }
    if (path.length > deepestProperty) {
      throw new UsageError(
        `--set ${JSON.stringify(pair.slice(0, 40))}… names a property ${path.length} levels deep; none lies deeper than ${deepestProperty}`,
      );
    }
    return { path, value: typedValue(value) };
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

/** The request with the settings in it. @throws UsageError */
export const withSettings = (request: object, settings: readonly Setting[]): object =>
  settings.reduce<object>((before, { path, value }) => Object.assign({}, changed(before, path, value)), request);

/** The same of a text; one that is no JSON object is left to be refused as what it is. @throws UsageError */
export function textWithSettings(text: string, settings: readonly Setting[]): string {
  if (settings.length === 0) return text;
  let request: unknown;
  try {
    request = JSON.parse(text);
  } catch {
    return text;
  }
  if (typeof request !== 'object' || request === null) return text;
  try {
    return JSON.stringify(withSettings(request, settings));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError('--set: the request nests arrays or objects too deep to be written again');
  }
}
