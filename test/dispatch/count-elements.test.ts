import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { countElements, maxDepth, maxMembers, maxNames, parsedBytes } from '../../src/dispatch/count-elements.ts';
import { elementBounds, refuseUnparsed } from '../../src/dispatch/refuse-unparsed.ts';
import { operations } from '../../src/operations/index.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const anything = { largest: 1e9, most: () => 1e9 };

/** The same counts by walking the parsed value. */
function counted(value: unknown, depth = 1): { containers: number; values: number; texts: number; depth: number } {
  if (typeof value === 'string') return { containers: 0, values: 1, texts: 1, depth: depth - 1 };
  if (typeof value !== 'object' || value === null) return { containers: 0, values: 1, texts: 0, depth: depth - 1 };
  const sum = { containers: 1, values: 1, texts: 0, depth };
  for (const item of Object.values(value)) {
    const inner = counted(item, depth + 1);
    sum.containers += inner.containers;
    sum.values += inner.values;
    sum.texts += inner.texts;
    sum.depth = Math.max(sum.depth, inner.depth);
  }
  return sum;
}

describe('countElements', () => {
  it('counts what the parser makes, whatever the text and its white space', () => {
    const value = fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' });
    fc.assert(
      fc.property(value, fc.constantFrom(0, 1, 4), (json, indent) => {
        const text = JSON.stringify(json, null, indent);
        const { containers, values, texts, depth, excess } = countElements(bytes(text), anything);
        expect({ containers, values, texts, depth }).toEqual(counted(JSON.parse(text)));
        expect(excess).toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  it('is not led astray by quotes, brackets and commas inside texts', () => {
    const text = JSON.stringify({ 'a"[,{\\': '],}\\"', b: ['\\\\', '"'] });
    expect(countElements(bytes(text), anything)).toMatchObject({
      containers: 2,
      values: 5,
      texts: 3,
      names: 2,
      depth: 2,
    });
  });

  it('ends at the first array that is too long, and says where and how long it is', () => {
    const bounds = { largest: 3, most: (name: string) => (name === 'pages' ? 2 : 3) };
    const excessOf = (value: unknown) => countElements(bytes(JSON.stringify(value)), bounds).excess;
    expect(excessOf({ a: 1, pages: [{}, {}] })).toBeNull();
    expect(excessOf({ a: 1, pages: [{}, {}, {}, {}] })).toEqual({ path: ['pages'], kind: 'array', items: 4, most: 2 });
    expect(excessOf({ pages: { rate: [1, 2, 3] } })).toMatchObject({ path: ['pages', 'rate'], items: 3, most: 2 });
    expect(excessOf({ pages: [{}, { times: [[], [1, 2, 3, 4]] }] })).toMatchObject({
      path: ['pages', 1, 'times', 1],
      items: 4,
      most: 3,
    });
    expect(excessOf([1, 2, 3, 4])).toMatchObject({ path: [], items: 4, most: 3 });
  });

  it('takes an escaped name for what it spells', () => {
    const bounds = { largest: 9, most: (name: string) => (name === 'pages' ? 1 : 9) };
    expect(countElements(bytes('{"p\\u0061ges": [1, 2]}'), bounds).excess).toMatchObject({ path: ['pages'], items: 2 });
  });

  it('counts an array whose end never comes', () => {
    const { excess } = countElements(bytes('{"pages": [1,1,1,1'), { largest: 2, most: () => 2 });
    expect(excess).toMatchObject({ path: ['pages'], items: 4 });
  });

  it('stops at objects with too many properties, deep texts and too many names', () => {
    const wide = Object.fromEntries(Array.from({ length: maxMembers + 1 }, (_, i) => [`k${i % 900}-${i}`, 1]));
    expect(countElements(bytes(JSON.stringify({ wide })), anything).names).toBeGreaterThan(maxNames);
    const repeated = `{${Array.from({ length: maxMembers + 1 }, () => '"k":1').join(',')}}`;
    expect(countElements(bytes(repeated), anything).excess).toMatchObject({ kind: 'object', items: maxMembers + 1 });
    expect(countElements(bytes('['.repeat(1_000_000)), anything).depth).toBe(maxDepth + 1);
    const rows = Array.from({ length: 5000 }, (_, i) => ({ [`k${i}`]: 1 }));
    expect(countElements(bytes(JSON.stringify(rows)), anything).names).toBeGreaterThan(maxNames);
    const same = Array.from({ length: 5000 }, () => ({ changeRate: 1, weight: 2, id: 'x' }));
    expect(countElements(bytes(JSON.stringify(same)), anything).names).toBe(3);
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.string({ unit: fc.constantFrom(...'[]{}",:\\1 ') }),
        (raw, text) => {
          countElements(raw, anything);
          countElements(bytes(text), anything);
        },
      ),
    );
  });

  it('estimates no less memory than what it counts must take', () => {
    // measured with Node 24: forty bytes for [], 64 for {}, 72 for [0.5,1], 80 for {"changeRate":0.123,"weight":2.5}
    const perItem = (unit: string): number =>
      parsedBytes(countElements(bytes(`[${Array(1000).fill(unit)}]`), anything)) / 1000;
    expect(perItem('[]')).toBeGreaterThan(40);
    expect(perItem('{}')).toBeGreaterThan(64);
    expect(perItem('[0.5,1]')).toBeGreaterThan(72);
    expect(perItem('{"changeRate":0.123,"weight":2.5}')).toBeGreaterThan(80);
  });
});

/** Every array of a JSON Schema, with the path to it (`*` for an item). */
function* arraysIn(
  schema: unknown,
  path: readonly string[] = [],
): Generator<{ path: readonly string[]; maxItems: unknown }> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const forms: unknown = Reflect.get(schema, key);
    if (Array.isArray(forms)) for (const form of forms) yield* arraysIn(form, path);
  }
  const items: unknown = Reflect.get(schema, 'items');
  if (items !== undefined) {
    yield { path, maxItems: Reflect.get(schema, 'maxItems') };
    yield* arraysIn(items, [...path, '*']);
  }
  const properties: unknown = Reflect.get(schema, 'properties');
  if (typeof properties === 'object' && properties !== null) {
    for (const [name, inner] of Object.entries(properties)) yield* arraysIn(inner, [...path, name]);
  }
}

describe('refuseUnparsed', () => {
  it.each(operations.map((operation) => [operation.name, operation] as const))(
    'lets every array through that the schema of %s takes',
    (_, operation) => {
      const bounds = elementBounds(operation.limits);
      const schema = z.toJSONSchema(operation.requestSchema, { io: 'input', unrepresentable: 'any', reused: 'inline' });
      const arrays = [...arraysIn(schema)];
      for (const { path, maxItems } of arrays) {
        const list = path.length === 1 || (path.length === 2 && path[1] !== '*');
        const most = list ? bounds.most(path[0]) : bounds.largest;
        expect(maxItems, path.join('/')).toBeTypeOf('number');
        expect(most, path.join('/')).toBeGreaterThanOrEqual(Number(maxItems));
      }
    },
  );

  it('says what to change, as the schema would have', () => {
    const operation = { limits: { pages: 3 } };
    const problem = refuseUnparsed(bytes('{"pages":[{},{},{},{}]}'), operation, 1e6);
    expect(problem).toMatchObject({
      status: 422,
      errors: [{ pointer: '/pages', code: 'too_big', detail: 'must have at most 3 items; got 4' }],
    });
    expect(refuseUnparsed(bytes('{"pages":[{},{},{}]}'), operation, 1e6)).toBeNull();
    expect(refuseUnparsed(bytes('{"pages":[{},{},{}]}'), operation, 100)).toMatchObject({ status: 413 });
  });

  it('refuses millions of empty rows in a fraction of the time their parse takes', () => {
    const body = Buffer.concat([Buffer.from('{"pages":['), Buffer.alloc(15_000_000, '{},'), Buffer.from('{}]}')]);
    const text = body.toString('latin1');
    const processorTime = (run: () => unknown): number => {
      const before = process.cpuUsage();
      run();
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const problem = refuseUnparsed(body, { limits: { pages: 1_000_000 } }, 1e9);
    expect(problem?.errors?.[0]).toMatchObject({ pointer: '/pages', code: 'too_big' });
    const refusing = processorTime(() => refuseUnparsed(body, { limits: { pages: 1_000_000 } }, 1e9));
    expect(refusing).toBeLessThan(0.7 * processorTime(() => JSON.parse(text)));
  });
});
