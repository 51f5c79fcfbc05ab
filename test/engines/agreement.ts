/**
 * What every engine has to agree with: the price of its own histogram against the price by bisection over the pages, its
 * certificate against sums over the pages, its plan against the formula, page by page. Nothing is compared with another engine.
 */
import { expect } from 'vitest';
import { crawlPriceRequest } from '../../src/schemas/crawl-price.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { solveCrawlPrice } from '../../src/solvers/crawl-price/index.ts';
import { stalenessCost } from '../../src/solvers/objectives/index.ts';
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

export interface AskedEngine {
  readonly dialect: Dialect;
  /** The pages; `id` is their position. */
  readonly pages: PageTable;
  readonly rows: (statement: string) => Rows | Promise<Rows>;
}

const largest = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), 0);

/** Asks an engine for the plan of `rate` crawls, and holds all that it answers against the pages themselves. */
export async function expectAgreement(
  { dialect, pages: table, rows }: AskedEngine,
  given: readonly Page[],
  objective: StatementObjective,
  rate: number,
): Promise<void> {
  // the ratio of age is w/λ²
  const pages = given.map((page) => ({
    ...page,
    ratio: objective === 'age' ? page.ratio / page.changeRate : page.ratio,
  }));
  const name = `${dialect.name}, ${objective}`;
  const histogram = await rows(histogramStatement(dialect, { pages: table, objective, width: 0.001, byHost: false }));
  const columns = ['pages', 'changeRate', 'weight', 'changeRateLogRatio', 'ratioMin', 'ratioMax'];
  const buckets = Object.fromEntries(columns.map((column) => [column, histogram.map((row) => Number(row[column]))]));
  expect(
    buckets.pages.reduce((sum, count) => sum + count, 0),
    name,
  ).toBe(pages.length);
  const { problem } = crawlPriceRequest.parse({ objective, rate, buckets });
  const { price, priceBracket } = solveCrawlPrice(problem, unlimitedBudget());

  const { changesBetween, marginal } = stalenessCost(objective).byChanges;
  const spentAt = (at: number): number =>
    pages.reduce((sum, page) => sum + page.changeRate / changesBetween(page.ratio, at), 0);
  expect(spentAt(priceBracket[0]), name).toBeGreaterThanOrEqual(rate);
  expect(spentAt(priceBracket[1]), name).toBeLessThanOrEqual(rate);

  const [certificate] = await rows(
    certificateStatement(dialect, { pages: table, objective, price, scale: 1, hosts: [] }),
  );
  const spent = spentAt(price);
  const least = pages.reduce((sum, { changeRate, ratio }) => {
    const y = changesBetween(ratio, price);
    return sum + changeRate * ratio * (y === Infinity ? 1 : marginal(y));
  }, 0);
  expect(Math.abs(Number(certificate.spent) / spent - 1), `${name}: spent`).toBeLessThan(1e-9);
  expect(Math.abs(Number(certificate.least) / least - 1), `${name}: least`).toBeLessThan(1e-9);

  const scale = rate / spent;
  const plan = await rows(planStatement(dialect, { pages: table, objective, price, scale, hosts: [] }));
  expect(plan.length, name).toBe(pages.length);
  const errors = plan.map((row) => {
    const { changeRate, ratio } = pages[Number(row[table.id])];
    const right = (changeRate / changesBetween(ratio, price)) * scale;
    return right === 0 ? Number(row.rate) : Math.abs(Number(row.rate) / right - 1);
  });
  expect(largest(errors), `${name}: rates`).toBeLessThan(1e-9);
  const total = plan.reduce((sum, row) => sum + Number(row.rate), 0);
  expect(Math.abs(total / rate - 1), `${name}: budget`).toBeLessThan(1e-9);
}
