/**
 * The least of what a page costs and what its fetches do, where a fetch that finds a change costs more.
 *
 * A fetch after a gap g costs k₀ + k₁e(g), e(g) = 1 − e^{−λg}. With the price in both, and F(g) what the gap costs, the
 * gaps that end with a fetch cost w·F + k₁e + k₀ and the last one w·F. F lies above its tangents (page-bounds.ts),
 * convex and piecewise linear; e is concave. So the sum is concave between two of their crossings, and lies above the
 * lower hull of its values there and at the ends. So x fetches, with any slope s of that hull and its intercept m(s),
 * cost at least
 *
 *   s·(a + T) + min over the first gap u of (w·F₁(u) + k₁e(u) − s·u) − w·F₁(a) + k₀ + (x − 1)(m(s) + k₀) + min over h of (w·F(h) − s·h),
 *
 * a the first gap's length at the start; the minima are at crossings again. The largest over s is convex in x.
 * O(tangents) a slope, a few slopes a page. Source: Lagrangian duality; the bound without k₁ is in the bounds of the
 * plain model.
 */
import type { FetchCosts } from '../problem.ts';
import type { CostedPages } from '../rates/costed-pages.ts';
import { type Line, leastOverCounts } from './least-over-counts.ts';
import type { PageBounds } from './page-bounds.ts';

/** Of more pages only k₀ is counted, so that the bound takes no longer than the plan. */
const mostPages = 30_000;
/** For rounding. */
const lowered = 1 - 1e-12;

export function costedBounds(plain: PageBounds, { cost, ifChanged }: FetchCosts, pages: CostedPages): PageBounds {
  const { weight, rate, age, closedForm, signalled } = pages;
  const first = new Crossings();
  const later = new Crossings();
  const hull = new Hull();
  return {
    tangents: (i, stretch, worth) => plain.tangents(i, stretch, worth),
    leastCost(i, stretch, price) {
      const k0 = price * cost[i];
      const k1 = price * ifChanged[i];
      // a fetch costs no less than k₀
      if (!(k1 > 0) || weight.length > mostPages) return plain.leastCost(i, stretch, k0);
      const none = plain.leastCost(i, { ...stretch, most: 0 }, k0);
      if (!(weight[i] > 0) || stretch.most < 1) return none;
      const lines = plain.tangents(i, stretch, k0 / weight[i]);
      const found = (gap: number): number => -Math.expm1(-rate[i] * gap);
      later.fill(lines.slope, lines.offset, lines.count, 0, stretch.interval);
      later.charge(weight[i], k1, 0, found);
      hull.fill(later);
      const unseen = age[i] === Number.POSITIVE_INFINITY;
      const begun = unseen ? 0 : lines.begun;
      if (lines.begun < Number.POSITIVE_INFINITY) {
        first.fill(lines.slope, lines.offset, lines.count, lines.begun, lines.begun + stretch.interval);
      } else first.fill(stale, nothing, 1, 0, stretch.interval);
      first.charge(weight[i], k1, unseen ? 0 : age[i] - lines.begun, unseen ? certain : found);
      const lineOf = (j: number): Line => {
        const s = hull.slope[j];
        let firstLeast = Number.POSITIVE_INFINITY;
        for (let k = 0; k < first.count; k++) firstLeast = Math.min(firstLeast, first.charged[k] - s * first.at[k]);
        let lastLeast = 0;
        for (let k = 0; k < later.count; k++) lastLeast = Math.min(lastLeast, later.weighted[k] - s * later.at[k]);
        const each = hull.intercept[j] + k0;
        const ends = firstLeast - weight[i] * lines.paid + lastLeast;
        return { slope: each, intercept: s * (stretch.interval + begun) + ends + k0 - each };
      };
      const nearest = (x: number): number => hull.edgeAt((stretch.interval + begun) / (x + 1));
      const { most } = stretch;
      const last = hull.count - 1;
      // a page so fast that no gap is worth its fetch has one slope only
      const alone = last === 0 ? lineOf(0) : null;
      const fetched =
        alone === null
          ? leastOverCounts({ lineOf, nearest, first: 0, last, most }, hull.lastAbove(-k0))
          : alone.intercept + alone.slope * (alone.slope >= 0 ? 1 : most);
      return Math.min(none, Math.max(0, lowered * fetched));
    },
    leastRate(i, least, longest, price) {
      const k1 = price * ifChanged[i];
      // of changes at a known rate, freshly found ones are λ times the fresh share: a part of the price goes to the
      // weight
      const left = weight[i] - k1 * rate[i];
      if (!(k1 > 0 && left > 0) || signalled(i) || !closedForm(i)) {
        return plain.leastRate(i, least, longest, price * cost[i]);
      }
      const share = left / weight[i];
      return lowered * (k1 * rate[i] + share * plain.leastRate(i, least, longest, (price * cost[i]) / share));
    },
  };
}

