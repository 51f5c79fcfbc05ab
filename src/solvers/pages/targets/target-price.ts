/**
 * The prices between which pages come to leave a target, and what they take and leave at both.
 *
 * Few pages: clearingPrice on what is left, to rounding. Many: a sample finds a start, and secants on all go on from
 * there. They aim a little beyond, so that the last two prices enclose the one sought. Taken between the two, crawls
 * keep the target to rounding. What they lose is of the second order in how far these prices are apart.
 * Complexity: some 4 looks at many pages. Where what is left jumps, secants do not close in, and clearingPrice goes on.
 */
import { findRoot } from '../../numerics/search/root.ts';
import { clearingPrice } from '../market/index.ts';
import { beyondWorth, type PricedPages, type Taken } from './priced-pages.ts';
import { sampledFrom, sampleOf } from './sample.ts';

/** From so many pages on a target is kept between two prices. */
export const manyPages = 20_000;
/** What rounding may leave above a target. */
const rounding = 1e-9;
/** Above what limits leave, still within rounding of it. */
const flat = 1e-12;
/** How near the sample's target its price is found. */
const ofSample = 1e-4;
/** And that of many pages, where secants do not close in. */
const ofMany = 1e-10;
/** Of ln S: how near the nearer of two prices comes, and the other; what is no more than rounding. */
const [near, wide, exact] = [3e-6, 2e-3, 1e-13];
const mostLooks = 12;
/** Of the target: what crawls between two prices may leave beside it. */
const straight = 1e-12;
/** How much what is left moves with the price, where that is not known yet, and how far beyond the aim is. */
const [elasticity, beyond] = [-0.5, 1.05];

/** At `low` pages leave no more than the target, at `high` no less; `kept`: between the two, where they leave just it. */
export interface TargetPrices {
  readonly low: Taken;
  readonly high: Taken;
  readonly kept: Taken;
}

export interface TargetSearch {
  readonly target: number;
  /** Null: all pages. */
  readonly list: Uint32Array | null;
  readonly start: number;
  /** Whether that is the price itself but for a little. */
  readonly near: boolean;
  /** How near the target is to be kept; left out: as the number of pages allows. */
  readonly tolerance?: number | undefined;
}

/** The least that the pages can leave, where that is more than the target. */
export function targetPrices(pages: PricedPages, search: TargetSearch): TargetPrices | number {
  const found = enclosed(pages, search);
  return typeof found === 'number' ? found : { ...found, kept: between(pages, search, found) };
}

type Enclosed = Omit<TargetPrices, 'kept'>;

function enclosed(pages: PricedPages, search: TargetSearch): Enclosed | number {
  const { list, tolerance } = search;
  const count = list?.length ?? pages.wanting.pages;
  if (tolerance !== undefined || pages.wanting.pages <= manyPages) return searched(pages, search, tolerance ?? 0);
  const start = search.near ? search.start : startOf(pages, search, count);
  const found = start === null ? null : closedIn(pages, { ...search, start });
  return found ?? searched(pages, { ...search, start: start ?? search.start, near: start !== null }, ofMany);
}

/** The price of a sample; null where it says nothing of all. */
function startOf(pages: PricedPages, { target, list, start }: TargetSearch, count: number): number | null {
  if (count <= sampledFrom) return null;
  const chosen = sampleOf(count);
  const sample = list === null ? chosen : chosen.map((k) => list[k]);
  const supply = (target * sample.length) / count;
  const { low } = clearingPrice((worth) => pages.left(1 / worth, sample), {
    supply,
    start: 1 / start,
    tolerance: ofSample,
  });
  return low > 1 / beyondWorth && low < Number.POSITIVE_INFINITY ? 1 / low : null;
}

/** Secants from a price that is near; null where they do not close in. */
function closedIn(pages: PricedPages, { target, list, start }: TargetSearch): Enclosed | null {
  const look = (price: number) => {
    const taken = pages.take(price, list);
    return { taken, at: Math.log(price), off: Math.log(taken.left / target) };
  };
  let last = look(start);
  let before: typeof last | null = null;
  let [under, over]: (typeof last | null)[] = [null, null];
  for (let looks = 1; looks < mostLooks; looks++) {
    if (!Number.isFinite(last.off)) return null;
    if (Math.abs(last.off) <= exact) return { low: last.taken, high: last.taken };
    if (last.off < 0) under = last;
    else over = last;
    if (under !== null && over !== null) {
      const [closer, farther] = [Math.min(-under.off, over.off), Math.max(-under.off, over.off)];
      if (closer <= near && farther <= wide) return { low: under.taken, high: over.taken };
    }
    const steepness = before === null ? -elasticity : (last.off - before.off) / (last.at - before.at);
    if (!(steepness > 0)) return null;
    before = last;
    last = look(Math.exp(last.at - (beyond * last.off) / steepness));
  }
  return null;
}

function searched(pages: PricedPages, search: TargetSearch, tolerance: number): Enclosed | number {
  const { target, list, start, near: isNear } = search;
  const known = new Map<number, number>();
  const left = (worth: number): number => {
    const found = known.get(worth) ?? pages.left(1 / worth, list);
    known.set(worth, found);
    return found;
  };
  const from = { start: Math.exp(Math.log(1 / start)), near: isNear, tolerance };
  // what is left rises with the price
  if (left(from.start) <= target && pages.left(beyondWorth, list) <= target) {
    const none = pages.take(beyondWorth, list);
    return { low: none, high: none };
  }
  let found = clearingPrice(left, { ...from, supply: target });
  const least = left(found.high);
  if (least > target * (1 + rounding + 2 * tolerance)) return least;
  // just what limits leave is reached at every low price: the highest of them proves most
  if (found.high >= beyondWorth) found = clearingPrice(left, { ...from, supply: least * (1 + flat) });
  const low = pages.take(1 / found.high, list);
  return { low, high: found.low < found.high ? pages.take(1 / found.low, list) : low };
}

/** So much of the crawls at the higher price that the pages leave just the target. */
function between({ wanting }: PricedPages, { target, list }: TargetSearch, { low, high }: Enclosed): Taken {
  const [first, last] = [low.left - target, high.left - target];
  if (low === high || !(first < 0)) return low;
  if (last <= 0) return high;
  const crawls = new Float64Array(low.crawls.length);
  const excess = (share: number): number => {
    let sum = -target;
    for (let k = 0; k < crawls.length; k++) {
      crawls[k] = (1 - share) * low.crawls[k] + share * high.crawls[k];
      sum += wanting.leftAt(list === null ? k : list[k], crawls[k]);
    }
    return sum;
  };
  // nearly a line: two secants do
  let share = first / (first - last);
  let off = excess(share);
  if (Math.abs(off) > straight * target) {
    share += off < 0 ? ((1 - share) * off) / (off - last) : (share * off) / (first - off);
    off = excess(share);
  }
  if (Math.abs(off) > straight * target) {
    share = findRoot(excess, 0, 1);
    off = excess(share);
  }
  return { price: low.price * (high.price / low.price) ** share, crawls, left: target + off };
}
