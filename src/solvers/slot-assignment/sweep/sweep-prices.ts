/**
 * Slot prices that prove a sweep optimal, found from the assignment alone.
 *
 * Model: with equal weights the problem is a flow along the time line in two layers, both draining into the slots.
 * Flexible tasks may move both ways, release tasks only forward, at cost 1 per unit of time. An assignment is optimal
 * iff there are potentials π(t) (flexible layer) and ρ(t) (release layer) as follows. Between neighbouring events Δ
 * apart:
 *   π falls by Δ where flexible tasks move forward, rises by Δ where they move back, else |change| ≤ Δ.
 *   ρ falls by Δ where release tasks wait, else falls by at most Δ.
 * At a slot of price y: flexible task in it → y = π ≥ 0, ρ ≤ π; release task → y = ρ ≥ 0, π ≤ ρ; idle → y = 0, π ≤
 * 0, ρ ≤ 0. At a task: served → its layer's potential ≤ p, dropped → ≥ p (p: drop penalty). Method: these are
 * difference constraints on (π, ρ, 0) along a chain. Forward: the exact set of (π, ρ) that the past allows, a
 * difference-bound matrix of six numbers. Backward: a point of each set, the least that fits the future.
 *
 * Complexity: O(n + M) time; the sets are saved at every 4096th event and recomputed in between.
 * Source: linear-programming duality of the model in Wolf et al. (2002), section 3; difference-bound matrices: Dill
 * (1989).
 */
import type { Poll } from '../../budget.ts';

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

/** Events between two checkpoints, and between two polls. */
const segment = 4096;
/** Time of an event on a walk, ns: for polls. */
const nsPerEvent = 50;
const flexibleEvent = 0;
const releaseEvent = 1;
const slotEvent = 2;

/** A sweep whose prices are wanted. */
interface SweptPart {
  /** Times of the tasks (the sweep's times), sorted: `flexible` flexible ones, then the release tasks. */
  readonly tasks: Float64Array;
  readonly flexible: number;
  /** 1 for each of these tasks that has a slot. */
  readonly served: Uint8Array;
  /** Times of the slots, sorted, and how each is used. */
  readonly slots: Float64Array;
  readonly use: Uint8Array;
  /** p, +∞ when nothing may be dropped. */
  readonly dropPenalty: number;
}

/** Prices that prove a sweep. @throws NothingToReturn when `poll` says so */
export function sweepPrices(part: SweptPart, poll?: Poll): SweepPrices {
  const total = part.tasks.length + part.slots.length;
  const segments = Math.floor((total + segment - 1) / segment);
  const checkpoints = new Float64Array(checkpointLength * (segments + 1));
  const walk = new ForwardWalk(part);
  for (let e = 0; e < total; e++) {
    if (e % segment === 0) {
      walk.save(checkpoints, checkpointLength * (e / segment));
      poll?.(nsPerEvent * segment);
    }
    walk.step(e % segment);
  }
  const price = new Float64Array(part.slots.length);
  const back = new BackwardWalk(part, walk, price);
  for (let at = segments - 1; at >= 0; at--) {
    const count = Math.min(segment, total - at * segment);
    walk.restore(checkpoints, checkpointLength * at);
    for (let i = 0; i < count; i++) walk.step(i);
    for (let i = count - 1; i >= 0; i--) back.step(i);
    poll?.(2 * nsPerEvent * count);
  }
  return { price, violation: walk.violation };
}

/** A zone, three positions, two flows and a time. */
const checkpointLength = 12;

/** Walks through the events in time order, and keeps what it met in the present segment. */
class ForwardWalk {
  /**
   * By event of the segment: its kind, its position among its kind, the gap and the flows before it, the zone after it.
   */
  readonly kind = new Uint8Array(segment);
  readonly position = new Int32Array(segment);
  readonly gap = new Float64Array(segment);
  readonly moving = new Int32Array(segment);
  readonly waiting = new Int32Array(segment);
  readonly zones = new Float64Array(6 * segment);
  /** Largest violation met on the way. */
  violation = 0;

