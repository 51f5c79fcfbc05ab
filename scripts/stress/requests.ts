/**
 * Seeded requests that a caller, or an attacker, might send: examples damaged in their text, stretched far away in some
 * numbers, crossed with another example of the operation, and instances of its schema.
 */

import { operations } from '../../src/operations/index.ts';
import { exampleRequest } from '../../src/package.ts';
import { isRecord } from '../../src/schemas/contract/strict-object.ts';
import type { Random } from '../../src/solvers/numerics/random/random.ts';
import { Instances } from './schema-instances.ts';

export interface Attack {
  readonly operation: string;
  readonly body: string;
}

const maxBodyCharacters = 256 * 1024;

/** Makes requests to all operations. */
export class RequestMaker {
  readonly #random: Random;
  readonly #instances: Instances;
  readonly #paths: Readonly<Record<string, unknown>>;

  /** @param document the service's OpenAPI document */
  constructor(document: Readonly<Record<string, unknown>>, random: Random) {
    this.#random = random;
    this.#instances = new Instances(document, random, 0.01);
    this.#paths = Object(document.paths);
  }

  next(): Attack {
    const random = this.#random;
    const operation = operations[Math.floor(random() * operations.length)];
    const { name } = operation;
    const example = (): unknown => exampleRequest(operation.examples[Math.floor(random() * operation.examples.length)]);
    const kind = random();
    const body =
      kind < 0.25
        ? stretch(this.#instance(name), random)
        : kind < 0.7
          ? JSON.stringify(recombine(example(), example(), random))
          : kind < 0.8
            ? damage(example(), random)
            : stretch(example(), random);
    return { operation: name, body: this.#withTimeLimit(body) };
  }

  #instance(name: string): unknown {
    const operation: unknown = Reflect.get(this.#paths, `/v1/${name}`);
    const schema = ['post', 'requestBody', 'content', 'application/json', 'schema'].reduce<unknown>(
      (at, step) => Reflect.get(Object(at), step),
      operation,
    );
    return this.#instances.generate(schema);
  }

  /** The body with a short time limit, so that the run reaches more requests. */
  #withTimeLimit(body: string): string {
    try {
      const value: unknown = JSON.parse(body);
      if (!isRecord(value)) return body;
      const { options } = value;
      if (options !== undefined && !isRecord(options)) return body;
      const timeLimitMs = 20 + Math.floor(this.#random() * 500);
      const text = JSON.stringify({ ...value, options: { ...options, timeLimitMs } });
      return text.length > maxBodyCharacters ? body.slice(0, maxBodyCharacters) : text;
    } catch {
      return body.slice(0, maxBodyCharacters);
    }
  }
}

const hostileValues: readonly string[] = [
  'null',
  'true',
  '-1',
  '0',
  '1e400',
  '-1e400',
  '1e-320',
  '1e308',
  '9007199254740993',
  '""',
  '"x"',
  '"NaN"',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '"\\ud800"',
  '"__proto__"',
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"toString":1}',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`,
  `[${'0,'.repeat(20_000)}0]`,
  `[${'"x",'.repeat(20_000)}"x"]`,
  `[${'[1],'.repeat(5000)}[1]]`,
  `"${'y'.repeat(50_000)}"`,
  '{"type":"exponential","rate":-1}',
  '{"type":"empirical","values":[]}',
  '{"type":"phase-type","initial":[1],"generator":[[0]]}',
];

/**
 * Maximum depth of a damaged place. The paths to all places of a very deep body would not fit into memory.
 */
const maxDepth = 40;

/** The paths to all places in a JSON value. */
function pathsIn(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  const paths: (readonly (string | number)[])[] = [path];
  if (path.length === maxDepth) return paths;
  if (Array.isArray(value)) {
    for (const [i, item] of value.slice(0, 50).entries()) paths.push(...pathsIn(item, [...path, i]));
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) paths.push(...pathsIn(item, [...path, name]));
  }
  return paths;
}

/** The JSON text of `value` with the text `replacement` at `path`; undefined removes that member. */
function replaceAt(value: unknown, path: readonly (string | number)[], replacement: string | undefined): string {
  if (path.length === 0) return replacement ?? '';
  const [step, ...rest] = path;
  if (Array.isArray(value)) {
    const items = value.map((item, i) => (i === step ? replaceAt(item, rest, replacement) : JSON.stringify(item)));
    return `[${items.filter((item) => item !== '').join(',')}]`;
  }
  const members = Object.entries(value ?? {}).map(([name, item]: [string, unknown]) => {
    const text = name === step ? replaceAt(item, rest, replacement) : JSON.stringify(item);
    return text === '' ? '' : `${JSON.stringify(name)}:${text}`;
  });
  return `{${members.filter((member) => member !== '').join(',')}}`;
}

/** One damaged request, as text. */
export function damage(request: unknown, random: Random): string {
  const paths = pathsIn(request);
  const place = paths[Math.floor(random() * paths.length)];
  const kind = random();
  if (kind < 0.6) return replaceAt(request, place, hostileValues[Math.floor(random() * hostileValues.length)]);
  if (kind < 0.7) return replaceAt(request, place, undefined);
  const text = JSON.stringify(request);
  if (kind < 0.8) return text.slice(0, Math.floor(random() * text.length));
  if (kind < 0.9) {
    const at = Math.floor(random() * text.length);
    return text.slice(0, at) + String.fromCharCode(32 + Math.floor(random() * 95)) + text.slice(at + 1);
  }
  return text.replace(/\d+(\.\d+)?/g, (number) =>
    random() < 0.3 ? String(Number(number) * 10 ** Math.floor(random() * 40 - 20)) : number,
  );
}

const extremes: readonly number[] = [0, 1, 2, 1e-300, 1e-15, 0.007, 0.999999, 1e6, 1e15, 1e90, 1e300];

