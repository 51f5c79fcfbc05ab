/**
 * Invalid values in a page table: a code for the kinds of faults of a page, and a query for the ids of faulty pages.
 */
import type { Dialect } from './dialects.ts';
import type { PageTable } from './page-table.ts';

/** A kind of fault: its name, and the SQL condition on a column. */
interface FaultKind {
  readonly column: 'changeRate' | 'weight';
  readonly label: string;
  readonly condition: (value: string) => string;
}

const missing = { label: 'NULL', condition: (value: string) => `${value} IS NULL` };
const negative = { label: 'negative', condition: (value: string) => `${value} < 0` };
/** Infinity, NaN (which engines order above every number), and values above 1e100. */
const notFinite = { label: 'not finite', condition: (value: string) => `${value} > 1e100` };
const zero = { label: 'zero', condition: (value: string) => `${value} = 0` };

/** Weights may be 0; such pages are never crawled. */
const kindsByColumn = {
  changeRate: [missing, zero, negative, notFinite],
  weight: [missing, negative, notFinite],
} as const;

/** Base of the code of two columns: above the number of kinds of faults of a column. */
const base = 8;

/**
 * SQL for the faults of a page as one number: the code of its rate plus {@link base} times the code of its weight; 0
 * for a valid page.
 */
export function faultCode(rate: string, weight: string): string {
  const codeOf = (value: string, kinds: readonly Pick<FaultKind, 'condition'>[]): string =>
    `CASE ${kinds.map(({ condition }, at) => `WHEN ${condition(value)} THEN ${at + 1}`).join(' ')} ELSE 0 END`;
  const isValid = `${rate} > 0 AND ${rate} <= 1e100 AND ${weight} >= 0 AND ${weight} <= 1e100`;
  const code = `${codeOf(rate, kindsByColumn.changeRate)}\n    + ${base} * (${codeOf(weight, kindsByColumn.weight)})`;
  return `CASE WHEN ${isValid} THEN 0 ELSE ${code} END`;
}

/** Decodes a {@link faultCode}. */
export function faultKindsOf(code: number): readonly FaultKind[] {
  const kinds: FaultKind[] = [];
  for (const [column, at] of [
    ['changeRate', (code % base) - 1],
    ['weight', Math.floor(code / base) - 1],
  ] as const) {
    if (at >= 0) kinds.push({ column, ...kindsByColumn[column][at] });
  }
  return kinds;
}

/** A query for three pages with a fault. */
export function faultyIdsStatement(
  { quoteName, double }: Dialect,
  pages: PageTable,
  { column, condition }: FaultKind,
): string {
  const value = `CAST(${quoteName(pages[column] ?? '')} AS ${double})`;
  return `SELECT ${quoteName(pages.id)} AS ${quoteName('id')} FROM ${pages.from} WHERE ${condition(value)} LIMIT 3`;
}
