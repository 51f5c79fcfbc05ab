/**
 * What no schedule of a plan's interval can beat that has each slot once: a price for every moment.
 *
 * Free times flatter where many copies are overdue together. Plans under freshness with all rates known take
 * crawl-schedule's bound. All others, beliefs over rates and other objectives, take the same duality page by page. C is
 * convex for them too. So a page's least cost at the prices of an even grid is a shortest path over it. Rounding its
 * times to the grid costs no more than w·sup c′·h²/2 a gap. Hosts pay for the delay they ask for, as crawl-schedule has
 * it. A plan's other limits only take choices away.
 * Complexity of the latter: some 40 evaluations of a sample of pages, one of all; a page costs O(G²/crawls) of G
 * moments. Pages with signals count as the plain copies that they never cost less than.
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
  StaleTime,
  slotBound,
  Timetable,
} from '../../crawl-schedule/index.ts';
import type { PricedPlan } from '../market/priced-plan.ts';
import { ModelCosts } from '../place/interval/gap-costs.ts';
import { hostDelaysOf } from '../place/interval/page-rules.ts';
import type { PageBounds } from './page-bounds.ts';

/** Mean times between changes that this is tried for, in seconds. */
const meanTimes = { least: 1e-9, most: 1e15 };
/** Moments of the grid: so many a crawl of a page in the mean, within bounds. */
const momentsPerCrawl = 16;
const [fewestMoments, mostMoments] = [96, 384];
/** Pages times moments up to which this is tried page by page. */
const mostLooks = 1e6;
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
  const market = evenMarket(slots.time, size, moments);
  const priced = (grid: Grid) => (i: number) => pageOn(grid, plan, bounds, i);
  const stale = new ModelCosts(pages.now, age, interval, rates.beliefs === null && problem.signals === undefined);
  const table = new Timetable({ slotTime: slots.time, interval, weight, stale, hosts: null }, page);
  const stride = Math.max(1, Math.ceil(count / largestSample));
  const sample: PricedClass[] = [];
  for (let i = 0; i < count; i += stride) sample.push(priced(market)(i));
  const level = steady.price > 0 ? steady.price : steady.typicalPrice;
  const mass = count / sample.length;
  const some = sample.map((each) => ({ ...each, mass }));
  // what is found on some pages is worth nothing until it is computed of all
  const searching = some.length < count ? keepingShare(budget, evaluating) : budget;
  const price = findPrices(market, some, { start: pricesOf(table, market), level, passes: boundPasses }, searching);
  const cut = searching.stopRequested();
  function* all(): Generator<PricedClass> {
    for (let i = 0; i < count; i++) yield priced(market)(i);
  }
  const lowered = (value: number): number => Math.max(0, value * (1 - rounding)) / interval;
  const alone = { value: lowered(marketBound(market, all(), price, null, budget)), cut };
  const hosts = withDelays ? delaysOf(plan) : null;
  if (hosts === null) return alone;
  const asked = {
    size,
    slotTime: slots.time,
    pages: { weight, onGrid: priced },
    hosts,
    most: hosts.delay.map(() => Number.POSITIVE_INFINITY),
    table,
  };
  const guess = { start: price.map((q) => Math.max(0, q)), level, passes: boundPasses };
  const fine = fineMarket(slots.time, size, mostLooks);
  const withHosts = unlessStopped(cutShort, () => hostBound(asked, fine, guess, budget));
  return { value: Math.max(alone.value, lowered(withHosts.value)), cut: cut || withHosts.cut };
}

/** The delays of hosts, without what else limits their fetches. */
function delaysOf({ problem, age }: PricedPlan): HostDelays | null {
  return hostDelaysOf({ ...problem, hostRate: undefined }, age);
}

/** A page on an even grid. */
function pageOn(grid: Grid, { problem, slots, age, pages }: PricedPlan, bounds: PageBounds, i: number): PricedClass {
  const { interval, weight, objective = 'freshness' } = problem;
  const { copies } = pages.uncosted;
  const { spacing } = grid;
  const size = grid.moments.length;
  const given = copies.ageNow(i, age[i]);
  const unseen = given === Number.POSITIVE_INFINITY;
  const begun = unseen ? 0 : given;
  const paid = copies.integral(i, begun);
  const gaps = new Float64Array(size + 1);
  const first = new Float64Array(size + 1);
  for (let b = 0; b <= size; b++) {
    const length = b * spacing;
    gaps[b] = b === 0 ? 0 : copies.integral(i, length);
    first[b] = unseen && copies.unseenIsStale ? length : copies.integral(i, begun + length) - paid;
  }
  // c is concave but under age, where c′ is below 1
  const soon = 1e-12 * interval;
  const steepest = objective === 'age' ? 1 : (copies.cost(i, soon) / soon) * (1 + 1e-6);
  const slack = grid.exact ? 0 : 0.5 * weight[i] * steepest * spacing * spacing;
  const most = slots.time.length;
  return {
    page: { gaps, stride: -1, first, weight: weight[i], convex: true, slack },
    mass: 1,
    atOnePrice: (price) => bounds.leastCost(i, { age: age[i], interval, most }, price),
  };
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
