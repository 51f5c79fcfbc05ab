/**
 * The pass that gives every page its rate at a price. One scan; no page needs to know of another.
 *
 * y, the changes between two crawls, is solved for as in solvers/crawl-price/objectives.ts: for freshness from −ln(1 − ν/a), two
 * steps of Newton's method from an approximation that is right to 3e−4, each a common table expression of its own.
 */
import { type Dialect, double } from './dialects.ts';
import { type PageTable, pageColumns } from './page-table.ts';
import { epochSeconds, type TimeFormat } from './times.ts';

/** Objectives whose intervals a statement can compute. */
export const statementObjectives = ['freshness', 'delay', 'age', 'harmonic'] as const;

export type StatementObjective = (typeof statementObjectives)[number];

export interface PlanStatement {
  readonly pages: PageTable;
  readonly objective: StatementObjective;
  /** The price of a crawl, and by what rates are multiplied so that they spend the budget. */
  readonly price: number;
  readonly scale: number;
  /** Hosts that pay a price of their own. */
  readonly hosts: readonly { readonly host: string; readonly price: number; readonly scale: number }[];
  /** Column of the last crawl, how it is written, and how many seconds a time unit has: the plan then has `nextFetch`. */
  readonly nextFetch?:
    | { readonly lastCrawl: string; readonly format: TimeFormat; readonly secondsPerUnit: number }
    | undefined;
  /** The least and the most time between two crawls of any page. */
  readonly within?: IntervalBounds | undefined;
}

export interface IntervalBounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** A query that gives id, rate, interval and staleness of every page; interval is NULL for a page that is never crawled. */
export function planStatement(dialect: Dialect, statement: PlanStatement): string {
  const { pages, nextFetch } = statement;
  const { quoted, once } = dialect;
  const kept = nextFetch === undefined ? '' : ', last_crawl';
  const rate = 'CASE WHEN gap IS NULL THEN 0 ELSE lam / gap END';
  const next =
    nextFetch === undefined
      ? ''
      : `,\n  last_crawl + gap / lam * ${double(dialect, nextFetch.secondsPerUnit)} AS ${quoted('nextFetch')}`;
  return [
    `WITH ${solvedPages(dialect, statement).join(',\n')},`,
    `spaced ${once} (SELECT page_id, lam, ${gapWithin(dialect, statement.within)} AS gap${kept} FROM solved)`,
    `SELECT page_id AS ${quoted(pages.id)}, ${rate} AS ${quoted('rate')}, gap / lam AS ${quoted('interval')},`,
    `  ${staleness} AS ${quoted('staleness')}${next}`,
    'FROM spaced',
  ].join('\n');
}

/** The share of time a page's copy is stale that is crawled every `gap` changes. */
const staleness = [
  'CASE WHEN gap IS NULL THEN 1',
  '  WHEN gap < 0.02 THEN gap * (0.5 - gap * (0.16666666666666666 - gap * (0.041666666666666664',
  '    - gap * (0.008333333333333333 - gap * 0.001388888888888889))))',
  // PostgreSQL refuses an exponential that underflows
  '  WHEN gap > 40 THEN 1 - 1 / gap',
  '  ELSE 1 - (1 - EXP(-gap)) / gap END',
].join('\n  ');

/**
 * Changes between two crawls, with the time between them kept within its bounds. A page's cost is convex in its rate, so what is
 * best at a price under bounds is what is best without them, or the bound it is past.
 */
function gapWithin(dialect: Dialect, within: IntervalBounds | undefined): string {
  const gap = 'y / scale';
  if (within?.min === undefined && within?.max === undefined) return gap;
  const bound = (time: number): string => `lam * ${double(dialect, time)}`;
  const { min, max } = within;
  const most =
    max === undefined ? '' : ` WHEN y IS NULL THEN ${bound(max)} WHEN ${gap} > ${bound(max)} THEN ${bound(max)}`;
  const least = min === undefined ? '' : ` WHEN ${gap} < ${bound(min)} THEN ${bound(min)}`;
  return `CASE${most}${least} ELSE ${gap} END`;
}

/**
 * A query for what the plan spends and costs at a price with intervals within bounds, exact on the pages: `spent`, `cost`, and how
 * many pages are never crawled (`withoutCrawl`). Each page's rate being the best one at the price, no plan of rate R within the
 * bounds costs less than cost + price·(spent − R).
 */
