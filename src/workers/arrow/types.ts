/** Which Arrow types a column may have, and the refusal of others. */
import { Type } from '@uwdata/flechette';
import type { CellKind } from '../column-lists.ts';
import type { ArrowField } from './stream.ts';

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
export function typeFault(field: ArrowField, kind: CellKind): string | null {
  const { typeId } = field;
  const isLoose = kind === 'nested' || kind === 'flag';
  const isAccepted = isLoose ? isNested(field) : (kind === 'number' ? numbers : texts).includes(typeId);
  if (isAccepted) return null;
  const remedy = remedies[typeId] ?? '';
  return `must be ${expected[kind]}; is of Arrow's type ${names.get(typeId) ?? typeId}${remedy}`;
}

function isNested({ typeId, children }: ArrowField): boolean {
  if (parts.includes(typeId)) return true;
  return (typeId === Type.Struct || lists.includes(typeId)) && children.every(isNested);
}
