/**
 * The steps that give every page its rate at a price; no page needs to know of another.
 *
 * y, the changes between two crawls, is solved for as in solvers/crawl-price/objectives.ts: for freshness from −ln(1 −
 * ν/a), one step of A. S. Householder's method of fourth order from an approximation that is right to 3e−4, each step a
 * common table expression of its own.
 */
import { type Dialect, double } from './dialects.ts';
import { type PageTable, pageColumns } from './page-table.ts';
import { epochSeconds, type TimeFormat } from './times.ts';

/** Objectives whose intervals a statement can compute. */
export const statementObjectives = ['freshness', 'delay', 'age', 'harmonic'] as const;

export type StatementObjective = (typeof statementObjectives)[number];

export const isStatementObjective = (name: string): name is StatementObjective =>
  statementObjectives.some((each) => each === name);

export interface PlanStatement {
  readonly pages: PageTable;
  readonly objective: StatementObjective;
  /** The price of a crawl, and by what rates are multiplied so that they spend the budget. */
  readonly price: number;
  readonly scale: number;
  /** Hosts that pay a price of their own. */
  readonly hosts: readonly { readonly host: string; readonly price: number; readonly scale: number }[];
  /**
   * Column of the last crawl, how it is written, and how many seconds a time unit has: the plan then has `nextFetch`.
   */
  readonly nextFetch?:
    | { readonly lastCrawl: string; readonly format: TimeFormat; readonly secondsPerUnit: number }
    | undefined;
  /** The least and the most time between two crawls of any page. */
  readonly within?: IntervalBounds | undefined;
  /** For freshness: pages of smaller ratios are left out, as they are known not to be crawled at the price. */
  readonly ratioFrom?: number | undefined;
}

export interface IntervalBounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** The steps up to `solved`, which has every page's y, NULL where it is never crawled; with hosts also `host_name`. */
export function solvedPages(dialect: Dialect, statement: PlanStatement): string[] {
  const last = statement.nextFetch === undefined ? '' : ', last_crawl';
  const kept = `page_id, lam, ratio, scale${last}${hasHosts(statement) ? ', host_name' : ''}`;
  const { objective, ratioFrom } = statement;
  if (objective === 'age') return [pricedPages(dialect, statement, kept), ...ageSteps(dialect, kept)];
  const solved = objective === 'freshness' ? freshnessSteps(dialect, kept, ratioFrom) : [closedStep(objective, kept)];
  return [pricedPages(dialect, statement, kept), ...solved];
}

/** Whether hosts pay prices of their own. */
export const hasHosts = ({ hosts, pages }: PlanStatement): boolean => hosts.length > 0 && pages.host !== undefined;

function pricedPages(dialect: Dialect, statement: PlanStatement, kept: string): string {
  const { pages, objective, price, scale, hosts, nextFetch } = statement;
  const { quoted, text, once } = dialect;
  const last = nextFetch && `, ${epochSeconds(dialect, nextFetch.lastCrawl, nextFetch.format)} AS last_crawl`;
  const columns = `${quoted(pages.id)} AS page_id, ${pageColumns(dialect, pages, objective)}${last ?? ''}`;
  const one = `${double(dialect, price)} AS price, ${double(dialect, scale)} AS scale`;
  if (!hasHosts(statement) || pages.host === undefined) {
    return `priced ${once} (SELECT ${columns}, ${one} FROM ${pages.from})`;
  }
  const rows = hosts.map((each) => [text(each.host), double(dialect, each.price), double(dialect, each.scale)]);
  const own = (name: 'price' | 'scale'): string =>
    `CASE WHEN page_host = host_name THEN host_${name} ELSE ${double(dialect, name === 'price' ? price : scale)} END`;
  return [
    `host_prices ${once} (${dialect.rows(['host_name', 'host_price', 'host_scale'], rows)}),`,
    `page_ratios ${once} (SELECT ${columns}, ${quoted(pages.host)} AS page_host FROM ${pages.from}),`,
    // a comparison, as an unmatched row has NULL in most engines and '' and 0 in ClickHouse
    `priced ${once} (SELECT ${kept.replace(', scale', '')}, ${own('price')} AS price, ${own('scale')} AS scale`,
    '  FROM page_ratios LEFT JOIN host_prices ON page_host = host_name)',
  ].join('\n');
}

/**
 * `loaded`: load = −ln(1 − q), and 1 for pages that are not crawled. Engines that work on vectors are twice as slow
 * where half of a vector is NULL. `near`: the approximation; `missed`: what it is off in y − ln(1 + y) = load, by the
 * slope there; `solved`: the step, below .01 the series. Above .01 nothing is lost where 1 + y or 1 − q is rounded.
 */
