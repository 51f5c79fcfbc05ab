/** Arrow streams made and read by Apache's own library, which the service does not use. */
import {
  Field,
  Float64,
  List,
  Table,
  tableFromIPC,
  tableToIPC,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';

export const numbers = (cells: readonly (number | null)[]): Vector => vectorFromArray([...cells], new Float64());
export const texts = (cells: readonly (string | null)[]): Vector => vectorFromArray([...cells], new Utf8());
export const lists = (cells: readonly (readonly number[] | null)[]): Vector =>
  vectorFromArray([...cells], new List(new Field('item', new Float64(), true)));

/** A stream of these columns, with the rest of the request in its metadata. */
export function arrowStream(columns: Readonly<Record<string, Vector>>, request: object): Buffer {
  const table = new Table(columns);
  table.schema.metadata.set('request', JSON.stringify(request));
  return Buffer.from(tableToIPC(table, 'stream'));
}

/** Vectors of a request's columns; a value for all rows, and cells that no Arrow type holds, are left as JSON. */
export function vectorsOf(columns: Readonly<Record<string, unknown>>) {
  const vectors: Record<string, Vector> = {};
  const constants: Record<string, unknown> = {};
  for (const [name, cells] of Object.entries(columns)) {
    if (!Array.isArray(cells)) constants[name] = cells;
    else if (cells.every((cell) => cell === null || typeof cell === 'number')) vectors[name] = numbers(cells);
    else if (cells.every((cell) => cell === null || typeof cell === 'string')) vectors[name] = texts(cells);
    else if (
      cells.every((cell) => cell === null || (Array.isArray(cell) && cell.every((x) => typeof x === 'number')))
    ) {
      vectors[name] = lists(cells);
    } else constants[name] = cells;
  }
  return { vectors, constants };
}

/** Reads the columns of an answer, with nulls, and the JSON in its metadata. */
export function readStream(bytes: Uint8Array) {
  const table = tableFromIPC(bytes);
  const cells = (name: string): unknown[] => {
    const column = table.getChild(name);
    return Array.from({ length: table.numRows }, (_, i) => {
      const cell: unknown = column?.get(i);
      return typeof cell === 'object' && cell !== null && 'toArray' in cell ? [...Object(cell)] : cell;
    });
  };
  return {
    names: table.schema.fields.map(({ name }) => name),
    cells,
    answer: JSON.parse(table.schema.metadata.get('answer') ?? 'null'),
  };
}
