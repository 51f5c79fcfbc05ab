/** Seeded damage to a request: every kind of nonsense a caller, or an attacker, might send. */
import type { Random } from '../../src/solvers/numerics/random/random.ts';

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

/** Every place of a JSON value, as the path to it. */
function places(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  const found: (readonly (string | number)[])[] = [path];
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