function freshnessSteps(dialect: Dialect, kept: string, ratioFrom: number | undefined): string[] {
  const { log1p, once } = dialect;
  const those = (ratioFrom ?? 0) === 0 ? '' : ` WHERE ratio >= ${double(dialect, ratioFrom ?? 0)}`;
  const small = log1p('(-price / ratio)');
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
      `loaded ${once} (SELECT ${kept}, price, CASE WHEN ratio <= price THEN 1`,
      `  WHEN price < 0.01 * ratio THEN -(${small}) ELSE -LN((ratio - price) / ratio) END AS load FROM priced${those})`,
    ].join('\n'),
    [
      `near ${once} (SELECT ${kept}, price, load, SQRT(2 * load) AS p, load + 5.950609937518595 * (1 - 1 / (1 + 0.16805 * SQRT(2 * load)`,
      '  / (1 - 0.0042 * load * EXP(-0.0201 * load)))) AS y FROM loaded)',
    ].join('\n'),
    `missed ${once} (SELECT ${kept}, price, load, p, y, (y - LN(1 + y) - load) * (1 + y) / y AS miss FROM near)`,
    [
      `solved ${once} (SELECT ${kept}, CASE WHEN ratio <= price THEN NULL WHEN load < 0.01 THEN ${series}`,
      `  ELSE ${step} END AS y FROM missed)`,
    ].join('\n'),
  ];
}

/** A page without weight has no load, and is never crawled. */
const load = 'price / NULLIF(ratio, 0)';

/** Σ coefficients[n]·y^n, by Horner's rule. */
function polynomial(coefficients: readonly number[]): string {
  const [first, ...rest] = coefficients.map((value) => (value < 0 ? `(${value})` : String(value)));
  return rest.length === 0 ? first : `(${first} + y * ${polynomial(coefficients.slice(1))})`;
}

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));
const terms = Array.from({ length: 16 }, (_, at) => at + 1);
/** V(y) = ∫₀^y u(1 − e^(−u)) du of age, and c(y) = y − 1 + e^(−y): below 1 their series, since terms would cancel. */
export const ageIndex = `CASE WHEN y < 1 THEN y * y * y * ${polynomial(terms.map((n) => (n % 2 ? 1 : -1) / (factorial(n) * (n + 2))))}
    WHEN y > 40 THEN y * y / 2 - 1 ELSE y * y / 2 - 1 + (1 + y) * EXP(-y) END`;
export const ageMarginal = `CASE WHEN y < 1 THEN y * y * ${polynomial(terms.map((n) => (n % 2 ? 1 : -1) / factorial(n + 1)))}
    WHEN y > 40 THEN y - 1 ELSE y - 1 + EXP(-y) END`;
const newtonSteps = 5;

/**
 * V(y) = load by Newton's method on logarithms, in which V is all but straight: its elasticity lies between 2 and 3.
 * From some twenty hundredths off, five steps reach rounding.
 */
function ageSteps({ once }: Dialect, kept: string): string[] {
  const slope = 'CASE WHEN y < 0.0001 THEN y * (1 - y / 2) WHEN y > 40 THEN 1 ELSE 1 - EXP(-y) END';
  const steps = [
    `loaded ${once} (SELECT ${kept}, ${load} AS load FROM priced)`,
    `step0 ${once} (SELECT ${kept}, load, CASE WHEN load < 0.3 THEN EXP(LN(3 * load) / 3) ELSE SQRT(2 * load + 2) END AS y FROM loaded)`,
  ];
  for (let step = 1; step <= newtonSteps; step++) {
    const name = step === newtonSteps ? 'solved' : `step${step}`;
    steps.push(
      `worth${step} ${once} (SELECT ${kept}, load, y, ${ageIndex} AS worth, ${slope} AS slope FROM step${step - 1})`,
      `${name} ${once} (SELECT ${kept}, load, y * EXP(LN(load / worth) * worth / (y * y * slope)) AS y FROM worth${step})`,
    );
  }
  return steps;
}

function closedStep(objective: 'delay' | 'harmonic', kept: string): string {
  const q = load;
  const y = objective === 'delay' ? `SQRT(2 * (${q}))` : `(${q} + SQRT(${q} * (${q} + 4))) / 2`;
  return `solved AS (SELECT ${kept}, ${y} AS y FROM priced)`;
}
