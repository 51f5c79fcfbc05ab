/**
 * The least crawls that leave no more than a target: the market of the forward question with another stopping rule.
 *
 * Model: minimise Σ f_i over crawl rates with Σ c_i(f_i) ≤ s*, groups with a target of their own s_g, and hosts with
 * Σ f_i ≤ C_h; c_i falls and is convex. At a price p page i takes the f that is best for c_i(f) + p·f. What is left,
 * S(p), rises with p, so p is the clearing price of S in the place of the crawls. A group pays its own price where that
 * is lower than the common one, a host's pages the host's where that is higher.
 * Bound (weak duality): with θ = 1/p no rates that leave at most s* sum to less than R(p) + θ(S(p) − s*). Every group
 * and host that has a price of its own has a term of the same form.
 * Method: clearingPrice on S(1/θ), which falls in θ; from a sample where pages are many. Where S jumps, the crawls at
 * the two prices are mixed: c is convex, and between two neighbouring doubles it is a line.
 * Complexity: pages × some 6 prices. Stopping rule: rounding; 1e−9 of the target beyond 20 000 pages.
 * Known limits: a host whose pages have several targets pays one price, and there is then no bound.
 */
import { findRoot } from '../../numerics/search/root.ts';
import { clearingPrice, type PriceBracket } from '../market/index.ts';
import { beyondWorth, membersOf, PricedPages } from './priced-pages.ts';
import {
  type GroupMet,
  isPrice,
  type NearPrices,
  type NestedGroups,
  type OneMissed,
  type TargetMet,
  type TargetMissed,
  type TargetProblem,
} from './problem.ts';
import { sampledFrom, sampleOf } from './sample.ts';

const manyPages = 20_000;
const manyTolerance = 1e-9;
/** What rounding may leave above a target. */
const rounding = 1e-9;
/** A host that keeps its limit at a price so far below all others is not asked for its own. */
const farBelow = 1.2;
/** Above what limits leave, still within rounding of it. */
const flat = 1e-12;

/** @throws NothingToReturn when the budget ends first */
export function meetTarget(problem: TargetProblem): TargetMet | TargetMissed {
  const { wanting, whole, own, hosts, start, near, budget } = problem;
  const pages = new PricedPages(wanting, budget);
  const tolerance = toleranceOf(problem);
  const lowest = near === undefined ? 0 : lowestOf(near) / farBelow;
  const from = { start, near: near?.host, lowest, tolerance };
  const hostPrice = hosts === null ? new Float64Array(0) : pages.keepHosts(hosts, from);
  const members = own === null ? [] : membersOf(own.of, own.limit.length);
  const brackets: PriceBracket[] = [];
  const missed: OneMissed[] = [];
  for (const [g, list] of members.entries()) {
    const target = own?.limit[g] ?? Number.POSITIVE_INFINITY;
    const known = near?.own[g];
    const found = targetPrice(pages, {
      target,
      list,
      ...(isPrice(known) ? { start: known, near: true } : { start }),
      tolerance,
    });
    if (typeof found === 'number') missed.push({ group: g, target, least: found });
    else brackets.push(found);
  }
  // a ceiling is set only when all are known: members of two groups there are none, but hosts' floors hold for all
  if (missed.length === 0) {
    for (const [g, list] of members.entries()) for (const i of list) pages.ceiling[i] = brackets[g].low;
  }
  const common = commonPrice(pages, problem);
  // hosts that seemed far from their limits were left out
  const low = typeof common === 'number' ? 0 : brackets.reduce((least, each) => Math.min(least, each.low), common.low);
  if (hosts !== null && low < lowest) return meetTarget({ ...problem, near: undefined });
  if (typeof common === 'number') missed.push({ group: -1, target: whole, least: common });
  else if (missed.length === 0) return settle(problem, pages, { common, brackets, members, hostPrice });
  const [first, ...others] = missed;
  const all = binding(hostPrice, hosts, 0);
  const price = first.group < 0 ? all : ofMembers(all, hosts, members[first.group]);
  return { met: false, ...first, others, hostPrice: price };
}

/** The prices of the hosts of some pages; 0 for the others. */
function ofMembers(hostPrice: Float64Array, hosts: NestedGroups | null, members: Uint32Array): Float64Array {
  const own = new Float64Array(hostPrice.length);
  for (const i of members) for (const h of around(hosts, i)) own[h] = hostPrice[h];
  return own;
}

/** The hosts that a page lies in, from the inside out. */
function* around(hosts: NestedGroups | null, page: number): Generator<number> {
  for (let h = hosts?.of[page] ?? -1; h >= 0; h = hosts?.within?.[h] ?? -1) yield h;
}

