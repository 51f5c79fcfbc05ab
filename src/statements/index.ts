export { type Dialect, type DialectName, dialectNames, dialects, double, tableName } from './dialects.ts';
export { histogramStatement } from './histogram.ts';
export type { PageTable } from './page-table.ts';
export { planStatement, type StatementObjective, statementObjectives } from './plan.ts';
