import { NothingToReturn } from '../budget.ts';

/**
 * Minimises a convex function over the integers 1..max with few evaluations, and proves the minimum. Because f is
 * convex, f(n) ≤ f(n − 1) and f(n) ≤ f(n + 1) make n a global minimiser.
 *
 * The caller proposes where the minimum should be, given the best point so far and its nearest neighbour. A proposal
 * outside the bracket left by convexity, or one that does not shrink it, is replaced by the middle of the bracket. So
 * O(log max) evaluations suffice whatever is proposed. Ties go to the smaller n. If stopped early, the lines through
 * neighbouring points bound f from below (convexity again).
 */
interface Evaluated {
  readonly crawlers: number;
  readonly cost: number;
}

interface ConvexSearch<Point extends Evaluated> {
  readonly best: Point;
  /** What no n in 1..max can beat; the best cost itself once proved. */
  readonly bound: number;
  readonly proved: boolean;
}

interface ConvexSearchTask<Point extends Evaluated> {
  /** The point at n; null when the time ran out on the way. */
  evaluate(n: number): Point | null;
  /** Where the minimum is expected, any real number, given the best point and the evaluated point nearest to it. */
  propose(best: Point, nearest: Point | null): number;
  readonly start: number;
  readonly max: number;
  stopRequested(): boolean;
}

/** After this many evaluations rounding decides between neighbours; what is left is below it. */
const maxEvaluations = 400;
/** So many steps in a row that leave more than half of the bracket, and it is halved. */
const slowProgress = 6;

/** @throws NothingToReturn when not even the first point could be evaluated */
export function minimiseConvex<Point extends Evaluated>(task: ConvexSearchTask<Point>): ConvexSearch<Point> {
  const { max } = task;
  const clamp = (n: number): number => Math.min(max, Math.max(1, Math.round(n)));
  const first = task.evaluate(clamp(task.start));
  if (first === null) throw new NothingToReturn();
  let best = first;
  // the nearest evaluated points on either side; null where there is none yet
  let left: Point | null = null;
  let right: Point | null = null;
  let slow = 0;
  // over-relaxation towards an open end, so that it is soon closed
  let reach = 1;
  let step = 0;
  for (let evaluations = 1; ; evaluations++) {
    const n = best.crawlers;
    const low = left === null ? 0 : left.crawlers;
    const high = right === null ? max + 1 : right.crawlers;
    if (low === n - 1 && high === n + 1) return { best, bound: best.cost, proved: true };
    if (task.stopRequested() || evaluations > maxEvaluations) {
      return { best, bound: boundFrom(left, best, right, max), proved: false };
    }
    const nearest = left !== null && (right === null || n - low <= high - n) ? left : right;
    const wanted =
      left !== null && right !== null && high - low < 0.3 * n ? vertex(left, best, right) : task.propose(best, nearest);
    const open = wanted > n ? right === null : left === null;
    reach = open && evaluations > 1 && wanted > n === step > 0 ? 2 * reach : 1;
    let next = clamp(Math.min(8 * n, n + reach * (wanted - n)));
    if (slow >= slowProgress && !open) {
      if (right === null) next = clamp(n + 2 * (n - low));
      else if (left === null) next = clamp(n - 2 * (high - n));
      else next = high - n > n - low ? Math.floor((n + high) / 2) : Math.ceil((low + n) / 2);
    }
    next = within(low, high, n, next, wanted);
    step = next - n;
    const point = task.evaluate(next);
    if (point === null) return { best, bound: boundFrom(left, best, right, max), proved: false };
    const width = high - low;
    const better = point.cost < best.cost || (point.cost === best.cost && next < n);
    if (better) {
      if (next < n) right = best;
      else left = best;
      best = point;
    } else if (next < n) left = point;
    else right = point;
    const narrowed = (right === null ? max + 1 : right.crawlers) - (left === null ? 0 : left.crawlers);
    slow = narrowed > width / 2 ? slow + 1 : 0;
  }
}

/**
 * Returns `next` if it lies between `low` and `high` and is not n. Else it is the middle of the side that `next` points
 * to, or n's neighbour on the side of `wanted`.
 */
function within(low: number, high: number, n: number, next: number, wanted: number): number {
  if (next > low && next < high && next !== n) return next;
  if (next >= high && high > n + 1) return Math.floor((n + high) / 2) > n ? Math.floor((n + high) / 2) : n + 1;
  if (next <= low && low < n - 1) return Math.ceil((low + n) / 2) < n ? Math.ceil((low + n) / 2) : n - 1;
  const upward = high > n + 1 && (wanted >= n || low === n - 1);
  return upward ? n + 1 : n - 1;
}

/** Where the parabola through three points has its minimum. */
function vertex(a: Evaluated, b: Evaluated, c: Evaluated): number {
  const before = (b.cost - a.cost) / (b.crawlers - a.crawlers);
  const after = (c.cost - b.cost) / (c.crawlers - b.crawlers);
  const bend = (after - before) / (c.crawlers - a.crawlers);
  return bend > 0 ? (a.crawlers + b.crawlers) / 2 - before / (2 * bend) : b.crawlers;
}

/** The least value that a convex function through these points can take at an integer in 1..max. */
function boundFrom(left: Evaluated | null, best: Evaluated, right: Evaluated | null, max: number): number {
  let bound = best.cost;
  // left of the best point the line through it and its right neighbour is below the function, and the other way round
  const low = left === null ? 1 : left.crawlers + 1;
  const high = right === null ? max : right.crawlers - 1;
  if (low < best.crawlers) {
    if (right === null) bound = 0;
    else bound -= ((right.cost - best.cost) / (right.crawlers - best.crawlers)) * (best.crawlers - low);
  }
  if (high > best.crawlers) {
    if (left === null) bound = 0;
    else
      bound = Math.min(
        bound,
        best.cost - ((left.cost - best.cost) / (best.crawlers - left.crawlers)) * (high - best.crawlers),
      );
  }
  return Math.max(0, bound);
}
