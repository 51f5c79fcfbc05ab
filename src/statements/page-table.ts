/** The table that the statements read: where it is and what its columns are called. */
import type { Dialect } from './dialects.ts';

export interface PageTable {
  /** What follows FROM: a quoted name, or a function of the dialect that reads files. */
  readonly from: string;
  readonly id: string;
  readonly changeRate: string;
  /** Left out: every page weighs 1. */
  readonly weight?: string | undefined;
  readonly host?: string | undefined;
}

/** Each page's columns as doubles under short names; `ratio` is w/λ, for `age` w/λ². */
export function pageColumns(dialect: Dialect, pages: PageTable, objective: string): string {
  const asDouble = (name: string): string => `CAST(${dialect.quoted(name)} AS ${dialect.double})`;
  const rate = asDouble(pages.changeRate);
  const weight = pages.weight === undefined ? `CAST(1 AS ${dialect.double})` : asDouble(pages.weight);
  // a page that never changes has no ratio, and is never crawled
  const ratio = `${weight} / NULLIF(${rate}, 0)${objective === 'age' ? ` / NULLIF(${rate}, 0)` : ''}`;
  return `${rate} AS lam, ${ratio} AS ratio`;
}
