/** An Arrow stream is read while it arrives: whatever has come when, and whatever lies beyond, what is read is the same. */
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ColumnsAhead } from '../../src/dispatch/arrow/ahead.ts';
import { verifyStream } from '../../src/dispatch/arrow/verify.ts';
import { parseArrow, prepareParsed } from '../../src/dispatch/pipeline.ts';
import { crawlAllocation } from '../../src/operations/crawl-allocation.ts';
import { isBinary } from '../../src/schemas/table/cells.ts';
import { isRecord } from '../../src/schemas/table/table-reading.ts';
import { arrowStream, lists, numbers, texts } from '../service/arrow-streams.ts';

const limits = { defaultTimeLimitMs: 1000, maxTimeLimitMs: 1000, maxWork: 1e12 };

/** The value with lists in the place of cells. */
function listed(value: unknown): unknown {
  if (isBinary(value)) return Array.from({ length: value.length }, (_, i) => value.at(i));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, listed(each)]));
}

/** What is parsed, and what the check makes of it. */
function outcome(body: Uint8Array, ahead?: ColumnsAhead) {
  const parsed = parseArrow(crawlAllocation, body, limits, ahead);
  if (parsed.kind === 'problem') return { parsed };
  const checked = prepareParsed(crawlAllocation, parsed.value, limits);
  const said = checked.kind === 'problem' ? checked.problem : checked.work;
  return { parsed: inspect(listed(parsed.value), { depth: 9, maxArrayLength: 1e6 }), said };
}

/** Reads the stream as its parts come; what has not come yet is what came before in its place. */
function asItArrives(stream: Uint8Array, parts: readonly number[], before: Uint8Array) {
  const body = Buffer.from(new ArrayBuffer(stream.length));
  body.set(before.subarray(0, stream.length));
  const ahead = new ColumnsAhead(crawlAllocation, body);
  let available = 0;
  for (let k = 0; available < stream.length; k++) {
    const next = Math.min(stream.length, available + parts[k % parts.length]);
    body.set(stream.subarray(available, next), available);
    available = next;
    // the last part comes with the task
    if (available < stream.length) ahead.read(available);
  }
  return { body, ahead };
}

const cell = fc.oneof(
  { weight: 9, arbitrary: fc.double({ min: 0.1, max: 9, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(null, 0, -1, Number.NaN, 1e300, 1.5) },
);
const word = fc.constantFrom('poisson', 'poisson', 'lomax', 'quasi-deterministic', 'poison', null);
const row = fc.record({ process: word, changeRate: cell, shape: cell, weight: cell, minCrawls: fc.nat(3) });
const times = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 });
const stream = fc
  .tuple(fc.array(row, { minLength: 1, maxLength: 40 }), times, fc.boolean())
  .map(([rows, list, isPlain]) => {
    const column = (name: 'changeRate' | 'shape' | 'weight' | 'minCrawls') =>
      numbers(rows.map((each) => (isPlain ? 1.5 : each[name])));
    const columns = {
      process: texts(rows.map(({ process }) => (isPlain ? 'poisson' : process))),
      times: lists(rows.map(() => list)),
      changeRate: column('changeRate'),
      ...(isPlain ? {} : { shape: column('shape'), minCrawls: column('minCrawls') }),
      weight: column('weight'),
      host: texts(rows.map(() => 'é')),
    };
    return arrowStream(columns, { interval: 1, crawls: rows.length, pages: {} });
  });
const parts = fc.array(fc.oneof(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 65, max: 2000 })), {
  minLength: 1,
  maxLength: 6,
});

describe('an Arrow stream read while it arrives', () => {
  it('is what it is when all of it is there, refusals to the letter', () => {
    let accepted = 0;
    fc.assert(
      fc.property(stream, stream, parts, (whole, before, each) => {
        const { body, ahead } = asItArrives(whole, each, before);
        const expected = outcome(Buffer.from(whole));
        expect(outcome(body, ahead)).toEqual(expected);
        accepted += typeof expected.said === 'number' ? 1 : 0;
      }),
      { numRuns: 300 },
    );
    expect(accepted).toBeGreaterThan(60);
  });

  it('is refused in the same words where bytes of it are damaged', () => {
    fc.assert(
      fc.property(stream, parts, fc.nat(), fc.integer({ min: 0, max: 255 }), (whole, each, at, value) => {
        const damaged = Buffer.from(whole);
        damaged[at % damaged.length] = value;
        const { body, ahead } = asItArrives(damaged, each, whole);
        expect(outcome(body, ahead)).toEqual(outcome(damaged));
      }),
      { numRuns: 1000 },
    );
  });

  it('has its columns before its end', () => {
    const whole = arrowStream(
      { changeRate: numbers([1, 2]), weight: numbers([3, null]) },
      { interval: 1, crawls: 2, pages: {} },
    );
    const ahead = new ColumnsAhead(crawlAllocation, whole);
    ahead.read(100);
    expect(ahead.cells('changeRate', 2)).toBeUndefined();
    ahead.read(whole.length - 8);
    expect(listed(ahead.cells('weight', 2))).toEqual([3, null]);
    expect(ahead.cells('weight', 3)).toBeUndefined();
  });

  it('is left alone where it comes in many batches: each look goes over all that has come', () => {
    const one = arrowStream({ weight: numbers([3]) }, { interval: 1, crawls: 2, pages: {} });
    const { schemaBytes, end } = verifyStream(one);
    const batch = one.subarray(schemaBytes, end);
    const batches = 100;
    const whole = Buffer.concat([
      one.subarray(0, schemaBytes),
      ...Array.from({ length: batches }, () => batch),
      one.subarray(end),
    ]);
    const ahead = (step: number): ColumnsAhead => {
      const reading = new ColumnsAhead(crawlAllocation, whole);
      for (let come = schemaBytes; come < whole.length - 8; come += step) reading.read(come);
      reading.read(whole.length - 8);
      return reading;
    };
    expect(ahead(whole.length).cells('weight', batches)).toBeDefined();
    const slowly = ahead(batch.length);
    expect(slowly.cells('weight', batches)).toBeUndefined();
    expect(outcome(whole, slowly)).toEqual(outcome(whole));
  });
});
