/**
 * What every engine has to agree with, page by page. The price of its own histogram stands against the price by
 * bisection over the pages. Its certificate stands against sums over the pages, its plan against the formula. Nothing
 * is compared with another engine.
 */
import { expect } from 'vitest';
import { crawlPriceRequest } from '../../src/schemas/crawl-price.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { priceOfRate } from '../../src/solvers/crawl-price/index.ts';
import { stalenessCost } from '../../src/solvers/pages/objectives/index.ts';
import {
  certificateStatement,
  type Dialect,
  histogramStatement,
  type PageTable,
  planStatement,
  type StatementObjective,
} from '../../src/statements/index.ts';
import type { Page } from '../solvers/crawl-price/tables-of-pages.ts';

export type Rows = readonly Readonly<Record<string, unknown>>[];

export interface Engine {
  readonly dialect: Dialect;
  /** The pages; `id` is their position. */
  readonly pages: PageTable;
  readonly rows: (statement: string) => Rows | Promise<Rows>;
}

const largest = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), 0);

/** Asks an engine for the plan of `rate` crawls, and holds all that it answers against the pages themselves. */
export async function expectAgreement(
  { dialect, pages: table, rows }: Engine,
  pages: readonly Page[],
  objective: StatementObjective,
  rate: number,
): Promise<void> {
  const name = `${dialect.name}, ${objective}`;
  const histogram = await rows(
    histogramStatement(dialect, { pages: table, objective, width: 0.001, groupBy: undefined }),
  );
  const columns = ['pages', 'changeRate', 'weight', 'changeRateLogRatio', 'ratioMin', 'ratioMax'];
  const buckets = Object.fromEntries(columns.map((column) => [column, histogram.map((row) => Number(row[column]))]));
  expect(
    buckets.pages.reduce((sum, count) => sum + count, 0),
    name,
  ).toBe(pages.length);
  const { problem } = crawlPriceRequest.parse({ objective, rate, buckets });
  const { price, priceBracket } = priceOfRate(problem, unlimitedBudget());

  const { intervalAt, cost } = stalenessCost(objective);
  const spentAt = (at: number): number =>
    pages.reduce((sum, page) => sum + page.changeRate / intervalAt(1, page.ratio, at), 0);
  expect(spentAt(priceBracket[0]), name).toBeGreaterThanOrEqual(rate);
  expect(spentAt(priceBracket[1]), name).toBeLessThanOrEqual(rate);

  const [certificate] = await rows(
    certificateStatement(dialect, { pages: table, objective, price, scale: 1, hosts: [] }),
  );
  const crawlRate = spentAt(price);
  const bound = pages.reduce((sum, { changeRate, ratio }) => {
    const y = intervalAt(1, ratio, price);
    return sum + changeRate * ratio * (y === Infinity ? 1 : cost(1, y));
  }, 0);
  expect(Math.abs(Number(certificate.spent) / crawlRate - 1), `${name}: spent`).toBeLessThan(1e-9);
  expect(Math.abs(Number(certificate.least) / bound - 1), `${name}: least`).toBeLessThan(1e-9);

  const scale = rate / crawlRate;
  const plan = await rows(planStatement(dialect, { pages: table, objective, price, scale, hosts: [] }));
  expect(plan.length, name).toBe(pages.length);
  const errors = plan.map((row) => {
    const { changeRate, ratio } = pages[Number(row[table.id])];
    const right = (changeRate / intervalAt(1, ratio, price)) * scale;
    return right === 0 ? Number(row.rate) : Math.abs(Number(row.rate) / right - 1);
  });
  expect(largest(errors), `${name}: rates`).toBeLessThan(1e-9);
  const total = plan.reduce((sum, row) => sum + Number(row.rate), 0);
  expect(Math.abs(total / rate - 1), `${name}: budget`).toBeLessThan(1e-9);
}

/** Asks for a plan in which some hosts pay prices of their own, and holds every page's rate against the formula. */
export async function expectHostPrices({ dialect, pages: table, rows }: Engine, given: readonly Page[]): Promise<void> {
  const { quoteName } = dialect;
  const names = ['other.example', "o'neill.example", 'dear.example'];
  const cases = names.map((name, i) => `WHEN ${quoteName(table.id)} % 3 = ${i} THEN ${dialect.quoteText(name)}`);
  const from = `(SELECT ${quoteName(table.id)}, ${quoteName(table.changeRate)}, ${quoteName(table.weight ?? '')}, CASE ${cases.join(' ')} END AS site FROM ${table.from}) hosted_pages`;
  const pages = { ...table, from, host: 'site' };
  const hosts = [
    { host: names[1], price: 0.7, scale: 0.9 },
    { host: names[2], price: 1e9, scale: 1 },
  ];
  const statement = { pages, objective: 'freshness', price: 0.4, scale: 1.1, hosts } as const;
  const plan = await rows(planStatement(dialect, statement));
  expect(plan.length, dialect.name).toBe(given.length);
  const { intervalAt } = stalenessCost('freshness');
  const errors = plan.map((row) => {
    const at = Number(row[table.id]);
    const { changeRate, ratio } = given[at];
    const { price, scale } = at % 3 === 0 ? statement : hosts[(at % 3) - 1];
    const right = (changeRate / intervalAt(1, ratio, price)) * scale;
    return right === 0 ? Number(row.rate) : Math.abs(Number(row.rate) / right - 1);
  });
  expect(largest(errors), dialect.name).toBeLessThan(1e-9);
  expect(plan.filter((row) => Number(row.rate) > 0).length, dialect.name).toBeGreaterThan(given.length / 4);
  // each host that has a price is added up by itself
  const sums = await rows(certificateStatement(dialect, { ...statement, scale: 1 }));
  expect(sums.length, dialect.name).toBe(3);
  const own = sums.find(({ host }) => host === names[1]);
  const crawlRate = given.reduce(
    (sum, { changeRate, ratio }, i) => (i % 3 === 1 ? sum + changeRate / intervalAt(1, ratio, 0.7) : sum),
    0,
  );
  expect(Math.abs(Number(own?.spent) / crawlRate - 1), dialect.name).toBeLessThan(1e-9);
}
