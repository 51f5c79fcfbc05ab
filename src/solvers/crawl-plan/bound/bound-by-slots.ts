/**
 * What no schedule of a plan's interval can beat that has each slot once: a price for every moment.
 *
 * Free times flatter where many copies are overdue together. Plans under freshness with all rates known take
 * crawl-schedule's bound. All others, beliefs over rates and other objectives, take the same duality page by page. C is
 * convex for them too. So a page's least cost at the prices of an even grid is a shortest path over it. Rounding its
 * times to the grid costs a gap no more than the chord of C over a cell is above C. A page that is fetched often has a
 * finer grid of its own, or the slots' times, so that this is little beside its gaps. Few pages on few slots are priced
 * slot by slot too. Hosts pay for the delay they ask for, as crawl-schedule has it. A plan's other limits only take
 * choices away.
 * Complexity of the latter: some 40 evaluations of a sample of pages, one of all. A page costs O(G·log G) of G moments.
 * Pages with signals count as the plain copies that they never cost less than.
 */
import { type Budget, keepingShare, unlessStopped } from '../../budget.ts';
import { UpdateProcesses } from '../../crawl-allocation/index.ts';
import {
  type Bound,
  boundPasses,
  type CrawlScheduleProblem,
  cutShort,
  evaluating,
  evenMarket,
  findPrices,
  fineMarket,
  type Grid,
  type HostDelays,
  hostBound,
  marketBound,
  noBound,
  type PricedClass,
  pricesOf,
  resampled,
  StaleTime,
  slotBound,
  Timetable,
} from '../../crawl-schedule/index.ts';
import type { PricedFacts, PricedPlan } from '../market/priced-plan.ts';
import { ModelCosts } from '../place/interval/gap-costs.ts';
import { hostDelaysOf } from '../place/interval/page-rules.ts';
import type { Copies } from '../rates/page-model.ts';
import type { PageBounds } from './page-bounds.ts';

/** Mean times between changes that this is tried for, in seconds. */
const meanTimes = { least: 1e-9, most: 1e15 };
/** Moments of the grid: so many a crawl of a page in the mean, within bounds. */
const momentsPerCrawl = 16;
const [fewestMoments, mostMoments] = [96, 384];
/** Moments for every gap of a page that is fetched more often than others. */
const momentsPerGap = 16;
/** Pages times moments up to which this is tried page by page. */
const mostLooks = 1e6;
/** The same up to which the slots' own times have prices too. */
const fewSteps = 2e4;
/** A bound of so much of the value is near: finding prices then takes a quarter of the passes. */
const near = 0.9;
/** Pages on which prices are found. */
const largestSample = 150;
/** The bound is lowered by what rounding can have added. */
const rounding = 1e-9;

/** A schedule, and how closely it is to be bounded. */
export interface SlotQuestion {
  readonly priced: PricedPlan;
  /** Of pages at one price. */
  readonly bounds: PageBounds;
  /** By slot. */
  readonly page: Int32Array;
  /** Whether hosts' delays count, which takes many times as long. */
  readonly withDelays: boolean;
}

/** Whether a schedule may show prices: not where there are too many pages to look at one by one. */
export const showsPrices = ({ problem, rates }: PricedFacts): boolean =>
  rates.beliefs === null || problem.weight.length * fewestMoments <= mostLooks;

/**
 * Σ weight·cost that no schedule can beat, from the prices that this one shows; 0 where none is known.
 *
 * @throws NothingToReturn when the budget ends
 */
export function boundBySlots(question: SlotQuestion, budget: Budget): Bound {
  if (budget.stopRequested()) return cutShort;
  const { priced, page, withDelays } = question;
  const problem = poissonPages(priced, withDelays);
  if (problem === null) return boundPageByPage(question, budget);
  const { slots, steady } = priced;
  const { interval, weight } = problem.allocation;
  const stale = new StaleTime(problem.allocation);
  const table = new Timetable({ slotTime: slots.time, interval, weight, stale, hosts: null }, page);
  return slotBound({ problem, table, stale, shadowPrice: steady.price }, budget);
}

