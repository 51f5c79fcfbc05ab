/**
 * The first scan of a page table, for its histogram and for pages with invalid values; and the table of host limits.
 */
import { usualColumns } from '../logs/formats/columns.ts';
import { crawlPriceLimits } from '../schemas/crawl-price.ts';
import {
  faultKindsOf,
  faultyIdsStatement,
  type PageTable,
  type StatementObjective,
  surveyStatement,
} from '../statements/index.ts';
import { type ColumnType, type Engine, missingColumn, parseNumber, type Row, TablesError } from './engine.ts';

interface HostLimit {
  readonly host: string;
  /** Maximum crawls of all its pages together, per time unit. */
  readonly maxRate: number;
}

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
  /** The histogram; pages with weight 0 are in no bucket. */
  readonly buckets: readonly BucketRow[];
}

const noPages = 'the table has no pages';

/** The columns of the table. @throws TablesError if a required column is missing or not numeric */
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

/** The histogram of a page table, by one scan. @throws TablesError if the table is empty or has invalid values */
export async function surveyPages(engine: Engine, question: SurveyQuestion): Promise<Survey> {
  const { pages, objective, bucketWidth } = question;
  const hosts = question.hosts.map(({ host }) => host);
  const rows = await engine.rows(surveyStatement(engine.dialect, { pages, objective, width: bucketWidth, hosts }));
  const count = rows.reduce((sum, row) => sum + parseNumber(row.pages), 0);
  if (count === 0) throw new TablesError(noPages);
  await refuseFaults(engine, pages, rows, count);
  const buckets = rows.filter(({ ratioMin }) => ratioMin !== null).map(bucketOf);
  if (buckets.length === 0) throw new TablesError('no page has a positive weight');
  return { pages: count, buckets };
}

function bucketOf(row: Row): BucketRow {
  return {
    pages: parseNumber(row.pages),
    changeRate: parseNumber(row.changeRate),
    weight: parseNumber(row.weight),
    changeRateLogRatio: parseNumber(row.changeRateLogRatio),
    weightTimesRate: row.weightTimesRate === undefined ? undefined : parseNumber(row.weightTimesRate),
    ratioMin: parseNumber(row.ratioMin),
    ratioMax: parseNumber(row.ratioMax),
    host: typeof row.host === 'string' ? row.host : null,
  };
}

async function refuseFaults(engine: Engine, pages: PageTable, rows: readonly Row[], count: number): Promise<void> {
  const faultCounts = new Map<string, { readonly kind: ReturnType<typeof faultKindsOf>[number]; pageCount: number }>();
  for (const row of rows.toSorted((a, b) => parseNumber(a.fault) - parseNumber(b.fault))) {
    for (const kind of faultKindsOf(parseNumber(row.fault))) {
      const name = `${kind.column} ${kind.label}`;
      const fault = faultCounts.get(name) ?? { kind, pageCount: 0 };
      fault.pageCount += parseNumber(row.pages);
      faultCounts.set(name, fault);
    }
  }
  const faults: string[] = [];
  for (const { kind, pageCount } of faultCounts.values()) {
    const idRows = await engine.rows(faultyIdsStatement(engine.dialect, pages, kind));
    const ids = idRows.map(({ id }) => JSON.stringify(String(id))).join(', ');
    faults.push(`${pageCount} of ${count} pages have a ${kind.label} ${JSON.stringify(pages[kind.column])}, as ${ids}`);
  }
  if (faults.length > 0) {
    throw new TablesError(`no price can be computed, and nothing is written:\n  ${faults.join('\n  ')}`);
  }
}

/**
 * The table of host limits, with the columns `host` and `maxRate`.
 *
 * @param unitsPerRate factor from the table's `maxRate` to the time unit of the pages' rates
 * @throws TablesError if a column or a host is missing, a host is repeated, or a limit is not positive
 */
export async function readHostLimits(engine: Engine, table: string, unitsPerRate: number): Promise<HostLimit[]> {
  const { quoteName } = engine.dialect;
  const names = `${quoteName('host')}, ${quoteName('maxRate')}`;
  const maxHosts = crawlPriceLimits.hosts;
  const rows = await engine.rows(`SELECT ${names} FROM ${engine.table(table)} LIMIT ${maxHosts + 1}`);
  if (rows.length === 0) throw new TablesError('the table of hosts is empty');
  if (rows.length > maxHosts) throw new TablesError(`--hosts may have at most ${maxHosts} hosts`);
  const hostNames = new Set<string>();
  return rows.map(({ host, maxRate }) => {
    if (typeof host !== 'string') throw new TablesError('--hosts has a row without a host');
    if (hostNames.has(host)) throw new TablesError(`--hosts names ${JSON.stringify(host)} twice`);
    hostNames.add(host);
    const rate = parseNumber(maxRate);
    if (maxRate !== null && rate > 0 && rate <= 1e100) return { host, maxRate: rate * unitsPerRate };
    throw new TablesError(`maxRate of ${JSON.stringify(host)} must be a positive number; got ${String(maxRate)}`);
  });
}
