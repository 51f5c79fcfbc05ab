/**
 * The bound of a schedule by prices of its slots (slot-prices.ts): which grid, which classes, and the first guess of
 * the prices.
 *
 * Few pages on few moments are taken one by one, whatever their law; many pages in classes, if all of them are Poisson.
 * Limits of pages and hosts are left aside, which only lowers the bound.
 */
import { type Budget, unlessStopped } from '../../budget.ts';
import { poissonProcess, quasiDeterministicProcess } from '../../crawl-allocation/index.ts';
import type { CrawlScheduleProblem } from '../problem.ts';
import { fromStart, type StaleTime } from '../table/stale-time.ts';
import type { Timetable } from '../table/timetable.ts';
import { ClassGrid, marketOf, poissonPages } from './market.ts';
import { boundClasses, type ClassWidths, pageClasses, searchClasses } from './page-classes.ts';
import { pricesOf } from './price-guess.ts';
import { findPrices, marketBound, type PricedClass } from './slot-prices.ts';

/** Gaps of all pages' matrices, at most, for pages one by one. */
const mostGaps = 4e6;
/** The bound is lowered by what rounding can have added. */
const rounding = 1e-11;

export interface BoundProblem {
  readonly problem: CrawlScheduleProblem;
  readonly table: Timetable;
  readonly stale: StaleTime;
  /** What one more crawl saves with free times, in weighted stale time. */
  readonly shadowPrice: number;
}

/** Σ weight·staleness no schedule can beat; 0 where none is found by prices, or the budget ends first. */
export function slotBound(bounded: BoundProblem, budget: Budget): number {
  return budget.stopRequested() ? 0 : unlessStopped(0, () => boundByPrices(bounded, budget));
}

/** @throws NothingToReturn when the budget ends */
function boundByPrices({ problem, table, stale, shadowPrice }: BoundProblem, budget: Budget): number {
  const { interval, weight, updates } = problem.allocation;
  const level = shadowPrice > 0 ? shadowPrice : 1e-3 * interval;
  const market = marketOf(table.slotTime, problem.allocation);
  const { moments, spacing } = market;
  if (moments.length < 2) return 0;
  const lowered = (value: number): number => Math.max(0, value * (1 - rounding)) / interval;
  if (spacing === 0 && weight.length * moments.length ** 2 <= mostGaps) {
    const classes = Array.from(weight, (_, i) => onePage(problem, stale, i, moments));
    // few slots show few prices: both guesses are tried
    const guesses = [new Float64Array(moments.length).fill(level), pricesOf(table, market)];
    const bounds = guesses.map((start) =>
      marketBound(market, classes, findPrices(market, classes, { start, level }, budget), null, null),
    );
    return lowered(Math.max(...bounds));
  }
  if (updates.process.some((process) => process !== poissonProcess)) return 0;
  const pages = poissonPages(problem);
  const grid = new ClassGrid(market, interval);
  const priced = (widths: ClassWidths): PricedClass[] =>
    pageClasses(pages, widths, budget).map((each) => grid.priced(each));
  const start = pricesOf(table, market);
  const price = findPrices(market, priced(searchClasses), { start, level }, budget);
  if (budget.stopRequested()) return 0;
  return lowered(marketBound(market, priced(boundClasses), price, null, budget));
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
