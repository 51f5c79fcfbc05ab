/**
 * The least crawls a unit of time that keep targets of groups of pages, and one of all pages beside them.
 *
 * At the optimum a group pays the price at which its own target is just kept, where that is below the common one. Else
 * what the common price brings it is more than its own target asks for. So: all groups by themselves; those whose price
 * is above that of the rest join the rest; until none is. The common price only rises, up to the lowest price of those
 * that joined, so that none leaves again.
 * Which these are is first estimated. What is left in all, when each pays the lower of its own price and the common
 * one, rises in the common one.
 * Bound: the crawls' dual separates by group, each with the price of its own (weak duality); it is the sum of the parts'.
 * Complexity: each part as needed-rate.ts, the rest once a round: one or two, at most the groups. A host with a limit
 * has pages of one part alone.
 */
import { type Budget, NothingToReturn } from '../budget.ts';
import { clearingPrice } from '../pages/market/index.ts';
import { type CurvePoint, curveThrough, type Groups } from '../pages/targets/index.ts';
import type { PriceMarket } from './market.ts';
import {
  type NeededRate,
  type NeededRateMissed,
  neededRate,
  neededRateOf,
  type PricedPart,
  pricedPart,
  rounding,
} from './needed-rate.ts';
import type { CrawlPriceProblem } from './problem.ts';

interface PriceTargets {
  /** Most that all pages may leave; Infinity for no target. */
  readonly whole: number;
  /** By bucket the group with a target of its own, −1 for none, and what each group may leave. */
  readonly own: Groups;
}

/** What a group with a target pays and gets. */
interface GroupNeeds {
  readonly crawls: number;
  readonly bound: number;
  readonly left: number;
  readonly price: number;
  readonly priceBracket: readonly [number, number];
  readonly scale: number;
  /** Whether its price is its own. */
  readonly apart: boolean;
}

export interface NeededByTarget {
  readonly met: true;
  readonly rate: number;
  readonly bound: number;
  /** The rest of the pages; null where none of them has a target. */
  readonly rest: NeededRate | null;
  readonly apart: readonly NeededRate[];
  readonly groups: readonly GroupNeeds[];
  /** What crawls buy around these; none where it was not asked. */
  readonly curve: readonly CurvePoint[];
}

/** The first target that is out of reach, −1 for that of all pages, and the others. */
export interface TargetsMissed extends NeededRateMissed {
  readonly group: number;
  readonly others: readonly Pick<TargetsMissed, 'group' | 'least'>[];
}

/** @throws NothingToReturn when the budget runs out */
export function neededByTarget(
  problem: CrawlPriceProblem,
  targets: PriceTargets,
  budget: Budget,
  { curve } = { curve: false },
): NeededByTarget | TargetsMissed {
  const groups = new TargetsByGroup(problem, targets, budget);
  const needed = groups.solve();
  return needed.met && curve && needed.rate > 0 ? { ...needed, curve: groups.curve(needed.rate) } : needed;
}

class TargetsByGroup {
  readonly #problem: CrawlPriceProblem;
  readonly #targets: PriceTargets;
  readonly #budget: Budget;
  /** Buckets of each group, ascending; those of none are the last. */
  readonly #bucketsOf: readonly (readonly number[])[];
  readonly #parts: readonly PricedPart[];
  /** What each group needs by itself, where that was asked. */
  readonly #alone = new Map<number, NeededRate | NeededRateMissed>();

  constructor(problem: CrawlPriceProblem, targets: PriceTargets, budget: Budget) {
    this.#problem = problem;
    this.#targets = targets;
    this.#budget = budget;
    const groups = targets.own.limit.length;
    const bucketsOf: number[][] = Array.from({ length: groups + 1 }, () => []);
    for (const [b, group] of targets.own.of.entries()) bucketsOf[group < 0 ? groups : group].push(b);
    this.#bucketsOf = bucketsOf;
    this.#parts = Array.from(targets.own.limit, (_, g) => this.#part([g]));
  }

