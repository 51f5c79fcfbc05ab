/** In what two answers to one request differ. */

/** Of one place of an answer (positions in lists left out), over all requests. */
export interface Difference {
  /** Answers in which it was seen. */
  answers: number;
  /**
   * `added`: nothing or null in the older answer; `gone`: in the newer one; `number`: two numbers; `other`: anything
   * else.
   */
  readonly kind: 'added' | 'gone' | 'number' | 'other';
  /** Of numbers: the largest difference relative to the larger of two. */
  largest: number;
  /** The first pair seen. */
  readonly example: string;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const short = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 60);

const relative = (a: number, b: number): number => Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b));

/** How two values differ; `parts`: as their parts do. */
function kindOf(a: unknown, b: unknown): Difference['kind'] | 'same' | 'parts' {
  if (Object.is(a, b)) return 'same';
  if (a === undefined || a === null) return 'added';
  if (b === undefined || b === null) return 'gone';
  if (typeof a === 'number' && typeof b === 'number') return 'number';
  return isObject(a) && isObject(b) && Array.isArray(a) === Array.isArray(b) ? 'parts' : 'other';
}

/** The differences of two answers by place; `ignored` are properties at the top that are not compared. */
export function differences(older: unknown, newer: unknown, ignored: readonly string[]): Map<string, Difference> {
  const found = new Map<string, Difference>();
  const note = (place: string, kind: Difference['kind'], pair: readonly [unknown, unknown]): void => {
    const size = kind === 'number' ? relative(Number(pair[0]), Number(pair[1])) : 0;
    const known = found.get(`${place} ${kind}`);
    if (known !== undefined) known.largest = Math.max(known.largest, size);
    else {
      const example = `${short(pair[0])} → ${short(pair[1])}`;
      found.set(`${place} ${kind}`, { answers: 1, kind, largest: size, example });
    }
  };
  const walk = (a: unknown, b: unknown, place: string): void => {
    const kind = kindOf(a, b);
    if (kind !== 'parts') {
      if (kind !== 'same') note(place, kind, [a, b]);
      return;
    }
    const [left, right] = [new Map(Object.entries(a ?? {})), new Map(Object.entries(b ?? {}))];
    for (const name of new Set([...left.keys(), ...right.keys()])) {
      if (place === '' && ignored.includes(name)) continue;
      walk(left.get(name), right.get(name), Array.isArray(a) ? `${place}[]` : `${place}/${name}`);
    }
  };
  walk(older, newer, '');
  return found;
}

/** Adds the differences of one more answer to those of all. */
export function gather(all: Map<string, Difference>, one: ReadonlyMap<string, Difference>): void {
  for (const [place, difference] of one) {
    const known = all.get(place);
    if (known === undefined) all.set(place, { ...difference });
    else {
      known.answers += 1;
      known.largest = Math.max(known.largest, difference.largest);
    }
  }
}
