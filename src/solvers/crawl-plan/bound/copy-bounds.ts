/**
 * The least cost of a page.
 *
 * With C(g) = ∫₀^g c(s) ds of the objective, c rising, C is convex; under freshness c(s) = 1 − e^{−λs}. At their best
 * times x fetches cost (x+1)·C((T+a)/(x+1)) − C(a). The first gap is as long as the others, the copy's age a counted
 * in. Where that time is past (xa > T), or the page was never fetched, the first fetch is at once and x·C(T/x) is left.
 * All are convex in x (Wolf et al. 2002, (14), with an age). So the best x for a price is beside the real one, which
 * makes every gap the fetch interval at that price. O(1), up to six exponentials.
 */
import type { Copies } from '../rates/page-model.ts';
import type { PageBounds, Stretch } from './page-bounds.ts';

/** @param copies as the plan takes them, whether their rates are known or believed */
export function copyBounds(weight: Float64Array, copies: Copies): PageBounds {
  const { integral: costTime, intervalAt, unseenIsStale } = copies;
  return {
    leastCost(i, { age: now, interval, most }: Stretch, price) {
      const given = copies.ageNow(i, now);
      const age = unseenIsStale || given < Number.POSITIVE_INFINITY ? given : 0;
      const first = age === Number.POSITIVE_INFINITY ? 0 : costTime(i, age);
      const costOf = (x: number): number => {
        if (x === 0)
          return weight[i] * (age === Number.POSITIVE_INFINITY ? interval : costTime(i, age + interval) - first);
        const stale =
          x * age <= interval
            ? (x + 1) * costTime(i, (interval + age) / (x + 1)) - first
            : x * costTime(i, interval / x);
        return weight[i] * stale + price * x;
      };
      let least = costOf(0);
      if (!(weight[i] > 0) || most < 1) return least;
      const gap = intervalAt(i, price);
      // past a first gap as long as the others, or at once
      const counted = age > gap ? interval / gap : (interval + age) / gap - 1;
      const middle = Math.max(1, Math.min(most, Math.floor(counted)));
      // convex: once it rises it goes on rising
      const onwards = (from: number, step: 1 | -1): void => {
        for (let x = from; x >= 1 && x <= most; x += step) {
          const cost = costOf(x);
          if (!(cost < least)) return;
          least = cost;
        }
      };
      onwards(middle, 1);
      onwards(middle - 1, -1);
      return least;
    },
    leastRate(i, least, longest, price) {
      if (!(weight[i] > 0)) return longest === Number.POSITIVE_INFINITY ? 0 : price / longest;
      const own = copies.leastRate(i, price);
      if (own !== null) return own;
      const gap = Math.min(longest, Math.max(least, intervalAt(i, price)));
      // without a fetch the cost rate is at least what it is under freshness, or nothing is known of it
      if (gap === Number.POSITIVE_INFINITY) return unseenIsStale ? weight[i] : 0;
      return gap > 0 ? (weight[i] * costTime(i, gap) + price) / gap : 0;
    },
  };
}
