/**
 * Lower bound on the cost of every policy that sees the phases, the ratio V1 included, by branching on the throughput.
 *
 * J = B + a·n1/D, with B (linear cost), n1 (mean number that will be served) and D (service ends per unit of time)
 * linear in the stationary distribution. Let D lie in [p, q]. For any v, as in ratio-bound.ts,
 *
 *   J ≥ a·v + min over k in {a/q, a/p} of min[B + k(n1 − v·D)],
 *
 * and the inner minimum is over the policies with D in [p, q], bounded by a Lagrange multiplier μ of that restriction:
 * min[B + k(n1 − vD) + μ·D] − μ·(q if μ > 0, else p), each one a policy iteration (full-information.ts) with a bound of
 * its own. An interval is closed when its bound reaches the incumbent's cost, and halved when not. The interval around
 * the incumbent's own D closes at positive width, because the minimum is a concave, piecewise linear function of k that
 * is flat where the incumbent is optimal.
 */
import type { Budget } from '../../budget.ts';
import type { FullInformation } from './full-information.ts';
import type { Weights } from './rewards.ts';

export interface ThroughputProblem {
  readonly relaxation: FullInformation;
  readonly lowest: Uint8Array;
  readonly highest: Uint8Array;
  /** The price a of the response time, above 0. */
  readonly response: number;
  /** What V1 is at least: the mean service time. */
  readonly leastResponse: number;
  /** The best policy known. */
  readonly incumbent: PolicyMet;
  /** Relative gap at which an interval is closed. */
  readonly tolerance: number;
  readonly budget: Budget;
  /** How the cost is bounded on an interval, where more than the throughput is restricted. */
  readonly restricted?: Restricted;
  /** Takes the policies that attain bounds, each with its cost: one may be better than the best known. */
  readonly offer?: (policy: PolicyMet) => void;
  /** The intervals of a problem much like this one: they are begun with. */
  readonly near?: ThroughputIntervals | undefined;
}

/** How the throughputs were parted in the end, and what attained the bounds. */
export interface ThroughputIntervals {
  readonly most: Uint8Array;
  readonly least: Uint8Array;
  readonly intervals: readonly Interval[];
  /** How many they were when last begun from one. */
  readonly fewest: number;
}

export interface PolicyMet {
  readonly cost: number;
  readonly modes: Uint8Array;
  readonly responseTime: number;
}

/**
 * Lower bound on min[B + k(n1 − vD)] over the policies with D between low and high, and the V1 of what attains it; it
 * need not be raised beyond `target`.
 */
export type Restricted = (at: RestrictedAt) => Bounded;

interface Bounded {
  readonly bound: number;
  readonly v: number;
  readonly attained?: Attained | undefined;
}

export interface RestrictedAt {
  /** k and v. */
  readonly price: number;
  readonly v: number;
  readonly low: number;
  readonly high: number;
  readonly target: number;
  /** What attained the bound of a problem much like this one. */
  readonly near?: Attained | undefined;
}

interface Interval extends Linearised {
  readonly low: number;
  readonly high: number;
  readonly bound: number;
  /** The policy that attained the bound; left out where limits are priced. */
  readonly modes?: Uint8Array | undefined;
}

/** The v of a linearisation, and what attained its bounds at the smaller and the larger price. */
interface Linearised {
  readonly v: number;
  readonly slow?: Attained | undefined;
  readonly fast?: Attained | undefined;
}

/** The multiplier of the best bound, and the policy it was attained by. */
interface Attained {
  readonly multiplier: number;
  readonly modes: Uint8Array;
}

const maxIntervals = 400;
/**
 * Intervals of a neighbour are not begun with where they have become so many times as many as a problem alone needs.
 */
const mostInherited = 2;
const multiplierSteps = 8;

/** The bound, and how many intervals it took; not a number where it is beyond double precision. */
export function throughputBound(problem: ThroughputProblem): {
  readonly bound: number;
  readonly intervals: number;
  readonly parted: ThroughputIntervals;
} {
  const { incumbent, tolerance, budget, near } = problem;
  const fastest = minimise(problem, [0, 0, -1, 0], near?.most);
  const slowest = minimise(problem, [0, 0, 1, 0], near?.least);
  const [least, most] = [Math.max(0, slowest.bound), -fastest.bound];
  const target = incumbent.cost - tolerance * Math.abs(incumbent.cost);
  const inherited = near !== undefined && near.intervals.length <= mostInherited * near.fewest;
  const starts = inherited ? inheritedIntervals(near.intervals, least, most) : [{ low: least, high: most }];
  const open = starts.map(({ low, high, ...from }) =>
    boundBetween(problem, low, high, { v: incumbent.responseTime, ...from }, target),
  );
  let intervals = open.length;
  while (intervals < maxIntervals && !budget.stopRequested()) {
    let worst = 0;
    for (let i = 1; i < open.length; i++) if (open[i].bound < open[worst].bound) worst = i;
    const { low, high, v, bound } = open[worst];
    const middle = low > 0 ? Math.sqrt(low * high) : high / 8;
    if (!(bound < target) || !(middle > low && middle < high)) break;
    const halves = [
      boundBetween(problem, low, middle, { v }, target),
      boundBetween(problem, middle, high, { v }, target),
    ];
    // A half is part of the whole, whose bound holds for it.
    open.splice(worst, 1, ...halves.map((half) => ({ ...half, bound: Math.max(half.bound, bound) })));
    intervals += 2;
  }
  return {
    bound: open.reduce((lowest, interval) => Math.min(lowest, interval.bound), Number.POSITIVE_INFINITY),
    intervals,
    parted: {
      most: fastest.modes,
      least: slowest.modes,
      intervals: open,
      fewest: inherited ? near.fewest : open.length,
    },
  };
}

