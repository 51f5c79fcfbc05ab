/**
 * Seeded requests that nobody wrote an example of, but a caller may well send. They are one example with some of
 * another's properties, all numbers of one name on another scale, one small number, one list or property less.
 */
import { isRecord } from '../../../src/schemas/table/table-reading.ts';
import type { Random } from '../../../src/solvers/numerics/random/random.ts';

/** The request with some properties of another one to the same operation, and up to three of the changes below. */
export function recombined(request: unknown, other: unknown, random: Random): unknown {
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
