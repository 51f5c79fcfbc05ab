/**
 * The database of a page table: runs statements, and writes a plan atomically. Also messages for missing columns.
 */
import { suggestions } from '../schemas/words/suggest.ts';
import type { Dialect } from '../statements/index.ts';

export type Row = Readonly<Record<string, unknown>>;

export interface ColumnType {
  readonly name: string;
  readonly isNumber: boolean;
}

export interface Engine {
  readonly dialect: Dialect;
  /** The page table, as it is written after FROM. */
  readonly from: string;
  /** Another table or file, as it is written after FROM. */
  table(name: string): string;
  columns(): Promise<readonly ColumnType[]>;
  rows(statement: string): Promise<readonly Row[]>;
  /** Writes the rows of a query; the old target stays until all rows are written. */
  write(query: string, target: string): Promise<void>;
  /** Progress of the running statement in [0, 1]; null if the engine does not report it. */
  progress(): number | null;
  /** Cancels the running statement. */
  interrupt(): void;
  close(): Promise<void>;
}

/** A command that cannot be run; the message is shown to the user. */
export class TablesError extends Error {
  override readonly name = 'TablesError';
}

/** Loads an optional dependency, with a message that names the package if it is not installed. */
export async function loadPackage<Module>(load: () => Promise<Module>, name: string, purpose: string): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!missing) throw error;
    throw new TablesError(`${purpose} needs the package ${name}, which is not installed: npm install ${name}`);
  }
}

/** A count or sum as engines return it (number, bigint or decimal text), as a number. */
export function parseNumber(value: unknown): number {
  return typeof value === 'number' ? value : Number(String(value ?? Number.NaN));
}

/** Lists the existing columns and suggests one. */
export const columnHint = (names: readonly string[], suggestion: string | undefined): string =>
  (names.length === 0 ? '' : `; there are ${names.join(', ')}`) +
  (suggestion === undefined ? '' : `: did you mean ${suggestion}?`);

/**
 * The message for a column that does not exist, or, if `name` is undefined, was not named by its option.
 *
 * @param usualNames columns of the table whose names are usual for the option
 */
export function missingColumn(
  name: string | undefined,
  option: string,
  names: readonly string[],
  usualNames: readonly string[],
): string {
  const subject =
    name === undefined ? `--${option} is needed: it names a column` : `there is no column ${JSON.stringify(name)}`;
  const [suggestion] = name === undefined ? usualNames : [...suggestions(name, names), ...usualNames];
  return subject + columnHint(names, suggestion);
}
