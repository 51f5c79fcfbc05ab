/**
 * Seeded requests that a caller, or an attacker, might send: examples damaged in their text, stretched far away in some
 * numbers, crossed with another example of the operation, and instances of its schema.
 */
import { exampleRequest } from '../../src/examples.ts';
import { operations } from '../../src/operations/index.ts';
import { isRecord } from '../../src/schemas/contract/strict-object.ts';
import type { Random } from '../../src/solvers/numerics/random/random.ts';
import { Instances } from './schema-instances.ts';

export interface Attack {
  readonly operation: string;
  readonly body: string;
}

const largestBody = 256 * 1024;

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
        ? stretched(this.#instance(name), random)
        : kind < 0.7
          ? JSON.stringify(recombined(example(), example(), random))
          : kind < 0.8
            ? mutated(example(), random)
            : stretched(example(), random);
    return { operation: name, body: this.#limited(body) };
  }

  #instance(name: string): unknown {
    const operation: unknown = Reflect.get(this.#paths, `/v1/${name}`);
    const schema = ['post', 'requestBody', 'content', 'application/json', 'schema'].reduce<unknown>(
      (at, step) => Reflect.get(Object(at), step),
      operation,
    );
    return this.#instances.generate(schema);
  }

  /** The same body with a short time limit, so that the search gets on. */
  #limited(body: string): string {
    try {
      const value: unknown = JSON.parse(body);
      if (!isRecord(value)) return body;
      const { options } = value;
      if (options !== undefined && !isRecord(options)) return body;
      const timeLimitMs = 20 + Math.floor(this.#random() * 500);
      const limited = JSON.stringify({ ...value, options: { ...options, timeLimitMs } });
      return limited.length > largestBody ? body.slice(0, largestBody) : limited;
    } catch {
      return body.slice(0, largestBody);
    }
  }
}

const nasty: readonly string[] = [
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
 * Deeper places are not damaged: the paths to all places of one deep body, copied often, were more than memory holds.
 */
const deepestPlace = 40;

/** Every place of a JSON value, as the path to it. */
function places(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  const found: (readonly (string | number)[])[] = [path];
  if (path.length === deepestPlace) return found;
  if (Array.isArray(value)) {
    for (const [i, item] of value.slice(0, 50).entries()) found.push(...places(item, [...path, i]));
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) found.push(...places(item, [...path, name]));
  }
  return found;
}

/** The JSON text of `value` with the text `replacement` at `path`; undefined removes what stands there. */
function written(value: unknown, path: readonly (string | number)[], replacement: string | undefined): string {
  if (path.length === 0) return replacement ?? '';
  const [step, ...rest] = path;
  if (Array.isArray(value)) {
    const items = value.map((item, i) => (i === step ? written(item, rest, replacement) : JSON.stringify(item)));
    return `[${items.filter((item) => item !== '').join(',')}]`;
  }
  const members = Object.entries(value ?? {}).map(([name, item]: [string, unknown]) => {
    const text = name === step ? written(item, rest, replacement) : JSON.stringify(item);
    return text === '' ? '' : `${JSON.stringify(name)}:${text}`;
  });
  return `{${members.filter((member) => member !== '').join(',')}}`;
}

