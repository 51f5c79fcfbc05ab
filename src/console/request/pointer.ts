/** Places inside a request: JSON pointers, and changing one value of an immutable document. */

import type { Problem } from '../api/answer.ts';
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
    const innerValue = withValue(list[step], rest, value);
    if (innerValue === undefined) list.splice(step, 1);
    else list[step] = innerValue;
    return list;
  }
  const object = isJsonObject(document) ? document : {};
  const innerValue = withValue(object[step], rest, value);
  if (innerValue !== undefined) return { ...object, [step]: innerValue };
  const { [step]: _, ...remaining } = object;
  return remaining;
}

interface Remark {
  readonly pointer: string;
  readonly detail: string;
  readonly level: 'error' | 'warning';
}

export type Remarks = readonly Remark[];

/** The errors of a refusal, for the form to show at their fields; warnings are a list beside the answer. */
export const remarksOf = (problem: Problem | undefined): Remarks =>
  (problem?.errors ?? []).map(({ pointer, detail }) => ({ pointer, detail, level: 'error' }));

/** The remarks about exactly this value. */
export const remarksAt = (remarks: Remarks, pointer: string): Remarks =>
  remarks.filter((remark) => remark.pointer === pointer);

/** The remarks about this value or a value inside it. */
export const remarksBelow = (remarks: Remarks, pointer: string): Remarks =>
  remarks.filter((remark) => remark.pointer === pointer || remark.pointer.startsWith(`${pointer}/`));

/** Whether two documents differ only at a path; unchanged parts have to be identical objects. */
export function equalExcept(a: Json | undefined, b: Json | undefined, path: Path): boolean {
  if (a === b || path.length === 0) return true;
  const [step, ...rest] = path;
  if (isList(a) && isList(b)) {
    return a.length === b.length && a.every((item, i) => (i === step ? equalExcept(item, b[i], rest) : item === b[i]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => (name === step ? equalExcept(a[name], b[name], rest) : a[name] === b[name]));
}
