/**
 * The least crawls a unit of time that keep targets of groups of pages, and one of all pages beside them.
 *
 * At the optimum a group pays the price at which its own target is just kept, where that is below the common one; else
 * what the common price brings it is more than its own target asks for. So: all groups by themselves; those whose price
 * is above that of the rest join the rest; until none is. The common price only rises, up to the lowest price of those
 * that joined, so that none leaves again.
 * Bound: the crawls' dual separates by group, each with the price of its own (weak duality); it is the sum of the parts'.
 * Complexity: each part as needed-rate.ts, the rest once a round; rounds at most the groups. A host with a limit has
 * pages of one part alone.
 */
import type { Budget } from '../budget.ts';
import { stalenessCost } from '../pages/objectives/index.ts';
import type { Groups } from '../pages/targets/index.ts';
import { bucketAt, type Histogram } from './buckets.ts';
import { type NeededRate, type NeededRateMissed, neededRate } from './needed-rate.ts';
import type { CrawlPriceProblem } from './problem.ts';
import { solveCrawlPrice } from './solve.ts';
import { spentAt } from './spent.ts';

export interface PriceTargets {
  /** Most that all pages may leave; Infinity for no target. */
  readonly whole: number;
  /** By bucket the group with a target of its own, −1 for none, and what each group may leave. */
  readonly own: Groups;
}

/** What a group with a target pays and gets. */
export interface GroupNeeds {
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
}

/** The first target that is out of reach, −1 for that of all pages, and the others. */
export interface TargetsMissed extends NeededRateMissed {
  readonly group: number;
  readonly others: readonly Pick<TargetsMissed, 'group' | 'least'>[];
}

/** @throws NothingToReturn when the budget runs out */
export function neededByTarget(
  problem: CrawlPriceProblem,
  { whole, own }: PriceTargets,
  budget: Budget,
): NeededByTarget | TargetsMissed {
  const count = own.limit.length;
  const alone: NeededRate[] = [];
  const missed: (NeededRateMissed & { readonly group: number })[] = [];
  for (let g = 0; g < count; g++) {
    const found = neededRate(
      partOf(problem, (b) => own.of[b] === g),
      own.limit[g],
      budget,
    );
    if (found.met) alone.push(found);
    else missed.push({ ...found, group: g });
  }
  if (missed.length > 0) {
    const all = whole < Number.POSITIVE_INFINITY ? neededRate(problem, whole, budget) : null;
    if (all?.met === false) missed.push({ ...all, group: -1 });
    const [first, ...others] = missed;
    return { ...first, others };
  }
  // at a tie of prices the common one may leave to others what a group needs: such a group stays apart
  const kept = new Set<number>();
  for (;;) {
    const found = joinedAtMost(problem, { whole, own }, alone, kept, budget);
    if (!found.met) return found;
    const before = kept.size;
    for (const [g, group] of found.groups.entries()) {
      if (!group.apart && group.left > own.limit[g] * (1 + rounding)) kept.add(g);
    }
    if (kept.size === before) return found;
  }
}

/** The least crawls with groups that join the rest at its price, but for those that are kept apart. */
function joinedAtMost(
  problem: CrawlPriceProblem,
  { whole, own }: PriceTargets,
  alone: readonly NeededRate[],
  kept: ReadonlySet<number>,
  budget: Budget,
): NeededByTarget | TargetsMissed {
  const joined = new Set<number>();
  const isRest = (b: number): boolean => own.of[b] < 0 || joined.has(own.of[b]);
  let rest: NeededRate | null = null;
  while (whole < Number.POSITIVE_INFINITY) {
    const part = partOf(problem, isRest);
    const apart = alone.filter((_, g) => !joined.has(g)).reduce((sum, { answer }) => sum + answer.objective.value, 0);
    const next = dearest(alone, (g) => !joined.has(g) && !kept.has(g));
    if (part.histogram.pages.length === 0) {
      if (apart <= whole || next < 0) break;
      joined.add(next);
      continue;
    }
    const found = neededRate(part, whole - apart, budget);
    if (!found.met) {
      // those with targets of their own leave too much for the rest to make good: what they get beyond them counts
      if (next < 0) return { ...found, group: -1, others: [] };
      joined.add(next);
      continue;
    }
    rest = found;
    if (next < 0 || alone[next].answer.price <= found.answer.price) break;
    const { price } = found.answer;
    for (const [g, { answer }] of alone.entries()) if (!kept.has(g) && answer.price > price) joined.add(g);
  }
  const parts = alone.filter((_, g) => !joined.has(g));
  return {
    met: true,
    rate: parts.reduce((sum, { rate }) => sum + rate, rest?.rate ?? 0),
    bound: parts.reduce((sum, { bound }) => sum + bound, rest?.bound ?? 0),
    rest,
    apart: parts,
    groups: alone.map((found, g) => {
      if (!joined.has(g) || rest === null) return needsOf(found, true);
      return atCommonPrice(
        partOf(problem, (b) => own.of[b] === g),
        rest,
        budget,
      );
    }),
  };
}

/** The group of these whose own price is highest: the first that the common price comes to; −1 where there is none. */
function dearest(alone: readonly NeededRate[], of: (group: number) => boolean): number {
  let best = -1;
  for (const [g, { answer }] of alone.entries()) {
    if (of(g) && (best < 0 || answer.price > alone[best].answer.price)) best = g;
  }
  return best;
}

const needsOf = ({ rate, bound, answer }: NeededRate, apart: boolean): GroupNeeds => ({
  crawls: rate,
  bound,
  left: answer.objective.value,
  price: answer.price,
  priceBracket: answer.priceBracket,
  scale: answer.scale,
  apart,
});

/** Of the changes: a rate that is none, at which a price can be told. */
const least = 1e-40;
/** What rounding may leave above a target. */
const rounding = 1e-9;

/** What a group gets that pays the price of the rest. */
function atCommonPrice(part: CrawlPriceProblem, { answer }: NeededRate, budget: Budget): GroupNeeds {
  const { price, scale } = answer;
  const limited = new Map(answer.hosts.filter((each) => each.limited).map((each) => [each.host, each]));
  const { byChanges } = stalenessCost(part.objective);
  let rate = least * part.histogram.changeRate.reduce((sum, each) => sum + each, 0);
  for (let b = 0; b < part.histogram.pages.length; b++) {
    const own = limited.get(part.host === null ? -1 : part.host[b]);
    const spent = spentAt(byChanges, [bucketAt(part.histogram, b)], own?.price ?? price, 'estimate');
    rate += spent * (own?.scale ?? scale);
  }
  const { objective } = solveCrawlPrice({ ...part, rate }, budget);
  const { priceBracket } = answer;
  return { crawls: rate, bound: 0, left: objective.value, price, priceBracket, scale, apart: false };
}

/** The problem of some of the buckets. */
function partOf(problem: CrawlPriceProblem, keeps: (bucket: number) => boolean): CrawlPriceProblem {
  const kept = Uint32Array.from(problem.histogram.pages.keys()).filter(keeps);
  const of = (values: Float64Array): Float64Array => Float64Array.from(kept, (b) => values[b]);
  const { pages, changeRate, weight, changeRateLogRatio, ratioMin, ratioMax } = problem.histogram;
  const histogram: Histogram = {
    pages: of(pages),
    changeRate: of(changeRate),
    weight: of(weight),
    changeRateLogRatio: of(changeRateLogRatio),
    ratioMin: of(ratioMin),
    ratioMax: of(ratioMax),
  };
  const { host } = problem;
  return { ...problem, histogram, host: host === null ? null : Int32Array.from(kept, (b) => host[b]) };
}