  solve(): NeededByTarget | TargetsMissed {
    const { whole, own } = this.#targets;
    const likely = this.#likelyJoined();
    const groups = [...this.#parts.keys()];
    const missed = groups.flatMap((g) => {
      const each = likely.has(g) ? null : this.#needs(g);
      return each === null || each.met ? [] : [{ ...each, group: g }];
    });
    if (missed.length > 0) {
      const all = whole < Number.POSITIVE_INFINITY ? neededRate(this.#problem, whole, this.#budget) : null;
      const [first, ...others] = all?.met === false ? [...missed, { ...all, group: -1 }] : missed;
      return { ...first, others };
    }
    // at a tie of prices the common one may leave to others what a group needs: such a group stays apart
    const kept = new Set<number>();
    for (;;) {
      const found = this.#joinedAtMost(new Set([...likely].filter((g) => !kept.has(g))), kept);
      if (!found.met) return found;
      const before = kept.size;
      for (const [g, group] of found.groups.entries()) {
        if (!group.apart && group.left > own.limit[g] * (1 + rounding)) kept.add(g);
      }
      if (kept.size === before) return found;
    }
  }

  /** At a common price; groups pay no more than keeps their own targets. */
  curve(around: number): readonly CurvePoint[] {
    const rest = this.#rest([]);
    const groups = this.#parts.map((part, g) => ({ ...part, own: this.#needs(g) }));
    const paying = [...groups, ...(rest.kept?.length === 0 ? [] : [{ ...rest, own: null }])];
    const at = (price: number): readonly { readonly rate: number; readonly left: number }[] => {
      this.#look();
      return paying.map(({ market, own }) => {
        if (own?.met && price >= own.answer.price) return { rate: own.rate, left: own.answer.objective.value };
        const { rate, left } = market.settled(price, null);
        return { rate, left: left.above };
      });
    };
    return curveThrough(
      {
        spent: (price) => at(price).reduce((sum, { rate }) => sum + rate, 0),
        left: (price) => at(price).reduce((sum, { left }) => sum + left, 0),
        start: Math.max(...paying.map(({ market }) => market.meanRatio)),
      },
      around,
    );
  }

  /** Looks at the clock: a part may be too small to do so itself. */
  #look(): void {
    if (this.#budget.stopRequested()) throw new NothingToReturn('the price of each target was being looked for');
  }

  #part(groups: readonly number[]): PricedPart {
    this.#look();
    const buckets = Uint32Array.from(groups.flatMap((g) => this.#bucketsOf[g])).sort();
    return pricedPart(this.#problem, this.#budget, buckets);
  }

  /** Those without a target of their own, with some groups. */
  #rest(joined: Iterable<number>): PricedPart {
    return this.#part([...joined, this.#parts.length]);
  }

  /** What a group needs by itself. */
  #needs(g: number): NeededRate | NeededRateMissed {
    this.#look();
    const known = this.#alone.get(g) ?? neededRateOf(this.#parts[g], this.#targets.own.limit[g], this.#budget);
    this.#alone.set(g, known);
    return known;
  }

  /** The groups whose own price is above the common one, as far as estimates tell; the others surely are not. */
  #likelyJoined(): Set<number> {
    const { whole, own } = this.#targets;
    if (whole === Number.POSITIVE_INFINITY) return new Set();
    const prices = this.#parts.map((part, g) => likelyPrice(part.market, own.limit[g]));
    const rest = this.#rest([]);
    const start = prices.reduce((most, price) => Math.max(most, price), 0);
    const left = (price: number): number => {
      this.#look();
      let sum = rest.kept?.length !== 0 ? rest.market.leftByAll(price) : 0;
      for (const [g, { market }] of this.#parts.entries()) {
        sum += prices[g] > price ? market.leftByAll(price) : own.limit[g];
      }
      return sum;
    };
    const common = clearingPrice((price) => 1 / left(price), { supply: 1 / whole, start, tolerance: 1e-4 }).low;
    return new Set([...prices.keys()].filter((g) => prices[g] > common * 1.001));
  }

  /** The least crawls with these groups at the price of the rest, and those that join them, but for those kept apart. */
  #joinedAtMost(joined: Set<number>, kept: ReadonlySet<number>): NeededByTarget | TargetsMissed {
    const { whole } = this.#targets;
    let rest: NeededRate | null = null;
    for (;;) {
      const apart = new Map<number, NeededRate>();
      for (const g of this.#parts.keys()) {
        const each = joined.has(g) ? null : this.#needs(g);
        if (each?.met === false) return { ...each, group: g, others: [] };
        if (each !== null) apart.set(g, each);
      }
      const done = (): NeededByTarget => this.#answer(apart, rest);
      if (whole === Number.POSITIVE_INFINITY) return done();
      const next = dearest(apart, kept);
      const left = [...apart.values()].reduce((sum, { answer }) => sum + answer.objective.value, 0);
      const part = this.#rest(joined);
      if (part.kept?.length === 0) {
        if (left <= whole || next < 0) return done();
        joined.add(next);
        continue;
      }
      const found = neededRateOf(part, whole - left, this.#budget);
      if (!found.met) {
        // those with targets of their own leave too much for the rest to make good: what they get beyond them counts
        if (next < 0) return { ...found, group: -1, others: [] };
        joined.add(next);
        continue;
      }
      rest = found;
      const { price } = found.answer;
      const dearer = [...apart].filter(([g, { answer }]) => !kept.has(g) && answer.price > price);
      if (dearer.length === 0) return done();
      for (const [g] of dearer) joined.add(g);
    }
  }

  #answer(apart: ReadonlyMap<number, NeededRate>, rest: NeededRate | null): NeededByTarget {
    const parts = [...apart.values()];
    return {
      met: true,
      rate: parts.reduce((sum, { rate }) => sum + rate, rest?.rate ?? 0),
      bound: parts.reduce((sum, { bound }) => sum + bound, rest?.bound ?? 0),
      rest,
      apart: parts,
      groups: this.#parts.flatMap(({ market }, g) => {
        const own = apart.get(g);
        if (own !== undefined) return [needsOf(own)];
        return rest === null ? [] : [atCommonPrice(market, rest)];
      }),
      curve: [],
    };
  }
}

