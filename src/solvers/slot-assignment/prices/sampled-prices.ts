/**
 * Slot prices of a large part from a small sample of its tasks that is solved exactly.
 *
 * Every n/k-th task is taken, in order of ideal time, and of weight where ideal times are alike. The sample has one
 * crawler with as many slots a task as the part has, evenly spaced. So its dual prices are a curve over time, y(τ).
 * Every slot of the part gets its price by linear interpolation. Which crawlers a task may use is left aside. Any
 * prices ≥ 0 prove a bound. These are near the best ones where many tasks want the same times, in which the auction
 * needs very long. Complexity: one small exact solve; O(n log n) to sort. Known limits: the curve has the sample's
 * noise, of about 1/√k of a price. It does not see what crawlers that are kept to few tasks cost.
 */
import type { Part } from '../instance/parts.ts';
import { type SlotGroups, slotsIn } from '../instance/slot-order.ts';
import type { SlotAssignmentProblem } from '../problem.ts';

/** A solved instance: prices of its slots, and the mean distance from ideal times to slots, in intervals. */
export interface PricedSample {
  readonly price: Float64Array;
  readonly meanDistance: number;
}

/** A part to be priced. */
interface Sampling {
  readonly instance: SlotAssignmentProblem;
  readonly part: Part;
  readonly groups: SlotGroups;
  /** Solves an instance exactly; null where time is up before. */
  readonly priceSlots: (instance: SlotAssignmentProblem) => PricedSample | null;
}

/** Tasks of the samples, solved one after the other; the last one's prices are used. */
const sampleSizes = [250, 1000];

/** Tasks of one more sample where slots are scarce: elsewhere it takes up to eighty times as long and proves .2% more. */
const scarceSize = 4000;

/** Mean distance from ideal times to slots, in intervals, below which a sample's prices are mostly noise. */
const minDistance = 0.01;

/** Idle slots as a share of the tasks below which slots are scarce. */
export const scarceIdle = 0.01;

/** Drop penalty in a sample, as a multiple of the most that a slot can cost its heaviest task. */
const samplePenalty = 2;

/** y ≥ 0 of every slot in time order; null where tasks hardly crowd, or time is up before there are any prices. */
export function sampledPrices(sampling: Sampling): Float64Array | null {
  const { interval } = sampling.instance;
  const { groups } = sampling;
  const order = byTimeAndWeight(sampling.instance, sampling.part);
  let curve: Float64Array | null = null;
  const scarce = slotsIn(groups) - order.length < scarceIdle * order.length;
  for (const size of scarce ? [...sampleSizes, scarceSize] : sampleSizes) {
    if (size > order.length / 3) break;
    const solved = sampling.priceSlots(sampleOf(sampling, order, size));
    if (solved === null) break;
    if (solved.meanDistance < minDistance) return null;
    curve = solved.price;
  }
  if (curve === null) return null;
  const price = new Float64Array(slotsIn(groups));
  for (const [g, time] of groups.time.entries()) {
    price.fill(interpolated(curve, (time / interval) * curve.length), g * groups.size, (g + 1) * groups.size);
  }
  return price;
}

/** So many of the tasks, and as many slots for each as there are in the part. */
function sampleOf({ instance, groups }: Sampling, order: Int32Array, size: number): SlotAssignmentProblem {
  const { interval, idealTime, weight, kind } = instance;
  const step = order.length / size;
  const taken = Int32Array.from({ length: size }, (_, i) => order[Math.floor((i + 0.5) * step)]);
  const ofTaken = (values: Float64Array | null): Float64Array | null =>
    values && Float64Array.from(taken, (j) => values[j]);
  const weights = ofTaken(weight);
  const heaviest = weights === null ? 1 : weights.reduce((most, w) => Math.max(most, w), 0);
  return {
    interval,
    slotCounts: Int32Array.of(Math.max(1, Math.round(slotsIn(groups) / step))),
    idealTime: Float64Array.from(taken, (j) => idealTime[j]),
    kind: kind && Uint8Array.from(taken, (j) => kind[j]),
    weight: weights,
    allowed: null,
    earliest: ofTaken(instance.earliest),
    latest: ofTaken(instance.latest),
    dropPenalty: Math.min(instance.dropPenalty, samplePenalty * heaviest * interval),
  };
}

/** The tasks of the part in order of ideal time, and of weight where these are alike. */
function byTimeAndWeight({ idealTime, weight }: SlotAssignmentProblem, part: Part): Int32Array {
  const tasks = part.tasks ?? Int32Array.from(idealTime.keys());
  return tasks.toSorted(
    (a, b) => idealTime[a] - idealTime[b] || (weight === null ? 0 : weight[a] - weight[b]) || a - b,
  );
}

/** The curve between two of its slots, at a position among them. */
function interpolated(curve: Float64Array, position: number): number {
  const left = Math.min(curve.length - 1, Math.floor(position));
  const right = Math.min(curve.length - 1, left + 1);
  return curve[left] + (position - left) * (curve[right] - curve[left]);
}
