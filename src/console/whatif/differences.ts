/** Where two documents of JSON differ, value by value. */
import { isJsonObject, isList, type Json, type JsonObject } from '../api/json.ts';
import { pointerOf } from '../request/pointer.ts';

export interface Difference {
  readonly pointer: string;
  readonly before: string;
  readonly after: string;
}

const mostCharacters = 32;

function inWords(value: Json | undefined): string {
  if (value === undefined) return 'not given';
  if (isList(value) && value.length > 3) return `${value.length.toLocaleString('en')} values`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text;
}

/**
 * The places where two documents differ, at most `most` of them. What was not touched is the same object in both, as
 * the form leaves it. So a request of a hundred thousand pages costs no more than one of five.
 */
export function differences(before: JsonObject, after: JsonObject, most = 8): Difference[] {
  const found: Difference[] = [];
  const note = (path: readonly (string | number)[], a: Json | undefined, b: Json | undefined): void => {
    found.push({ pointer: pointerOf(path), before: inWords(a), after: inWords(b) });
  };
  const visit = (path: readonly (string | number)[], a: Json | undefined, b: Json | undefined): void => {
    if (a === b || found.length >= most) return;
    if (isJsonObject(a) && isJsonObject(b)) {
      for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) visit([...path, name], a[name], b[name]);
    } else if (isList(a) && isList(b) && a.length === b.length) {
      for (let i = 0; i < a.length && found.length < most; i++) visit([...path, i], a[i], b[i]);
    } else if (JSON.stringify(a) !== JSON.stringify(b)) {
      note(path, a, b);
    }
  };
  visit([], before, after);
  return found;
}

/** Whether two documents are the same but for the value at a path; untouched parts have to be the same objects. */
export function sameBut(a: Json | undefined, b: Json | undefined, path: readonly (string | number)[]): boolean {
  if (a === b || path.length === 0) return true;
  const [step, ...rest] = path;
  if (isList(a) && isList(b)) {
    return a.length === b.length && a.every((item, i) => (i === step ? sameBut(item, b[i], rest) : item === b[i]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => (name === step ? sameBut(a[name], b[name], rest) : a[name] === b[name]));
}

/** `/crawlers/0/slots` → `crawlers › 0 › slots`. */
export const placeInWords = (pointer: string): string => pointer.slice(1).replaceAll('/', ' › ') || 'the request';
