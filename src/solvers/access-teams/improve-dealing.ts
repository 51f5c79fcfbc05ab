/**
 * Deals better: a host, or a page without one, moves to another crawler, or two change crawlers, while that lowers what
 * the pages cost.
 *
 * Each crawler's pages are costed at their own best frequencies. Moves are tried first, then exchanges, again and again
 * until none is left, the bound is reached, or the work is done. Many pages, which largest first deals nearly evenly,
 * get as far as that goes. The cost never rises. O(hosts · (crawlers + hosts)) costings a round.
 */
import {
  type AccessPages,
  accessPages,
  deterministicFrequencies,
  evenStaleness,
  randomizedFrequencies,
  randomizedStaleness,
  totalCost,
} from '../access-frequencies/index.ts';
import type { AccessFrequenciesProblem } from '../access-frequencies/problem.ts';
import { type Budget, keepingShare } from '../budget.ts';
import { groupsOf } from './deal-pages.ts';
import { ownLeast, type Team } from './team.ts';

/** Pages costed, at most, each costing counted as some more. */
const mostCosted = 4e5;
const perCosting = 30;
/** A saving below this share of the cost is rounding. */
const rounding = 1e-12;
/** A cost above the bound by less than this share of it is left. */
const worthwhile = 1e-5;
/** The share of the time kept for what comes after. */
const keptShare = 0.8;

interface DealtPages extends Team, AccessFrequenciesProblem {
  /** The caller's own, as far as they are given; null: the best. */
  readonly frequency: Float64Array | null;
}

/**
 * @param crawler of each page
 * @param bound what no dealing can beat
 * @returns the crawler of each page; those given where nothing is gained
 */
export function improveDealing(problem: DealtPages, crawler: Int32Array, bound: number, budget: Budget): Int32Array {
  const { accessTime, changeRate, weight, place, host, crawlers } = problem;
  if (2 * crawler.length > mostCosted) return crawler;
  const own = keepingShare(budget, keptShare);
  const pages = accessPages(accessTime, changeRate, weight, place, budget);
  const { groupOf, size } = groupsOf(host);
  const groups = Array.from(size, (): number[] => []);
  for (const [i, group] of groupOf.entries()) groups[group].push(i);
  const dealing = new Dealing(groups, crawler, crawlers, (which) => leastCost(problem, pages, which, own));
  const ends = (): boolean =>
    dealing.costed >= mostCosted || own.stopRequested() || dealing.cost <= bound * (1 + worthwhile);
  while (!ends()) {
    const before = dealing.cost;
    dealing.move(ends);
    dealing.exchange(ends);
    if (!(dealing.cost < before)) break;
  }
  return dealing.crawler(crawler);
}

/** What some pages cost one crawler, at their best frequencies or at the caller's own. */
function leastCost(
  { policy, frequency, minFrequency, crawlers }: DealtPages,
  pages: AccessPages,
  which: readonly number[],
  budget: Budget,
): number {
  if (which.length === 0) return 0;
  const of = (values: Float64Array): Float64Array => Float64Array.from(which, (i) => values[i]);
  const { weight, load, gain, floor, meanAccessTime } = pages;
  const own: AccessPages = {
    length: which.length,
    meanAccessTime,
    weight: of(weight),
    load: of(load),
    gain: of(gain),
    floor: of(floor),
  };
  if (frequency !== null) {
    const given = of(frequency);
    const sum = given.reduce((a, b) => a + b, 0);
    return totalCost(own, evenStaleness(own, sum > 0 ? given.map((f) => f / sum) : given));
  }
  const least = ownLeast(minFrequency, crawlers, which.length);
  return policy === 'randomized'
    ? totalCost(own, randomizedStaleness(own, randomizedFrequencies(own, least, budget).frequency))
    : totalCost(own, evenStaleness(own, deterministicFrequencies(own, least, budget).frequency));
}

/** Who has which groups, and what that costs. */
class Dealing {
  readonly #groups: readonly (readonly number[])[];
  readonly #costOf: (which: readonly number[]) => number;
  /** The crawler of each group, the groups of each crawler and their cost. */
  readonly #owner: Int32Array;
  readonly #hands: number[][];
  readonly #costs: Float64Array;
  /** Pages costed so far, and some for each costing. */
  costed = 0;

  constructor(
    groups: readonly (readonly number[])[],
    crawler: Int32Array,
    crawlers: number,
    costOf: (which: readonly number[]) => number,
  ) {
    this.#groups = groups;
    this.#costOf = costOf;
    this.#owner = Int32Array.from(groups, ([first]) => crawler[first]);
    this.#hands = Array.from({ length: crawlers }, () => []);
    for (const [group, m] of this.#owner.entries()) this.#hands[m].push(group);
    this.#costs = Float64Array.from(this.#hands, (hand) => this.#priced(hand));
  }

  get cost(): number {
    return this.#costs.reduce((sum, cost) => sum + cost, 0);
  }

  crawler(before: Int32Array): Int32Array {
    const found = before.slice();
    for (const [group, pages] of this.#groups.entries()) for (const i of pages) found[i] = this.#owner[group];
    return found;
  }

  #priced(hand: readonly number[]): number {
    const pages = hand.flatMap((group) => this.#groups[group]);
    this.costed += pages.length + perCosting;
    return this.#costOf(pages);
  }

  /** Every group to every other crawler, once. */
  move(ends: () => boolean): void {
    for (const group of this.#groups.keys()) {
      const a = this.#owner[group];
      const left = this.#hands[a].filter((each) => each !== group);
      const without = this.#priced(left);
      for (const b of this.#hands.keys()) {
        if (ends()) return;
        if (b === a) continue;
        const more = [...this.#hands[b], group];
        if (this.#takes([a, left, without], [b, more, this.#priced(more)])) break;
      }
    }
  }

  /** Every two groups of two crawlers, once. */
  exchange(ends: () => boolean): void {
    for (let g = 0; g < this.#groups.length; g++) {
      for (let h = g + 1; h < this.#groups.length; h++) {
        if (ends()) return;
        const [a, b] = [this.#owner[g], this.#owner[h]];
        if (a === b) continue;
        const ofA = this.#hands[a].map((each) => (each === g ? h : each));
        const ofB = this.#hands[b].map((each) => (each === h ? g : each));
        this.#takes([a, ofA, this.#priced(ofA)], [b, ofB, this.#priced(ofB)]);
      }
    }
  }

  /** Takes these hands of two crawlers where they cost less. */
  #takes(...hands: readonly (readonly [crawler: number, hand: number[], cost: number])[]): boolean {
    const now = hands.reduce((sum, [m]) => sum + this.#costs[m], 0);
    const then = hands.reduce((sum, [, , cost]) => sum + cost, 0);
    if (!(then < now - rounding * Math.abs(now))) return false;
    for (const [m, hand, cost] of hands) {
      this.#hands[m] = hand;
      this.#costs[m] = cost;
      for (const group of hand) this.#owner[group] = m;
    }
    return true;
  }
}
