/**
 * The price of a crawl where the time between two crawls of a page has bounds. A histogram of ratios does not know
 * which pages are at a bound, so the price is found by scans of the pages. Each gives what they spend and cost at a
 * price, exactly. Both the bracket and the bound of the answer come from these sums alone.
 */
import { relativeGap } from '../../solvers/answer.ts';
import { boundedStatement, type PlanStatement } from '../../statements/index.ts';
import { type Engine, numberOf, TablesError } from '../engine.ts';

interface BoundedPrice {
  readonly price: number;
  readonly priceBracket: readonly number[];
  readonly scale: number;
  readonly objective: { readonly value: number; readonly bound: number; readonly gap: number };
  readonly withoutCrawl: number;
  /** Crawls per time unit of the plan: less than there are where the least interval allows no more. */
  readonly spent: number;
}

/** The plan is as good as proved. */
const gapEnough = 1e-9;
/** Sums of engines differ by that much with their order. */
const rounding = 1e-12;
/** The least difference of the logarithms of two prices: between closer ones, sums say no more. */
const narrowest = 1e-13;

interface Scan {
  readonly price: number;
  readonly spent: number;
  readonly cost: number;
  readonly withoutCrawl: number;
}

async function scanAt(engine: Engine, statement: PlanStatement, price: number): Promise<Scan> {
  const [row] = await engine.rows(boundedStatement(engine.dialect, { ...statement, price }));
  const scan = {
    price,
    spent: numberOf(row.spent),
    cost: numberOf(row.cost),
    withoutCrawl: numberOf(row.withoutCrawl),
  };
  if (Number.isFinite(scan.spent) && Number.isFinite(scan.cost)) return scan;
  throw new TablesError(`the pages cost ${scan.cost} and spend ${scan.spent} at the price ${price}`);
}

/**
 * Starts at the statement's price, which is that without bounds. What is spent falls with the price. From above and
 * below it is enclosed by steps that square, then by the secant of the logarithms. It ends when the plan of the upper
 * end is proved, or no price is left between. Rates are not scaled, as they would leave their bounds.
 * @throws TablesError where the longest interval asks for more crawls than there are
 */
export async function priceWithBounds(
  engine: Engine,
  statement: PlanStatement,
  rate: number,
  pages: number,
): Promise<BoundedPrice> {
  const { max } = statement.within ?? {};
  if (max !== undefined && pages / max > rate * (1 + rounding)) {
    throw new TablesError(
      `${pages} pages crawled every --max-interval take ${pages / max} crawls per time unit of the rate; there are ${rate}`,
    );
  }
  const ends = await enclosed(engine, statement, rate);
  let { enough, overspent } = ends;
  if (enough === null) throw new TablesError('no price was found at which the pages keep to the crawls there are');
  let width = Number.POSITIVE_INFINITY;
  while (overspent !== null && gapOf(enough, rate).gap > gapEnough) {
    const before = width;
    width = Math.log(enough.price / overspent.price);
    if (!(width > narrowest)) break;
    const price: number =
      width < before / 2 ? secant(overspent, enough, rate) : Math.sqrt(overspent.price * enough.price);
    const scan = await scanAt(engine, statement, price);
    if (scan.spent > rate * (1 + rounding)) overspent = scan;
    else enough = scan;
  }
  return {
    price: enough.price,
    priceBracket: [overspent?.price ?? 0, enough.price],
    scale: 1,
    objective: gapOf(enough, rate),
    withoutCrawl: enough.withoutCrawl,
    spent: enough.spent,
  };
}

interface Ends {
  /** At the lowest price known at which the crawls suffice; null where there is none. */
  readonly enough: Scan | null;
  /** At the highest price known at which they do not; null where the plan of `enough` is proved without it. */
  readonly overspent: Scan | null;
}

/** Prices on either side of the one that is sought, from which each step is the square of the one before. */
async function enclosed(engine: Engine, statement: PlanStatement, rate: number): Promise<Ends> {
  let enough: Scan | null = null;
  let overspent: Scan | null = null;
  let { price } = statement;
  for (let factor = 1.01; price > 1e-290 && price < 1e290; factor **= 2) {
    const scan = await scanAt(engine, statement, price);
    if (scan.spent > rate * (1 + rounding)) overspent = scan;
    else enough = scan;
    if (enough !== null && (overspent !== null || gapOf(enough, rate).gap <= gapEnough)) break;
    price = enough === null ? price * factor : price / factor;
  }
  return { enough, overspent };
}

/**
 * Where the logarithm of what is spent would meet that of the rate if it were straight; a little below, to keep to it.
 */
function secant(overspent: Scan, enough: Scan, rate: number): number {
  const goal = rate * (1 - 1e-11);
  const over = Math.log(overspent.spent / goal);
  const under = Math.log(Math.max(enough.spent, goal * 1e-6) / goal);
  const share = over / (over - under);
  if (!(share > 0 && share < 1)) return Math.sqrt(overspent.price * enough.price);
  return overspent.price * (enough.price / overspent.price) ** share;
}

/**
 * The plan costs `cost`; none of the rate costs less than cost + price·(spent − rate), each page being at its best at
 * the price.
 */
function gapOf({ price, spent, cost }: Scan, rate: number): BoundedPrice['objective'] {
  const bound = cost - price * Math.max(0, rate - spent);
  return { value: cost, bound, gap: relativeGap(cost, bound) };
}
