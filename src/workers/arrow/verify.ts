/**
 * Checks the framing of an Arrow stream before a library reads it. An Arrow message says in its own words where its
 * parts lie and how many there are. The libraries believe it, and a false count makes them run or allocate without end.
 * This walk, which allocates nothing, holds every length against the bytes that are there.
 *
 * Source: Apache Arrow columnar format 1.5, "Encapsulated message format"; FlatBuffers' internals, "Tables", "Vectors".
 */
/** Why bytes are no Arrow stream that can be read; the message is for the caller. */
export class ArrowFault extends Error {
  override readonly name = 'ArrowFault';
}

/** More fields, nested ones counted, than any list of an operation has. */
const maxFields = 1000;
const maxDepth = 6;

/** Version 4 of the metadata is written as 3. */
const minVersion = 3;

const kinds = { schema: 1, dictionaryBatch: 2, recordBatch: 3 } as const;

const truncationFault = (): ArrowFault =>
  new ArrowFault('the Arrow stream is truncated or damaged: a part lies outside the bytes sent');

/** The metadata of one message: a flat buffer, read with every offset checked. */
class FlatBuffer {
  readonly #view: DataView;
  fields = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  #checkRange(at: number, size: number): number {
    if (!(at >= 0 && size >= 0 && at + size <= this.#view.byteLength)) throw truncationFault();
    return at;
  }

  int32(at: number): number {
    return this.#view.getInt32(this.#checkRange(at, 4), true);
  }

  uint8(at: number): number {
    return this.#view.getUint8(this.#checkRange(at, 1));
  }

  /** A 64-bit length or offset. */
  size(at: number): number {
    const value = this.#view.getBigInt64(this.#checkRange(at, 8), true);
    if (value < 0n || value > 2n ** 52n) throw truncationFault();
    return Number(value);
  }

  /** Where the table lies to which the offset at `at` leads. */
  table(at: number): number {
    const position = at + this.int32(at);
    const vtable = position - this.int32(position);
    const size = this.#view.getUint16(this.#checkRange(vtable, 2), true);
    this.#checkRange(vtable, size);
    return position;
  }

  /** Where the entry of a table lies; null where it has none. */
  entry(table: number, slot: number): number | null {
    const vtable = table - this.int32(table);
    if (slot >= this.#view.getUint16(this.#checkRange(vtable, 2), true)) return null;
    const offset = this.#view.getUint16(this.#checkRange(vtable + slot, 2), true);
    return offset === 0 ? null : this.#checkRange(table + offset, 1);
  }

  /** Where the items of a vector begin, and how many there are. */
  vector(at: number | null, stride: number): { readonly start: number; readonly count: number } {
    if (at === null) return { start: 0, count: 0 };
    const start = at + this.int32(at);
    const count = this.int32(start);
    this.#checkRange(start + 4, count * stride);
    return { start: start + 4, count };
  }

  checkText(at: number | null): void {
    this.vector(at, 1);
  }

  checkPairs(at: number | null): void {
    const { start, count } = this.vector(at, 4);
    if (count > maxFields) throw new ArrowFault(`the metadata may have at most ${maxFields} entries; has ${count}`);
    for (let i = 0; i < count; i++) {
      const pair = this.table(start + 4 * i);
      this.checkText(this.entry(pair, 4));
      this.checkText(this.entry(pair, 6));
    }
  }

  checkFields(at: number | null, depth: number): void {
    const { start, count } = this.vector(at, 4);
    this.fields += count;
    if (this.fields > maxFields) throw new ArrowFault(`the schema may have at most ${maxFields} fields`);
    if (depth > maxDepth) throw new ArrowFault(`fields may lie at most ${maxDepth} deep in each other`);
    for (let i = 0; i < count; i++) this.#checkField(this.table(start + 4 * i), depth);
  }

  #checkField(field: number, depth: number): void {
    this.checkText(this.entry(field, 4));
    const type = this.entry(field, 10);
    if (type !== null) {
      const table = this.table(type);
      // A time zone, or the members of a union: a vector of 4 bytes an item at most.
      const vectorOffset = this.entry(table, 6);
      const kind = this.entry(field, 8);
      if (vectorOffset !== null && kind !== null && [10, 14].includes(this.uint8(kind))) {
        this.vector(vectorOffset, this.uint8(kind) === 14 ? 4 : 1);
      }
    }
    const dictionary = this.entry(field, 12);
    if (dictionary !== null) {
      const index = this.entry(this.table(dictionary), 6);
      if (index !== null) this.table(index);
    }
    this.checkFields(this.entry(field, 14), depth + 1);
    this.checkPairs(this.entry(field, 16));
  }

  checkBatch(batch: number, bodyBytes: number): number {
    this.vector(this.entry(batch, 6), 16);
    this.vector(this.entry(batch, 12), 8);
    const { start, count } = this.vector(this.entry(batch, 8), 16);
    for (let i = 0; i < count; i++) {
      if (this.size(start + 16 * i) + this.size(start + 16 * i + 8) > bodyBytes) throw truncationFault();
    }
    if (this.entry(batch, 10) !== null) {
      throw new ArrowFault(
        'the record batches are compressed; send them plain, and compress the body (Content-Encoding)',
      );
    }
    const length = this.entry(batch, 4);
    return length === null ? 0 : this.size(length);
  }

  checkDictionary(dictionary: number, bodyBytes: number): void {
    const data = this.entry(dictionary, 6);
    if (data !== null) this.checkBatch(this.table(data), bodyBytes);
  }
}

interface VerifiedStream {
  /** Rows, as the record batches say. */
  readonly rows: number;
  /** The bytes of the schema alone, themselves a stream. */
  readonly schemaBytes: number;
}

/** @throws ArrowFault */
export function verifyStream(bytes: Uint8Array): VerifiedStream {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  let rows = 0;
  let schemaBytes = 0;
  if (bytes.length >= 6 && new TextDecoder('latin1').decode(bytes.subarray(0, 6)) === 'ARROW1') {
    throw new ArrowFault('this is the Arrow file format; send the stream format');
  }
  for (;;) {
    if (at + 4 > bytes.length) {
      // A stream may end without saying so, at the end of a message.
      if (at === bytes.length && schemaBytes > 0) return { rows, schemaBytes };
      throw truncationFault();
    }
    let length = view.getInt32(at, true);
    at += 4;
    if (length === -1) {
      if (at + 4 > bytes.length) throw truncationFault();
      length = view.getInt32(at, true);
      at += 4;
    }
    if (length === 0) {
      if (schemaBytes === 0) throw new ArrowFault('the Arrow stream has no schema');
      return { rows, schemaBytes };
    }
    if (length < 0 || at + length > bytes.length) {
      throw schemaBytes === 0 ? new ArrowFault('the body is not an Arrow stream, or is truncated') : truncationFault();
    }
    const buffer = new FlatBuffer(bytes.subarray(at, at + length));
    at += length;
    const message = buffer.table(0);
    const kindAt = buffer.entry(message, 6);
    const header = buffer.entry(message, 8);
    const bodyAt = buffer.entry(message, 10);
    const bodyBytes = bodyAt === null ? 0 : buffer.size(bodyAt);
    if (at + bodyBytes > bytes.length) throw truncationFault();
    at += bodyBytes;
    const versionAt = buffer.entry(message, 4);
    if (versionAt === null || buffer.uint8(versionAt) < minVersion) {
      throw new ArrowFault('the Arrow stream is of an older format than version 4');
    }
    const kind = kindAt === null ? 0 : buffer.uint8(kindAt);
    if (header === null || (kind === kinds.schema) !== (schemaBytes === 0)) {
      throw new ArrowFault('an Arrow stream begins with its one schema');
    }
    if (kind === kinds.schema) {
      checkSchema(buffer, buffer.table(header));
      schemaBytes = at;
    } else if (kind === kinds.recordBatch) rows += buffer.checkBatch(buffer.table(header), bodyBytes);
    else if (kind === kinds.dictionaryBatch) buffer.checkDictionary(buffer.table(header), bodyBytes);
    else throw new ArrowFault(`an Arrow message of kind ${kind} is not taken; send a schema and record batches`);
  }
}

function checkSchema(buffer: FlatBuffer, schema: number): void {
  const order = buffer.entry(schema, 4);
  if (order !== null && buffer.uint8(order) !== 0)
    throw new ArrowFault('the Arrow stream is big-endian; send little-endian');
  buffer.checkFields(buffer.entry(schema, 6), 1);
  buffer.checkPairs(buffer.entry(schema, 8));
}
