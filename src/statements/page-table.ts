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

/** A page's rate and weight as doubles. */
export function rateAndWeight({ quoted, double }: Dialect, pages: PageTable): { rate: string; weight: string } {
  const asDouble = (name: string): string => `CAST(${quoted(name)} AS ${double})`;
  return {
    rate: asDouble(pages.changeRate),
    weight: pages.weight === undefined ? `CAST(1 AS ${double})` : asDouble(pages.weight),
  };
}

/** w/λ; NULL for a page that never changes, which is never crawled. */
export function ratioOf(rate: string, weight: string): string {
  return `${weight} / NULLIF(${rate}, 0)`;
}

/** Each page's columns as doubles under short names: `lam`, and `ratio` as in {@link ratioOf}. */
export function pageColumns(dialect: Dialect, pages: PageTable): string {
  const { rate, weight } = rateAndWeight(dialect, pages);
  return `${rate} AS lam, ${ratioOf(rate, weight)} AS ratio`;
}
