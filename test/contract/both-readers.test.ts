/**
 * Large bodies have a reader of their own, which takes columns from their bytes. Every example with a list of rows is
 * broken at every value, in rows and in columns. What is refused, where and in which words, is the same by both
 * readers.
 */
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { columnLists } from '../../src/dispatch/column-lists.ts';
import { parse, parseUncounted, prepareParsed } from '../../src/dispatch/pipeline.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { isRecord } from '../../src/schemas/table/table-reading.ts';

const limits = { defaultTimeLimitMs: 1000, maxTimeLimitMs: 1000, maxWork: 1e15 };
const blanks = ' '.repeat(64 * 1024);
/** As text: some of them no parser would write. */
const wrong = [
  'null',
  '"x"',
  '-1',
  '1.5',
  '1e999',
  '-0',
  'true',
  '[]',
  '[1]',
  '[[1,0]]',
  '{}',
  '01',
  '"\\u0041"',
  '1e3',
];
const mostItems = 2;
/** `BODIES=large npx vitest run test/contract` takes all of them, and sends the whole contract suite's bodies to the reader of large ones. */
const takesAll = process.env.BODIES === 'large';
const enough = 20;

/** The value with the first items of every list in it. */
function short(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, mostItems).map(short);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, short(each)]));
}

/** The list as columns; null where its rows have different properties. */
function inColumns(rows: readonly unknown[]): Record<string, unknown> | null {
  const columns: Record<string, unknown[]> = {};
  for (const [i, row] of rows.entries()) {
    if (!isRecord(row)) return null;
    for (const [name, value] of Object.entries(row)) {
      columns[name] ??= new Array(i).fill(null);
      columns[name].push(value);
    }
    if (Object.values(columns).some((column) => column.length !== i + 1)) return null;
  }
  return columns;
}

/** A text in the place of one value, for each value below the list and each wrong text. */
function* broken(body: object, list: unknown): Generator<string> {
  const mark = 'here it breaks';
  yield* (function* walk(holder: unknown): Generator<string> {
    if (typeof holder !== 'object' || holder === null) return;
    for (const [name, value] of Object.entries(holder)) {
      Reflect.set(holder, name, mark);
      const text = JSON.stringify(body);
      for (const each of wrong) yield text.replace(`"${mark}"`, each);
      Reflect.set(holder, name, value);
      yield* walk(value);
    }
  })(list);
  Reflect.set(Object(list), 'unknownName', [1]);
  yield JSON.stringify(body);
}

/** What comes of a body by a reader: its problem, or its estimated work. */
function outcome(operation: Operation, parsed: ReturnType<typeof parse>) {
  const ready = parsed.kind === 'parsed' ? prepareParsed(operation, parsed.value, limits) : parsed;
  return ready.kind === 'ready' ? { work: ready.work } : ready.problem;
}

const withLists = operations.filter((operation) => columnLists(operation).request !== null);

it.each(withLists.map((operation) => [operation.name, operation] as const))('%s', (_, operation) => {
  const list = columnLists(operation).request?.name ?? '';
  const seen = { lifted: 0, refused: 0 };
  for (const { name } of operation.examples) {
    if (!takesAll && Math.min(seen.lifted, seen.refused) > enough) break;
    const body: Record<string, unknown> = JSON.parse(readFileSync(`examples/${name}.json`, 'utf8'));
    const some = short(body[list]);
    for (const given of Array.isArray(some) ? [some, inColumns(some)] : [some]) {
      if (given === undefined || given === null) continue;
      const asked = { ...body, [list]: given };
      for (const text of broken(asked, given)) {
        const bytes = Buffer.from(text + blanks);
        const large = parse(operation, bytes, limits);
        if (large.kind === 'parsed' && /Cells?\b/.test(inspect(large.value, { depth: 2 }))) seen.lifted++;
        const found = outcome(operation, large);
        expect(found, text.slice(0, 500)).toEqual(outcome(operation, parseUncounted(bytes)));
        if ('detail' in found) seen.refused++;
      }
    }
  }
  expect(Math.min(seen.lifted, seen.refused)).toBeGreaterThan(enough);
});