function boundPageByPage({ priced: plan, bounds, page, withDelays }: SlotQuestion, budget: Budget): Bound {
  const { problem, slots, age, pages, rates, steady } = plan;
  const { interval, weight } = problem;
  const count = weight.length;
  const wanted = Math.ceil((momentsPerCrawl * slots.time.length) / count);
  const moments = Math.max(fewestMoments, Math.min(mostMoments, wanted));
  if (count * moments > mostLooks) return noBound;
  const size = { interval, crawls: slots.time.length, weight };
  const steps = Math.round(interval / slots.longestStep);
  const slotMoments = evenMarket(slots.time, size, steps).exact ? steps : Number.POSITIVE_INFINITY;
  const priced = (grid: Grid) => (i: number) => pageOn(grid, { plan, bounds, slotMoments }, i);
  const stale = new ModelCosts(pages.now, age, interval, rates.beliefs === null && problem.signals === undefined);
  const table = new Timetable({ slotTime: slots.time, interval, weight, stale, hosts: null }, page);
  const stride = Math.max(1, Math.ceil(count / largestSample));
  const level = steady.price > 0 ? steady.price : steady.typicalPrice;
  const lowered = (value: number): number => Math.max(0, value * (1 - rounding)) / interval;
  let cut = false;
  const pricedOn = (market: Grid, start: Float64Array, passes = boundPasses) => {
    const sample: PricedClass[] = [];
    for (let i = 0; i < count; i += stride) sample.push(priced(market)(i));
    const mass = count / sample.length;
    const some = sample.map((each) => ({ ...each, mass }));
    // what is found on some pages is worth nothing until it is computed of all
    const searching = some.length < count ? keepingShare(budget, evaluating) : budget;
    const price = findPrices(market, some, { start, level, passes }, searching);
    cut ||= searching.stopRequested();
    function* all(): Generator<PricedClass> {
      for (let i = 0; i < count; i++) yield priced(market)(i);
    }
    return { price, value: lowered(marketBound(market, all(), price, budget)) };
  };
  const market = evenMarket(slots.time, size, moments);
  const found = pricedOn(market, pricesOf(table, market));
  let best = found;
  if (count * slotMoments <= fewSteps) {
    const own = evenMarket(slots.time, size, slotMoments);
    let value = 0;
    for (let i = 0; i < count; i++) value += (weight[i] * table.staleTime(i)) / interval;
    const attempts = [
      { start: () => resampled(best.price, slotMoments), passes: boundPasses },
      { start: () => pricesOf(table, own), passes: 4 * boundPasses },
      { start: () => resampled(best.price, slotMoments), passes: 4 * boundPasses },
    ];
    for (const { start, passes } of attempts) {
      const next = unlessStopped(best, () => pricedOn(own, start(), passes));
      if (next.value > best.value) best = next;
      if (best.value >= near * value) break;
    }
  }
  const hosts = withDelays ? delaysOf(plan) : null;
  if (hosts === null) return { value: best.value, cut };
  const asked = {
    size,
    slotTime: slots.time,
    pages: { weight, onGrid: priced },
    hosts,
    most: hosts.delay.map(() => Number.POSITIVE_INFINITY),
    table,
  };
  const guess = { start: found.price.map((q) => Math.max(0, q)), level, passes: boundPasses };
  const fine = fineMarket(slots.time, size, mostLooks);
  const withHosts = unlessStopped(cutShort, () => hostBound(asked, fine, guess, budget));
  return { value: Math.max(best.value, lowered(withHosts.value)), cut: cut || withHosts.cut };
}

/** The delays of hosts, without what else limits their fetches. */
function delaysOf({ problem, age }: PricedPlan): HostDelays | null {
  return hostDelaysOf({ ...problem, hostRate: undefined }, age);
}

interface GridPages {
  readonly plan: PricedPlan;
  readonly bounds: PageBounds;
  /** Of a grid that has all slots; Infinity where no even one does. */
  readonly slotMoments: number;
}

