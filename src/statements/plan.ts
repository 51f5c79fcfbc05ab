/** The plan of every page at a price. One scan. */
import { type Dialect, doubleLiteral } from './dialects.ts';
import { boundedGap, stalenessSql } from './gaps.ts';
import { type PlanStatement, solvedPages } from './priced-pages.ts';

/**
 * A query for id, rate, interval and staleness of every page; interval is NULL for a page that is never crawled.
 */
export function planStatement(dialect: Dialect, statement: PlanStatement): string {
  const { pages, nextFetch } = statement;
  const { quoteName, asKeyword } = dialect;
  const lastCrawlColumn = nextFetch === undefined ? '' : ', last_crawl';
  const rate = 'CASE WHEN gap IS NULL THEN 0 ELSE lam / gap END';
  const next =
    nextFetch === undefined
      ? ''
      : `,\n  last_crawl + gap / lam * ${doubleLiteral(dialect, nextFetch.secondsPerUnit)} AS ${quoteName('nextFetch')}`;
  return [
    `WITH ${solvedPages(dialect, statement).join(',\n')},`,
    `spaced ${asKeyword} (SELECT page_id, lam, ${boundedGap(dialect, statement.intervalBounds)} AS gap${lastCrawlColumn} FROM solved)`,
    `SELECT page_id AS ${quoteName(pages.id)}, ${rate} AS ${quoteName('rate')}, gap / lam AS ${quoteName('interval')},`,
    `  ${stalenessSql} AS ${quoteName('staleness')}${next}`,
    'FROM spaced',
  ].join('\n');
}
