/**
 * The least cost of a page whose rate is believed to drift: from tangents of its expected cost.
 *
 * - F(s) = b·σ(s) is what a gap s begun under the belief b is expected to cost by the objective, under freshness the
 *   stale time; at the ages a_j of the grid its tangent is
 *   P_j·s − ω_j, P_j = (F_j + ω_j)/a_j and ω_j the age index (age-index.ts). F is convex; between the grid's ages the plan's own
 *   figure is within `interpolation` of it.
 * - Unobserved, a belief drifts while the interval runs, and may take F down, to no less than κF (`leastKept`).
 * So every gap but the first costs at least κ'(P_j·s − ω_j) for any j. With x fetches, the first after t, that makes
 *   x·(price − κ'ω_j) + κ'P_j·T + min over t of (F₁(t) − κ'P_j·t),
 * F₁ the first gap, whose minimum is taken piece by piece of the grid. The largest over j is convex in x, and the least
 * over whole x is the bound. The tangents used are those about the price and about the counts beside it.
 * Complexity: O(rates·(ages in the first gap + 10)). Accuracy: the bound is below the least cost by κ' (0.06% and what
 * drifts, some 0.1% a day) and by 0.1% between tangents.
 */
import type { DriftingRate } from '../../estimation/changes/drifting-rate.ts';
import type { AgeIndex } from '../beliefs/age-index.ts';
import type { WorthCells } from '../beliefs/worth-cells.ts';
import { type Line, leastOverCounts } from './least-over-counts.ts';
import type { GapTangents, PageBounds, Stretch } from './page-bounds.ts';

/**
 * ln F bends by at most 2 in ln s, by 3 where it begins with the cube; a chord over a step h of the grid is off by h²/8
 * times that.
 */
const interpolation = (power: 2 | 3): number => (power * Math.log(1.05) ** 2) / 8;
/** Younger tangents would come closer to the plan's figures below the grid than these are to F. */
const firstTangent = 3;
/** Steps of the grid, of 5% each, in a factor of eight. */
const agesToAnEighth = 43;

/** @param cells the beliefs, and about where each page's interval is: its tangent is not far from there */
export function beliefBounds(model: DriftingRate, cells: WorthCells, weight: Float64Array): PageBounds {
  const { index, beliefs, position: near } = cells;
  const { size } = model;
  const now = new Float64Array(size);
  const first = new FirstGap(index, beliefs);
  const last = index.ages.length - 1;
  const atLeast = Math.exp(-interpolation(index.beginsWithPower));
  const tangent = new Float64Array(2);
  const next = new Float64Array(2);
  /** The last age of the grid, but for its end, at which a fetch is worth less. */
  const tangentBelow = (belief: Float64Array, at: number, worth: number, guess: number): number =>
    Math.max(firstTangent, Math.min(last - 1, index.reach(belief, at, worth, guess)));
  /**
   * Writes the belief of the page at `at` into `now` as it has become unobserved, which is by the clock, and returns what
   * is kept of its costs at least while the interval runs.
   */
  const drift = (at: number, { age, sinceFetch, interval }: Stretch): number => {
    const time = age < Number.POSITIVE_INFINITY ? sinceFetch : 0;
    if (time > 0) model.predict(beliefs, at, time, now, 0);
    else now.set(beliefs.subarray(at, at + size));
    return atLeast * model.leastKept(interval, time);
  };
  const tangents = {
    slope: new Float64Array(last + 1),
    offset: new Float64Array(last + 1),
    firstSlope: new Float64Array(last + 1),
    firstOffset: new Float64Array(last + 1),
  };
  return {
    tangents(i, stretch, worth): GapTangents {
      const { age: given, interval } = stretch;
      const at = i * size;
      const age = index.bounded || given < Number.POSITIVE_INFINITY ? given : 0;
      const seen = age < Number.POSITIVE_INFINITY;
      const kept = drift(at, stretch);
      const to = Math.min(last, index.below(interval + (seen ? age : 0)) + 1);
      const from = Math.max(firstTangent, Math.min(to, tangentBelow(now, 0, worth / kept, near[i])) - agesToAnEighth);
      let count = 0;
      // every second age does: between two tangents 10% apart little is lost
      for (let j = from; j <= to; j += 2) {
        index.gridTangent(now, 0, j, tangent);
        tangents.slope[count] = kept * tangent[1];
        tangents.offset[count] = kept * tangent[0];
        if (seen) {
          index.gridTangent(beliefs, at, j, tangent);
          tangents.firstSlope[count] = atLeast * tangent[1];
          tangents.firstOffset[count] = atLeast * tangent[0];
        }
        count++;
      }
      const paid = seen ? index.totalCost(beliefs, at, age) : 0;
      return { ...tangents, count, begun: age, paid };
    },
    leastCost(i, stretch, price) {
      const { age: given, interval, most } = stretch;
      const at = i * size;
      if (!(weight[i] > 0)) return 0;
      // but under freshness, a page never fetched begins to cost at now
      const age = index.bounded || given < Number.POSITIVE_INFINITY ? given : 0;
      const fetchedBefore = age < Number.POSITIVE_INFINITY;
      const none = fetchedBefore ? first.load(at, age, interval) : interval;
      const cost = price / weight[i];
      // no fetch saves more than all
      if (most < 1 || cost >= none) return weight[i] * none;
      const kept = drift(at, stretch);
      const lineOf = (j: number): Line => {
        index.gridTangent(now, 0, j, tangent);
        const worth = kept * tangent[0];
        const slope = kept * tangent[1];
        const saved = fetchedBefore ? first.least(slope) : 0;
        return { slope: cost - worth, intercept: slope * interval + saved };
      };
      const nearest = (x: number): number => {
        const gap = x * age <= interval ? (interval + age) / (x + 1) : interval / x;
        return Math.max(firstTangent, index.below(gap));
      };
      const fetched = leastOverCounts(
        { lineOf, nearest, first: firstTangent, last, most },
        tangentBelow(now, 0, cost / kept, near[i]),
      );
      return weight[i] * Math.max(0, Math.min(none, fetched));
    },
    leastRate(i, least, longest, price) {
      if (!(weight[i] > 0)) return longest === Number.POSITIVE_INFINITY ? 0 : price / longest;
      const at = i * size;
      const cost = price / weight[i];
      if (!(cost < Number.MAX_VALUE)) return longest === Number.POSITIVE_INFINITY ? 0 : price / longest;
      const rateOf = (j: number): number => {
        index.gridTangent(beliefs, at, j, tangent);
        index.gridTangent(beliefs, at, j + 1, next);
        const [worth, slope] = [atLeast * tangent[0], atLeast * tangent[1]];
        const [nextWorth, nextSlope] = [atLeast * next[0], atLeast * next[1]];
        // a line's share of the cost falls with the gap where a fetch there is worth less than its price, else it rises
        let gap = nextSlope > slope ? (nextWorth - worth) / (nextSlope - slope) : index.ages[j];
        if (nextWorth <= cost) gap = longest;
        else if (worth >= cost) gap = least;
        gap = Math.min(longest, Math.max(least, gap));
        if (!(gap > 0)) return 0;
        if (gap === Number.POSITIVE_INFINITY) return nextSlope;
        return Math.max(slope + (cost - worth) / gap, nextSlope + (cost - nextWorth) / gap);
      };
      let j = tangentBelow(beliefs, at, cost / atLeast, near[i]);
      if (index.ages[j] >= longest) j = index.below(longest);
      else if (index.ages[j + 1] <= least) j = index.below(least);
      return weight[i] * Math.max(0, rateOf(Math.max(firstTangent, Math.min(last - 1, j))));
    },
  };
}

