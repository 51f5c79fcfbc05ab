/**
 * The least crawls that leave no more than a target: the market of the forward question with another stopping rule.
 *
 * Model: minimise Σ f_i over crawl rates with Σ c_i(f_i) ≤ s*, groups with a target of their own s_g, and hosts with
 * Σ f_i ≤ C_h; c_i falls and is convex. At a price p page i takes the f that is best for c_i(f) + p·f. What is left,
 * S(p), rises with p, so p is the clearing price of S in the place of the crawls. A group pays its own price where that
 * is lower than the common one, a host's pages the host's where that is higher.
 * Bound (weak duality): with θ = 1/p no rates that leave at most s* sum to less than R(p) + θ(S(p) − s*). Every group
 * and host that has a price of its own has a term of the same form.
 * Method: target-price.ts. Crawls between two prices that enclose the one sought keep the target: c is convex.
 * Complexity: pages × some 4 prices. Stopping rule: rounding.
 * Hosts that overlap in part add to the price for all, at each such price anew (pages/groups).
 * Known limits: beside those no group has a target of its own, and no other host has pages of several targets:
 * meet-target.ts is for them.
 */
import { binding, hostsOf, ofMembers, outside } from './host-prices.ts';
import { beyondWorth, membersOf, PricedPages, type Taken } from './priced-pages.ts';
import {
  type GroupMet,
  isPrice,
  type NearPrices,
  type OneMissed,
  type TargetMet,
  type TargetMissed,
  type TargetProblem,
} from './problem.ts';
import { manyPages, type TargetPrices, targetPrices } from './target-price.ts';

/** How near hosts of many pages come to their limits. */
const hostTolerance = 1e-10;
/** A host that keeps its limit at a price so far below all others is not asked for its own. */
const farBelow = 1.2;

/** @throws NothingToReturn when the budget ends first */
export function meetApart(problem: TargetProblem): TargetMet | TargetMissed {
  const { wanting, whole, own, hosts, near, budget } = problem;
  const pages = new PricedPages(wanting, budget);
  const tolerance = problem.tolerance ?? (wanting.pages > manyPages ? hostTolerance : 0);
  const lowest = near === undefined ? 0 : lowestOf(near) / farBelow;
  const from = { start: problem.start, near: near?.host, lowest, tolerance };
  const hostPrice = hosts === null ? new Float64Array(0) : pages.keepHosts(hosts, from);
  const members = own === null ? [] : membersOf(own.of, own.limit.length);
  const search = (target: number, list: Uint32Array | null, known: number | undefined): TargetPrices | number => {
    const start = isPrice(known) ? { start: known, near: true } : { start: problem.start, near: false };
    return targetPrices(pages, { target, list, ...start, tolerance: problem.tolerance });
  };
  const groups: TargetPrices[] = [];
  const missed: OneMissed[] = [];
  for (const [g, list] of members.entries()) {
    const target = own?.limit[g] ?? Number.POSITIVE_INFINITY;
    const found = search(target, list, near?.own[g]);
    if (typeof found === 'number') missed.push({ group: g, target, least: found });
    else groups.push(found);
  }
  // a ceiling is set only when all are known: members of two groups there are none, but hosts' floors hold for all
  if (missed.length === 0) for (const [g, list] of members.entries()) pages.keep(list, groups[g].kept);
  const nothing = (): TargetPrices => {
    const none = beyond(pages, { own, groups, members });
    return { low: none, high: none, kept: none };
  };
  const common = whole === Number.POSITIVE_INFINITY ? nothing() : search(whole, null, near?.price);
  // hosts that seemed far from their limits were left out
  const low =
    typeof common === 'number' ? 0 : groups.reduce((least, each) => Math.min(least, each.low.price), common.low.price);
  if (hosts !== null && low < lowest) return meetApart({ ...problem, near: undefined });
  if (typeof common === 'number') missed.push({ group: -1, target: whole, least: common });
  else if (missed.length === 0) return settle(problem, pages, { common, groups, members, hostPrice });
  const [first, ...others] = missed;
  const all = pages.overlapping === null ? binding(hostPrice, hosts, 0) : hostPrice.slice();
  const price = first.group < 0 ? all : ofMembers(all, hosts, members[first.group]);
  return { met: false, ...first, others, hostPrice: price };
}

