/**
 * Total spending and cost of all pages at a price, summed in one scan over the plan's rates.
 */
import type { Dialect } from './dialects.ts';
import { boundedGap, stalenessSql } from './gaps.ts';
import { hasHosts, type PlanStatement, solvedPages } from './priced-pages.ts';

/**
 * A query for the crawl rate (`spent`) and the cost (`cost`) of the plan at a price with bounded intervals, and for the
 * number of pages that are never crawled (`withoutCrawl`); exact sums over the pages. The rate of each page is optimal
 * at the price, so that no plan of rate R within the bounds costs less than cost + price·(spent − R).
 */
export function boundedStatement(dialect: Dialect, statement: PlanStatement): string {
  const { quoteName, asKeyword } = dialect;
  const gapQuery = `SELECT lam, ratio, ${boundedGap(dialect, statement.intervalBounds)} AS gap FROM solved`;
  const cost = {
    freshness: stalenessSql,
    delay: 'gap / 2',
    harmonic: dialect.log1p('gap'),
  }[statement.objective];
  return [
    `WITH ${solvedPages(dialect, statement).join(',\n')},`,
    `spaced ${asKeyword} (${gapQuery})`,
    `SELECT SUM(CASE WHEN gap IS NULL THEN 0 ELSE lam / gap END) AS ${quoteName('spent')},`,
    `  SUM(CASE WHEN ratio = 0 THEN 0 WHEN gap IS NULL THEN lam * ratio ELSE lam * ratio * (${cost}) END) AS ${quoteName('cost')},`,
    `  SUM(CASE WHEN gap IS NULL THEN 1 ELSE 0 END) AS ${quoteName('withoutCrawl')}`,
    'FROM spaced',
  ].join('\n');
}

/**
 * A query for the certificate of a price: the crawl rate at the price (`spent`), the number of pages that are never
 * crawled (`withoutCrawl`), and the sum over the pages of the least cost plus price·rate (`least`); exact sums over the
 * pages. No plan of rate R costs less than least − price·R. Each host with its own price has a row, named in `host`;
 * all other pages share a row in which `host` is NULL.
 */
export function certificateStatement(dialect: Dialect, statement: PlanStatement): string {
  const { quoteName } = dialect;
  const byHost = hasHosts(statement);
  const marginal = {
    freshness: '1 - EXP(-y)',
    delay: 'y',
    harmonic: `${dialect.log1p('y')} + y / (1 + y)`,
  }[statement.objective];
  return [
    `WITH ${solvedPages(dialect, statement).join(',\n')}`,
    `SELECT ${byHost ? `host_name AS ${quoteName('host')}, ` : ''}SUM(CASE WHEN y IS NULL THEN 0 ELSE lam / y END) AS ${quoteName('spent')},`,
    `  SUM(CASE WHEN y IS NULL THEN lam * ratio ELSE lam * ratio * (${marginal}) END) AS ${quoteName('least')},`,
    `  SUM(CASE WHEN y IS NULL THEN 1 ELSE 0 END) AS ${quoteName('withoutCrawl')}`,
    `FROM solved${byHost ? ' GROUP BY host_name' : ''}`,
  ].join('\n');
}
