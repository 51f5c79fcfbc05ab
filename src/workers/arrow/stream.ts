/**
 * The schema and the columns of an Arrow stream, as cells that JSON could have. A message states the offsets and
 * lengths of its parts, which may be wrong: reading outside of the received bytes throws a RangeError.
 *
 * Source: Apache Arrow columnar format 1.5, "Encapsulated message format" and "Physical memory layout"; its Schema.fbs
 * and Message.fbs have the indices of the entries.
 */
import { Type } from '@uwdata/flechette';

/** Why bytes are no Arrow stream that can be read; the message is for the caller. */
export class ArrowFault extends Error {
  override readonly name = 'ArrowFault';
}

/** Most fields (nested ones counted) and deepest nesting of a stream: more than any list of an operation has. */
const [maxFields, maxDepth] = [1000, 6];
/** Metadata version 4, which the format encodes as 3. */
const minVersion = 3;
const kinds = { schema: 1, dictionaryBatch: 2, recordBatch: 3 } as const;

type NumberArray = new (bytes: ArrayBuffer, from: number, length: number) => ArrayLike<number | bigint>;
const [unsigned, signed]: readonly Readonly<Record<number, NumberArray>>[] = [
  { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array, 64: BigUint64Array },
  { 8: Int8Array, 16: Int16Array, 32: Int32Array, 64: BigInt64Array },
];

/** A column, or a part of one. */
export interface ArrowField {
  readonly name: string;
  /** A value of `Type`. */
  readonly typeId: number;
  /** The array of a column of numbers. */
  readonly numbers: NumberArray;
  readonly children: readonly ArrowField[];
}

/** A table of a flat buffer, whose entries have indices. */
class FlatTable {
  readonly #view: DataView;
  readonly #place: number;

  constructor(view: DataView, offsetAt: number) {
    this.#view = view;
    this.#place = offsetAt + view.getInt32(offsetAt, true);
  }

  #entry(index: number): number | null {
    const vtable = this.#place - this.#view.getInt32(this.#place, true);
    if (4 + 2 * index >= this.#view.getUint16(vtable, true)) return null;
    const offset = this.#view.getUint16(vtable + 4 + 2 * index, true);
    return offset === 0 ? null : this.#place + offset;
  }

