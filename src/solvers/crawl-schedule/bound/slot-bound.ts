/**
 * The bound of a schedule by prices of its slots (slot-prices.ts): which grid, which classes, and the first guess of
 * the prices.
 *
 * Few pages on few moments are taken one by one, whatever their law; many pages in classes, if all of them are Poisson.
 * Limits of pages and hosts are left aside, which only lowers the bound.
 */
import { type Budget, keepingShare, unlessStopped } from '../../budget.ts';
import { poissonProcess, quasiDeterministicProcess } from '../../crawl-allocation/index.ts';
import type { CrawlScheduleProblem } from '../problem.ts';
import { fromStart, type StaleTime } from '../table/stale-time.ts';
import type { Timetable } from '../table/timetable.ts';
import { hostBound, searchMarket } from './host-bound.ts';
import { ClassGrid, evenMarket, type Grid, type MarketSize, marketOf, poissonPages } from './market.ts';
import { boundClasses, type ClassWidths, onePageEach, pageClasses, searchClasses } from './page-classes.ts';
import { pricesOf } from './price-guess.ts';
import { boundPasses, findPrices, guessPasses } from './price-search.ts';
import { type Bound, cutShort, evaluating, marketBound, noBound, type PricedClass } from './slot-prices.ts';

/** Gaps of all pages' matrices, at most, for pages one by one. */
const mostGaps = 4e6;
/** The bound is lowered by what rounding can have added. */
const rounding = 1e-11;
/** Moments of a fine grid at least, and at most where slots have others; pages times moments in any case. */
const [fewestMoments, mostMoments] = [256, 1024];
const mostSteps = 1e7;
const searchMoments = 256;
const fewSlots = 60;

interface BoundProblem {
  readonly problem: CrawlScheduleProblem;
  readonly table: Timetable;
  readonly stale: StaleTime;
  /** What one more crawl saves with free times, in weighted stale time. */
  readonly shadowPrice: number;
}

/** Σ weight·staleness no schedule can beat; 0 where none is found by prices, or the budget ends first. */
export function slotBound(bounded: BoundProblem, budget: Budget): Bound {
  if (budget.stopRequested()) return cutShort;
  const hosts = unlessStopped(cutShort, () => boundByHosts(bounded, keepingShare(budget, 0.3)));
  if (budget.stopRequested()) return { ...hosts, cut: true };
  const slots = unlessStopped(cutShort, () => boundByPrices(bounded, budget));
  return { value: Math.max(hosts.value, slots.value), cut: hosts.cut || slots.cut };
}

/** With prices of hosts' crawls too; 0 where no host asks for a delay, or a page is no Poisson process. */
function boundByHosts({ problem, table, shadowPrice }: BoundProblem, budget: Budget): Bound {
  const { hostDelays, allocation } = problem;
  const { interval, updates, hosts } = allocation;
  if (hostDelays === null || hosts === null || updates.process.some((process) => process !== poissonProcess))
    return noBound;
  const { slotTime } = table;
  if (slotTime.length === 0) return noBound;
  const pages = poissonPages(problem);
  const fine = fineMarket(slotTime, allocation);
  const onGrid = (on: Grid): ((i: number) => PricedClass) => {
    const priced = new ClassGrid(on, interval);
    const [weight, rate, fresh] = [pages.weight, pages.rate, pages.fresh];
    return (i) => priced.priced({ weight: weight[i], rate: rate[i], fresh: fresh[i], mass: 1 });
  };
  const market = {
    size: allocation,
    slotTime,
    pages: { weight: pages.weight, onGrid },
    hosts: hostDelays,
    most: hosts.maxCrawls,
    table,
  };
  const level = shadowPrice > 0 ? shadowPrice : 1e-3 * interval;
  const search = searchMarket(slotTime, allocation, Math.min(searchMoments, fine.moments.length));
  const grid = new ClassGrid(search, interval);
  const classes = pageClasses(pages, searchClasses, budget).map((each) => grid.priced(each));
  const guess = { start: pricesOf(table, search), level, passes: guessPasses };
  const price = findPrices(search, classes, guess, keepingShare(budget, evaluating));
  const paid = price.map((q) => Math.max(0, q));
  const { value, cut } = hostBound(market, fine, { start: paid, level, passes: boundPasses }, budget);
  return { value: Math.max(0, value * (1 - rounding)) / interval, cut };
}