/** A page never fetched is stale until it is: F₁(u) = u; and its first fetch counts as finding a change. */
const stale = Float64Array.of(1);
const nothing = Float64Array.of(0);
const certain = (): number => 1;

/** Where the largest of some lines and of 0 bends, with its ends, and its values there. */
class Crossings {
  count = 0;
  at = new Float64Array(16);
  value = new Float64Array(16);
  /** The values by weight, and with what a fetch there costs for the change that it may find. */
  weighted = new Float64Array(16);
  charged = new Float64Array(16);

  /** Lines slope·g − offset, slopes rising, between two lengths. */
  fill(slope: Float64Array, offset: Float64Array, lines: number, from: number, to: number): void {
    if (this.at.length < lines + 2) {
      this.at = new Float64Array(2 * lines + 2);
      this.value = new Float64Array(2 * lines + 2);
      this.weighted = new Float64Array(2 * lines + 2);
      this.charged = new Float64Array(2 * lines + 2);
    }
    this.count = 0;
    let [lastSlope, lastOffset] = [0, 0];
    let before = from;
    const add = (g: number): void => {
      this.at[this.count] = g;
      this.value[this.count++] = Math.max(0, lastSlope * g - lastOffset);
    };
    for (let j = 0; j < lines; j++) {
      // lines too close to tell apart
      if (!(slope[j] > lastSlope * (1 + 1e-9))) continue;
      const crossing = (offset[j] - lastOffset) / (slope[j] - lastSlope);
      if (crossing >= to) break;
      if (this.count === 0 && crossing > from) add(from);
      if (crossing > before) {
        add(crossing);
        before = crossing;
      }
      [lastSlope, lastOffset] = [slope[j], offset[j]];
    }
    if (this.count === 0) add(from);
    add(to);
  }

  /** @param before what the gap has been longer than it is here */
  charge(weight: number, k1: number, before: number, found: (gap: number) => number): void {
    for (let k = 0; k < this.count; k++) {
      this.weighted[k] = weight * this.value[k];
      this.charged[k] = this.weighted[k] + k1 * found(this.at[k] + before);
    }
  }
}

/** The lower convex hull of points, as lines slope·g + intercept. */
class Hull {
  /** Edges. */
  count = 0;
  slope = new Float64Array(16);
  intercept = new Float64Array(16);
  #point = new Int32Array(16);
  #at = new Float64Array(16);

  fill({ at, count, charged: value }: Crossings): void {
    if (this.slope.length < count) {
      this.slope = new Float64Array(2 * count);
      this.intercept = new Float64Array(2 * count);
      this.#point = new Int32Array(2 * count);
    }
    this.#at = at;
    const kept = this.#point;
    let size = 0;
    const slopeTo = (from: number, to: number): number => (value[to] - value[from]) / (at[to] - at[from]);
    for (let k = 0; k < count; k++) {
      while (size > 1 && slopeTo(kept[size - 1], k) <= slopeTo(kept[size - 2], kept[size - 1])) size--;
      kept[size++] = k;
    }
    this.count = size - 1;
    for (let j = 0; j < this.count; j++) {
      this.slope[j] = slopeTo(kept[j], kept[j + 1]);
      this.intercept[j] = value[kept[j]] - this.slope[j] * at[kept[j]];
    }
  }

  /** The edge over a length. */
  edgeAt(length: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#at[this.#point[middle]] <= length) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The last edge but one whose intercept is at least so much: intercepts fall. */
  lastAbove(intercept: number): number {
    let j = 0;
    while (j + 2 < this.count && this.intercept[j + 1] >= intercept) j++;
    return j;
  }
}