/** By host: the highest price around it, and at least `price`. */
const outside = (hostPrice: Float64Array, hosts: NestedGroups | null, price: number): Float64Array =>
  hostPrice.map((_, h) => {
    let highest = price;
    for (let g = hosts?.within?.[h] ?? -1; g >= 0; g = hosts?.within?.[g] ?? -1)
      highest = Math.max(highest, hostPrice[g]);
    return highest;
  });

/** The prices above those around them; 0 for the others. */
function binding(hostPrice: Float64Array, hosts: NestedGroups | null, price: number): Float64Array {
  const least = outside(hostPrice, hosts, price);
  return hostPrice.map((own, h) => (own > least[h] ? own : 0));
}

/** The lowest price that pages pay, as far as is known. */
function lowestOf({ price, own }: NearPrices): number {
  let lowest = isPrice(price) ? price : Number.POSITIVE_INFINITY;
  for (let g = 0; g < own.length; g++) lowest = Math.min(lowest, isPrice(own[g]) ? own[g] : 0);
  return lowest < Number.POSITIVE_INFINITY ? lowest : 0;
}

interface Settled {
  readonly common: PriceBracket;
  readonly brackets: readonly PriceBracket[];
  readonly members: readonly Uint32Array[];
  readonly hostPrice: Float64Array;
}

const toleranceOf = ({ wanting, tolerance }: TargetProblem): number =>
  tolerance ?? (wanting.pages > manyPages ? manyTolerance : 0);

/** The common price; beyond every worth where the whole has no target, or needs no crawl for it. */
function commonPrice(pages: PricedPages, problem: TargetProblem): PriceBracket | number {
  const { whole, start, near: known } = problem;
  if (whole === Number.POSITIVE_INFINITY) return { low: beyondWorth, high: beyondWorth };
  const { pages: count } = pages.wanting;
  const tolerance = toleranceOf(problem);
  if (isPrice(known?.price)) {
    return targetPrice(pages, { target: whole, list: null, start: known.price, near: true, tolerance });
  }
  if (count <= sampledFrom) {
    return targetPrice(pages, { target: whole, list: null, start, tolerance: problem.tolerance });
  }
  const sample = sampleOf(count);
  const target = (whole * sample.length) / count;
  const few = targetPrice(pages, { target, list: sample, start, tolerance: 1e-4 });
  const isKnown = typeof few !== 'number' && few.low < beyondWorth;
  return targetPrice(pages, {
    target: whole,
    list: null,
    start: isKnown ? few.low : start,
    near: isKnown,
    within: isKnown,
    tolerance,
  });
}

interface Search {
  readonly target: number;
  readonly list: Uint32Array | null;
  readonly start: number;
  readonly near?: boolean;
  readonly tolerance?: number | undefined;
  /** Whether it is known that some crawls are needed, and that some number is enough. */
  readonly within?: boolean;
}

/**
 * The prices between which the pages come to leave the target: at `low` they leave no more, at `high` no less. The
 * least that they can leave, where that is more.
 */
function targetPrice(pages: PricedPages, search: Search): PriceBracket | number {
  const { target, list, start, near: isNear, tolerance = 0, within = false } = search;
  const known = new Map<number, number>();
  const left = (worth: number): number => {
    const found = known.get(worth) ?? pages.left(1 / worth, list);
    known.set(worth, found);
    return found;
  };
  const near = { start: Math.exp(Math.log(1 / start)), near: isNear, tolerance };
  // what is left rises with the price
  if (!within && left(near.start) <= target && pages.left(beyondWorth, list) <= target)
    return { low: beyondWorth, high: beyondWorth };
  let found = clearingPrice(left, { ...near, supply: target });
  const least = left(found.high);
  if (least > target * (1 + rounding + 2 * tolerance)) return least;
  // just what limits leave is reached at every low price: the highest of them proves most
  if (found.high >= beyondWorth) found = clearingPrice(left, { ...near, supply: least * (1 + flat) });
  return { low: 1 / found.high, high: 1 / found.low };
}