/** A neighbour's intervals, cut off or stretched to where the throughput can lie here. */
function inheritedIntervals(intervals: readonly Interval[], least: number, most: number): Omit<Interval, 'bound'>[] {
  const sorted = [...intervals].sort((a, b) => a.low - b.low);
  const within = sorted.filter(({ low, high }) => high > least && low < most);
  const kept = within.length === 0 ? [{ ...sorted[0], low: least, high: most }] : within;
  return kept.map(({ bound: _, ...interval }, i) => ({
    ...interval,
    low: i === 0 ? least : interval.low,
    high: i === kept.length - 1 ? most : interval.high,
  }));
}

/** From the given modes, or warm from the incumbent's. */
function minimise(problem: ThroughputProblem, weights: Weights, start = problem.incumbent.modes) {
  const { relaxation, lowest, highest, response, offer } = problem;
  const modes = start.slice();
  const { bound } = relaxation.minimise(weights, lowest, highest, modes);
  const [cost, toBeServed, ends] = relaxation.totals;
  const responseTime = toBeServed / ends;
  offer?.({ cost: cost + response * responseTime, modes, responseTime });
  return { bound, toBeServed, ends, modes };
}

/**
 * The bound on one interval, for the given v or, where that misses the target, for the V1 of the policy that attains
 * it.
 */
export function boundBetween(
  problem: ThroughputProblem,
  low: number,
  high: number,
  from: Linearised,
  target: number,
): Interval {
  const first = linearised(problem, low, high, from, target);
  const { next, ...kept } = first;
  if (first.bound >= target || next === from.v) return { low, high, ...kept };
  const { next: _, ...second } = linearised(problem, low, high, { v: next }, target);
  return second.bound > first.bound ? { low, high, ...second } : { low, high, ...kept };
}

/** The bound at one v, and the V1 of the policy that attains it. */
function linearised(
  problem: ThroughputProblem,
  low: number,
  high: number,
  { v, slow: nearSlow, fast: nearFast }: Linearised,
  target: number,
): Linearised & Pick<Interval, 'bound' | 'modes'> & { readonly next: number } {
  const { response, leastResponse } = problem;
  const bounded = problem.restricted ?? ((at: RestrictedAt) => byMultiplier(problem, at));
  const slow = bounded({ price: response / high, v, low, high, target: target - response * v, near: nearSlow });
  // Without a throughput above 0 the second price is unbounded: V1 is at least the mean service time, and that is all.
  const rest = low > 0 ? v : leastResponse;
  const price = low > 0 ? response / low : 0;
  const fast = bounded({ price, v, low, high, target: target - response * rest, near: nearFast });
  const [a, b] = [response * v + slow.bound, response * rest + fast.bound];
  const at = { v, slow: slow.attained, fast: fast.attained };
  const [bound, lower] = a <= b ? [a, slow] : [b, fast];
  return { ...at, bound, modes: lower.attained?.modes, next: lower.v };
}

/** With a Lagrange multiplier of the restriction on the throughput alone; from a neighbour's where there is one. */
function byMultiplier(problem: ThroughputProblem, at: RestrictedAt): Bounded {
  const { near, target } = at;
  const first = raised(problem, at, near ?? { multiplier: 0, modes: problem.incumbent.modes });
  if (near === undefined || near.multiplier === 0 || first.bound >= target) return first;
  const cold = raised(problem, at, { multiplier: 0, modes: problem.incumbent.modes });
  return cold.bound > first.bound ? cold : first;
}

/** The bound raised towards the target, from one multiplier to the next. */
function raised(problem: ThroughputProblem, { price, v, low, high, target }: RestrictedAt, from: Attained): Bounded {
  let best = Number.NEGATIVE_INFINITY;
  let reached = v;
  let attained: Attained | undefined;
  let { multiplier } = from;
  for (let step = 0; step < multiplierSteps; step++) {
    const { bound, toBeServed, ends, modes } = minimise(problem, [1, price, multiplier - price * v, 0], from.modes);
    const side = multiplier > 0 || (multiplier === 0 && ends > high) ? high : low;
    const value = bound - multiplier * side;
    if (!(value > best)) break;
    best = value;
    reached = toBeServed / ends;
    attained = { multiplier, modes };
    // The bound is concave in the multiplier, with slope D − side: the least multiplier at which the target can be met.
    const slope = ends - side;
    const outside = side === high ? slope > 0 : slope < 0;
    if (best >= target || !outside) break;
    multiplier += (1.05 * (target - best)) / slope;
  }
  return { bound: best, v: reached, attained };
}