/** A page on an even grid, or on a finer one of its own where it is fetched often. */
function pageOn(grid: Grid, pages: GridPages, i: number): PricedClass {
  const { problem, slots, age } = pages.plan;
  const { interval, weight } = problem;
  const { copies } = pages.plan.pages.now;
  const { size, exact } = ownGrid(grid, pages, i);
  const spacing = interval / size;
  const given = copies.ageNow(i, age[i]);
  const unseen = given === Number.POSITIVE_INFINITY;
  const begun = unseen ? 0 : given;
  const paid = copies.integral(i, begun);
  const stale = unseen && copies.unseenIsStale;
  const chord = (from: number): number => (exact ? 0 : aboveTangent(copies, i, from, spacing));
  // c′ falls, but rises under age
  const slack = Math.max(chord(0), chord(interval - spacing));
  const more = stale ? 0 : Math.max(0, chord(begun + interval - spacing) - slack);
  const gaps = new Float64Array(size + 1);
  const first = new Float64Array(size + 1);
  for (let b = 0; b <= size; b++) {
    const length = b * spacing;
    gaps[b] = b === 0 ? 0 : copies.integral(i, length);
    first[b] = stale ? length : copies.integral(i, begun + length) - paid - more;
  }
  const most = slots.time.length;
  return {
    page: { gaps, stride: -1, first, weight: weight[i], convex: true, slack: weight[i] * slack },
    mass: 1,
    atOnePrice: (price) => pages.bounds.leastCost(i, { age: age[i], interval, most }, price),
  };
}

/** The moments of a page: so many a gap at least, or those of the slots. */
function ownGrid({ moments, exact }: Grid, { plan, slotMoments }: GridPages, i: number) {
  const count = moments.length;
  const wanted = (momentsPerGap * plan.problem.interval) / plan.steady.fetchInterval[i];
  if (exact || !(wanted > count)) return { size: count, exact };
  const size = count * 2 ** Math.ceil(Math.log2(wanted / count));
  return size < slotMoments ? { size, exact } : { size: slotMoments, exact: true };
}

/** How far the chord of C over a cell is above its tangent in the middle, which C is above. */
function aboveTangent({ integral, cost }: Copies, i: number, from: number, spacing: number): number {
  const half = spacing / 2;
  const middle = integral(i, from + half);
  const rise = cost(i, from + half) * half;
  return Math.max(0, rise - (middle - (from > 0 ? integral(i, from) : 0)), integral(i, from + spacing) - middle - rise);
}

function poissonPages(plan: PricedPlan, withDelays: boolean): CrawlScheduleProblem | null {
  const { problem, age, rates, slots } = plan;
  const { interval, weight, objective = 'freshness', slotsByCrawler, hostName } = problem;
  const { rate, beliefs } = rates;
  if (beliefs !== null || problem.signals !== undefined || objective !== 'freshness') return null;
  if (!rate.every((each) => 1 / each >= meanTimes.least && 1 / each <= meanTimes.most)) return null;
  const updates = new UpdateProcesses(rate.length);
  const delays = withDelays ? delaysOf(plan) : null;
  const unlimited = new Float64Array(hostName.length).fill(Number.POSITIVE_INFINITY);
  for (let i = 0; i < rate.length; i++) updates.setPoisson(i, rate[i], ['pages', i, 'changeRate']);
  return {
    allocation: {
      interval,
      crawls: slots.time.length,
      updates,
      weight,
      minCrawls: new Int32Array(rate.length),
      maxCrawls: new Int32Array(rate.length).fill(-1),
      lastCrawlAge: age.map((own) => (own === Number.POSITIVE_INFINITY ? Number.NaN : own)),
      hosts: delays === null ? null : { of: delays.of, maxCrawls: unlimited, names: hostName },
      objective: 'freshness',
      quasiDeterministic: 'exact',
      idealTimes: false,
      baselines: false,
    },
    upTo: true,
    slotCounts: Int32Array.from(slotsByCrawler),
    hostDelays: delays,
  };
}
