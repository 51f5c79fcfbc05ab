/**
 * What a page table is asked through: an engine that runs statements and writes a plan so that no half of one is ever
 * seen.
 */
import type { Dialect } from '../statements/index.ts';

export type Row = Readonly<Record<string, unknown>>;

export interface ColumnType {
  readonly name: string;
  readonly isNumber: boolean;
}

export interface Engine {
  readonly dialect: Dialect;
  /** What follows FROM: the page table. */
  readonly from: string;
  /** What follows FROM for another table, by its name, or file. */
  table(name: string): string;
  columns(): Promise<readonly ColumnType[]>;
  rows(statement: string): Promise<readonly Row[]>;
  /** Writes what a query gives; until it is whole, what was there before stays. */
  write(query: string, target: string): Promise<void>;
  /** Share of the running statement that is done, where the engine knows. */
  progress(): number | null;
  /** Ends the running statement. */
  interrupt(): void;
  close(): Promise<void>;
}

/** What was asked cannot be done; said to the user as it is. */
export class TablesError extends Error {
  override readonly name = 'TablesError';
}

/** A package that is needed for this engine only. */
export async function packageOf<Module>(load: () => Promise<Module>, name: string, what: string): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!missing) throw error;
    throw new TablesError(`${what} needs the package ${name}, which is not installed: npm install ${name}`);
  }
}

/** A count or a sum as an engine gives it: a number, a bigint, or decimal digits. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Number(String(value ?? Number.NaN));
}
