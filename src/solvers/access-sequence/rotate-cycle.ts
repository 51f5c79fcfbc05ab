/**
 * Where to begin a cycle that is repeated for ever, given when the pages were accessed before it: the seam to the cycle
 * before.
 *
 * Let a page have been accessed a accesses ago (1: just before), and its first access in the cycle be the f-th (from
 * 0). It is fresh over the first K accesses as follows. It is so for (e^(−(a−1)L) − e^(−(a+f)L))/μ until then, for
 * (1 − e^(−gL))/μ in each whole gap g after it. At the end it is fresh for (1 − e^(−(g−f−1)L))/μ, where g is the gap of
 * the cycle in which it begins. A page never accessed is stale until f. The rotation whose first cycle costs least is
 * taken, out of all (of evenly chosen ones where pages × accesses are many). In the long run they cost the same.
 * O(rotations·pages + K). Source: Coffman, Liu & Weber (1997), Lemma 3.1, for a start at any ages.
 */
import type { AccessPages } from '../access-frequencies/access-pages.ts';

/** Pages × rotations evaluated at most; beyond, every k-th rotation is tried. */
const maxEvaluations = 4e6;

interface RotatedCycle {
  /** The cycle, rotated to its best start. */
  readonly sequence: Uint32Array;
  /** Σ c_i·(share of its time that page i is stale) over the first cycle. */
  readonly cost: number;
}

/** @param lastAccess a_i ≥ 1, NaN for never */
export function rotateCycle(pages: AccessPages, cycle: Uint32Array, lastAccess: Float64Array): RotatedCycle {
  const { length, load, floor, weight } = pages;
  const count = cycle.length;
  const places = placesOf(cycle, length);
  const worth = Float64Array.from(load, (l, i) => (weight[i] * (1 - floor[i])) / (l * count));
  /** Fresh time in the gaps of the cycle, the seam left aside. */
  let whole = 0;
  let weights = 0;
  for (let i = 0; i < length; i++) {
    weights += weight[i];
    for (let k = places.from[i]; k < places.from[i + 1]; k++)
      whole += worth[i] * -Math.expm1(-gapAt(places, i, k, count) * load[i]);
  }
  const next = places.from.slice(0, length);
  const stride = Math.max(1, Math.ceil((count * length) / maxEvaluations));
  let best = 0;
  let freshest = Number.NEGATIVE_INFINITY;
  for (let r = 0; r < count; r += stride) {
    let fresh = whole;
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
  return { sequence, cost: weights - freshest };
}

/** Positions of each page in the cycle, ascending: those of page i are at[from[i]..from[i + 1] − 1]. */
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

/** The gap that ends at position at[k]. */
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

/** Fresh time of page i in units of 1/μ, less that of its whole gaps, when the cycle begins at position r. */
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
