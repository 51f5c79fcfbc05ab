/**
 * Slot prices that prove a sweep optimal, found from the assignment alone.
 *
 * Model: with equal weights the problem is a flow along the time line in two layers: flexible tasks may move both ways,
 * release tasks only forward, at cost 1 per unit of time; both drain into the slots. An assignment is optimal iff there
 * are potentials π(t) (flexible layer) and ρ(t) (release layer) with, between neighbouring events Δ apart,
 *   π falls by Δ where flexible tasks move forward, rises by Δ where they move back, else |change| ≤ Δ;
 *   ρ falls by Δ where release tasks wait, else falls by at most Δ;
 * and at a slot of price y: flexible task in it → y = π ≥ 0, ρ ≤ π; release task → y = ρ ≥ 0, π ≤ ρ; idle → y = 0,
 * π ≤ 0, ρ ≤ 0; and at a task: served → its layer's potential ≤ p, dropped → ≥ p (p: drop penalty).
 * Method: these are difference constraints on (π, ρ, 0) along a chain. Forward: the exact set of (π, ρ) that the past
 * allows, a difference-bound matrix of six numbers. Backward: a point of each set, the least that fits the future.
 *
 * Complexity: O(n + M) time; the sets are kept at every 4096th event and recomputed in between.
 * Source: linear-programming duality of the model in Wolf et al. (2002), section 3; difference-bound matrices: Dill (1989).
 */
import type { TimeOrder } from '../instance/time-sort.ts';

/** How the slots of a part are used, in time order. */
export const idleSlot = 0;
export const flexibleSlot = 1;
export const releaseSlot = 2;

/** Potentials as prices, and by how much the conditions could not be met. */
export interface SweepPrices {
  /** Price of each slot in time order, ≥ 0, for unit weights. */
  readonly price: Float64Array;
  /** Largest violation met on the way: rounding for an optimal assignment. */
  readonly violation: number;
}

const segment = 4096;

/** Bounds of the set: [π low, π high, ρ low, ρ high, π−ρ low, π−ρ high]. */
type Zone = Float64Array;

function close(z: Zone): void {
  if (z[0] - z[3] > z[4]) z[4] = z[0] - z[3];
  if (z[1] - z[2] < z[5]) z[5] = z[1] - z[2];
  if (z[0] - z[5] > z[2]) z[2] = z[0] - z[5];
  if (z[1] - z[4] < z[3]) z[3] = z[1] - z[4];
  if (z[2] + z[4] > z[0]) z[0] = z[2] + z[4];
  if (z[3] + z[5] < z[1]) z[1] = z[3] + z[5];
}

/**
 * @param tasks in time order (the sweep's times): `flexible` flexible ones, then the release tasks
 * @param served 1 for each of these tasks that has a slot
 * @param slots in time order
 * @param use how each slot is used
 * @param dropPenalty p, +∞ when nothing may be dropped
 */