/** An even grid: the slots' own times where these are even and not too many. */
export function fineMarket(slotTime: Float64Array, size: MarketSize, steps = mostSteps): Grid {
  const most = Math.floor(steps / size.weight.length);
  let moments = 1;
  for (let s = 1; s < slotTime.length; s++) if (slotTime[s] > slotTime[s - 1]) moments++;
  const own = moments <= Math.max(fewestMoments, most) ? evenMarket(slotTime, size, moments) : null;
  if (own?.exact) return own;
  return evenMarket(slotTime, size, Math.max(fewestMoments, Math.min(mostMoments, most)));
}

/** @throws NothingToReturn when the budget ends */
function boundByPrices({ problem, table, stale, shadowPrice }: BoundProblem, budget: Budget): Bound {
  const { interval, weight, updates } = problem.allocation;
  const level = shadowPrice > 0 ? shadowPrice : 1e-3 * interval;
  const isPoisson = updates.process.every((process) => process === poissonProcess);
  const fine = isPoisson && weight.length <= searchClasses.most ? fineMarket(table.slotTime, problem.allocation) : null;
  const market = marketOf(table.slotTime, problem.allocation);
  const { moments, spacing } = market;
  if (moments.length === 0) return noBound;
  let cut = false;
  const lowered = (value: number): Bound => ({ value: Math.max(0, value * (1 - rounding)) / interval, cut });
  const foundOn = (on: Grid, classes: readonly PricedClass[], start: Float64Array, until = budget): Float64Array => {
    const price = findPrices(on, classes, { start, level, passes: boundPasses }, until);
    cut ||= until.stopRequested();
    return price;
  };
  // pages one by one, on the slots' own times where they can be
  const oneByOne = (on: Grid, classes: readonly PricedClass[]): Bound => {
    const guesses = [pricesOf(table, on)];
    // few slots show few prices: a level price is tried as well
    if (table.page.length <= fewSlots) guesses.push(new Float64Array(on.moments.length).fill(level));
    const bounds = guesses.map((start) => marketBound(on, classes, foundOn(on, classes, start), null));
    return lowered(Math.max(...bounds));
  };
  const matrix = spacing === 0 && weight.length * moments.length ** 2 <= mostGaps;
  if (matrix && !fine?.exact) {
    return oneByOne(
      market,
      Array.from(weight, (_, i) => onePage(problem, stale, i, moments)),
    );
  }
  if (!isPoisson) return noBound;
  const pages = poissonPages(problem);
  const grid = new ClassGrid(fine ?? market, interval);
  if (fine !== null) {
    return oneByOne(
      fine,
      onePageEach(pages).map((each) => grid.priced(each)),
    );
  }
  const priced = (widths: ClassWidths): PricedClass[] =>
    pageClasses(pages, widths, budget).map((each) => grid.priced(each));
  const searching = keepingShare(budget, evaluating);
  const price = foundOn(market, priced(searchClasses), pricesOf(table, market), searching);
  return lowered(marketBound(market, priced(boundClasses), price, budget));
}

/** A page by itself, whatever its law, on the slots' own times. */
function onePage(
  { allocation }: CrawlScheduleProblem,
  stale: StaleTime,
  i: number,
  moments: Float64Array,
): PricedClass {
  const { interval, weight, updates } = allocation;
  const size = moments.length;
  const gaps = new Float64Array(size * (size + 1));
  const first = new Float64Array(size + 1);
  for (let b = 0; b <= size; b++) {
    const to = b < size ? moments[b] : interval;
    first[b] = stale.gap(i, fromStart, to);
    for (let a = 0; a < b; a++) gaps[a * (size + 1) + b] = stale.gap(i, moments[a], to);
  }
  const convex = updates.process[i] !== quasiDeterministicProcess;
  return { page: { gaps, stride: size + 1, first, weight: weight[i], convex, slack: 0 }, mass: 1, atOnePrice: () => 0 };
}