/** Maximum text of a repeated list, characters; without it lists of lists would outgrow memory. */
const maxTextCharacters = 256 * 1024;

/** Chance that a number is replaced by another number of the request: ties are where comparisons change sign. */
const tieShare = 0.2;

/** The request with a few numbers moved far or tied to others, and sometimes a longer list. */
function stretch(request: unknown, random: Random): string {
  let value = request;
  for (let times = 1 + Math.floor(random() * 3); times > 0; times--) {
    const paths = pathsIn(value).filter((path) => path.length > 0);
    if (paths.length === 0) break;
    const place = paths[Math.floor(random() * paths.length)];
    const otherValue = at(value, paths[Math.floor(random() * paths.length)]);
    const isTied = typeof otherValue === 'number' && random() < tieShare && typeof at(value, place) === 'number';
    const replacement = isTied ? JSON.stringify(otherValue) : stretchValue(at(value, place), random);
    if (replacement !== undefined) value = JSON.parse(replaceAt(value, place, replacement));
  }
  return JSON.stringify(value);
}

function at(value: unknown, path: readonly (string | number)[]): unknown {
  let current = value;
  for (const step of path)
    current = typeof current === 'object' && current !== null ? Reflect.get(current, step) : undefined;
  return current;
}

function stretchValue(value: unknown, random: Random): string | undefined {
  if (typeof value === 'number') {
    const kind = random();
    if (kind < 0.2) return JSON.stringify(extremes[Math.floor(random() * extremes.length)]);
    const factor = 10 ** (kind < 0.6 ? Math.round(random() * 8 - 3) : random() * 24 - 12);
    const scaledValue = (value === 0 ? 1 : value) * factor;
    return JSON.stringify(Number.isInteger(value) && Math.abs(scaledValue) > 1 ? Math.round(scaledValue) : scaledValue);
  }
  if (!Array.isArray(value) || value.length === 0 || value.length > 2000) return undefined;
  const targetLength = Math.ceil(value.length * 2 ** (random() * 6));
  const maxLength = Math.max(
    value.length,
    Math.floor((maxTextCharacters * value.length) / JSON.stringify(value).length),
  );
  return JSON.stringify(
    Array.from({ length: Math.min(targetLength, 5000, maxLength) }, (_, i): unknown => value[i % value.length]),
  );
}

/** The request with some properties of another request to the operation, and up to three random changes. */
function recombine(request: unknown, other: unknown, random: Random): unknown {
  let value = random() < 0.4 ? crossOver(request, other, random(), random) : request;
  for (let times = 1 + Math.floor(3 * random()); times > 0; times--) {
    value = random() < 0.5 ? rescale(value, random) : nudgeOne(value, random);
  }
  return value;
}

/** `request` with each property of `other` copied with probability `share`; objects in both are crossed recursively. */
function crossOver(request: unknown, other: unknown, share: number, random: Random): unknown {
  if (!isRecord(request) || !isRecord(other)) return request;
  const members = Object.entries(other).map(([name, value]): [string, unknown] => {
    const own = request[name];
    if (isRecord(own) && isRecord(value)) return [name, crossOver(own, value, share, random)];
    return [name, random() < share ? value : own];
  });
  return { ...request, ...Object.fromEntries(members.filter(([, value]) => value !== undefined)) };
}

/** Multiplies all numbers under one property name by one factor, up to a thousand and sometimes far larger. */
function rescale(request: unknown, random: Random): unknown {
  const names = new Set<string>();
  mapNumbers(request, (value, name) => {
    names.add(name);
    return value;
  });
  const name = [...names][Math.floor(random() * names.size)];
  const factor = 10 ** ((random() < 0.8 ? 3 : 100) * (2 * random() - 1));
  return mapNumbers(request, (value, owner) => {
    const scaledValue = owner === name ? value * factor : value;
    return Number.isInteger(value) && Math.abs(scaledValue) > 1 && Math.abs(scaledValue) < 1e15
      ? Math.round(scaledValue)
      : scaledValue;
  });
}

/** The value with every number replaced; an item of a list has the name of the list. */
function mapNumbers(value: unknown, replace: (value: number, name: string) => number, name = ''): unknown {
  if (typeof value === 'number') return replace(value, name);
  if (Array.isArray(value)) return value.map((item: unknown) => mapNumbers(item, replace, name));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([own, item]) => [own, mapNumbers(item, replace, own)]));
}

/**
 * Changes one place: makes a number small or moves it a little, cuts a list to its first item (once or twice), or drops a
 * property. A short random walk from the root chooses the place, because numbers near the root matter most.
 */
function nudgeOne(request: unknown, random: Random): unknown {
  const copy: unknown = structuredClone(request);
  let holder = copy;
  while (typeof holder === 'object' && holder !== null) {
    const names = Object.keys(holder);
    if (names.length === 0) break;
    const name = names[Math.floor(random() * names.length)];
    const value: unknown = Reflect.get(holder, name);
    if (typeof value === 'object' && value !== null && random() < 0.6) {
      holder = value;
      continue;
    }
    nudge(holder, name, value, random);
    break;
  }
  return copy;
}

function nudge(holder: object, name: string, value: unknown, random: Random): void {
  if (typeof value === 'number') {
    const replacements = [0, 1, 2, 3, 0.5, value + 1, value / 2, 2 * value];
    Reflect.set(holder, name, replacements[Math.floor(random() * replacements.length)]);
  } else if (Array.isArray(value)) {
    Reflect.set(holder, name, random() < 0.5 ? value.slice(0, 1) : [...value, ...value.slice(0, 1)]);
  } else if (!Array.isArray(holder)) Reflect.deleteProperty(holder, name);
}
