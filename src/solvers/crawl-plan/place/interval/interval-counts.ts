/**
 * How often each page is fetched in one interval, and when, with times free.
 *
 * With x fetches the best times make all gaps alike, the copy's age counted into the first. They are (T + a)/(x + 1)
 * long. Where that time is past or the page was never fetched, they are T/x with the first fetch at once
 * (crawl-allocation has the same). At a price every gap is the page's fetch interval at that price. The price is found
 * at which the counts are as many as the slots; pages of crowded hosts keep their own where it is higher. What whole
 * numbers leave over goes one by one to the largest marginal value. Complexity: pages × prices on a sample, one pass,
 * and a heap for the rest. Source: Wolf et al. (2002), (14), with an age.
 */
import { fromStart, type GapCosts } from '../../../crawl-schedule/index.ts';
import { KeyedHeap } from '../../../numerics/heaps/keyed-heap.ts';
import { findRoot } from '../../../numerics/search/root.ts';

interface CountProblem {
  readonly costs: GapCosts;
  readonly weight: Float64Array;
  readonly age: Float64Array;
  readonly interval: number;
  readonly minInterval: Float64Array;
  readonly slots: number;
  /** The gap at which a page's fetch is worth a price. */
  readonly intervalAt: (page: number, price: number) => number;
  /** The steady price of each page's fetch, and what fetches go for. */
  readonly pagePrice: Float64Array;
  readonly typicalPrice: number;
}

const largestSample = 4096;
/** The price is looked for within this factor of the steady one, in its logarithm. */
const reach = 20;
const tolerance = 1e-3;

/** Fetches of each page, Σ = slots where the pages can have as many. */
export function intervalCounts(problem: CountProblem): Int32Array {
  const { weight, slots } = problem;
  const pages = weight.length;
  const stride = Math.max(1, Math.ceil(pages / largestSample));
  const own = crowdedPrices(problem);
  const wanted = (logPrice: number): number => {
    let sum = 0;
    let counted = 0;
    for (let i = 0; i < pages; i += stride) {
      sum += realCount(problem, i, Math.max(own[i], Math.exp(logPrice)));
      counted++;
    }
    return (sum * pages) / counted - slots;
  };
  const middle = Math.log(problem.typicalPrice);
  const [low, high] = [middle - reach, middle + reach];
  const price =
    wanted(low) > 0 && wanted(high) < 0
      ? Math.exp(findRoot(wanted, low, high, tolerance))
      : Math.exp(wanted(low) > 0 ? high : low);
  const counts = Int32Array.from(weight, (_, i) => Math.round(realCount(problem, i, Math.max(own[i], price))));
  evenOut(problem, counts);
  return counts;
}

/** The gap between x fetches of a page, with times free; the first is at once where that time is past. */
export function evenGap({ age, interval }: Pick<CountProblem, 'age' | 'interval'>, i: number, x: number): number {
  if (x * age[i] > interval || age[i] === Number.POSITIVE_INFINITY) return interval / x;
  return (interval + age[i]) / (x + 1);
}

/** Prices of pages whose hosts have no room for what the others' price would ask for; 0 for the others. */
function crowdedPrices({ pagePrice }: CountProblem): Float64Array {
  const lowest = pagePrice.reduce((low, own) => Math.min(low, own), Number.POSITIVE_INFINITY);
  return pagePrice.map((own) => (own > lowest * (1 + 1e-9) ? own : 0));
}

function realCount({ weight, age, interval, intervalAt, ...rest }: CountProblem, i: number, price: number): number {
  if (!(weight[i] > 0)) return 0;
  const gap = intervalAt(i, price);
  const count = age[i] > gap ? interval / gap : (interval + age[i]) / gap - 1;
  return Math.max(0, Math.min(mostOf({ interval, ...rest }, i), count));
}

/** The most fetches of a page that its least interval and the slots allow. */
function mostOf({ interval, minInterval, slots }: Omit<CountProblem, 'weight' | 'age' | 'intervalAt'>, i: number) {
  if (!(minInterval[i] > 0)) return slots;
  return Math.min(slots, 1 + Math.floor((interval * (1 + 1e-9)) / minInterval[i]));
}

/**
 * Takes the fetches worth least away where there are more than slots, and gives those worth most where there are fewer.
 */
function evenOut(problem: CountProblem, counts: Int32Array): void {
  let excess = counts.reduce((sum, x) => sum + x, 0) - problem.slots;
  if (excess === 0) return;
  const heap = new KeyedHeap(counts.length);
  const put = (i: number): void => {
    if (excess > 0 && counts[i] > 0) heap.push(-saved(problem, i, counts[i] - 1), i);
    if (excess < 0 && counts[i] < mostOf(problem, i) && problem.weight[i] > 0)
      heap.push(saved(problem, i, counts[i]), i);
  };
  const change = excess > 0 ? -1 : 1;
  for (let i = 0; i < counts.length; i++) put(i);
  while (excess !== 0 && heap.size > 0) {
    const i = heap.pop();
    counts[i] += change;
    excess += change;
    if (excess !== 0) put(i);
  }
}

/** What one fetch more than x saves. */
function saved(problem: CountProblem, i: number, x: number): number {
  return problem.weight[i] * (costOfEven(problem, i, x) - costOfEven(problem, i, x + 1));
}

function costOfEven({ costs, age, interval }: CountProblem, i: number, x: number): number {
  if (x === 0) return costs.gap(i, fromStart, interval);
  const gap = evenGap({ age, interval }, i, x);
  return costs.gap(i, fromStart, Math.max(0, gap - age[i])) + x * costs.gap(i, 0, gap);
}
