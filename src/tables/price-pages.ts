/**
 * The price of a crawl for the pages of a table: a scan that looks for values no price can be computed from, one for the
 * histogram, one for the certificate. What is answered holds for the pages themselves, not only for their histogram: the third
 * scan gives what they spend at the price and the dual function, exactly.
 */
import { crawlPriceRequest } from '../schemas/crawl-price.ts';
import { relativeGap } from '../solvers/answer.ts';
import { unlimitedBudget } from '../solvers/budget.ts';
import { solveCrawlPrice } from '../solvers/crawl-price/index.ts';
import {
  certificateStatement,
  faultKinds,
  faultsStatement,
  faultyIds,
  histogramStatement,
  type IntervalBounds,
  type PageTable,
  type PlanStatement,
  type StatementObjective,
} from '../statements/index.ts';
import { type Engine, numberOf, TablesError } from './engine.ts';
import { priceWithin } from './price-within.ts';

export interface PricedPages {
  readonly pages: number;
  readonly buckets: number;
  readonly price: number;
  readonly priceBracket: readonly number[];
  /** By what rates at the price are multiplied so that they spend the budget, exactly. */
  readonly scale: number;
  readonly objective: { readonly value: number; readonly bound: number; readonly gap: number };
  readonly withoutCrawl: number;
}

export interface PageQuestion {
  readonly pages: PageTable;
  readonly objective: StatementObjective;
  /** Crawls per time unit. */
  readonly rate: number;
  readonly bucketWidth: number;
  /** The least and the most time between two crawls of any page. */
  readonly within?: IntervalBounds | undefined;
}

/** @throws TablesError where a column is missing or no number, the table is empty, or values are faulty */
export async function checkPages(
  engine: Engine,
  pages: PageTable,
  lastCrawl: string | undefined,
  lastCrawlIsNumber = true,
): Promise<number> {
  const columns = await engine.columns();
  const names = columns.map(({ name }) => name).join(', ');
  for (const [wanted, number] of [
    [pages.id, false],
    [pages.changeRate, true],
    [pages.weight, true],
    [lastCrawl, lastCrawlIsNumber],
  ] as const) {
    if (wanted === undefined) continue;
    const column = columns.find(({ name }) => name === wanted);
    if (column === undefined) throw new TablesError(`there is no column ${JSON.stringify(wanted)}; there are ${names}`);
    if (number && !column.isNumber) throw new TablesError(`the column ${JSON.stringify(wanted)} is no number`);
  }
  const [counts] = await engine.rows(faultsStatement(engine.dialect, pages));
  const count = numberOf(counts.pages);
  if (count === 0) throw new TablesError('the table has no pages');
  const faults: string[] = [];
  for (const [at, kind] of faultKinds.entries()) {
    const many = numberOf(counts[`fault${at}`]);
    if (many === 0) continue;
    const found = await engine.rows(faultyIds(engine.dialect, pages, kind));
    const ids = found.map(({ id }) => JSON.stringify(String(id))).join(', ');
    faults.push(`${many} of ${count} pages have a ${kind.what} ${JSON.stringify(pages[kind.column])}, as ${ids}`);
  }
  if (faults.length > 0)
    throw new TablesError(`no price can be computed, and nothing is written:\n  ${faults.join('\n  ')}`);
  return count;
}

/** Two scans, under bounds of intervals as many as their price needs; {@link checkPages} comes before. */
export async function pricePages(engine: Engine, question: PageQuestion, pages: number): Promise<PricedPages> {
  const { objective, rate, bucketWidth } = question;
  const { dialect } = engine;
  const statement = histogramStatement(dialect, {
    pages: question.pages,
    objective,
    width: bucketWidth,
    byHost: false,
  });
  const rows = await engine.rows(statement);
  if (rows.length === 0) throw new TablesError('no page has a positive weight');
  const column = (name: string): number[] => rows.map((row) => numberOf(row[name]));
  const names = ['pages', 'changeRate', 'weight', 'changeRateLogRatio', 'ratioMin', 'ratioMax'];
  const buckets = Object.fromEntries(names.map((name) => [name, column(name)]));
  const checked = crawlPriceRequest.safeParse({ objective, rate, buckets });
  if (!checked.success) throw new TablesError(`no price can be computed: ${checked.error.issues[0].message}`);
  const { price, priceBracket } = solveCrawlPrice(checked.data.problem, unlimitedBudget());
  const atPrice: PlanStatement = { pages: question.pages, objective, price, scale: 1, hosts: [] };
  if (question.within !== undefined) {
    const bounded = { ...atPrice, within: question.within };
    return { pages, buckets: rows.length, ...(await priceWithin(engine, bounded, rate, pages)) };
  }
  const [exact] = await engine.rows(certificateStatement(dialect, atPrice));
  const spent = numberOf(exact.spent);
  const scale = rate / spent;
  const bound = numberOf(exact.least) - price * rate;
  // what rescaling loses at most: solvers/crawl-price/cost.ts, at the elasticity of 3 for age, and of 2 for the others
  const factor = objective === 'age' ? (2 * scale + 1) / (2 * scale) : 1;
  const value = bound + (factor * price * spent * (scale - 1) ** 2) / scale;
  return {
    pages,
    buckets: rows.length,
    price,
    priceBracket,
    scale,
    objective: { value, bound, gap: relativeGap(value, bound) },
    withoutCrawl: numberOf(exact.withoutCrawl),
  };
}
