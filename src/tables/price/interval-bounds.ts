/**
 * The price of a crawl if the time between two crawls of a page has bounds. A histogram of ratios does not show which
 * pages are at a bound, so that the price is found by scans of the pages. Each scan gives their exact crawl rate and
 * cost at a price; the bracket of the price and the bound of the answer follow from these sums.
 */
import { relativeGap } from '../../solvers/answer.ts';
import { boundedStatement, type PlanStatement } from '../../statements/index.ts';
import { type Engine, parseNumber, TablesError } from '../engine.ts';

interface BoundedPrice {
  readonly price: number;
  readonly priceBracket: readonly number[];
  readonly scale: number;
  readonly objective: { readonly value: number; readonly bound: number; readonly gap: number };
  readonly withoutCrawl: number;
  /** Crawls per time unit of the plan; below the budget if the minimum interval leaves some unused. */
  readonly spent: number;
}

/** Relative gap at which the plan counts as optimal. */
const gapTolerance = 1e-9;
/** Relative rounding of an engine's sums, which depend on the order of the rows. */
const rounding = 1e-12;
/** Width in ln(price) of a bracket within which sums differ by rounding alone: the search ends. */
const minBracketWidth = 1e-13;

/** Crawl rate, cost and uncrawled pages of the plan at a price, summed over the pages by one scan. */
interface PlanTotals {
  readonly price: number;
  readonly spent: number;
  readonly cost: number;
  readonly withoutCrawl: number;
}

async function totalsAt(engine: Engine, statement: PlanStatement, price: number): Promise<PlanTotals> {
  const [row] = await engine.rows(boundedStatement(engine.dialect, { ...statement, price }));
  const totals = {
    price,
    spent: parseNumber(row.spent),
    cost: parseNumber(row.cost),
    withoutCrawl: parseNumber(row.withoutCrawl),
  };
  if (Number.isFinite(totals.spent) && Number.isFinite(totals.cost)) return totals;
  throw new TablesError(`the pages cost ${totals.cost} and spend ${totals.spent} at the price ${price}`);
}

/**
 * The price at which the pages make `rate` crawls per time unit. The crawl rate falls in the price. Starting from the
 * price without bounds, the search brackets the price with factors that square at each step, then takes secant steps in
 * the logarithms. It stops when the plan at the upper end is proved optimal, or the bracket is at rounding. Rates are
 * not rescaled, because that would move intervals out of their bounds.
 *
 * @throws TablesError if the maximum interval needs more crawls than the budget
 */
export async function priceWithBounds(
  engine: Engine,
  statement: PlanStatement,
  rate: number,
  pages: number,
): Promise<BoundedPrice> {
  const { max } = statement.intervalBounds ?? {};
  if (max !== undefined && pages / max > rate * (1 + rounding)) {
    throw new TablesError(
      `${pages} pages crawled every --max-interval take ${pages / max} crawls per time unit of the rate; there are ${rate}`,
    );
  }
  const bracket = await bracketPrice(engine, statement, rate);
  let { feasible, infeasible } = bracket;
  if (feasible === null) throw new TablesError('no price was found at which the pages keep to the crawls there are');
  let width = Number.POSITIVE_INFINITY;
  while (infeasible !== null && gapOf(feasible, rate).gap > gapTolerance) {
    const previousWidth = width;
    width = Math.log(feasible.price / infeasible.price);
    if (!(width > minBracketWidth)) break;
    const price: number =
      width < previousWidth / 2 ? secant(infeasible, feasible, rate) : Math.sqrt(infeasible.price * feasible.price);
    const totals = await totalsAt(engine, statement, price);
    if (totals.spent > rate * (1 + rounding)) infeasible = totals;
    else feasible = totals;
  }
  return {
    price: feasible.price,
    priceBracket: [infeasible?.price ?? 0, feasible.price],
    scale: 1,
    objective: gapOf(feasible, rate),
    withoutCrawl: feasible.withoutCrawl,
    spent: feasible.spent,
  };
}

interface Bracket {
  /** The totals at the lowest price known to be within the budget; null if there is none. */
  readonly feasible: PlanTotals | null;
  /** The totals at the highest price known to exceed the budget; null if `feasible` is proved optimal without it. */
  readonly infeasible: PlanTotals | null;
}

/** A price bracket around the solution, found with factors that square at each step. */
async function bracketPrice(engine: Engine, statement: PlanStatement, rate: number): Promise<Bracket> {
  let feasible: PlanTotals | null = null;
  let infeasible: PlanTotals | null = null;
  let { price } = statement;
  for (let factor = 1.01; price > 1e-290 && price < 1e290; factor **= 2) {
    const totals = await totalsAt(engine, statement, price);
    if (totals.spent > rate * (1 + rounding)) infeasible = totals;
    else feasible = totals;
    if (feasible !== null && (infeasible !== null || gapOf(feasible, rate).gap <= gapTolerance)) break;
    price = feasible === null ? price * factor : price / factor;
  }
  return { feasible, infeasible };
}

/**
 * The secant step on ln(spent) against ln(price), aimed slightly below the budget so that the plan is feasible.
 */
function secant(infeasible: PlanTotals, feasible: PlanTotals, rate: number): number {
  const goal = rate * (1 - 1e-11);
  const logOverspend = Math.log(infeasible.spent / goal);
  const logUnderspend = Math.log(Math.max(feasible.spent, goal * 1e-6) / goal);
  const share = logOverspend / (logOverspend - logUnderspend);
  if (!(share > 0 && share < 1)) return Math.sqrt(infeasible.price * feasible.price);
  return infeasible.price * (feasible.price / infeasible.price) ** share;
}

/**
 * Value, bound and gap of the plan at a price. Every page has its best rate at the price, so that by duality no plan
 * with `rate` crawls costs less than cost + price·(spent − rate).
 */
function gapOf({ price, spent, cost }: PlanTotals, rate: number): BoundedPrice['objective'] {
  const bound = cost - price * Math.max(0, rate - spent);
  return { value: cost, bound, gap: relativeGap(cost, bound) };
}
