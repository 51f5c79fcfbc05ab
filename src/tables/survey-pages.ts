/**
 * The first scan of a page table: its histogram, and the pages with invalid values.
 */
import { usualColumns } from '../logs/formats/columns.ts';
import {
  faultKindsOf,
  faultyIds,
  type PageTable,
  type StatementObjective,
  surveyStatement,
} from '../statements/index.ts';
import { type ColumnType, type Engine, numberOf, type Row, TablesError } from './engine.ts';
import type { HostLimit } from './host-limits.ts';
import { missingColumn } from './missing-column.ts';

export interface SurveyQuestion {
  readonly pages: PageTable;
  readonly objective: StatementObjective;
  readonly bucketWidth: number;
  /** Hosts with a crawl limit; if there are any, the table must have a host column. */
  readonly hosts: readonly HostLimit[];
}

/** A row of the histogram, as crawl-price takes it. */
export interface BucketRow {
  readonly pages: number;
  readonly changeRate: number;
  readonly weight: number;
  readonly changeRateLogRatio: number;
  /** Σ weight·λ; only under the objective delay. */
  readonly weightTimesRate: number | undefined;
  readonly ratioMin: number;
  readonly ratioMax: number;
  /** Null for pages of hosts without a limit. */
  readonly host: string | null;
}

export interface Survey {
  readonly pages: number;
  /** Pages with weight 0 are in no bucket. */
  readonly buckets: readonly BucketRow[];
}

const noPages = 'the table has no pages';

/** The table's columns. @throws TablesError if a wanted column is missing or not numeric */
export async function requireColumns(
  engine: Engine,
  required: readonly { readonly option: string; readonly name: string | undefined; readonly isNumber: boolean }[],
): Promise<readonly ColumnType[]> {
  const columns = await engine.columns();
  for (const { option, name, isNumber } of required) {
    if (name === undefined) continue;
    const column = columns.find((each) => each.name === name);
    if (column === undefined) {
      const names = columns.map((each) => each.name);
      throw new TablesError(missingColumn(name, option, names, option === 'id' ? usualColumns('page', names) : []));
    }
    if (!isNumber || column.isNumber) continue;
    // the columns of a CSV file with only a header line have type text
    const firstRows = await engine.rows(`SELECT 1 AS one FROM ${engine.from} LIMIT 1`);
    throw new TablesError(firstRows.length === 0 ? noPages : `the column ${JSON.stringify(name)} is no number`);
  }
  return columns;
}

/** @throws TablesError if the table is empty or has invalid values */
export async function surveyPages(engine: Engine, question: SurveyQuestion): Promise<Survey> {
  const { pages, objective, bucketWidth } = question;
  const hosts = question.hosts.map(({ host }) => host);
  const rows = await engine.rows(surveyStatement(engine.dialect, { pages, objective, width: bucketWidth, hosts }));
  const count = rows.reduce((sum, row) => sum + numberOf(row.pages), 0);
  if (count === 0) throw new TablesError(noPages);
  await refuseFaults(engine, pages, rows, count);
  const buckets = rows.filter(({ ratioMin }) => ratioMin !== null).map(bucketOf);
  if (buckets.length === 0) throw new TablesError('no page has a positive weight');
  return { pages: count, buckets };
}

function bucketOf(row: Row): BucketRow {
  return {
    pages: numberOf(row.pages),
    changeRate: numberOf(row.changeRate),
    weight: numberOf(row.weight),
    changeRateLogRatio: numberOf(row.changeRateLogRatio),
    weightTimesRate: row.weightTimesRate === undefined ? undefined : numberOf(row.weightTimesRate),
    ratioMin: numberOf(row.ratioMin),
    ratioMax: numberOf(row.ratioMax),
    host: typeof row.host === 'string' ? row.host : null,
  };
}

async function refuseFaults(engine: Engine, pages: PageTable, rows: readonly Row[], count: number): Promise<void> {
  const faultCounts = new Map<string, { readonly kind: ReturnType<typeof faultKindsOf>[number]; pageCount: number }>();
  for (const row of rows.toSorted((a, b) => numberOf(a.fault) - numberOf(b.fault))) {
    for (const kind of faultKindsOf(numberOf(row.fault))) {
      const name = `${kind.column} ${kind.what}`;
      const fault = faultCounts.get(name) ?? { kind, pageCount: 0 };
      fault.pageCount += numberOf(row.pages);
      faultCounts.set(name, fault);
    }
  }
  const faults: string[] = [];
  for (const { kind, pageCount: many } of faultCounts.values()) {
    const idRows = await engine.rows(faultyIds(engine.dialect, pages, kind));
    const ids = idRows.map(({ id }) => JSON.stringify(String(id))).join(', ');
    faults.push(`${many} of ${count} pages have a ${kind.what} ${JSON.stringify(pages[kind.column])}, as ${ids}`);
  }
  if (faults.length > 0) {
    throw new TablesError(`no price can be computed, and nothing is written:\n  ${faults.join('\n  ')}`);
  }
}
