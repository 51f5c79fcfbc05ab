/**
 * What the buckets of a histogram spend and leave at a price, hosts with limits apart. At a common price below its own
 * a host spends its limit, whatever the common price is. So its own price and what it leaves are found once.
 */
import { type Budget, type Poll, pollOf } from '../budget.ts';
import { clearingPrice } from '../market/index.ts';
import { type ScaleFree, stalenessCost } from '../pages/objectives/index.ts';
import { type Bucket, bucketAt } from './buckets.ts';
import { accountAt, type Bounds, leftAt, type PriceAccount, rescaled } from './cost.ts';
import type { CrawlPriceProblem } from './problem.ts';
import { type Side, spentAt } from './spent.ts';

/** Buckets that share a limit; `host` is −1 and the limit infinite where they have none. */
export interface Group {
  readonly host: number;
  readonly buckets: readonly Bucket[];
  readonly maxRate: number;
}

/** What is spent at a price, estimated or from one side. */
type Spent = (price: number, side: Side) => number;

/** A group that spends its limit. */
interface LimitedGroup {
  readonly price: number;
  /** Between which the exact price lies. */
  readonly bracket: readonly [number, number];
  /** At its price, estimated. */
  readonly spent: number;
  /** What it costs, the crawls not counted. */
  readonly left: Bounds;
}

/** What is given out at a price. */
export interface Settled {
  readonly price: number;
  /** Of all groups. */
  readonly rate: number;
  /** What is surely spent at the price. */
  readonly sure: number;
  /** What all pages leave. */
  readonly left: Bounds;
  readonly limited: readonly Group[];
  /** Groups within their limits, each with what it spends at the price, by `scale` of which they are crawled. */
  readonly free: readonly Wanted[];
  readonly scale: number;
}

const rounding = 1e-12;
/** Of the rate: what is surely spent at a price, for it to be an answer. */
export const leastSure = 0.5;

export class PriceMarket {
  readonly objective: ScaleFree;
  readonly groups: readonly Group[];
  /** Σ of the limits; Infinity where pages have none. */
  readonly mostSpent: number;
  /** Σλ. */
  readonly changes: number;
  /** Of the ratios, by λ: a price to begin with. */
  readonly meanRatio: number;
  readonly #poll: Poll;
  readonly #limited = new Map<Group, LimitedGroup>();
  #wanted: WantedAt = { price: Number.NaN, by: [], account: null, of: [] };
  evaluations = 0;

  /** Every call throws NothingToReturn when the budget runs out. */
  constructor(problem: CrawlPriceProblem, budget: Budget) {
    this.objective = stalenessCost(problem.objective).byChanges;
    this.#poll = pollOf(budget, 'the price of a crawl had not been found');
    this.groups = bucketsByHost(problem);
    const buckets = this.groups.flatMap((group) => group.buckets);
    this.changes = buckets.reduce((sum, { changeRate }) => sum + changeRate, 0);
    this.meanRatio = buckets.reduce((sum, { changeRate, mean }) => sum + changeRate * mean, 0) / this.changes;
    this.mostSpent = this.groups.reduce((sum, group) => sum + group.maxRate, 0);
  }

  spent(buckets: readonly Bucket[], price: number, side: Side): number {
    this.#poll(1000 * buckets.length);
    return spentAt(this.objective, buckets, price, side);
  }

  /** What all groups spend, none above its limit. */
  spentByAll(price: number, side: Side): number {
    this.evaluations++;
    let sum = 0;
    for (const group of this.groups) sum += Math.min(group.maxRate, this.spent(group.buckets, price, side));
    return sum;
  }

  /** A group at the price at which it spends its limit. */
  limited(group: Group, from: number): LimitedGroup {
    const known = this.#limited.get(group);
    if (known !== undefined) return known;
    const start = from > 0 ? from : group.buckets[0].mean;
    const { buckets, maxRate } = group;
    const spent: Spent = (price, side) => this.spent(buckets, price, side);
    const price = priceThatSpends(maxRate, start, spent);
    const bracket = bracketAround(price, maxRate, spent);
    const account = this.#account(buckets, price);
    const left = rescaled(this.objective, buckets, account, maxRate);
    const limited = { price, bracket, spent: account.spent.estimate, left };
    this.#limited.set(group, limited);
    return limited;
  }