  private readonly part: SweptPart;
  private readonly zone: Zone = new Float64Array([-1, 1, -1, 1, -1, 1].map((sign) => sign * Number.POSITIVE_INFINITY));
  /** The next task of each kind and the next slot; flexible tasks on the move and release tasks that wait; the time. */
  private nextFlexible = 0;
  private nextRelease: number;
  private nextSlot = 0;
  private onTheMove = 0;
  private inWait = 0;
  private now = Number.NaN;

  constructor(part: SweptPart) {
    this.part = part;
    this.nextRelease = part.flexible;
  }

  save(checkpoints: Float64Array, at: number): void {
    checkpoints.set(this.zone, at);
    const { nextFlexible, nextRelease, nextSlot, onTheMove, inWait, now } = this;
    checkpoints.set([nextFlexible, nextRelease, nextSlot, onTheMove, inWait, now], at + 6);
  }

  restore(checkpoints: Float64Array, at: number): void {
    this.zone.set(checkpoints.subarray(at, at + 6));
    this.nextFlexible = checkpoints[at + 6];
    this.nextRelease = checkpoints[at + 7];
    this.nextSlot = checkpoints[at + 8];
    this.onTheMove = checkpoints[at + 9];
    this.inWait = checkpoints[at + 10];
    this.now = checkpoints[at + 11];
  }

  /** Passes the next event and keeps it as the i-th of the segment. */
  step(i: number): void {
    const z = this.zone;
    const kind = this.nextKind(i);
    this.kind[i] = kind;
    this.moving[i] = this.onTheMove;
    this.waiting[i] = this.inWait;
    this.passTime(this.gap[i]);
    if (kind === flexibleEvent) this.passFlexible(i);
    else if (kind === releaseEvent) this.passRelease(i);
    else this.passSlot(i);
    this.violation = Math.max(this.violation, close(z));
    for (let x = 0; x < 6; x++) this.zones[6 * i + x] = z[x];
  }

  /** What comes next, and the gap in time before it; at equal times flexible tasks first, slots last. */
  private nextKind(i: number): number {
    const { tasks, flexible, slots } = this.part;
    const { nextFlexible: f, nextRelease: r, nextSlot: k } = this;
    const a = f < flexible ? tasks[f] : Number.POSITIVE_INFINITY;
    const b = r < tasks.length ? tasks[r] : Number.POSITIVE_INFINITY;
    const c = k < slots.length ? slots[k] : Number.POSITIVE_INFINITY;
    const kind =
      f < flexible && a <= b && a <= c ? flexibleEvent : r < tasks.length && b <= c ? releaseEvent : slotEvent;
    const time = kind === flexibleEvent ? a : kind === releaseEvent ? b : c;
    this.gap[i] = Number.isNaN(this.now) ? 0 : time - this.now;
    this.now = time;
    return kind;
  }

  /** The edge from the event before to this one. */
  private passTime(gap: number): void {
    const z = this.zone;
    const low = this.onTheMove >= 0 ? -gap : gap;
    const high = this.onTheMove <= 0 ? gap : -gap;
    const releaseHigh = this.inWait > 0 ? -gap : Number.POSITIVE_INFINITY;
    z[4] += low - releaseHigh;
    z[5] += high + gap;
    z[0] += low;
    z[1] += high;
    z[2] -= gap;
    z[3] += releaseHigh;
  }

  private passFlexible(i: number): void {
    const z = this.zone;
    const { served, dropPenalty } = this.part;
    const f = this.nextFlexible++;
    this.position[i] = f;
    if (served[f] === 1) {
      if (dropPenalty < z[1]) z[1] = dropPenalty;
      this.onTheMove++;
    } else if (dropPenalty > z[0]) z[0] = dropPenalty;
  }

  private passRelease(i: number): void {
    const z = this.zone;
    const { served, dropPenalty } = this.part;
    const r = this.nextRelease++;
    this.position[i] = r;
    if (served[r] === 1) {
      if (dropPenalty < z[3]) z[3] = dropPenalty;
      this.inWait++;
    } else if (dropPenalty > z[2]) z[2] = dropPenalty;
  }

