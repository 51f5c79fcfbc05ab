/**
 * Crawling by a price inside a database: functions that DuckDB and PostgreSQL are given once (src/solvers/by-price).
 *
 *   crawl_new_belief(mean_rate)                                       the belief in a page: DOUBLE[12]
 *   crawl_after_check(belief, elapsed, changed, change_age, mean_rate, memory_unit)   after a fetch; change_age or NULL
 *   crawl_believed_rate(belief)
 *   crawl_due_age(belief, weight, price, objective)                   NULL: never
 *   crawl_due_age_known(rate, weight, price, objective)               the same of a rate that is known
 *   crawl_next_price(price, seen, wanted, pages, ahead)
 *
 * Roots are found by bisection of the logarithm. Its lower end is the age at which V would have reached the price had
 * it gone on as it began. Differences of exponentials are written so that nothing cancels; PostgreSQL refuses to
 * underflow, so exponents end at −200.
 */
import { duckdbPriceFunctions } from './duckdb.ts';
import { postgresPriceFunctions } from './postgres.ts';

/** Databases that are given the functions. */
export const priceEngines = ['duckdb', 'postgres'] as const;

export type PriceEngine = (typeof priceEngines)[number];

/** The statements that create the functions. */
export function priceFunctions(engine: PriceEngine): string {
  return engine === 'duckdb' ? duckdbPriceFunctions() : postgresPriceFunctions();
}