  /** The integer of `bits` bits in an entry; 0 if the entry is absent. */
  number(index: number, bits: 8 | 16 | 32 | 64): number {
    const at = this.#entry(index);
    if (at === null) return 0;
    if (bits === 64) return Number(this.#view.getBigInt64(at, true));
    return bits === 32 ? this.#view.getInt32(at, true) : this.#view[bits === 16 ? 'getInt16' : 'getUint8'](at, true);
  }

  table(index: number): FlatTable | null {
    const at = this.#entry(index);
    return at === null ? null : new FlatTable(this.#view, at);
  }

  /** The items of a vector, each read by `read` at its place in the buffer. */
  #items<Item>(index: number, itemBytes: number, read: (at: number) => Item): Item[] {
    const at = this.#entry(index);
    if (at === null) return [];
    const start = at + this.#view.getInt32(at, true);
    const items: Item[] = [];
    for (let i = this.#view.getInt32(start, true); i > 0; i--) items.push(read(start + 4 + itemBytes * items.length));
    return items;
  }

  tables = (index: number): FlatTable[] => this.#items(index, 4, (at) => new FlatTable(this.#view, at));

  /** A vector of structs of two 64-bit integers. */
  pairs(index: number): (readonly [number, number])[] {
    const read = (at: number): number => Number(this.#view.getBigInt64(at, true));
    return this.#items(index, 16, (at) => [read(at), read(at + 8)] as const);
  }

  text = (index: number): string =>
    Buffer.from(this.#items(index, 1, (at) => this.#view.getUint8(at))).toString('utf8');
}

/** The `length` bytes from `from` on. @throws RangeError if the bytes do not reach so far */
function bytesAt(bytes: Uint8Array, from: number, length: number): Uint8Array {
  if (from >= 0 && length >= 0 && from + length <= bytes.length) return bytes.subarray(from, from + length);
  throw new RangeError('outside the bytes');
}

interface Message {
  readonly header: FlatTable;
  readonly body: Uint8Array;
}

/** The messages of a stream: its schema, then its record batches. */
function* messagesOf(bytes: Uint8Array): Generator<Message> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let isFirst = true;
  // The end-of-stream marker is optional: a stream may end after any message.
  for (let at = 0; isFirst || at < bytes.length; ) {
    at += view.getInt32(at, true) === -1 ? 8 : 4;
    const headBytes = view.getInt32(at - 4, true);
    if (headBytes === 0) break;
    if (isFirst && !(headBytes > 0 && at + headBytes <= bytes.length))
      throw new ArrowFault('the body is not an Arrow stream, or is truncated');
    const head = bytesAt(bytes, at, headBytes);
    const message = new FlatTable(new DataView(head.buffer, head.byteOffset, headBytes), 0);
    const [version, kind, bodyBytes] = [message.number(0, 16), message.number(1, 8), message.number(3, 64)];
    const header = message.table(2);
    if (version < minVersion) throw new ArrowFault('the Arrow stream is of an older format than version 4');
    if (header === null || (kind === kinds.schema) !== isFirst)
      throw new ArrowFault('an Arrow stream begins with its one schema');
    if (kind > kinds.recordBatch)
      throw new ArrowFault(`an Arrow message of kind ${kind} is not taken; send a schema and record batches`);
    const body = bytesAt(bytes, at + headBytes, bodyBytes);
    if (kind !== kinds.dictionaryBatch) yield { header, body };
    at += headBytes + bodyBytes;
    isFirst = false;
  }
}

/** An open stream, whose cells are read when its schema has been accepted. */
export class ArrowStream {
  readonly fields: readonly ArrowField[];
  readonly metadata: ReadonlyMap<string, string>;
  /** Rows, as the record batches say. */
  readonly rows: number;
  readonly #batches: readonly Message[];

  /** @throws ArrowFault or RangeError */
  constructor(bytes: Uint8Array) {
    if (Buffer.from(bytes.subarray(0, 6)).toString('latin1') === 'ARROW1')
      throw new ArrowFault('this is the Arrow file format; send the stream format');
    const [schema, ...batches] = messagesOf(bytes);
    if (schema === undefined) throw new ArrowFault('the Arrow stream has no schema');
    if (schema.header.number(0, 16) !== 0) throw new ArrowFault('the Arrow stream is big-endian; send little-endian');
    this.fields = fieldsOf(schema.header.tables(1), 1, { fields: 0 });
    this.metadata = new Map(schema.header.tables(2).map((pair) => [pair.text(0), pair.text(1)]));
    this.rows = batches.reduce((sum, { header }) => sum + header.number(0, 64), 0);
    this.#batches = batches;
  }

  /** The cells of each column, in the order of the fields. @throws ArrowFault or RangeError */
  readColumns(): ArrayLike<unknown>[] {
    const batches = this.#batches.map((batch) => new BatchReader(batch));
    return this.fields.map((field) => {
      const parts = batches.map((batch) => batch.cells(field, batch.rows));
      return parts.length === 1 ? parts[0] : parts.flatMap((cells) => Array.from(cells));
    });
  }
}

const plainTypes: readonly number[] = [Type.Null, Type.Int, Type.Float, Type.Utf8, Type.LargeUtf8, Type.Bool];
const nestedTypes: readonly number[] = [Type.List, Type.LargeList, Type.Struct];
/** What to send instead of types that Arrow's writers choose by default. */
const remedies: Readonly<Record<number, string>> = {
  [Type.Dictionary]:
    'send the values themselves (pyarrow: column.dictionary_decode(); DuckDB: CAST(column AS VARCHAR))',
  [Type.Decimal]: 'cast it to a 64-bit float',
  [Type.Timestamp]: 'send epoch seconds as numbers',
  [Type.Date]: 'send epoch seconds as numbers',
  [Type.Utf8View]: 'cast it to utf8',
};

/** The fault of a column's type; null if the type can be read. */
export function typeFault({ typeId, children }: ArrowField): string | null {
  if (plainTypes.includes(typeId)) return null;
  if (nestedTypes.includes(typeId)) return children.map(typeFault).find((fault) => fault !== null) ?? null;
  const name = Object.entries(Type).find(([, id]) => id === typeId)?.[0] ?? typeId;
  return `is of Arrow's type ${name}; ${remedies[typeId] ?? 'send numbers, texts, booleans, lists or structs'}`;
}

function fieldsOf(tables: readonly FlatTable[], depth: number, count: { fields: number }): ArrowField[] {
  count.fields += tables.length;
  if (count.fields > maxFields) throw new ArrowFault(`the schema may have at most ${maxFields} fields`);
  if (depth > maxDepth) throw new ArrowFault(`fields may lie at most ${maxDepth} deep in each other`);
  return tables.map((field) => {
    const typeId = field.table(4) === null ? field.number(2, 8) : Type.Dictionary;
    const type = field.table(3);
    const integers = (type?.number(1, 8) ?? 0) === 0 ? unsigned : signed;
    const floats = [undefined, Float32Array, Float64Array][type?.number(0, 16) ?? 0];
    const numbers = typeId === Type.Float ? floats : integers[type?.number(0, 32) ?? 0];
    if (numbers === undefined && (typeId === Type.Int || typeId === Type.Float))
      throw new ArrowFault('floats have 32 or 64 bits, and integers 8, 16, 32 or 64');
    const children = fieldsOf(field.tables(5), depth + 1, count);
    return { name: field.text(0), typeId, numbers: numbers ?? Float64Array, children };
  });
}

/** Reads the columns of a batch in their order: nodes and buffers are listed field by field, parents first. */
class BatchReader {
  readonly rows: number;
  readonly #body: Uint8Array;
  readonly #nodes: (readonly [length: number, nulls: number])[];
  readonly #buffers: (readonly [from: number, length: number])[];

  constructor({ header, body }: Message) {
    if (header.table(3) !== null) {
      const remedy = 'send them plain, and compress the body (Content-Encoding)';
      throw new ArrowFault(`the record batches are compressed; ${remedy}`);
    }
    this.rows = header.number(0, 64);
    this.#body = body;
    this.#nodes = header.pairs(1);
    this.#buffers = header.pairs(2);
  }

  /** The first `rows` cells of the next column. */
  cells(field: ArrowField | undefined, rows: number): ArrayLike<unknown> {
    if (field === undefined) throw new RangeError('a list of nothing');
    const [length, nulls] = this.#nodes.shift() ?? [-1, 0];
    // A column of Arrow's type Null takes no bytes: its length is bounded by that of columns which do.
    if (length < rows || rows > Math.max(maxFields, 8 * this.#body.length)) throw new RangeError('too few cells');
    if (field.typeId === Type.Null) return new Array(rows).fill(null);
    const validity = this.#buffer(nulls > 0 ? Math.ceil(rows / 8) : 0);
    const cells = this.#values(field, rows);
    return nulls > 0 ? Array.from({ length: rows }, (_, i) => (bitAt(validity, i) ? cells[i] : null)) : cells;
  }

  /** The first `bytes` bytes of the next buffer. @throws RangeError if the buffer is shorter */
  #buffer(bytes: number): Uint8Array {
    const [from, length] = this.#buffers.shift() ?? [-1, 0];
    return bytesAt(bytesAt(this.#body, from, length), 0, bytes);
  }

  #numbers(numbers: NumberArray, length: number): ArrayLike<number | bigint> {
    const [from, bytes] = this.#buffers.shift() ?? [-1, 0];
    return new numbers(new Uint8Array(bytesAt(this.#body, from, bytes)).buffer, 0, length);
  }

  #values({ typeId, numbers, children }: ArrowField, rows: number): ArrayLike<unknown> {
    if (typeId === Type.Struct) {
      const members = children.map((child) => [child.name, this.cells(child, rows)] as const);
      const membersAt = (i: number) => members.filter(([, cells]) => cells[i] !== null);
      return Array.from({ length: rows }, (_, i) =>
        Object.fromEntries(membersAt(i).map(([name, cells]) => [name, cells[i]])),
      );
    }
    if (typeId === Type.Bool) {
      const bits = this.#buffer(Math.ceil(rows / 8));
      return Array.from({ length: rows }, (_, i) => bitAt(bits, i));
    }
    if (typeId === Type.Int || typeId === Type.Float) {
      const values = this.#numbers(numbers, rows);
      return values instanceof Float64Array ? values : Array.from(values, Number);
    }
    const isLarge = typeId === Type.LargeList || typeId === Type.LargeUtf8;
    const offsets = Array.from(this.#numbers(isLarge ? BigInt64Array : Int32Array, rows === 0 ? 0 : rows + 1), Number);
    // Falling offsets would let lists overlap, and a few bytes stand for any number of items.
    if (offsets.some((offset, i) => offset < (i === 0 ? 0 : offsets[i - 1]))) throw new RangeError('offsets fall');
    const end = offsets[rows] ?? 0;
    const parts = typeId === Type.List || typeId === Type.LargeList ? Array.from(this.cells(children[0], end)) : null;
    const text = parts === null ? Buffer.from(this.#buffer(end)) : null;
    return Array.from({ length: rows }, (_, i) =>
      parts === null ? text?.toString('utf8', offsets[i], offsets[i + 1]) : parts.slice(offsets[i], offsets[i + 1]),
    );
  }
}

const bitAt = (bytes: Uint8Array, i: number): boolean => ((bytes[i >> 3] >> (i & 7)) & 1) === 1;
