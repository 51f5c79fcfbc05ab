export { boundedStatement, certificateStatement } from './certificate.ts';
export { type Dialect, type DialectName, dialectNames, dialects, doubleLiteral, tableName } from './dialects.ts';
export { faultKindsOf, faultyIdsStatement } from './faults.ts';
export { histogramStatement, surveyStatement } from './histogram.ts';
export type { PageTable } from './page-table.ts';
export { planStatement } from './plan.ts';
export {
  type IntervalBounds,
  isStatementObjective,
  type PlanStatement,
  type StatementObjective,
  statementObjectives,
} from './priced-pages.ts';
export { type LogTable, plausibleTimes, previewStatement, ratesStatement } from './rates.ts';
export { sessionInUtc, type TimeFormat, timeFormats } from './times.ts';
