/** The GROUP BY whose rows are what crawl-price takes as `buckets`. One scan. */
import { type Dialect, double } from './dialects.ts';
import { type PageTable, pageColumns } from './page-table.ts';

export interface HistogramStatement {
  readonly pages: PageTable;
  readonly objective: string;
  /** Width of a bucket in ln(ratio). */
  readonly width: number;
  /** Whether to keep hosts apart. */
  readonly byHost: boolean;
}

/** The columns come out under the names that crawl-price takes. Pages without a positive rate and weight are left out. */
export function histogramStatement(dialect: Dialect, { pages, objective, width, byHost }: HistogramStatement): string {
  const { quoted } = dialect;
  const host = byHost && pages.host !== undefined ? `${quoted(pages.host)} AS page_host, ` : '';
  const group = host === '' ? '' : 'page_host, ';
  return [
    `SELECT ${host === '' ? '' : `page_host AS ${quoted('host')}, `}COUNT(*) AS ${quoted('pages')},`,
    `  SUM(lam) AS ${quoted('changeRate')}, SUM(lam * ratio) AS ${quoted('weight')},`,
    `  SUM(lam * LN(ratio)) AS ${quoted('changeRateLogRatio')},`,
    `  MIN(ratio) AS ${quoted('ratioMin')}, MAX(ratio) AS ${quoted('ratioMax')}`,
    `FROM (SELECT ${host}${pageColumns(dialect, pages, objective)} FROM ${pages.from}) page_ratios`,
    'WHERE lam > 0 AND ratio > 0',
    `GROUP BY ${group}FLOOR(LN(ratio) / ${double(dialect, width)})`,
  ].join('\n');
}
