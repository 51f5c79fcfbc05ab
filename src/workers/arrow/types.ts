/** Which Arrow types a column may have, and the refusal of others. */
import { type DataType, Type } from '@uwdata/flechette';
import type { CellKind } from '../column-lists.ts';

const numbers: readonly number[] = [Type.Null, Type.Int, Type.Float];
const texts: readonly number[] = [Type.Null, Type.Utf8, Type.LargeUtf8];
const parts: readonly number[] = [...numbers, ...texts, Type.Bool];
const lists: readonly number[] = [Type.List, Type.LargeList];

const expected: Readonly<Record<CellKind, string>> = {
  number: 'numbers (a float or integer type)',
  text: 'texts (utf8)',
  flag: 'booleans or numbers',
  nested: 'lists, structs, numbers or texts',
};

/** How to come by a type that is taken; for the types that programs write of themselves. */
const remedies: Readonly<Record<number, string>> = {
  [Type.Dictionary]:
    '; send the values themselves (pyarrow: column.dictionary_decode(); DuckDB: CAST(column AS VARCHAR))',
  [Type.Decimal]: '; cast it to a 64-bit float',
  [Type.Timestamp]: '; send epoch seconds as numbers',
  [Type.Date]: '; send epoch seconds as numbers',
  [Type.Utf8View]: '; cast it to utf8',
};

const names = new Map<number, string>(Object.entries(Type).map(([name, id]) => [id, name]));

/** What is wrong with the type of a column, or null. */
export function typeFault(type: DataType, kind: CellKind): string | null {
  const isLoose = kind === 'nested' || kind === 'flag';
  const isAccepted = isLoose ? isNested(type) : (kind === 'number' ? numbers : texts).includes(type.typeId);
  if (isAccepted) return null;
  const remedy = remedies[type.typeId] ?? '';
  return `must be ${expected[kind]}; is of Arrow's type ${names.get(type.typeId) ?? type.typeId}${remedy}`;
}

function isNested(type: DataType): boolean {
  if (parts.includes(type.typeId)) return true;
  if (type.typeId === Type.Struct || lists.includes(type.typeId)) {
    return 'children' in type && type.children.every((field) => isNested(field.type));
  }
  return false;
}