/** About the price at which a group just keeps its limit; 0 where none is low enough. */
const likelyPrice = (market: PriceMarket, most: number): number =>
  clearingPrice((price) => 1 / market.leftByAll(price), { supply: 1 / most, start: market.meanRatio, tolerance: 1e-4 })
    .low;

/** The group of these whose own price is highest: the first that the common price comes to; −1 where there is none. */
function dearest(apart: ReadonlyMap<number, NeededRate>, kept: ReadonlySet<number>): number {
  let best = -1;
  let highest = Number.NEGATIVE_INFINITY;
  for (const [g, { answer }] of apart) {
    if (kept.has(g) || answer.price <= highest) continue;
    best = g;
    highest = answer.price;
  }
  return best;
}

const needsOf = ({ rate, bound, answer }: NeededRate): GroupNeeds => ({
  crawls: rate,
  bound,
  left: answer.objective.value,
  price: answer.price,
  priceBracket: answer.priceBracket,
  scale: answer.scale,
  apart: true,
});

/** What a group gets that pays the price of the rest. */
function atCommonPrice(market: PriceMarket, { answer }: NeededRate): GroupNeeds {
  const { price, priceBracket, scale } = answer;
  const { limited, free } = market.settled(price, null);
  const given = limited.reduce((sum, { maxRate }) => sum + maxRate, 0);
  const crawls = free.reduce((sum, { spent }) => sum + spent * scale, given);
  return { crawls, bound: 0, left: market.settled(price, crawls).left.above, price, priceBracket, scale, apart: false };
}
