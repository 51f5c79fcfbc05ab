/** Lists of pages or tasks, as types: what they are on the wire and what the solvers' edge gets. */
import type { Field } from '../contract/field.ts';
import type { Column } from './column.ts';

/** The properties of a row, by name. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

/** What a list becomes: typed arrays by property, in input order, and what is needed to answer in the same form. */
export interface Table<C extends Columns> {
  readonly form: 'rows' | 'columns';
  readonly length: number;
  /** Ids by position; null when the list carried none. */
  readonly ids: readonly (string | undefined)[] | null;
  /** Whether no cell came of a column of numbers, whose values are then all those of absent cells. */
  lacks(name: keyof C & string): boolean;
  readonly columns: { readonly [Name in keyof C]: C[Name] extends Column<infer Values> ? Values : never };
}

type CellOf<Kind> = Kind extends Column<unknown, infer Cell> ? Cell : never;
type OptionalNames<C extends Columns> = {
  [Name in keyof C]: undefined extends CellOf<C[Name]> ? Name : never;
}[keyof C];

export type RowInput<C extends Columns> = { readonly id?: string } & {
  readonly [Name in Exclude<keyof C, OptionalNames<C>>]: CellOf<C[Name]>;
} & { readonly [Name in OptionalNames<C>]?: CellOf<C[Name]> };

/** One array, or one value for all rows; an array's optional cells may be null. */
type ColumnInput<Cell, Absent> =
  | readonly (Cell | Absent)[]
  | (number extends Cell ? Float64Array | Float32Array | Int32Array : never)
  | (Cell extends readonly unknown[] ? never : Cell);

export type ColumnsInput<C extends Columns> = { readonly id?: readonly (string | null)[] } & {
  readonly [Name in Exclude<keyof C, OptionalNames<C>>]: ColumnInput<CellOf<C[Name]>, never>;
} & { readonly [Name in OptionalNames<C>]?: ColumnInput<Exclude<CellOf<C[Name]>, undefined>, null> | null };

export interface TableOptions {
  readonly maxRows: number;
  /** Fewest rows accepted (default 1). */
  readonly minRows?: number;
  readonly description: string | Field;
  /** What generated classes call a row, where operations share it; else it is called after its place. */
  readonly rowName?: string;
}
