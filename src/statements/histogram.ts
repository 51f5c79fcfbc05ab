/** The GROUP BY that produces the `buckets` of crawl-price. One scan. */
import { type Dialect, doubleLiteral } from './dialects.ts';
import { faultCode } from './faults.ts';
import { type PageTable, pageColumns, rateAndWeight, ratioOf } from './page-table.ts';

interface HistogramStatement {
  readonly pages: PageTable;
  readonly objective: string;
  /** Width of a bucket in ln(ratio). */
  readonly width: number;
  /** Output name of a grouping by the table's host column; undefined: no grouping. */
  readonly groupBy: 'host' | 'class' | undefined;
}

/** The columns of a bucket, from pages with lam, ratio and its logarithm, under crawl-price's names. */
function bucketColumns({ quoteName }: Dialect, logRatio: string, objective: string): string {
  const product = objective === 'delay' ? [`  SUM(lam * lam * ratio) AS ${quoteName('weightTimesRate')},`] : [];
  return [
    `COUNT(*) AS ${quoteName('pages')},`,
    `  SUM(lam) AS ${quoteName('changeRate')}, SUM(lam * ratio) AS ${quoteName('weight')},`,
    ...product,
    `  SUM(lam * ${logRatio}) AS ${quoteName('changeRateLogRatio')},`,
    `  MIN(ratio) AS ${quoteName('ratioMin')}, MAX(ratio) AS ${quoteName('ratioMax')}`,
  ].join('\n');
}

/**
 * The histogram under crawl-price's names. Pages without a positive rate and weight are left out.
 */
export function histogramStatement(dialect: Dialect, { pages, objective, width, groupBy }: HistogramStatement): string {
  const { quoteName } = dialect;
  const host = groupBy !== undefined && pages.host !== undefined ? `${quoteName(pages.host)} AS page_host, ` : '';
  const group = host === '' ? '' : 'page_host, ';
  return [
    `SELECT ${host === '' ? '' : `page_host AS ${quoteName(groupBy ?? '')}, `}${bucketColumns(dialect, 'LN(ratio)', objective)}`,
    `FROM (SELECT ${host}${pageColumns(dialect, pages)} FROM ${pages.from}) page_ratios`,
    'WHERE lam > 0 AND ratio > 0',
    `GROUP BY ${group}FLOOR(LN(ratio) / ${doubleLiteral(dialect, width)})`,
  ].join('\n');
}

interface SurveyStatement extends Omit<HistogramStatement, 'groupBy'> {
  /** Hosts with buckets of their own; all other pages share host NULL. */
  readonly hosts: readonly string[];
}

/**
 * The histogram and the faults in one scan: the rows of {@link histogramStatement} with a `fault` code (faults.ts).
 * Faulty pages have rows of their own, whose sums are NULL; pages with weight 0 have one whose `ratioMin` is NULL.
 */
export function surveyStatement(dialect: Dialect, { pages, objective, width, hosts }: SurveyStatement): string {
  const { quoteName, quoteText } = dialect;
  const { rate, weight } = rateAndWeight(dialect, pages);
  const byHost = hosts.length > 0 && pages.host !== undefined;
  const name = byHost ? quoteName(pages.host ?? '') : '';
  const hostColumn = `CASE WHEN ${name} IN (${hosts.map(quoteText).join(', ')}) THEN ${name} END AS page_host, `;
  const host = byHost ? 'page_host, ' : '';
  const ratio = `CASE WHEN fault = 0 AND weighs > 0 THEN ${ratioOf('lam', 'weighs')} END`;
  return [
    `SELECT fault, ${byHost ? `page_host AS ${quoteName('host')}, ` : ''}${bucketColumns(dialect, 'log_ratio', objective)}`,
    `FROM (SELECT ${host}fault, lam, ratio, LN(NULLIF(ratio, 0)) AS log_ratio`,
    `FROM (SELECT ${host}fault, CASE WHEN fault = 0 THEN lam END AS lam, ${ratio} AS ratio`,
    `FROM (SELECT ${host}lam, weighs, ${faultCode('lam', 'weighs')} AS fault`,
    `FROM (SELECT ${byHost ? hostColumn : ''}${rate} AS lam, ${weight} AS weighs FROM ${pages.from}`,
    ') page_values) page_faults) page_ratios) page_logarithms',
    `GROUP BY ${host}fault, FLOOR(log_ratio / ${doubleLiteral(dialect, width)})`,
  ].join('\n');
}
