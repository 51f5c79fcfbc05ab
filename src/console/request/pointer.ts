/** Places inside a request: JSON pointers, and changing one value of an immutable document. */
import { isJsonObject, isList, type Json } from '../api/json.ts';

export type Path = readonly (string | number)[];

/** The path as a JSON pointer (RFC 6901). */
export const pointerOf = (path: Path): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The document with another value at the path; `undefined` removes it. */
export function withValue(document: Json | undefined, path: Path, value: Json | undefined): Json | undefined {
  if (path.length === 0) return value;
  const [step, ...rest] = path;
  if (typeof step === 'number') {
    const list = isList(document) ? [...document] : [];
    const inner = withValue(list[step], rest, value);
    if (inner === undefined) list.splice(step, 1);
    else list[step] = inner;
    return list;
  }
  const object = isJsonObject(document) ? document : {};
  const inner = withValue(object[step], rest, value);
  if (inner !== undefined) return { ...object, [step]: inner };
  const { [step]: _, ...others } = object;
  return others;
}
