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
/** Of ln S: how near the lower of two prices comes, and the higher; what is no more than rounding. */
const [near, wide, exact] = [3e-6, 5e-3, 1e-11];
const mostLooks = 12;
/** Of the target: what crawls between two prices may leave beside it. */
const straight = 3e-12;
const mostSecants = 4;
/** How much what is left moves with the price, where that is not known yet. */
const elasticity = 0.5;
/** How far beyond the aim a price is looked at, until two enclose it: at first, and where the aim is as good as met. */
const [atFirst, beyond, there] = [1.5, 1.1, 2];
/** Of that nearness: what is aimed at from then on. */
const within = 0.3;

/** At `low` pages leave no more than the target, at `high` no less. At `kept`, between the two, they leave just it. */
export interface TargetPrices {
  readonly low: Taken;
  readonly high: Taken;
  readonly kept: Taken;
}

export interface TargetSearch {
  readonly target: number;
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
  const { tolerance } = search;
  const isMany = pages.wanting.pages > manyPages;
  if (tolerance === undefined ? !isMany : !search.near) return searched(pages, search, tolerance ?? 0);
  const start = search.near ? search.start : startOf(pages, search);
  const found = start === null ? null : closedIn(pages, { ...search, start });
  const again = { ...search, start: start ?? search.start, near: start !== null };
  return found ?? searched(pages, again, tolerance ?? ofMany);
}

/** The price of a sample; null where it says nothing of all. */
function startOf(pages: PricedPages, { target, start }: TargetSearch): number | null {
  const count = pages.wanting.pages;
  if (count <= sampledFrom) return null;
  const sample = sampleOf(count);
  const left = (worth: number): number => {
    let sum = 0;
    for (const i of sample) sum += pages.wanting.leftAt(i, pages.crawlsOf(i, 1 / worth));
    return sum;
  };
  const supply = (target * sample.length) / count;
  const { low } = clearingPrice(left, { supply, start: 1 / start, tolerance: ofSample });
  return low > 1 / beyondWorth && low < Number.POSITIVE_INFINITY ? 1 / low : null;
}

/** Secants from a price that is near; null where they do not close in. */
function closedIn(pages: PricedPages, { target, start, tolerance = near }: TargetSearch): Enclosed | null {
  const look = (price: number) => {
    const taken = pages.take(price);
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
      if (-under.off <= tolerance && over.off <= Math.max(wide, tolerance))
        return { low: under.taken, high: over.taken };
    }
    const steepness = before === null ? elasticity : (last.off - before.off) / (last.at - before.at);
    if (!(steepness > 0)) return null;
    const enclosed = under !== null && over !== null;
    const far = enclosed ? 1 : before === null ? atFirst : Math.abs(last.off) <= tolerance ? there : beyond;
    before = last;
    last = look(Math.exp(last.at - (far * last.off + (enclosed ? tolerance * within : 0)) / steepness));
  }
  return null;
}

function searched(pages: PricedPages, search: TargetSearch, tolerance: number): Enclosed | number {
  const { target, start, near: isNear } = search;
  const known = new Map<number, number>();
  const left = (worth: number): number => {
    const found = known.get(worth) ?? pages.left(1 / worth);
    known.set(worth, found);
    return found;
  };
  const from = { start: Math.exp(Math.log(1 / start)), near: isNear, tolerance };
  // what is left rises with the price
  if (left(from.start) <= target && pages.left(beyondWorth) <= target) {
    const none = pages.take(beyondWorth);
    return { low: none, high: none };
  }
  let found = clearingPrice(left, { ...from, supply: target });
  const least = left(found.high);
  if (least > target * (1 + rounding + 2 * tolerance)) return least;
  // just what limits leave is reached at every low price: the highest of them proves most
  if (found.high >= beyondWorth) found = clearingPrice(left, { ...from, supply: least * (1 + flat) });
  const low = pages.take(1 / found.high);
  return { low, high: found.low < found.high ? pages.take(1 / found.low) : low };
}

/** So much of the crawls at the higher price that the pages leave just the target. */
function between({ wanting }: PricedPages, { target }: TargetSearch, { low, high }: Enclosed): Taken {
  const [first, last] = [low.left - target, high.left - target];
  if (low === high || !(first < 0)) return low;
  if (last <= 0) return high;
  const crawls = new Float64Array(low.crawls.length);
  const excess = (share: number): number => {
    let sum = -target;
    for (let k = 0; k < crawls.length; k++) {
      crawls[k] = (1 - share) * low.crawls[k] + share * high.crawls[k];
      sum += wanting.leftAt(k, crawls[k]);
    }
    return sum;
  };
  // nearly a line
  let [before, offBefore] = first + last < 0 ? [1, last] : [0, first];
  let share = first / (first - last);
  let off = excess(share);
  for (let secant = 0; secant < mostSecants && Math.abs(off) > straight * target; secant++) {
    const next = share - (off * (share - before)) / (off - offBefore);
    if (!(next >= 0 && next <= 1)) break;
    [before, offBefore, share] = [share, off, next];
    off = excess(share);
  }
  if (Math.abs(off) > straight * target) {
    share = findRoot(excess, 0, 1);
    off = excess(share);
  }
  return { price: low.price, crawls, left: target + off };
}