  #account(buckets: readonly Bucket[], price: number): PriceAccount {
    this.#poll(5000 * buckets.length);
    return accountAt(this.objective, buckets, price);
  }

  /** What the price gives out, rescaled to the rate where one is given. */
  settled(price: number, rate: number | null): Settled {
    if (this.#wanted.price !== price) {
      this.evaluations++;
      const single = this.groups.length === 1 && price > 0;
      const alone = single ? this.#account(this.groups[0].buckets, price) : null;
      const spentBy = (group: Group): number => alone?.spent.estimate ?? this.spent(group.buckets, price, 'estimate');
      const by = this.groups.map((group) => ({ group, spent: price > 0 ? spentBy(group) : Number.POSITIVE_INFINITY }));
      this.#wanted = { price, by, account: alone, of: single ? this.groups : [] };
    }
    const { free, limited } = within(this.#wanted.by, price > 0 ? rate : null);
    let [below, above, taken] = [0, 0, 0];
    for (const group of limited) {
      const { left } = this.limited(group, price);
      below += left.below;
      above += left.above;
      taken += group.maxRate;
    }
    const spent = free.reduce((sum, each) => sum + each.spent, 0);
    const given = rate === null ? spent : Math.max(0, rate - taken);
    let sure = taken;
    if (free.length > 0) {
      const buckets = free.flatMap(({ group }) => group.buckets);
      const isKnown =
        free.length === this.#wanted.of.length && free.every(({ group }, k) => group === this.#wanted.of[k]);
      const account = (isKnown && this.#wanted.account) || this.#account(buckets, price);
      this.#wanted = { ...this.#wanted, account, of: free.map(({ group }) => group) };
      const left = rescaled(this.objective, buckets, account, given);
      sure += account.spent.below;
      below += left.below;
      above += left.above;
    }
    // what is left to pages that spend nothing is rounding
    const scale = spent > 0 ? given / spent : 1;
    return { price, rate: rate ?? taken + spent, sure, left: { below, above }, limited, free, scale };
  }

  /** About what all pages leave at a price. */
  leftByAll(price: number): number {
    this.evaluations++;
    let sum = 0;
    for (const group of this.groups) {
      this.#poll(500 * group.buckets.length);
      const own = leftAt(this.objective, group.buckets, price);
      sum += own.spent <= group.maxRate ? own.left : this.limited(group, price).left.above;
    }
    return sum;
  }
}

interface Wanted {
  readonly group: Group;
  readonly spent: number;
}

/** The same of all groups at the price that was last settled, and the account of some. */
interface WantedAt {
  readonly price: number;
  readonly by: readonly Wanted[];
  readonly account: PriceAccount | null;
  readonly of: readonly Group[];
}

/**
 * The groups that want more than their limits, and the others. A price may let them all jump at once (spending()
 * below), while their limits alone are more than the rate. The rate is then given out by what they want, up to their
 * limits.
 */
function within(wanted: readonly Wanted[], rate: number | null): { free: Wanted[]; limited: Group[] } {
  const [limited, free] = [
    wanted.filter(({ group, spent }) => spent > group.maxRate),
    wanted.filter(({ group, spent }) => spent <= group.maxRate),
  ];
  let taken = limited.reduce((sum, { group }) => sum + group.maxRate, 0);
  if (rate !== null && taken > rate * (1 + rounding)) {
    const dearestFirst = limited.sort((a, b) => a.group.maxRate / a.spent - b.group.maxRate / b.spent);
    let rest = free.reduce((sum, { spent }) => sum + spent, 0);
    for (;;) {
      const next = dearestFirst.pop();
      if (next === undefined) break;
      rest += next.spent;
      taken -= next.group.maxRate;
      free.push(next);
      const last = dearestFirst.at(-1);
      if (last === undefined || (last.spent * (rate - taken)) / rest > last.group.maxRate) break;
    }
  }
  return { free, limited: limited.map(({ group }) => group) };
}

/** The price at which `rate` is spent, searched for from `start`, which may be near it. */
export function priceThatSpends(rate: number, start: number, spent: Spent, near = false): number {
  const estimate = (price: number): number => spent(price, 'estimate');
  return surePrice(spending(clearingPrice(estimate, { supply: rate, start, near }).low, estimate), rate, spent);
}

/** Where the sums leave open whether next to nothing is spent at an estimate, the price at which the rate surely is. */
export function surePrice(estimate: number, rate: number, spent: Spent): number {
  if (spent(estimate, 'below') >= leastSure * rate) return estimate;
  const below = (price: number): number => spent(price, 'below');
  return spending(clearingPrice(below, { supply: rate, start: estimate, near: true }).low, below);
}

/** Between which the exact price lies, which is near this one. */
export function bracketAround(price: number, rate: number, spent: Spent): readonly [number, number] {
  const at = (side: Side) => (price: number) => spent(price, side);
  const low = clearingPrice(at('below'), { supply: rate, start: price, near: true }).low;
  const high = clearingPrice(at('above'), { supply: rate, start: price, near: true }).high;
  return [Math.min(low, price) * (1 - rounding), Math.max(high, price) * (1 + rounding)];
}

/**
 * A price at which something is spent. With freshness a page that is crawled once in some forty changes pays its whole
 * ratio to rounding. So what is spent jumps there from nothing to a fortieth of its changes.
 */
function spending(price: number, spent: (price: number) => number): number {
  let lower = price;
  for (let step = Number.EPSILON; spent(lower) === 0; step *= 2) lower = price * (1 - step);
  return lower;
}

function bucketsByHost({ histogram, host, maxRate }: CrawlPriceProblem): Group[] {
  const groups = new Map<number, Bucket[]>();
  for (let b = 0; b < histogram.pages.length; b++) {
    const at = host === null ? -1 : host[b];
    const known = groups.get(at);
    if (known === undefined) groups.set(at, [bucketAt(histogram, b)]);
    else known.push(bucketAt(histogram, b));
  }
  return [...groups].map(([at, buckets]) => ({ host: at, buckets, maxRate: at < 0 ? Infinity : maxRate[at] }));
}
