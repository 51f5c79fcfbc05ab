/**
 * SQL for the expected changes y between two crawls of every page at a price, page by page.
 *
 * For delay and harmonic y has a closed form (solvers/pages/objectives). For freshness it is the root of y − ln(1 + y)
 * = −ln(1 − ν/a): one step of A. S. Householder's method of fourth order from an approximation with relative error
 * 3e−4. Each step is a common table expression.
 */
import { type Dialect, doubleLiteral } from './dialects.ts';
import { type PageTable, pageColumns } from './page-table.ts';
import { epochSeconds, type TimeFormat } from './times.ts';

/** Objectives whose intervals a statement can compute. */
export const statementObjectives = ['freshness', 'delay', 'harmonic'] as const;

export type StatementObjective = (typeof statementObjectives)[number];

export const isStatementObjective = (name: string): name is StatementObjective =>
  statementObjectives.some((each) => each === name);

export interface PlanStatement {
  readonly pages: PageTable;
  readonly objective: StatementObjective;
  /** The price of a crawl, and the factor on all crawl rates at the price, so that they sum to the rate of the plan. */
  readonly price: number;
  readonly scale: number;
  /** Hosts with their own price. */
  readonly hosts: readonly { readonly host: string; readonly price: number; readonly scale: number }[];
  /**
   * Column and format of the last crawl, and the seconds of a time unit; adds `nextFetch` to the plan.
   */
  readonly nextFetch?:
    | { readonly lastCrawl: string; readonly format: TimeFormat; readonly secondsPerUnit: number }
    | undefined;
  /** Minimum and maximum time between two crawls of any page. */
  readonly intervalBounds?: IntervalBounds | undefined;
  /** For freshness: skip pages with smaller ratios, which are not crawled at the price. */
  readonly ratioFrom?: number | undefined;
}

export interface IntervalBounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/**
 * The common table expressions up to `solved`, which has a row a page with its y (NULL if never crawled), and
 * `host_name` if hosts have prices.
 */
export function solvedPages(dialect: Dialect, statement: PlanStatement): string[] {
  const last = statement.nextFetch === undefined ? '' : ', last_crawl';
  const columnList = `page_id, lam, ratio, scale${last}${hasHosts(statement) ? ', host_name' : ''}`;
  const { objective, ratioFrom } = statement;
  const steps =
    objective === 'freshness' ? freshnessSteps(dialect, columnList, ratioFrom) : [closedStep(objective, columnList)];
  return [pricedPages(dialect, statement, columnList), ...steps];
}

/** Whether hosts have their own prices. */
export const hasHosts = ({ hosts, pages }: PlanStatement): boolean => hosts.length > 0 && pages.host !== undefined;

function pricedPages(dialect: Dialect, statement: PlanStatement, columnList: string): string {
  const { pages, price, scale, hosts, nextFetch } = statement;
  const { quoteName, quoteText, asKeyword } = dialect;
  const last = nextFetch && `, ${epochSeconds(dialect, nextFetch.lastCrawl, nextFetch.format)} AS last_crawl`;
  const columns = `${quoteName(pages.id)} AS page_id, ${pageColumns(dialect, pages)}${last ?? ''}`;
  const defaultPrice = `${doubleLiteral(dialect, price)} AS price, ${doubleLiteral(dialect, scale)} AS scale`;
  if (!hasHosts(statement) || pages.host === undefined) {
    return `priced ${asKeyword} (SELECT ${columns}, ${defaultPrice} FROM ${pages.from})`;
  }
  const rows = hosts.map((each) => [
    quoteText(each.host),
    doubleLiteral(dialect, each.price),
    doubleLiteral(dialect, each.scale),
  ]);
  const hostOrDefault = (name: 'price' | 'scale'): string =>
    `CASE WHEN page_host = host_name THEN host_${name} ELSE ${doubleLiteral(dialect, name === 'price' ? price : scale)} END`;
  return [
    `host_prices ${asKeyword} (${dialect.rows(['host_name', 'host_price', 'host_scale'], rows)}),`,
    `page_ratios ${asKeyword} (SELECT ${columns}, ${quoteName(pages.host)} AS page_host FROM ${pages.from}),`,
    // compare names, because an unmatched row has '' and 0 in ClickHouse where other engines have NULL
    `priced ${asKeyword} (SELECT ${columnList.replace(', scale', '')}, ${hostOrDefault('price')} AS price, ${hostOrDefault('scale')} AS scale`,
    '  FROM page_ratios LEFT JOIN host_prices ON page_host = host_name)',
  ].join('\n');
}

/**
 * The steps for freshness. `loaded`: load = −ln(1 − q), q = price/ratio; 1 instead of NULL for pages that are not
 * crawled, because vectorised engines are twice as slow on vectors that are half NULL. `near`: the starting
 * approximation of y. `missed`: its Newton correction for y − ln(1 + y) = load. `solved`: the Householder step, or the
 * series for loads below 0.01; for larger loads the rounding of 1 + y and 1 − q loses no accuracy.
 */
function freshnessSteps(dialect: Dialect, columnList: string, ratioFrom: number | undefined): string[] {
  const { log1p, asKeyword } = dialect;
  const filter = (ratioFrom ?? 0) === 0 ? '' : ` WHERE ratio >= ${doubleLiteral(dialect, ratioFrom ?? 0)}`;
  const smallLoad = log1p('(-price / ratio)');
  const series = [
    'p * (1 + p * (0.3333333333333333 + p * (0.027777777777777776 + p * (-0.003703703703703704',
    '    + p * (0.0002314814814814815 + p * (0.00005878894767783657 + p * (-0.000025536456741254886',
    '    + p * 0.000004899078973153047)))))))',
  ].join('\n  ');
  const step = [
    'y - miss * 3 * (1 + y) * (2 * y * (1 + y) - miss)',
    '    / (6 * (1 + y) * (y * (1 + y) - miss) - 2 * miss * miss)',
  ].join('\n');
  return [
    [
      `loaded ${asKeyword} (SELECT ${columnList}, price, CASE WHEN ratio <= price THEN 1`,
      `  WHEN price < 0.01 * ratio THEN -(${smallLoad}) ELSE -LN((ratio - price) / ratio) END AS load FROM priced${filter})`,
    ].join('\n'),
    [
      `near ${asKeyword} (SELECT ${columnList}, price, load, SQRT(2 * load) AS p, load + 5.950609937518595 * (1 - 1 / (1 + 0.16805 * SQRT(2 * load)`,
      '  / (1 - 0.0042 * load * EXP(-0.0201 * load)))) AS y FROM loaded)',
    ].join('\n'),
    `missed ${asKeyword} (SELECT ${columnList}, price, load, p, y, (y - LN(1 + y) - load) * (1 + y) / y AS miss FROM near)`,
    [
      `solved ${asKeyword} (SELECT ${columnList}, CASE WHEN ratio <= price THEN NULL WHEN load < 0.01 THEN ${series}`,
      `  ELSE ${step} END AS y FROM missed)`,
    ].join('\n'),
  ];
}

/** SQL for ν/a; NULL for a page with weight 0, which is never crawled. */
const load = 'price / NULLIF(ratio, 0)';

function closedStep(objective: 'delay' | 'harmonic', columnList: string): string {
  const q = load;
  const y = objective === 'delay' ? `SQRT(2 * (${q}))` : `(${q} + SQRT(${q} * (${q} + 4))) / 2`;
  return `solved AS (SELECT ${columnList}, ${y} AS y FROM priced)`;
}
