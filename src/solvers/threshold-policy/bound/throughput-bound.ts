/**
 * Lower bound on the cost of every policy that sees the phases, the ratio V1 included, by branching on the throughput.
 *
 * J = B + a·n1/D, with B (linear cost), n1 (mean number that will be served) and D (service ends per unit of time)
 * linear in the stationary distribution. Let D lie in [p, q]. For any v, as in ratio-bound.ts,
 *
 *   J ≥ a·v + min over k in {a/q, a/p} of min[B + k(n1 − v·D)],
 *
 * and the inner minimum is over the policies with D in [p, q], bounded by a Lagrange multiplier μ of that restriction.
 * It is min[B + k(n1 − vD) + μ·D] − μ·(q if μ > 0, else p), each one a policy iteration (full-information.ts) with a
 * bound of its own. An interval is closed when its bound reaches the incumbent's cost, and halved when not. The
 * interval around the incumbent's own D closes at positive width. The minimum is a concave, piecewise linear function
 * of k that is flat where the incumbent is optimal.
 */
import type { Budget } from '../../budget.ts';
import type { Weights } from '../evaluate/memoryless/rewards.ts';
import type { FullInformation } from './relaxation/full-information.ts';
import type { Informed } from './relaxation-bound.ts';

export interface ThroughputProblem {
  readonly relaxation: FullInformation;
  readonly lowest: Uint8Array;
  readonly highest: Uint8Array;
  /** The price a of the response time, above 0. */
  readonly response: number;
  /** The best policy known. */
  readonly incumbent: Informed;
  /** Relative gap at which an interval is closed. */
  readonly tolerance: number;
  readonly budget: Budget;
  /** How the cost is bounded on an interval, where more than the throughput is restricted. */
  readonly restricted?: Restricted;
  /** Takes the policies that attain bounds, each with its cost: one may be better than the best known. */
  readonly offer?: (policy: Informed) => void;
}

/**
 * Lower bound on min[B + k(n1 − vD)] over the policies with D between low and high, and the V1 of what attains it. The
 * bound need not be raised beyond `target`.
 */
export type Restricted = (at: RestrictedAt) => Bounded;

interface Bounded {
  readonly bound: number;
  readonly v: number;
  /** The policy that attains it; left out where limits are priced. */
  readonly modes?: Uint8Array | undefined;
}

export interface RestrictedAt {
  /** k and v. */
  readonly price: number;
  readonly v: number;
  readonly low: number;
  readonly high: number;
  readonly target: number;
}

/** `v`: where the ratio was linearised. */
interface Interval extends Bounded {
  readonly low: number;
  readonly high: number;
}

const maxIntervals = 400;
const multiplierSteps = 8;

/** The bound, and how many intervals it took; not a number where it is beyond double precision. */
export function throughputBound(problem: ThroughputProblem): {
  readonly bound: number;
  readonly intervals: number;
} {
  const { incumbent, tolerance, budget } = problem;
  const fastest = minimise(problem, [0, 0, -1, 0]);
  const slowest = minimise(problem, [0, 0, 1, 0]);
  const [least, most] = [Math.max(0, slowest.bound), -fastest.bound];
  const target = incumbent.cost - tolerance * Math.abs(incumbent.cost);
  const open = [boundBetween(problem, least, most, incumbent.responseTime, target)];
  let intervals = 1;
  while (intervals < maxIntervals && !budget.stopRequested()) {
    let worst = 0;
    for (let i = 1; i < open.length; i++) if (open[i].bound < open[worst].bound) worst = i;
    const { low, high, v, bound } = open[worst];
    const middle = low > 0 ? Math.sqrt(low * high) : high / 8;
    if (!(bound < target) || !(middle > low && middle < high)) break;
    const halves = [boundBetween(problem, low, middle, v, target), boundBetween(problem, middle, high, v, target)];
    // A half is part of the whole, whose bound holds for it.
    open.splice(worst, 1, ...halves.map((half) => ({ ...half, bound: Math.max(half.bound, bound) })));
    intervals += 2;
  }
  return {
    bound: open.reduce((lowest, interval) => Math.min(lowest, interval.bound), Number.POSITIVE_INFINITY),
    intervals,
  };
}

/** Policy iteration from the incumbent's modes. */
function minimise(problem: ThroughputProblem, weights: Weights) {
  const { relaxation, lowest, highest, response, offer } = problem;
  const modes = problem.incumbent.modes.slice();
  const bound = relaxation.minimise(weights, lowest, highest, modes);
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
  v: number,
  target: number,
): Interval {
  const { next, ...first } = linearised(problem, low, high, v, target);
  if (first.bound >= target || next === v) return first;
  const { next: _, ...second } = linearised(problem, low, high, next, target);
  return second.bound > first.bound ? second : first;
}

/** The bound at one v, and the V1 of the policy that attains it. */
function linearised(
  problem: ThroughputProblem,
  low: number,
  high: number,
  v: number,
  target: number,
): Interval & { readonly next: number } {
  const { response, relaxation } = problem;
  const bounded = problem.restricted ?? ((at: RestrictedAt) => byMultiplier(problem, at));
  const slow = bounded({ price: response / high, v, low, high, target: target - response * v });
  // Without a throughput above 0 the second price is unbounded: V1 is at least the mean service time, and that is all.
  const rest = low > 0 ? v : relaxation.leastResponse;
  const fast = bounded({ price: low > 0 ? response / low : 0, v, low, high, target: target - response * rest });
  const [a, b] = [response * v + slow.bound, response * rest + fast.bound];
  const [bound, lower] = a <= b ? [a, slow] : [b, fast];
  return { low, high, v, bound, modes: lower.modes, next: lower.v };
}

/** With a Lagrange multiplier of the restriction on the throughput alone, raised towards the target step by step. */
function byMultiplier(problem: ThroughputProblem, { price, v, low, high, target }: RestrictedAt): Bounded {
  let best: Bounded = { bound: Number.NEGATIVE_INFINITY, v };
  let multiplier = 0;
  for (let step = 0; step < multiplierSteps; step++) {
    const { bound, toBeServed, ends, modes } = minimise(problem, [1, price, multiplier - price * v, 0]);
    const side = multiplier > 0 || (multiplier === 0 && ends > high) ? high : low;
    const value = bound - multiplier * side;
    if (!(value > best.bound)) break;
    best = { bound: value, v: toBeServed / ends, modes };
    // The bound is concave in the multiplier, with slope D − side: the least multiplier at which the target can be met.
    const slope = ends - side;
    const outside = side === high ? slope > 0 : slope < 0;
    if (best.bound >= target || !outside) break;
    multiplier += (1.05 * (target - best.bound)) / slope;
  }
  return best;
}
