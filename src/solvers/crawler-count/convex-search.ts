/**
 * Minimises a convex function over the integers 1..max with few evaluations, and proves the minimum: f(n) ≤ f(n − 1) and f(n) ≤ f(n + 1) make n a
 * global minimiser, because f is convex.
 *
 * The caller proposes where the minimum should be, given the best point so far; a proposal outside the bracket left by convexity, or one that does
 * not shrink it, is replaced by the middle of the bracket, so O(log max) evaluations suffice whatever is proposed. Ties go to the smaller n.
 * If stopped early, the lines through neighbouring points bound f from below (convexity again).
 */
export interface Evaluated {
  readonly crawlers: number;
  readonly cost: number;
}

export interface ConvexSearch<Point extends Evaluated> {
  readonly best: Point;
  /** What no n in 1..max can beat; the best cost itself once proved. */
  readonly bound: number;
  readonly proved: boolean;
}

export interface ConvexSearchTask<Point extends Evaluated> {
  evaluate(n: number): Point;
  /** Where the minimum is expected, any real number. */
  propose(best: Point): number;
  readonly start: number;
  readonly max: number;
  stopRequested(): boolean;
}

/** After this many evaluations rounding decides between neighbours; what is left is below it. */
const MOST_EVALUATIONS = 400;

export function minimiseConvex<Point extends Evaluated>(task: ConvexSearchTask<Point>): ConvexSearch<Point> {
  const { max } = task;
  const clamp = (n: number): number => Math.min(max, Math.max(1, Math.round(n)));
  let best = task.evaluate(clamp(task.start));
  // the nearest evaluated points on either side; null where there is none yet
  let left: Point | null = null;
  let right: Point | null = null;
  let slow = 0;
  for (let evaluations = 1; ; evaluations++) {
    const n = best.crawlers;
    const low = left === null ? 0 : left.crawlers;
    const high = right === null ? max + 1 : right.crawlers;
    if (low === n - 1 && high === n + 1) return { best, bound: best.cost, proved: true };
    if (task.stopRequested() || evaluations > MOST_EVALUATIONS) {
      return { best, bound: boundFrom(left, best, right, max), proved: false };
    }
    const wanted = task.propose(best);
    let next = clamp(wanted);
    if (slow >= 3) {
      next = high - n > n - low ? Math.floor((n + high) / 2) : Math.ceil((low + n) / 2);
      // an open end is approached by doubling, not by halving what may be 2^53
      if (right === null && next > n) next = Math.min(next, 2 * n);
    }
    if (next <= low || next >= high || next === n) {
      const upward = high > n + 1 && (wanted >= n || low === n - 1);
      next =
        next >= high && next !== n + 1
          ? n + Math.ceil((high - n) / 2)
          : next <= low
            ? n - Math.ceil((n - low) / 2)
            : upward
              ? n + 1
              : n - 1;
      if (next >= high) next = high - 1;
      if (next <= low) next = low + 1;
      if (next === n) next = high > n + 1 ? n + 1 : n - 1;
    }
    const point = task.evaluate(next);
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