export function boundedStatement(dialect: Dialect, statement: PlanStatement): string {
  const { quoted, once } = dialect;
  const spaced = `SELECT lam, ratio, ${gapWithin(dialect, statement.within)} AS gap FROM solved`;
  const cost = {
    freshness: staleness,
    delay: 'gap / 2',
    age: `(${ageMarginal}) - (${ageIndex}) / y`.replace(/\by\b/g, 'gap'),
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
 * A query for the certificate of a price, exact on the pages: what they spend there (`spent`), the sum of the least of cost and
 * price (`least`: no plan of rate R costs less than least − price·R), and how many pages are never crawled (`withoutCrawl`).
 */
export function certificateStatement(dialect: Dialect, statement: PlanStatement): string {
  const { quoted } = dialect;
  const marginal = {
    freshness: '1 - EXP(-y)',
    delay: 'y',
    age: ageMarginal,
    harmonic: `${dialect.log1p('y')} + y / (1 + y)`,
  }[statement.objective];
  return [
    `WITH ${solvedPages(dialect, statement).join(',\n')}`,
    `SELECT SUM(CASE WHEN y IS NULL THEN 0 ELSE lam / y END) AS ${quoted('spent')},`,
    `  SUM(CASE WHEN y IS NULL THEN lam * ratio ELSE lam * ratio * (${marginal}) END) AS ${quoted('least')},`,
    `  SUM(CASE WHEN y IS NULL THEN 1 ELSE 0 END) AS ${quoted('withoutCrawl')}`,
    'FROM solved',
  ].join('\n');
}

/** The steps up to `solved`, which has every page's y, NULL where it is never crawled. */
function solvedPages(dialect: Dialect, statement: PlanStatement): string[] {
  const kept = `page_id, lam, ratio, scale${statement.nextFetch === undefined ? '' : ', last_crawl'}`;
  const { objective } = statement;
  if (objective === 'age') return [pricedPages(dialect, statement, kept), ...ageSteps(dialect, kept)];
  const solved = objective === 'freshness' ? freshnessSteps(dialect, kept) : [closedStep(objective, kept)];
  return [pricedPages(dialect, statement, kept), ...solved];
}

function pricedPages(dialect: Dialect, statement: PlanStatement, kept: string): string {
  const { pages, objective, price, scale, hosts, nextFetch } = statement;
  const { quoted, text, once } = dialect;
  const last = nextFetch && `, ${epochSeconds(dialect, nextFetch.lastCrawl, nextFetch.format)} AS last_crawl`;
  const columns = `${quoted(pages.id)} AS page_id, ${pageColumns(dialect, pages, objective)}${last ?? ''}`;
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
    `priced ${once} (SELECT ${kept.replace(', scale', '')}, ${own('price')} AS price, ${own('scale')} AS scale`,
    '  FROM page_ratios LEFT JOIN host_prices ON page_host = host_name)',
  ].join('\n');
}

/** `loaded`: load = −ln(1 − q); `near`: the approximation; `closer`, `solved`: Newton's steps, below .01 the series. */
function freshnessSteps({ log1p, once }: Dialect, kept: string): string[] {
  const small = log1p('(-price / ratio)');
  const series = [
    'p * (1 + p * (0.3333333333333333 + p * (0.027777777777777776 + p * (-0.003703703703703704',
    '    + p * (0.0002314814814814815 + p * (0.00005878894767783657 + p * (-0.000025536456741254886',
    '    + p * 0.000004899078973153047)))))))',
  ].join('\n  ');
  const newton = (load: string): string => `y - (y - ${log1p('y')} - ${load}) * (1 + y) / y`;
  return [
    [
      `loaded ${once} (SELECT ${kept}, CASE WHEN ratio <= price THEN NULL`,
      `  WHEN price < 0.5 * ratio THEN -(${small}) ELSE -LN((ratio - price) / ratio) END AS load FROM priced)`,
    ].join('\n'),
    [
      `near ${once} (SELECT ${kept}, load, SQRT(2 * load) AS p, load + 5.950609937518595 * (1 - 1 / (1 + 0.3361 * SQRT(load / 2)`,
      '  / (1 - 0.0042 * load * EXP(-0.0201 * load)))) AS y FROM loaded)',
    ].join('\n'),
    `closer ${once} (SELECT ${kept}, load, p, CASE WHEN load < 0.01 THEN y ELSE ${newton('load')} END AS y FROM near)`,
    [
      `solved ${once} (SELECT ${kept}, CASE WHEN load < 0.01 THEN ${series}`,
      `  ELSE ${newton('load')} END AS y FROM closer)`,
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
const ageIndex = `CASE WHEN y < 1 THEN y * y * y * ${polynomial(terms.map((n) => (n % 2 ? 1 : -1) / (factorial(n) * (n + 2))))}
    WHEN y > 40 THEN y * y / 2 - 1 ELSE y * y / 2 - 1 + (1 + y) * EXP(-y) END`;
const ageMarginal = `CASE WHEN y < 1 THEN y * y * ${polynomial(terms.map((n) => (n % 2 ? 1 : -1) / factorial(n + 1)))}
    WHEN y > 40 THEN y - 1 ELSE y - 1 + EXP(-y) END`;
const newtonSteps = 5;

/**
 * V(y) = load by Newton's method on logarithms, in which V is all but straight (its elasticity lies between 2 and 3): from some
 * twenty hundredths off, five steps reach rounding.
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
