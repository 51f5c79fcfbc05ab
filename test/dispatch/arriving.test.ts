/** A body is read while it arrives: whatever has come when, and whatever lies beyond, what is read is the same. */
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Begun } from '../../src/dispatch/arriving/begun.ts';
import { Arriving } from '../../src/dispatch/lifted/arriving.ts';
import { crawlAllocation } from '../../src/operations/crawl-allocation.ts';
import { crawlPlan } from '../../src/operations/crawl-plan.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { isBinary } from '../../src/schemas/table/cells.ts';
import { PairsCell } from '../../src/schemas/table/pair-cells.ts';
import { isRecord } from '../../src/schemas/table/table-reading.ts';

/** What a reader of something that never came would take for more of it. */
const misleading = ['9', ' ', '"', ']', ',', 'null,', '1,', '[', '\\', '}', 'é'];

interface Arrival {
  readonly parts: readonly number[];
  readonly margin: number;
  readonly beyond: string;
}

/** The value with lists in the place of cells. */
function listed(value: unknown): unknown {
  if (value instanceof PairsCell) {
    const { store, from, to } = value;
    return [[...store.numbers.subarray(from, to)], [...store.flags.subarray(from, to)]];
  }
  if (isBinary(value)) return Array.from({ length: value.length }, (_, i) => value.at(i));
  if (Array.isArray(value)) return value.map(listed);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, listed(each)]));
}

function outcome(begun: Begun, body: Uint8Array) {
  const count = begun.count();
  const rest = begun.lifter?.rest(body) ?? null;
  let restored: unknown = null;
  try {
    restored = JSON.parse(new TextDecoder().decode(rest ?? body));
    if (rest !== null) begun.lifter?.restore(restored);
  } catch {
    restored = 'no JSON';
  }
  return { count, lifted: rest !== null, restored: inspect(listed(restored), { depth: 9, maxArrayLength: 1e6 }) };
}

/** Reads the text as its parts come; what has not come yet is filled with something else. */
function asItArrives(operation: Operation, text: string, { parts, margin, beyond }: Arrival) {
  const whole = Buffer.from(text);
  const body = Buffer.alloc(whole.length, beyond);
  const begun = new Begun(operation, body, new Arriving(body.length, 0, margin));
  let available = 0;
  for (let k = 0; available < whole.length; k++) {
    const next = Math.min(whole.length, available + parts[k % parts.length]);
    whole.copy(body, available, available, next);
    available = next;
    begun.read(available);
  }
  return outcome(begun, body);
}

const arrival: fc.Arbitrary<Arrival> = fc.record({
  parts: fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 400 })), {
    minLength: 1,
    maxLength: 6,
  }),
  margin: fc.constantFrom(0, 1, 5, 64),
  beyond: fc.constantFrom(...misleading),
});

const blank = fc.constantFrom('', '', '', ' ', '\n\t', ' '.repeat(90));
const numberText = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer({ min: -5, max: 2e9 }).map(String),
  fc.constantFrom('null', 'null', '1e3', `0.${'1'.repeat(100)}`, '01', '"1"', '-'),
);
const textText = fc.oneof(
  { weight: 8, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }).map((text) => JSON.stringify(text)) },
  { weight: 8, arbitrary: fc.stringMatching(/^[a-z]{0,90}$/).map((text) => `"${text}"`) },
  fc.constantFrom('null', '1', '"'),
);
const listOf = (item: fc.Arbitrary<string>, maxLength: number) =>
  fc.tuple(fc.array(item, { maxLength }), blank).map(([items, gap]) => `[${gap}${items.join(`${gap},${gap}`)}${gap}]`);
const pairs = listOf(
  fc.tuple(fc.nat(), fc.constantFrom('0', 'true', '1')).map(([at, flag]) => `[${at},${flag}]`),
  9,
);
const member = fc.oneof(
  fc.tuple(fc.constantFrom('changeRate', 'weight', 'shape'), listOf(numberText, 20)),
  fc.tuple(fc.constantFrom('process', 'id', 'host'), listOf(textText, 12)),
  fc.tuple(fc.constantFrom('times', 'probabilities'), listOf(listOf(numberText, 8), 8)),
  fc.tuple(fc.constantFrom('checks', 'no\\u0061me'), fc.oneof(listOf(pairs, 4), numberText)),
);
const object = fc.array(member, { maxLength: 5 }).map((all) => `{${all.map(([key, text]) => `"${key}" :${text}`)}}`);
const row = fc
  .tuple(pairs, textText, numberText)
  .map(([checks, url, rate]) => `{"checks":${checks},"id":${url},"r":${rate}}`);
const body = fc
  .tuple(blank, fc.oneof(object, listOf(row, 8)), numberText)
  .map(([gap, pages, crawls]) => `{"interval":${gap}1,"pages":${gap}${pages},${gap}"crawls":${crawls}}`);

describe('a body read while it arrives', () => {
  it('is what it is when all of it is there', () => {
    const seen = { lifted: 0, left: 0 };
    fc.assert(
      fc.property(fc.constantFrom(crawlAllocation, crawlPlan), body, arrival, (operation, text, each) => {
        const whole = outcome(new Begun(operation, Buffer.from(text)), Buffer.from(text));
        expect(asItArrives(operation, text, each)).toEqual(whole);
        seen[whole.lifted ? 'lifted' : 'left']++;
      }),
      { numRuns: 800 },
    );
    expect(Math.min(seen.lifted, seen.left)).toBeGreaterThan(80);
  });

  it('is read as far as it has come, and no value twice that was read to its end', () => {
    const text = readFileSync('examples/crawl-allocation-columns.json', 'utf8');
    for (const beyond of misleading) {
      const whole = outcome(new Begun(crawlAllocation, Buffer.from(text)), Buffer.from(text));
      expect(asItArrives(crawlAllocation, text, { parts: [1], margin: 0, beyond })).toEqual(whole);
    }
    const numbers = Buffer.from(`{"pages":{"weight":[${Array(1000).fill('1.5').join()}],"shape":[1]}}`);
    const begun = new Begun(crawlAllocation, numbers, new Arriving(numbers.length, 0, 16));
    begun.read(numbers.length - 30);
    // what has been read is not looked at again
    numbers.fill(' ', 30, 2000);
    expect(begun.count().values).toBe(1005);
  });
});
