/** The reader of Arrow streams against what Apache's own library wrote, and against streams whose lengths lie. */
import * as arrow from 'apache-arrow';
import { expect, it } from 'vitest';
import { ArrowFault, ArrowStream } from '../../src/workers/arrow/stream.ts';

const pair = new arrow.Struct([
  new arrow.Field('time', new arrow.Float64(), true),
  new arrow.Field('changed', new arrow.Bool(), true),
]);
const pairs = [{ time: 1.5, changed: true }, { time: 2, changed: null }, null];
const cells = {
  int8: [[1, null, -128], new arrow.Int8()],
  uint8: [[1, 2, 255], new arrow.Uint8()],
  int16: [[1, null, -32_768], new arrow.Int16()],
  uint16: [[1, 2, 65_535], new arrow.Uint16()],
  int32: [[1, null, -(2 ** 31)], new arrow.Int32()],
  uint32: [[1, 2, 2 ** 32 - 1], new arrow.Uint32()],
  int64: [[1n, null, -(2n ** 40n)], new arrow.Int64()],
  uint64: [[1n, 2n, 2n ** 40n], new arrow.Uint64()],
  float32: [[0.5, null, -2], new arrow.Float32()],
  float64: [[0.1, 1e-300, 1e300], new arrow.Float64()],
  flag: [[true, null, false], new arrow.Bool()],
  text: [['a', null, 'ü€'], new arrow.Utf8()],
  largeText: [['', 'b', null], new arrow.LargeUtf8()],
  list: [[[1, 2], null, []], new arrow.List(new arrow.Field('item', new arrow.Float64(), true))],
  struct: [pairs, pair],
  structs: [[pairs, [], null], new arrow.List(new arrow.Field('item', pair, true))],
  nothing: [[null, null, null], new arrow.Null()],
} as const;

const vectors = Object.entries(cells).map(([name, [values, type]]) => [name, arrow.vectorFromArray([...values], type)]);
const table = new arrow.Table(Object.fromEntries(vectors));
const oneBatch = arrow.tableToIPC(table, 'stream');
const stream = arrow.tableToIPC(table.concat(table), 'stream');

/** Converts cells to JSON's forms: 64-bit integers to numbers, structs without null members. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, each) => {
      if (typeof each === 'bigint') return Number(each);
      if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
      return Object.fromEntries(Object.entries(each).filter(([, item]) => item !== null));
    }),
  );

it('reads the cells of every type that is taken, in batches, at any offset', () => {
  const shifted = new Uint8Array(stream.length + 3).subarray(3);
  shifted.set(stream);
  for (const bytes of [stream, shifted]) {
    const reader = new ArrowStream(bytes);
    expect(reader.rows).toBe(6);
    const columns = reader.readColumns();
    for (const [i, [name, [values]]] of Object.entries(cells).entries()) {
      expect(reader.fields[i].name).toBe(name);
      expect(Array.from(columns[i]), name).toEqual([...values, ...values].map(plain));
    }
  }
});

it('reads no bytes but those it was given, and has an end, wherever a stream is cut or lies', () => {
  let refusals = 0;
  const read = (bytes: Uint8Array): void => {
    try {
      new ArrowStream(bytes).readColumns();
    } catch (error) {
      if (!(error instanceof ArrowFault || error instanceof RangeError)) throw error;
      refusals++;
    }
  };
  for (let cut = 0; cut < oneBatch.length - 8; cut += 8) read(oneBatch.subarray(0, cut));
  for (let at = 0; at < oneBatch.length; at++) {
    for (const byte of [0, 255]) {
      const bytes = new Uint8Array(oneBatch);
      bytes[at] = byte;
      read(bytes);
    }
  }
  expect(refusals).toBeGreaterThan(oneBatch.length / 8);
});
