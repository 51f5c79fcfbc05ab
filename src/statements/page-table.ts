/** The page table: its location and column names. */
import type { Dialect } from './dialects.ts';

export interface PageTable {
  /** The table as written after FROM: a quoted name, or a function that reads files. */
  readonly from: string;
  readonly id: string;
  readonly changeRate: string;
  /** If left out, every page has weight 1. */
  readonly weight?: string | undefined;
  readonly host?: string | undefined;
}

/** A page's rate and weight as doubles. */
export function rateAndWeight({ quoteName, double }: Dialect, pages: PageTable): { rate: string; weight: string } {
  const asDouble = (name: string): string => `CAST(${quoteName(name)} AS ${double})`;
  return {
    rate: asDouble(pages.changeRate),
    weight: pages.weight === undefined ? `CAST(1 AS ${double})` : asDouble(pages.weight),
  };
}

/** w/λ; NULL for a page that never changes and so is never crawled. */
export function ratioOf(rate: string, weight: string): string {
  return `${weight} / NULLIF(${rate}, 0)`;
}

/** Each page's columns as doubles under short names: `lam`, and `ratio` as in {@link ratioOf}. */
export function pageColumns(dialect: Dialect, pages: PageTable): string {
  const { rate, weight } = rateAndWeight(dialect, pages);
  return `${rate} AS lam, ${ratioOf(rate, weight)} AS ratio`;
}
