/** Seeded damage to a request: every kind of nonsense a caller, or an attacker, might send. */
import type { Random } from '../../../src/solvers/numerics/random/random.ts';

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
export function stretched(request: unknown, random: Random): string {
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