/** Every page's crawls at its price, mixed where what is left jumps, and what the prices prove. */
function settle(problem: TargetProblem, pages: PricedPages, settled: Settled): TargetMet {
  const { wanting, whole, own, hosts } = problem;
  const { common, brackets, members, hostPrice } = settled;
  const count = wanting.pages;
  const crawls = new Float64Array(count);
  const rest = new Float64Array(count);
  wanting.allAt?.(common.low);
  for (let i = 0; i < count; i++) {
    const price = pages.priceOf(i, common.low);
    crawls[i] = wanting.crawlsAt(i, price);
    rest[i] = wanting.leftAt(i, crawls[i]);
  }
  const bound = proved(problem, pages, settled, { crawls, rest });
  const isOwn = brackets.map(({ low }) => low < common.low);
  for (const [g, list] of members.entries()) {
    if (own !== null && isOwn[g]) {
      mix(pages, { crawls, rest }, { bracket: brackets[g], list, target: own.limit[g] });
    }
  }
  if (common.low < common.high) {
    const free: number[] = [];
    let apart = 0;
    for (let i = 0; i < count; i++) {
      if (own === null || own.of[i] < 0 || !isOwn[own.of[i]]) free.push(i);
      else apart += rest[i];
    }
    mix(pages, { crawls, rest }, { bracket: common, list: Uint32Array.from(free), target: whole - apart });
  }
  let total = 0;
  let left = 0;
  const groups = brackets.map(({ low }) => ({ price: low, ceiling: low, left: 0, crawls: 0 }));
  for (let i = 0; i < count; i++) {
    total += crawls[i];
    left += rest[i];
    const g = own?.of[i] ?? -1;
    if (g < 0) continue;
    groups[g].left += rest[i];
    groups[g].crawls += crawls[i];
  }
  const price = priceToPay(common.low);
  const met: GroupMet[] = groups.map((group, g) => ({ ...group, price: isOwn[g] ? group.price : price }));
  return {
    met: true,
    crawls,
    total,
    bound: bound === null ? null : Math.min(bound, total),
    left,
    price,
    own: met,
    hostPrice: binding(hostPrice, hosts, common.low),
  };
}

const priceToPay = (price: number): number => (price >= beyondWorth ? Number.POSITIVE_INFINITY : price);

/** By page: its crawls, and what they leave. */
interface Taken {
  readonly crawls: Float64Array;
  readonly rest: Float64Array;
}

/** Takes for each page of a list so much of its crawls at the higher price that the list leaves just the target. */
function mix(
  pages: PricedPages,
  { crawls, rest }: Taken,
  { bracket, list, target }: { readonly bracket: PriceBracket; readonly list: Uint32Array; readonly target: number },
): void {
  if (!(bracket.low < bracket.high)) return;
  const { wanting } = pages;
  const more = Float64Array.from(list, (i) => crawls[i]);
  const fewer = Float64Array.from(list, (i) => pages.crawlsOf(i, bracket.high));
  const excess = (share: number): number => {
    let sum = -target;
    for (const [k, i] of list.entries()) sum += wanting.leftAt(i, (1 - share) * more[k] + share * fewer[k]);
    return sum;
  };
  const [first, last] = [excess(0), excess(1)];
  if (!(first < 0)) return;
  // a line in most cases
  const straight = last <= 0 ? 1 : first / (first - last);
  const isThere = last <= 0 || Math.abs(excess(straight)) <= rounding * 1e-3 * target;
  const share = isThere ? straight : findRoot(excess, 0, 1);
  for (const [k, i] of list.entries()) {
    crawls[i] = (1 - share) * more[k] + share * fewer[k];
    rest[i] = wanting.leftAt(i, crawls[i]);
  }
}

/** What the prices prove: the dual function of the least crawls; null where a host's pages have several prices. */
function proved(
  { wanting, whole, own, hosts }: TargetProblem,
  pages: PricedPages,
  { common, hostPrice }: Settled,
  { crawls, rest }: Taken,
): number | null {
  const worth = common.low >= beyondWorth ? 0 : 1 / common.low;
  const groups = own?.limit.length ?? 0;
  const leftBy = new Float64Array(groups);
  const worthBy = new Float64Array(groups).fill(worth);
  const before = new Float64Array(hostPrice.length).fill(Number.NaN);
  const spentBy = new Float64Array(hostPrice.length);
  let bound = 0;
  let left = 0;
  for (let i = 0; i < wanting.pages; i++) {
    const price = Math.min(common.low, pages.ceiling[i]);
    bound += crawls[i];
    left += rest[i];
    const g = own?.of[i] ?? -1;
    if (g >= 0) {
      leftBy[g] += rest[i];
      worthBy[g] = price >= beyondWorth ? 0 : 1 / price;
    }
    for (const h of around(hosts, i)) {
      if (hostPrice[h] > price && before[h] !== price && !Number.isNaN(before[h])) return null;
      before[h] = price;
      spentBy[h] += crawls[i];
    }
  }
  if (worth > 0) bound += worth * (left - whole);
  for (let g = 0; g < groups; g++) bound += (worthBy[g] - worth) * (leftBy[g] - (own?.limit[g] ?? 0));
  const least = outside(hostPrice, hosts, 0);
  for (const [h, spent] of spentBy.entries()) {
    const below = Math.max(before[h], least[h]);
    if (hostPrice[h] > below) bound += ((hostPrice[h] - below) / before[h]) * (spent - (hosts?.limit[h] ?? 0));
  }
  return Math.max(0, bound);
}
