/** Values no price can be computed from: how many there are of each kind, and whose they are. One scan. */
import type { Dialect } from './dialects.ts';
import type { PageTable } from './page-table.ts';

/** A kind of fault: what it is, and the condition on a column that has it. */
interface FaultKind {
  readonly column: 'changeRate' | 'weight';
  readonly what: string;
  readonly condition: (value: string) => string;
}

/** Weights may be 0: such pages are never crawled. NaN is above every number in the engines that order it. */
export const faultKinds: readonly FaultKind[] = [
  { column: 'changeRate', what: 'NULL', condition: (value) => `${value} IS NULL` },
  { column: 'changeRate', what: 'zero', condition: (value) => `${value} = 0` },
  { column: 'changeRate', what: 'negative', condition: (value) => `${value} < 0` },
  { column: 'changeRate', what: 'not finite', condition: (value) => `${value} > 1e100` },
  { column: 'weight', what: 'NULL', condition: (value) => `${value} IS NULL` },
  { column: 'weight', what: 'negative', condition: (value) => `${value} < 0` },
  { column: 'weight', what: 'not finite', condition: (value) => `${value} > 1e100` },
];

function conditionOf(dialect: Dialect, pages: PageTable, { column, condition }: FaultKind): string | null {
  const name = pages[column];
  return name === undefined ? null : condition(`CAST(${dialect.quoted(name)} AS ${dialect.double})`);
}

/** A query of one row: `pages`, and `fault0`, `fault1`, … by the positions of {@link faultKinds}. */
export function faultsStatement(dialect: Dialect, pages: PageTable): string {
  const counts = faultKinds.map((kind, at) => {
    const condition = conditionOf(dialect, pages, kind);
    const sum = condition === null ? '0' : `SUM(CASE WHEN ${condition} THEN 1 ELSE 0 END)`;
    return `${sum} AS ${dialect.quoted(`fault${at}`)}`;
  });
  return `SELECT COUNT(*) AS ${dialect.quoted('pages')},\n  ${counts.join(',\n  ')}\nFROM ${pages.from}`;
}

/** A query for three pages with a fault. */
export function faultyIds(dialect: Dialect, pages: PageTable, kind: FaultKind): string {
  return `SELECT ${dialect.quoted(pages.id)} AS ${dialect.quoted('id')} FROM ${pages.from} WHERE ${conditionOf(dialect, pages, kind)} LIMIT 3`;
}
