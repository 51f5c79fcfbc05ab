/**
 * The counts that are best for some prices of two or three criteria.
 *
 * P(empty) falls with the count N and is convex in it, the others rise: every N is best for some prices of an idle
 * index and of lost pages, or of crawlers (C is convex in N for every γ). Against the mean time in system, which need
 * not be convex, the vertices of the lower hull are taken (Andrew 1979). Without P(empty) one crawler is best whatever
 * the prices. Listed from one crawler to where an idle index has become as rare as 1e−9, at most {@link maxFrontPoints}
 * counts, evenly spread where there are more.
 */
import { type Warning, warning } from '../answer.ts';
import type { CountCriterion, CountEvaluation } from './model.ts';

export interface CountFrontPoint {
  readonly criteria: Readonly<Partial<Record<CountCriterion, number>>>;
  readonly policy: { readonly crawlers: number };
  /** Two criteria: the price of the second, the first costing 1, from and up to which this count is best. */
  readonly weightOfSecond?: readonly [number, number | null];
}

export const maxFrontPoints = 200;
const rare = 1e-9;

/** The value of a criterion: pages lost per time unit, share of time idle, mean time in system, crawlers. */
function criterionOf(point: CountEvaluation, name: CountCriterion): number {
  switch (name) {
    case 'loss':
      return point.lossRate;
    case 'starvation':
      return point.starvationProbability;
    case 'response':
      return point.meanQueueLength / point.throughput;
    case 'crawlers':
      return point.crawlers;
  }
}

/** @param evaluate null once the time is up */
export function countFront(
  criteria: readonly CountCriterion[],
  maxCrawlers: number,
  evaluate: (crawlers: number) => CountEvaluation | null,
): { readonly front: CountFrontPoint[]; readonly warnings: Warning[] } {
  const idle = criteria.includes('starvation');
  const last = idle ? lastWorthListing(maxCrawlers, evaluate) : 1;
  const step = Math.max(1, Math.ceil(last / maxFrontPoints));
  const points: CountEvaluation[] = [];
  let complete = true;
  for (let crawlers = 1; crawlers <= last; crawlers += step) {
    const point = evaluate(crawlers);
    complete = point !== null;
    if (point === null) break;
    points.push(point);
  }
  // The count after the last says up to which price the last is best; where idle time costs nothing that is every
  // price.
  const after = idle && complete && last < maxCrawlers ? evaluate(last + step) : null;
  const pair = criteria.length === 2;
  const at = (point: CountEvaluation, c: number): number => criterionOf(point, criteria[c]);
  const hull = pair ? lowerHull(after === null ? points : [...points, after], at) : points;
  if (pair && hull.length > 1 && at(hull[0], 0) > at(hull[1], 0)) hull.reverse();
  const slope = (i: number): number => (at(hull[i + 1], 0) - at(hull[i], 0)) / (at(hull[i], 1) - at(hull[i + 1], 1));
  // No price is enough for less of the second criterion where rounding leaves no difference.
  const end = pair ? hull.findIndex((_, i) => i + 1 < hull.length && !Number.isFinite(slope(i))) : -1;
  const kept = end < 0 ? hull : hull.slice(0, end + 1);
  const warnings = [];
  if (step > 1) {
    const detail = `${last} counts are best for some prices; every ${step}th is listed, and the prices are between those`;
    warnings.push(warning('front-thinned', detail, ['front']));
  }
  if (!complete) {
    const detail = 'the time limit ended the front before its last count; raise options.timeLimitMs';
    warnings.push(warning('front-incomplete', detail, ['front']));
  }
  return {
    front: kept
      .map((point, i) => ({
        criteria: Object.fromEntries(criteria.map((name) => [name, criterionOf(point, name)])),
        policy: { crawlers: point.crawlers },
        ...(pair
          ? { weightOfSecond: [i === 0 ? 0 : slope(i - 1), i === kept.length - 1 ? null : slope(i)] as const }
          : {}),
      }))
      .filter(({ policy }) => policy.crawlers !== after?.crawlers),
    warnings,
  };
}

/** The first count with which the index is hardly ever idle, or the largest allowed. */
function lastWorthListing(max: number, evaluate: (crawlers: number) => CountEvaluation | null): number {
  const idle = (crawlers: number): boolean => (evaluate(crawlers)?.starvationProbability ?? 0) > rare;
  let [low, high] = [0, 1];
  while (high < max && idle(high)) [low, high] = [high, Math.min(max, 2 * high)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (idle(middle)) low = middle;
    else high = middle;
  }
  return high;
}

/** The vertices of the lower hull of points that lie on a falling curve, in their order. */
function lowerHull(
  points: readonly CountEvaluation[],
  at: (point: CountEvaluation, c: number) => number,
): CountEvaluation[] {
  const hull: CountEvaluation[] = [];
  for (const point of points) {
    for (;;) {
      const [before, last] = hull.slice(-2);
      if (last === undefined) break;
      const turn =
        (at(last, 0) - at(before, 0)) * (at(point, 1) - at(before, 1)) -
        (at(last, 1) - at(before, 1)) * (at(point, 0) - at(before, 0));
      // Seen along a curve on which the first criterion rises, the hull turns left; right where it falls.
      if (at(point, 0) > at(before, 0) ? turn > 0 : turn < 0) break;
      hull.pop();
    }
    hull.push(point);
  }
  return hull;
}
