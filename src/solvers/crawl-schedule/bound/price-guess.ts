/** The slopes of slots' prices: before any schedule from what pages would pay, and read off a schedule. */
import { type Budget, unlessStopped } from '../../budget.ts';
import type { PriceSlopes } from '../placing/priced-times.ts';
import type { CrawlScheduleProblem } from '../problem.ts';
import type { Timetable } from '../table/timetable.ts';
import { ClassGrid, type Grid, type MarketSize, marketOf, poissonPages } from './market.ts';
import { pageClasses, searchClasses } from './page-classes.ts';
import { findPrices, guessPasses } from './price-search.ts';

/**
 * What slots may go for, before any schedule: the slopes of their prices, for placing (priced-times.ts). Slots are
 * shared out to Poisson pages by their crawls. It is null where no page is Poisson, or slots have few moments, which
 * need no guess, or no time is left.
 */
export function guessSlopes(
  problem: CrawlScheduleProblem,
  ideal: { readonly slotTime: Float64Array; readonly crawls: Int32Array; readonly shadowPrice: number },
  budget: Budget,
): PriceSlopes | null {
  const { interval, crawls } = problem.allocation;
  const pages = poissonPages(problem);
  let own = 0;
  for (let i = 0; i < ideal.crawls.length; i++) if (pages.weight[i] > 0) own += ideal.crawls[i];
  const level = ideal.shadowPrice;
  if (own === 0 || !(level > 0) || budget.stopRequested()) return null;
  const market = marketOf(ideal.slotTime, problem.allocation);
  if (market.spacing === 0) return null;
  const share = own / crawls;
  const theirs = { ...market, supply: market.supply.map((s) => s * share), slots: market.slots * share, crawls: own };
  const grid = new ClassGrid(market, interval);
  const flat = new Float64Array(market.moments.length).fill(level);
  return unlessStopped(null, () => {
    const classes = pageClasses(pages, searchClasses, budget).map((each) => grid.priced(each));
    const price = findPrices(theirs, classes, { start: flat, level, passes: guessPasses }, budget);
    return { interval, slope: differences(price, market) };
  });
}

/** The same from a schedule. */
export function slopesOf(table: Timetable, allocation: MarketSize): PriceSlopes {
  const market = marketOf(table.slotTime, allocation);
  return { interval: allocation.interval, slope: differences(pricesOf(table, market), market) };
}

function differences(price: Float64Array, { spacing }: Grid): Float64Array {
  return price.map((q, b) => (b + 1 < price.length ? (price[b + 1] - q) / spacing : 0));
}

/**
 * Prices up to a constant: where no crawl gains by moving, −q' is w·(H'(gap before) − H'(gap after)), here its mean
 * over the crawls of a cell.
 */
export function pricesOf(table: Timetable, { moments }: Grid): Float64Array {
  const slope = new Float64Array(moments.length);
  const crawls = new Float64Array(moments.length);
  let cell = 0;
  for (let s = 0; s < table.page.length; s++) {
    if (table.page[s] < 0) continue;
    while (cell + 1 < moments.length && moments[cell + 1] <= table.slotTime[s]) cell++;
    const own = table.slopeOf(s);
    if (Number.isNaN(own)) continue;
    slope[cell] -= own;
    crawls[cell]++;
  }
  const price = new Float64Array(moments.length);
  for (let b = 1; b < moments.length; b++) {
    const mean = crawls[b - 1] > 0 ? slope[b - 1] / crawls[b - 1] : 0;
    price[b] = price[b - 1] + mean * (moments[b] - moments[b - 1]);
  }
  return price;
}
