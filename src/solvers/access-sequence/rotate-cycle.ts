/**
 * The best start of a cycle that is repeated for ever, given when the pages were accessed before it.
 *
 * Let the last access of a page be a accesses before the start (1: just before), and its first access in the cycle the
 * f-th (from 0). Its fresh time over the first K accesses is the sum of (e^(−(a−1)L) − e^(−(a+f)L))/μ before the first
 * access, (1 − e^(−gL))/μ for each whole gap g after it, and (1 − e^(−(g−f−1)L))/μ after the last access, where g is
 * the gap of the cycle that contains the start. A page never accessed is stale until f. The answer is the rotation of
 * least cost in the first cycle, out of all rotations (of evenly spaced ones if pages × accesses is large). In the long
 * run all rotations cost the same. O(rotations·pages + K). Source: Coffman, Liu & Weber (1997), Lemma 3.1, for a start
 * at any ages.
 */
import type { AccessPages } from '../access-frequencies/access-pages.ts';

/** Maximum of pages × rotations evaluated; for more, only every k-th rotation is tried. */
const maxEvaluations = 4e6;

interface RotatedCycle {
  /** The cycle, rotated to its best start. */
  readonly sequence: Uint32Array;
  /** Σ c_i·(share of the time of the first cycle in which page i is stale). */
  readonly cost: number;
}

/** The rotation of least cost in the first cycle. @param lastAccess a_i ≥ 1, NaN for never */
export function rotateCycle(pages: AccessPages, cycle: Uint32Array, lastAccess: Float64Array): RotatedCycle {
  const { length, load, floor, weight } = pages;
  const count = cycle.length;
  const places = placesOf(cycle, length);
  const worth = Float64Array.from(load, (l, i) => (weight[i] * (1 - floor[i])) / (l * count));
  /** Fresh time in the gaps of the cycle, the seam ignored. */
  let wholeGapTime = 0;
  let totalWeight = 0;
  for (let i = 0; i < length; i++) {
    totalWeight += weight[i];
    for (let k = places.from[i]; k < places.from[i + 1]; k++)
      wholeGapTime += worth[i] * -Math.expm1(-gapAt(places, i, k, count) * load[i]);
  }
  const next = places.from.slice(0, length);
  const stride = Math.max(1, Math.ceil((count * length) / maxEvaluations));
  let best = 0;
  let freshest = Number.NEGATIVE_INFINITY;
  for (let r = 0; r < count; r += stride) {
    let fresh = wholeGapTime;
    for (let i = 0; i < length; i++)
      fresh += worth[i] * seamOf(places, i, r, { next, count, load: load[i], last: lastAccess[i] });
    if (fresh > freshest) {
      freshest = fresh;
      best = r;
    }
  }
  const sequence = new Uint32Array(count);
  sequence.set(cycle.subarray(best));
  sequence.set(cycle.subarray(0, best), count - best);
  return { sequence, cost: totalWeight - freshest };
}

/** Positions in the cycle by page, rising: those of page i are at[from[i]] to at[from[i + 1] − 1]. */
interface Places {
  readonly from: Uint32Array;
  readonly at: Uint32Array;
}

function placesOf(cycle: Uint32Array, pages: number): Places {
  const from = new Uint32Array(pages + 1);
  for (const page of cycle) from[page + 1]++;
  for (let i = 0; i < pages; i++) from[i + 1] += from[i];
  const nextPlace = from.slice(0, pages);
  const at = new Uint32Array(cycle.length);
  for (let t = 0; t < cycle.length; t++) at[nextPlace[cycle[t]]++] = t;
  return { from, at };
}

/** The gap between accesses of page i that ends at position at[k]. */
function gapAt({ from, at }: Places, i: number, k: number, count: number): number {
  return k > from[i] ? at[k] - at[k - 1] : at[k] + count - at[from[i + 1] - 1];
}

interface Seam {
  /** By page: index in `at` of its first position at or after the rotation; only ever advanced. */
  readonly next: Uint32Array;
  readonly count: number;
  readonly load: number;
  readonly last: number;
}

/** Fresh time of page i in units of 1/μ if the cycle starts at position r, less that of its whole gaps. */
function seamOf(places: Places, i: number, r: number, { next, count, load, last }: Seam): number {
  const { from, at } = places;
  const [begin, end] = [from[i], from[i + 1]];
  const pastGap = Number.isNaN(last) ? Number.POSITIVE_INFINITY : last - 1;
  const startFreshness = Number.isNaN(last) ? 0 : Math.exp(-pastGap * load);
  if (begin === end) return startFreshness * -Math.expm1(-count * load);
  while (next[i] < end && at[next[i]] < r) next[i]++;
  const k = next[i] < end ? next[i] : begin;
  const wait = next[i] < end ? at[k] - r : at[k] + count - r;
  const gap = gapAt(places, i, k, count);
  return (
    startFreshness * -Math.expm1(-(wait + 1) * load) - Math.expm1(-(gap - wait - 1) * load) + Math.expm1(-gap * load)
  );
}
