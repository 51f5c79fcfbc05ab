export { type Dialect, type DialectName, dialectNames, dialects, double, tableName } from './dialects.ts';
export { faultKinds, faultsStatement, faultyIds } from './faults.ts';
export { histogramStatement } from './histogram.ts';
export type { PageTable } from './page-table.ts';
export {
  boundedStatement,
  certificateStatement,
  type IntervalBounds,
  type PlanStatement,
  planStatement,
  type StatementObjective,
  statementObjectives,
} from './plan.ts';
export { type LogTable, previewStatement, ratesStatement } from './rates.ts';
export { type TimeFormat, timeFormats } from './times.ts';
