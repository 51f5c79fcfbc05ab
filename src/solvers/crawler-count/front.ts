/**
 * The counts that are best for some prices of two or three criteria.
 *
 * P(empty) falls with the count N and is convex in it, the others rise. Every N is best for some prices of an idle
 * index and of lost pages, or of crawlers. C is convex in N for every γ. Against the mean time in system, which need
 * not be convex, the vertices of the lower hull are taken (Andrew 1979). Without P(empty) one crawler is best whatever
 * the prices. Listed from one crawler to where an idle index has become as rare as 1e−9. Where that is more than
 * {@link maxFrontPoints} counts, those are listed whose prices lie furthest apart, on a logarithmic scale, and the answer.
 */

import { type Warning, warning } from '../answer.ts';
import { type ListedVertex, listedFront } from '../numerics/search/front-weights.ts';
import { lastOf } from './limited-counts.ts';
import type { CountCriterion, CountEvaluation, Interruptible } from './problem.ts';

export type CountFrontPoint = ListedVertex<CountCriterion, { readonly crawlers: number }>;

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

/**
 * @param answer the count that is best at the prices asked, 1 where there is none: it is listed wherever the front has it
 * @param evaluate null once the time is up
 */
export function countFront(
  criteria: readonly CountCriterion[],
  maxCrawlers: number,
  answer: number,
  evaluate: Interruptible,
): { readonly front: CountFrontPoint[]; readonly warnings: Warning[] } {
  const idle = criteria.includes('starvation');
  const last = idle ? lastWorthListing(maxCrawlers, evaluate) : 1;
  const thinned = last > maxFrontPoints;
  const counts = thinned
    ? countsByPrice(last, Math.min(answer, last), criteria.find((name) => name !== 'starvation') ?? 'loss', evaluate)
    : Array.from({ length: last }, (_, i) => i + 1);
  const points: CountEvaluation[] = [];
  let complete = true;
  for (const crawlers of counts) {
    const point = evaluate(crawlers);
    complete = point !== null;
    if (point === null) break;
    points.push(point);
  }
  // The count after the last says up to which price the last is best; where idle time costs nothing that is every
  // price.
  const after = idle && complete && last < maxCrawlers ? evaluate(last + 1) : null;
  const pair = criteria.length === 2;
  const at = (point: CountEvaluation, c: number): number => criterionOf(point, criteria[c]);
  const hull = pair ? lowerHull(after === null ? points : [...points, after], at) : points;
  if (pair && hull.length > 1 && at(hull[0], 0) > at(hull[1], 0)) hull.reverse();
  const warnings = [];
  if (thinned) {
    const detail = `${last} counts are best for some prices; ${counts.length} of them are listed, by their prices, and the prices are between those`;
    warnings.push(warning('front-thinned', detail, ['front']));
  }
  if (!complete) {
    const detail = 'the time limit ended the front before its last count; raise options.timeLimitMs';
    warnings.push(warning('front-incomplete', detail, ['front']));
  }
  return {
    front: listedFront(
      criteria,
      hull.map((what) => ({ criteria: criteria.map((name) => criterionOf(what, name)), what })),
      ({ crawlers }) => ({ crawlers }),
    ).filter(({ policy }) => policy.crawlers !== after?.crawlers),
    warnings,
  };
}

/**
 * Counts of 1..last whose prices lie far apart, `kept` among them. Again and again the two neighbours with the largest
 * ratio of prices get the count between them. The price of a count is what the next one adds to the criterion by how
 * much less idle it is.
 */
function countsByPrice(last: number, kept: number, name: CountCriterion, evaluate: Interruptible): number[] {
  const logPrice = (crawlers: number): number => {
    const [here, next] = [evaluate(crawlers), evaluate(crawlers + 1)];
    if (here === null || next === null) return 0;
    const price =
      (criterionOf(next, name) - criterionOf(here, name)) / (here.starvationProbability - next.starvationProbability);
    return price > 0 && price < Number.POSITIVE_INFINITY ? Math.log(price) : price > 0 ? 700 : -700;
  };
  const chosen = [...new Set([1, kept, last])].map((crawlers) => ({ crawlers, price: logPrice(crawlers) }));
  while (chosen.length < maxFrontPoints) {
    let [widest, most] = [0, -1];
    for (let i = 1; i < chosen.length; i++) {
      const ratio = Math.abs(chosen[i].price - chosen[i - 1].price);
      if (chosen[i].crawlers - chosen[i - 1].crawlers > 1 && ratio > most) [widest, most] = [i, ratio];
    }
    if (widest === 0) break;
    const [a, b] = [chosen[widest - 1].crawlers, chosen[widest].crawlers];
    const crawlers = Math.min(b - 1, Math.max(a + 1, Math.round(Math.sqrt(a * b))));
    chosen.splice(widest, 0, { crawlers, price: logPrice(crawlers) });
  }
  return chosen.map(({ crawlers }) => crawlers);
}

/** The first count with which the index is hardly ever idle, or the largest allowed. */
function lastWorthListing(max: number, evaluate: Interruptible): number {
  const idle = (crawlers: number): boolean => (evaluate(crawlers)?.starvationProbability ?? 0) > rare;
  return Math.min(max, lastOf(idle, max) + 1);
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