  private passSlot(i: number): void {
    const z = this.zone;
    const k = this.nextSlot++;
    this.position[i] = k;
    const use = this.part.use[k];
    if (use === flexibleSlot) {
      if (z[0] < 0) z[0] = 0;
      if (z[4] < 0) z[4] = 0;
      this.onTheMove--;
    } else if (use === releaseSlot) {
      if (z[2] < 0) z[2] = 0;
      if (z[5] > 0) z[5] = 0;
      this.inWait--;
    } else {
      if (z[1] > 0) z[1] = 0;
      if (z[3] > 0) z[3] = 0;
    }
  }
}

/** Walks back through the events that a forward walk has kept, and settles a point of each set. */
class BackwardWalk {
  private readonly part: SweptPart;
  private readonly forward: ForwardWalk;
  private readonly price: Float64Array;
  private readonly zone: Zone = new Float64Array(6);
  /** The point settled last. */
  private pi = Number.NaN;
  private rho = Number.NaN;
  /** The edge from the event at hand to the one after it, which the walk has settled already. */
  private gap = 0;
  private moving = 0;
  private waiting = 0;

  /** @param price out: the price of each slot in time order */
  constructor(part: SweptPart, forward: ForwardWalk, price: Float64Array) {
    this.part = part;
    this.forward = forward;
    this.price = price;
  }

  /** Settles the i-th event of the segment. */
  step(i: number): void {
    const { zone: z, forward } = this;
    for (let x = 0; x < 6; x++) z[x] = forward.zones[6 * i + x];
    if (!Number.isNaN(this.pi)) this.fitFuture();
    const pi = z[0] > Number.NEGATIVE_INFINITY ? z[0] : Math.min(z[1], 0);
    const low = Math.max(z[2], pi - z[5]);
    const rho = low > Number.NEGATIVE_INFINITY ? low : Math.min(z[3], pi - z[4], 0);
    if (forward.kind[i] === slotEvent) {
      const s = forward.position[i];
      const use = this.part.use[s];
      this.price[s] = use === idleSlot ? 0 : Math.max(0, use === flexibleSlot ? pi : rho);
    }
    this.pi = pi;
    this.rho = rho;
    this.gap = forward.gap[i];
    this.moving = forward.moving[i];
    this.waiting = forward.waiting[i];
  }

  /** Cuts the set down to what the point settled after it allows. */
  private fitFuture(): void {
    const { zone: z, gap, pi, rho } = this;
    const low = this.moving >= 0 ? -gap : gap;
    const high = this.moving <= 0 ? gap : -gap;
    z[0] = Math.max(z[0], pi - high);
    z[1] = Math.min(z[1], pi - low);
    z[3] = Math.min(z[3], rho + gap);
    if (this.waiting > 0) z[2] = Math.max(z[2], rho + gap);
    close(z);
  }
}

/**
 * A set of pairs (π, ρ) bounded by differences, as six numbers: [π low, π high, ρ low, ρ high, π−ρ low, π−ρ high].
 * Source: difference-bound matrices, Dill (1989).
 */
type Zone = Float64Array;

/**
 * Tightens each bound by what the others imply. Bounds that then contradict each other, by rounding where there is a
 * point, meet in their middle. Tightened by one another they would part twice as far at every further step.
 *
 * @returns the largest contradiction, 0 for none
 */
function close(z: Zone): number {
  if (z[0] - z[3] > z[4]) z[4] = z[0] - z[3];
  if (z[1] - z[2] < z[5]) z[5] = z[1] - z[2];
  if (z[0] - z[5] > z[2]) z[2] = z[0] - z[5];
  if (z[1] - z[4] < z[3]) z[3] = z[1] - z[4];
  if (z[2] + z[4] > z[0]) z[0] = z[2] + z[4];
  if (z[3] + z[5] < z[1]) z[1] = z[3] + z[5];
  let violation = 0;
  for (let low = 0; low < 6; low += 2) {
    const over = z[low] - z[low + 1];
    if (!(over > 0)) continue;
    violation = Math.max(violation, over);
    z[low] = z[low + 1] = z[low + 1] + over / 2;
  }
  return violation;
}
