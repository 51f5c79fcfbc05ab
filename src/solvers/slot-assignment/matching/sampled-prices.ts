/**
 * Slot prices of a part from samples of its tasks, each four times as large and begun with the prices of the one before.
 *
 * Every n/k-th task is taken, in order of ideal time, and of weight where ideal times are alike. The sample has one
 * crawler with as many slots a task as the part has, evenly spaced. So its dual prices are a curve over time, y(τ).
 * Every slot of the part gets its price by linear interpolation. Which crawlers a task may use is left aside. Any
 * prices ≥ 0 prove a bound. These are near the best ones where many tasks want the same times, in which the auction
 * needs very long; at full load they save it two thirds of its bids. Complexity: auctions of a fifth of the tasks in
 * all; O(n log n) to sort. Known limits: the curve has the sample's noise, of about 1/√k of a price.
 */
import type { Part } from '../instance/parts.ts';
import { type SlotGroups, slotsIn } from '../instance/slot-order.ts';
import type { SlotAssignmentProblem } from '../problem.ts';

/** A part to be priced. */
export interface Sampling {
  readonly instance: SlotAssignmentProblem;
  readonly part: Part;
  readonly groups: SlotGroups;
  /** Slot prices of a sample, begun with those of a smaller one; null where time is up before. */
  readonly priceSlots: (sample: SlotAssignmentProblem, curve: Float64Array | null) => Float64Array | null;
}

/** Tasks of the first sample, how much larger the next is, and tasks that one of the last stands for at least. */
const [firstSize, growth, minStep] = [250, 4, 6];

/** Drop penalty in a sample that may not fit, as a multiple of the most that a slot can cost its heaviest task. */
const samplePenalty = 2;

/** y ≥ 0 of every slot in time order; null where tasks are few, or time is up before there are any prices. */
export function pricesOfSample(sampling: Sampling): Float64Array | null {
  const { instance, part, groups, priceSlots } = sampling;
  const order = byTimeAndWeight(instance, part);
  let curve: Float64Array | null = null;
  for (let size = firstSize; size * minStep <= order.length; size *= growth) {
    const prices = priceSlots(sampleOf(sampling, order, size), curve);
    if (prices === null) break;
    curve = prices;
  }
  return curve && pricesAt(curve, groups, instance.interval);
}

/** The curve at the slots of a part. */
export function pricesAt(curve: Float64Array, groups: SlotGroups, interval: number): Float64Array {
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
  const fits = kind === null && instance.earliest === null && instance.latest === null;
  return {
    interval,
    slotCounts: Int32Array.of(Math.max(1, Math.round(slotsIn(groups) / step))),
    idealTime: Float64Array.from(taken, (j) => idealTime[j]),
    kind: kind && Uint8Array.from(taken, (j) => kind[j]),
    weight: weights,
    allowed: null,
    earliest: ofTaken(instance.earliest),
    latest: ofTaken(instance.latest),
    dropPenalty: fits ? instance.dropPenalty : Math.min(instance.dropPenalty, samplePenalty * heaviest * interval),
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