/**
 * F₁, the first gap's expected cost by the time t of the first fetch, as the plan computes it: between two ages of the
 * grid a power of the age. Its pieces are kept for one page at a time.
 */
class FirstGap {
  readonly #index: AgeIndex;
  readonly #beliefs: Float64Array;
  /** Ages at which pieces begin and end, the stale time by then, and the power each piece is. */
  readonly #age: Float64Array;
  readonly #stale: Float64Array;
  readonly #power: Float64Array;
  #at = 0;
  #end = 0;
  #endStale = 0;
  /** 0 until a least is asked for: a page that no fetch is worth its price of needs no pieces. */
  #count = 0;

  constructor(index: AgeIndex, beliefs: Float64Array) {
    this.#index = index;
    this.#beliefs = beliefs;
    this.#age = new Float64Array(index.ages.length + 2);
    this.#stale = new Float64Array(index.ages.length + 2);
    this.#power = new Float64Array(index.ages.length + 2);
  }

  /** Takes up the page whose belief is at `at`; F₁ of the whole interval. */
  load(at: number, age: number, interval: number): number {
    this.#at = at;
    this.#count = 0;
    this.#age[0] = age;
    this.#stale[0] = this.#index.totalCost(this.#beliefs, at, age);
    this.#end = age + interval;
    this.#endStale = this.#index.totalCost(this.#beliefs, at, this.#end);
    return this.#endStale - this.#stale[0];
  }

  /** The pieces between the ages of the grid, from the age at the start to that at the end. */
  #divide(): void {
    const { ages } = this.#index;
    const from = this.#index.below(this.#age[0]) + 1;
    let count = 1;
    for (let j = from; j < ages.length && ages[j] < this.#end; j++) this.#age[count++] = ages[j];
    this.#index.gridTotals(this.#beliefs, this.#at, [from, from + count - 2], this.#stale, 1);
    this.#age[count] = this.#end;
    this.#stale[count++] = this.#endStale;
    for (let k = 0; k + 1 < count; k++) this.#power[k] = this.#powerOf(k);
    this.#count = count;
  }

  /** The power of the age that the piece beginning at `k` is. */
  #powerOf(k: number): number {
    if (this.#age[k] === 0) return this.#index.beginsWithPower;
    return Math.log(this.#stale[k + 1] / this.#stale[k]) / Math.log(this.#age[k + 1] / this.#age[k]);
  }

  /** min over t of F₁(t) − slope·t: every piece is convex, so at its ends, or inside where its slope is `slope`. */
  least(slope: number): number {
    if (this.#count === 0) this.#divide();
    const from = this.#age[0];
    const start = this.#stale[0];
    let least = 0;
    for (let k = 0; k + 1 < this.#count; k++) {
      const p = this.#power[k];
      const to = this.#age[k + 1];
      const stale = this.#stale[k + 1];
      least = Math.min(least, stale - start - slope * (to - from));
      const rising = p > 1 && p * stale > slope * to;
      if (rising && p * this.#stale[k] <= slope * this.#age[k]) {
        const s = to * ((slope * to) / (p * stale)) ** (1 / (p - 1));
        least = Math.min(least, stale * (s / to) ** p - start - slope * (s - from));
      }
    }
    return least;
  }
}