/** One damaged request, as text. */
export function mutated(request: unknown, random: Random): string {
  const all = places(request);
  const place = all[Math.floor(random() * all.length)];
  const kind = random();
  if (kind < 0.6) return written(request, place, nasty[Math.floor(random() * nasty.length)]);
  if (kind < 0.7) return written(request, place, undefined);
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

/** A list is repeated until its text is as long: lists of lists would grow beyond all memory. */
const longestText = 256 * 1024;

/** How often a number becomes one that stands elsewhere in the request: what is just used up is where signs turn. */
const tieShare = 0.2;

/** The same request with a few numbers far away from where they were, or tied, and now and then a longer list. */
function stretched(request: unknown, random: Random): string {
  let value = request;
  for (let times = 1 + Math.floor(random() * 3); times > 0; times--) {
    const all = places(value).filter((path) => path.length > 0);
    if (all.length === 0) break;
    const place = all[Math.floor(random() * all.length)];
    const other = at(value, all[Math.floor(random() * all.length)]);
    const tied = typeof other === 'number' && random() < tieShare && typeof at(value, place) === 'number';
    const replacement = tied ? JSON.stringify(other) : stretchedValue(at(value, place), random);
    if (replacement !== undefined) value = JSON.parse(written(value, place, replacement));
  }
  return JSON.stringify(value);
}

function at(value: unknown, path: readonly (string | number)[]): unknown {
  let found = value;
  for (const step of path) found = typeof found === 'object' && found !== null ? Reflect.get(found, step) : undefined;
  return found;
}

function stretchedValue(value: unknown, random: Random): string | undefined {
  if (typeof value === 'number') {
    const kind = random();
    if (kind < 0.2) return JSON.stringify(extremes[Math.floor(random() * extremes.length)]);
    const by = 10 ** (kind < 0.6 ? Math.round(random() * 8 - 3) : random() * 24 - 12);
    const moved = (value === 0 ? 1 : value) * by;
    return JSON.stringify(Number.isInteger(value) && Math.abs(moved) > 1 ? Math.round(moved) : moved);
  }
  if (!Array.isArray(value) || value.length === 0 || value.length > 2000) return undefined;
  const longer = Math.ceil(value.length * 2 ** (random() * 6));
  const room = Math.max(value.length, Math.floor((longestText * value.length) / JSON.stringify(value).length));
  return JSON.stringify(
    Array.from({ length: Math.min(longer, 5000, room) }, (_, i): unknown => value[i % value.length]),
  );
}

/** The request with some properties of another one to the same operation, and up to three of the changes below. */
function recombined(request: unknown, other: unknown, random: Random): unknown {
  let value = random() < 0.4 ? crossed(request, other, random(), random) : request;
  for (let times = 1 + Math.floor(3 * random()); times > 0; times--) {
    value = random() < 0.5 ? rescaled(value, random) : nudged(value, random);
  }
  return value;
}

/** `request` with each property of `other` taken over with this chance; objects that both have are crossed in turn. */
function crossed(request: unknown, other: unknown, share: number, random: Random): unknown {
  if (!isRecord(request) || !isRecord(other)) return request;
  const taken = Object.entries(other).map(([name, value]): [string, unknown] => {
    const own = request[name];
    if (isRecord(own) && isRecord(value)) return [name, crossed(own, value, share, random)];
    return [name, random() < share ? value : own];
  });
  return { ...request, ...Object.fromEntries(taken.filter(([, value]) => value !== undefined)) };
}

/** All numbers under one name times one factor, up to a thousand and now and then far beyond. */
function rescaled(request: unknown, random: Random): unknown {
  const names = new Set<string>();
  mapNumbers(request, (value, name) => {
    names.add(name);
    return value;
  });
  const name = [...names][Math.floor(random() * names.size)];
  const factor = 10 ** ((random() < 0.8 ? 3 : 100) * (2 * random() - 1));
  return mapNumbers(request, (value, of) => {
    const scaled = of === name ? value * factor : value;
    return Number.isInteger(value) && Math.abs(scaled) > 1 && Math.abs(scaled) < 1e15 ? Math.round(scaled) : scaled;
  });
}

/** The value with every number in it replaced; what is in a list goes by the list's name. */
function mapNumbers(value: unknown, replace: (value: number, name: string) => number, name = ''): unknown {
  if (typeof value === 'number') return replace(value, name);
  if (Array.isArray(value)) return value.map((item: unknown) => mapNumbers(item, replace, name));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([own, item]) => [own, mapNumbers(item, replace, own)]));
}

/**
 * One number small or moved a little, one list cut to its first item or that item twice, or one property left out. It
 * is at the end of a walk from the top that is soon over, for there are the few numbers that decide most.
 */
function nudged(request: unknown, random: Random): unknown {
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
    const near = [0, 1, 2, 3, 0.5, value + 1, value / 2, 2 * value];
    Reflect.set(holder, name, near[Math.floor(random() * near.length)]);
  } else if (Array.isArray(value)) {
    Reflect.set(holder, name, random() < 0.5 ? value.slice(0, 1) : [...value, ...value.slice(0, 1)]);
  } else if (!Array.isArray(holder)) Reflect.deleteProperty(holder, name);
}
