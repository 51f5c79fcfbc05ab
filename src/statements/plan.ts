/**
 * The pass that gives every page its rate at a price. One scan; no page needs to know of another.
 *
 * y, the changes between two crawls, is solved for as in solvers/crawl-price/objectives.ts: for freshness from −ln(1 − ν/a), two
 * steps of Newton's method from an approximation that is right to 3e−4, each a common table expression of its own.
 */
import { type Dialect, double } from './dialects.ts';
import { type PageTable, pageColumns } from './page-table.ts';

/** Objectives whose intervals a statement can compute. */
export const statementObjectives = ['freshness', 'delay', 'harmonic'] as const;

export type StatementObjective = (typeof statementObjectives)[number];

export interface PlanStatement {
  readonly pages: PageTable;
  readonly objective: StatementObjective;
  /** The price of a crawl, and by what rates are multiplied so that they spend the budget. */
  readonly price: number;
  readonly scale: number;
  /** Hosts that pay a price of their own. */
  readonly hosts: readonly { readonly host: string; readonly price: number; readonly scale: number }[];
}

/** A query that gives id, rate, interval and staleness of every page; interval is NULL for a page that is never crawled. */
export function planStatement(dialect: Dialect, statement: PlanStatement): string {
  const { pages, objective } = statement;
  const { quoted, once } = dialect;
  const steps = [
    pricedPages(dialect, statement),
    ...(objective === 'freshness' ? freshnessSteps(dialect) : [closedStep(objective)]),
    `spaced ${once} (SELECT page_id, lam, scale, y / scale AS gap FROM solved)`,
  ];
  const rate = 'CASE WHEN gap IS NULL THEN 0 ELSE lam / gap END';
  const staleness = [
    'CASE WHEN gap IS NULL THEN 1',
    '  WHEN gap < 0.02 THEN gap * (0.5 - gap * (0.16666666666666666 - gap * (0.041666666666666664',
    '    - gap * (0.008333333333333333 - gap * 0.001388888888888889))))',
    '  ELSE 1 - (1 - EXP(-gap)) / gap END',
  ].join('\n  ');
  return [
    `WITH ${steps.join(',\n')}`,
    `SELECT page_id AS ${quoted(pages.id)}, ${rate} AS ${quoted('rate')}, gap / lam AS ${quoted('interval')},`,
    `  ${staleness} AS ${quoted('staleness')}`,
    'FROM spaced',
  ].join('\n');
}

function pricedPages(dialect: Dialect, { pages, objective, price, scale, hosts }: PlanStatement): string {
  const { quoted, text, once } = dialect;
  const columns = `${quoted(pages.id)} AS page_id, ${pageColumns(dialect, pages, objective)}`;
  const one = `${double(dialect, price)} AS price, ${double(dialect, scale)} AS scale`;
  if (hosts.length === 0 || pages.host === undefined)
    return `priced ${once} (SELECT ${columns}, ${one} FROM ${pages.from})`;
  const rows = hosts.map(
    (each) =>
      `SELECT ${text(each.host)} AS host_name, ${double(dialect, each.price)} AS host_price, ${double(dialect, each.scale)} AS host_scale`,
  );
  const own = (name: 'price' | 'scale'): string =>
    `CASE WHEN page_host = host_name THEN host_${name} ELSE ${double(dialect, name === 'price' ? price : scale)} END`;
  return [
    `host_prices ${once} (${rows.join('\n  UNION ALL ')}),`,
    `page_ratios ${once} (SELECT ${columns}, ${quoted(pages.host)} AS page_host FROM ${pages.from}),`,
    // a comparison, as an unmatched row has NULL in most engines and '' and 0 in ClickHouse
    `priced ${once} (SELECT page_id, lam, ratio, ${own('price')} AS price, ${own('scale')} AS scale`,
    '  FROM page_ratios LEFT JOIN host_prices ON page_host = host_name)',
  ].join('\n');
}

/** `loaded`: load = −ln(1 − q); `near`: the approximation; `closer`, `solved`: Newton's steps, below .01 the series. */
function freshnessSteps({ log1p, once }: Dialect): string[] {
  const small = log1p('(-price / ratio)');
  const series = [
    'p * (1 + p * (0.3333333333333333 + p * (0.027777777777777776 + p * (-0.003703703703703704',
    '    + p * (0.0002314814814814815 + p * (0.00005878894767783657 + p * (-0.000025536456741254886',
    '    + p * 0.000004899078973153047)))))))',
  ].join('\n  ');
  const newton = (load: string): string => `y - (y - ${log1p('y')} - ${load}) * (1 + y) / y`;
  return [
    [
      `loaded ${once} (SELECT page_id, lam, scale, CASE WHEN ratio <= price THEN NULL`,
      `  WHEN price < 0.5 * ratio THEN -(${small}) ELSE -LN((ratio - price) / ratio) END AS load FROM priced)`,
    ].join('\n'),
    [
      `near ${once} (SELECT page_id, lam, scale, load, SQRT(2 * load) AS p, load + 5.950609937518595 * (1 - 1 / (1 + 0.3361 * SQRT(load / 2)`,
      '  / (1 - 0.0042 * load * EXP(-0.0201 * load)))) AS y FROM loaded)',
    ].join('\n'),
    `closer ${once} (SELECT page_id, lam, scale, load, p, CASE WHEN load < 0.01 THEN y ELSE ${newton('load')} END AS y FROM near)`,
    [
      `solved ${once} (SELECT page_id, lam, scale, CASE WHEN load < 0.01 THEN ${series}`,
      `  ELSE ${newton('load')} END AS y FROM closer)`,
    ].join('\n'),
  ];
}

function closedStep(objective: Exclude<StatementObjective, 'freshness'>): string {
  const q = 'price / ratio';
  const y = objective === 'delay' ? `SQRT(2 * (${q}))` : `(${q} + SQRT(${q} * (${q} + 4))) / 2`;
  return `solved AS (SELECT page_id, lam, scale, ${y} AS y FROM priced)`;
}