/** What is taken at a price beyond every worth: groups keep what keeps their targets. */
function beyond(
  pages: PricedPages,
  { own, groups, members }: Pick<Settled, 'groups' | 'members'> & Pick<TargetProblem, 'own'>,
): Taken {
  const of = own?.of ?? [];
  const others = Uint32Array.from([...of.keys()].filter((i) => of[i] < 0));
  const rest = pages.take(beyondWorth, others);
  const crawls = new Float64Array(pages.wanting.pages);
  for (const [k, i] of others.entries()) crawls[i] = rest.crawls[k];
  let { left } = rest;
  for (const [g, { kept }] of groups.entries()) {
    left += kept.left;
    for (const [k, i] of members[g].entries()) crawls[i] = kept.crawls[k];
  }
  return { price: beyondWorth, crawls, left };
}

/** The lowest price that pages pay, as far as is known. */
function lowestOf({ price, own }: NearPrices): number {
  let lowest = isPrice(price) ? price : Number.POSITIVE_INFINITY;
  for (let g = 0; g < own.length; g++) lowest = Math.min(lowest, isPrice(own[g]) ? own[g] : 0);
  return lowest < Number.POSITIVE_INFINITY ? lowest : 0;
}

interface Settled {
  readonly common: TargetPrices;
  readonly groups: readonly TargetPrices[];
  readonly members: readonly Uint32Array[];
  readonly hostPrice: Float64Array;
}

/** Every page's crawls, and what the prices prove. */
function settle(problem: TargetProblem, pages: PricedPages, settled: Settled): TargetMet {
  const { common, groups, members, hostPrice } = settled;
  const { crawls, left } = common.kept;
  const met = groups.map(({ kept }, g): GroupMet => {
    const isOwn = kept.price < common.kept.price;
    const own = isOwn ? kept : takenOf(problem, members[g], crawls);
    const price = priceToPay(isOwn ? kept.price : common.kept.price);
    return { price, ceiling: kept.price, left: own.left, crawls: sumOf(own.crawls) };
  });
  const total = sumOf(crawls);
  const added = pages.overlapping !== null;
  if (added) pages.allAt(common.low.price);
  const { bound, factor } = proved(problem, settled, added);
  return {
    met: true,
    crawls,
    total,
    bound: Math.min(bound, total),
    left,
    price: priceToPay(common.kept.price),
    own: met,
    hostPrice: added ? hostPrice.slice() : binding(hostPrice, problem.hosts, common.kept.price),
    factor,
  };
}

const priceToPay = (price: number): number => (price >= beyondWorth ? Number.POSITIVE_INFINITY : price);

const worthOf = (price: number): number => (price >= beyondWorth ? 0 : 1 / price);

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum;
}

function takenOf({ wanting }: TargetProblem, list: Uint32Array, crawls: Float64Array) {
  let left = 0;
  for (const i of list) left += wanting.leftAt(i, crawls[i]);
  return { left, crawls: Float64Array.from(list, (i) => crawls[i]) };
}

/**
 * What the prices prove: the dual function of the least crawls. Hosts' prices are levels, or `added` to that for all.
 * Also by how much hosts multiply what their pages pay.
 */
function proved({ wanting, whole, own, hosts }: TargetProblem, settled: Settled, added: boolean) {
  const { common, groups, members, hostPrice } = settled;
  const { price } = common.low;
  const apart = groups.map(({ kept }) => kept.price < price);
  // of all that pay the common price: what they leave, and may leave
  let [left, most] = [common.low.left, whole];
  let bound = 0;
  const crawls = common.low.crawls.slice();
  for (const [g, { low, kept }] of groups.entries()) {
    if (!apart[g]) continue;
    const limit = own?.limit[g] ?? 0;
    left -= kept.left;
    most -= limit;
    bound += worthOf(low.price) * (low.left - limit);
    for (const [k, i] of members[g].entries()) crawls[i] = low.crawls[k];
  }
  bound += sumOf(crawls);
  if (price < beyondWorth) bound += (left - most) / price;
  if (hosts === null) return { bound: Math.max(0, bound) };
  const before = new Float64Array(hostPrice.length);
  const spentBy = new Float64Array(hostPrice.length);
  for (let i = 0; i < wanting.pages; i++) {
    const g = own?.of[i] ?? -1;
    const paid = g >= 0 && apart[g] ? groups[g].low.price : price;
    for (const h of hostsOf(hosts, i)) {
      before[h] = paid;
      spentBy[h] += crawls[i];
    }
  }
  const least = outside(hostPrice, hosts, 0);
  for (const [h, spent] of spentBy.entries()) {
    const below = added ? 0 : Math.max(before[h], least[h]);
    if (hostPrice[h] > below) bound += ((hostPrice[h] - below) / before[h]) * (spent - hosts.limit[h]);
  }
  return { bound: Math.max(0, bound), factor: hostPrice.map((own, h) => Math.max(1, own / before[h])) };
}
