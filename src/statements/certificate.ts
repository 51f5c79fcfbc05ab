/**
 * Total spending and cost of all pages at a price, summed in one scan over the plan's rates.
 */
import type { Dialect } from './dialects.ts';
import { boundedGap, staleness } from './gaps.ts';
import { hasHosts, type PlanStatement, solvedPages } from './priced-pages.ts';

/**
 * A query for what the plan spends and costs at a price with intervals within bounds, exact on the pages. It gives
 * `spent`, `cost`, and how many pages are never crawled (`withoutCrawl`). Each page's rate is the best one at the
 * price. So no plan of rate R within the bounds costs less than cost + price·(spent − R).
 */
export function boundedStatement(dialect: Dialect, statement: PlanStatement): string {
  const { quoted, once } = dialect;
  const spaced = `SELECT lam, ratio, ${boundedGap(dialect, statement.within)} AS gap FROM solved`;
  const cost = {
    freshness: staleness,
    delay: 'gap / 2',
    harmonic: dialect.log1p('gap'),
  }[statement.objective];
  return [
    `WITH ${solvedPages(dialect, statement).join(',\n')},`,
    `spaced ${once} (${spaced})`,
    `SELECT SUM(CASE WHEN gap IS NULL THEN 0 ELSE lam / gap END) AS ${quoted('spent')},`,
    `  SUM(CASE WHEN ratio = 0 THEN 0 WHEN gap IS NULL THEN lam * ratio ELSE lam * ratio * (${cost}) END) AS ${quoted('cost')},`,
    `  SUM(CASE WHEN gap IS NULL THEN 1 ELSE 0 END) AS ${quoted('withoutCrawl')}`,
    'FROM spaced',
  ].join('\n');
}

/**
 * A query for the certificate of a price, exact on the pages. It gives what they spend there (`spent`), and how many
 * pages are never crawled (`withoutCrawl`). It also gives the sum of the least of cost and price (`least`): no plan of
 * rate R costs less than least − price·R. Hosts with prices of their own have a row each, under `host`; the other pages
 * have one with NULL there.
 */
export function certificateStatement(dialect: Dialect, statement: PlanStatement): string {
  const { quoted } = dialect;
  const byHost = hasHosts(statement);
  const marginal = {
    freshness: '1 - EXP(-y)',
    delay: 'y',
    harmonic: `${dialect.log1p('y')} + y / (1 + y)`,
  }[statement.objective];
  return [
    `WITH ${solvedPages(dialect, statement).join(',\n')}`,
    `SELECT ${byHost ? `host_name AS ${quoted('host')}, ` : ''}SUM(CASE WHEN y IS NULL THEN 0 ELSE lam / y END) AS ${quoted('spent')},`,
    `  SUM(CASE WHEN y IS NULL THEN lam * ratio ELSE lam * ratio * (${marginal}) END) AS ${quoted('least')},`,
    `  SUM(CASE WHEN y IS NULL THEN 1 ELSE 0 END) AS ${quoted('withoutCrawl')}`,
    `FROM solved${byHost ? ' GROUP BY host_name' : ''}`,
  ].join('\n');
}
