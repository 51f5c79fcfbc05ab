/** Values no price can be computed from: of which kinds a page's are, in one number, and whose they are. */
import type { Dialect } from './dialects.ts';
import type { PageTable } from './page-table.ts';

/** A kind of fault: what it is, and the condition on a column that has it. */
interface FaultKind {
  readonly column: 'changeRate' | 'weight';
  readonly what: string;
  readonly condition: (value: string) => string;
}

const missing = { what: 'NULL', condition: (value: string) => `${value} IS NULL` };
const negative = { what: 'negative', condition: (value: string) => `${value} < 0` };
/** NaN is above every number in the engines that order it. */
const endless = { what: 'not finite', condition: (value: string) => `${value} > 1e100` };
const zero = { what: 'zero', condition: (value: string) => `${value} = 0` };

/** Weights may be 0: such pages are never crawled. */
const ofColumn = { changeRate: [missing, zero, negative, endless], weight: [missing, negative, endless] } as const;

/** Above the number of kinds of a column. */
const base = 8;

/**
 * The faults of a page as a number, 0 where there is none. It is that of its rate's kind, plus {@link base} times that
 * of its weight's.
 */
export function faultCode(rate: string, weight: string): string {
  const codeOf = (value: string, kinds: readonly Pick<FaultKind, 'condition'>[]): string =>
    `CASE ${kinds.map(({ condition }, at) => `WHEN ${condition(value)} THEN ${at + 1}`).join(' ')} ELSE 0 END`;
  const clean = `${rate} > 0 AND ${rate} <= 1e100 AND ${weight} >= 0 AND ${weight} <= 1e100`;
  const faulty = `${codeOf(rate, ofColumn.changeRate)}\n    + ${base} * (${codeOf(weight, ofColumn.weight)})`;
  return `CASE WHEN ${clean} THEN 0 ELSE ${faulty} END`;
}

/** The kinds in a {@link faultCode}. */
export function faultKindsOf(code: number): readonly FaultKind[] {
  const kinds: FaultKind[] = [];
  for (const [column, at] of [
    ['changeRate', (code % base) - 1],
    ['weight', Math.floor(code / base) - 1],
  ] as const) {
    if (at >= 0) kinds.push({ column, ...ofColumn[column][at] });
  }
  return kinds;
}

/** A query for three pages with a fault. */
export function faultyIds({ quoted, double }: Dialect, pages: PageTable, { column, condition }: FaultKind): string {
  const value = `CAST(${quoted(pages[column] ?? '')} AS ${double})`;
  return `SELECT ${quoted(pages.id)} AS ${quoted('id')} FROM ${pages.from} WHERE ${condition(value)} LIMIT 3`;
}