export function sweepPrices(
  tasks: TimeOrder,
  flexible: number,
  served: Uint8Array,
  slots: TimeOrder,
  use: Uint8Array,
  dropPenalty: number,
): SweepPrices {
  const n = tasks.id.length;
  const m = slots.id.length;
  const total = n + m;
  // State while walking through the events, forward or backward: positions and flows.
  let f = 0;
  let r = flexible;
  let k = 0;
  let moving = 0;
  let waiting = 0;
  const events = (total + segment - 1) / segment;
  const kept = new Float64Array(6 * (Math.floor(events) + 1));
  const walker = new Float64Array(5 * (Math.floor(events) + 1));
  const zones = new Float64Array(6 * segment);
  // For each event of the segment: what it is (0 flexible task, 1 release task, 2 slot), its position, time, flows before.
  const kindOf = new Uint8Array(segment);
  const positionOf = new Int32Array(segment);
  const gapBefore = new Float64Array(segment + 1);
  const movingBefore = new Int32Array(segment + 1);
  const waitingBefore = new Int32Array(segment + 1);
  const z: Zone = new Float64Array(6);
  let now = Number.NaN;
  let violation = 0;

  const flexTime = (i: number): number => (i < flexible ? tasks.time[i] : Number.POSITIVE_INFINITY);
  const releaseTime = (i: number): number => (i < n ? tasks.time[i] : Number.POSITIVE_INFINITY);
  const slotTimeAt = (i: number): number => (i < m ? slots.time[i] : Number.POSITIVE_INFINITY);

  const step = (at: number): void => {
    const a = flexTime(f);
    const b = releaseTime(r);
    const c = slotTimeAt(k);
    const kind = a <= b && a <= c && f < flexible ? 0 : b <= c && r < n ? 1 : 2;
    const time = kind === 0 ? a : kind === 1 ? b : c;
    const gap = Number.isNaN(now) ? 0 : time - now;
    now = time;
    kindOf[at] = kind;
    gapBefore[at] = gap;
    movingBefore[at] = moving;
    waitingBefore[at] = waiting;
    // The edge to this event.
    const low = moving >= 0 ? -gap : gap;
    const high = moving <= 0 ? gap : -gap;
    const releaseHigh = waiting > 0 ? -gap : Number.POSITIVE_INFINITY;
    z[4] += low - releaseHigh;
    z[5] += high + gap;
    z[0] += low;
    z[1] += high;
    z[2] -= gap;
    z[3] += releaseHigh;
    // The event itself.
    if (kind === 0) {
      positionOf[at] = f;
      if (served[f] === 1) {
        if (dropPenalty < z[1]) z[1] = dropPenalty;
        moving++;
      } else if (dropPenalty > z[0]) z[0] = dropPenalty;
      f++;
    } else if (kind === 1) {
      positionOf[at] = r;
      if (served[r] === 1) {
        if (dropPenalty < z[3]) z[3] = dropPenalty;
        waiting++;
      } else if (dropPenalty > z[2]) z[2] = dropPenalty;
      r++;
    } else {
      positionOf[at] = k;
      if (use[k] === flexibleSlot) {
        if (z[0] < 0) z[0] = 0;
        if (z[4] < 0) z[4] = 0;
        moving--;
      } else if (use[k] === releaseSlot) {
        if (z[2] < 0) z[2] = 0;
        if (z[5] > 0) z[5] = 0;
        waiting--;
      } else {
        if (z[1] > 0) z[1] = 0;
        if (z[3] > 0) z[3] = 0;
      }
      k++;
    }
    close(z);
    violation = Math.max(violation, z[0] - z[1], z[2] - z[3], z[4] - z[5]);
  };

  z.set([-1, 1, -1, 1, -1, 1].map((sign) => sign * Number.POSITIVE_INFINITY));
  for (let e = 0; e < total; e++) {
    if (e % segment === 0) {
      const at = e / segment;
      kept.set(z, 6 * at);
      walker.set([f, r, moving, waiting, now], 5 * at);
    }
    step(e % segment);
  }

  const price = new Float64Array(m);
  let pi = Number.NaN;
  let rho = Number.NaN;
  gapBefore[segment] = 0;
  // The edge from the event at hand to the one after it, which the walk back has settled already.
  let gap = 0;
  let flow = 0;
  let queue = 0;
  for (let first = Math.floor((total - 1) / segment) * segment; first >= 0; first -= segment) {
    const at = first / segment;
    z.set(kept.subarray(6 * at, 6 * at + 6));
    f = walker[5 * at];
    r = walker[5 * at + 1];
    k = first - f - (r - flexible);
    moving = walker[5 * at + 2];
    waiting = walker[5 * at + 3];
    now = walker[5 * at + 4];
    const count = Math.min(segment, total - first);
    for (let i = 0; i < count; i++) {
      step(i);
      zones.set(z, 6 * i);
    }
    for (let i = count - 1; i >= 0; i--) {
      z.set(zones.subarray(6 * i, 6 * i + 6));
      if (!Number.isNaN(pi)) {
        const low = flow >= 0 ? -gap : gap;
        const high = flow <= 0 ? gap : -gap;
        z[0] = Math.max(z[0], pi - high);
        z[1] = Math.min(z[1], pi - low);
        z[3] = Math.min(z[3], rho + gap);
        if (queue > 0) z[2] = Math.max(z[2], rho + gap);
        close(z);
      }
      pi = z[0] > Number.NEGATIVE_INFINITY ? z[0] : Math.min(z[1], 0);
      const low = Math.max(z[2], pi - z[5]);
      rho = low > Number.NEGATIVE_INFINITY ? low : Math.min(z[3], pi - z[4], 0);
      if (kindOf[i] === 2) {
        const s = positionOf[i];
        price[s] = use[s] === idleSlot ? 0 : Math.max(0, use[s] === flexibleSlot ? pi : rho);
      }
      gap = gapBefore[i];
      flow = movingBefore[i];
      queue = waitingBefore[i];
    }
  }
  return { price, violation };
}
