/**
 * Slot prices of a part from a sample of its tasks. The sample is solved like any other instance, so that it begins
 * with the prices of a smaller sample itself.
 *
 * Every sixteenth task is taken, in order of ideal time, and of weight where ideal times are alike. The sample has one
 * crawler with as many slots a task as the part has, evenly spaced. So its dual prices are a curve over time, y(τ).
 * Every slot of the part gets its price by linear interpolation. Which crawlers a task may use is left aside. Any
 * prices ≥ 0 prove a bound. Those of the sample are near the best where many tasks want the same times, a case in which
 * the auction takes very long; at full load they save two thirds of its bids. Complexity: a fifteenth of the part's
 * time; O(n log n) to sort. Known limits: the curve has the sample's noise, of about 1/√k of a price for k tasks.
 */
import type { Part } from '../instance/parts.ts';
import { type SlotGroups, slotsIn } from '../instance/slot-order.ts';
import type { SlotAssignmentProblem } from '../problem.ts';

/** A part whose slots are priced by a sample of its tasks. */
interface Sampling {
  readonly instance: SlotAssignmentProblem;
  readonly part: Part;
  readonly groups: SlotGroups;
}

/**
 * Tasks of the part for each task of the sample: with 8 instead, the gap of 10⁵ restricted tasks in 3 s rises from .3%
 * to .6%.
 */
export const tasksPerSample = 16;

/**
 * Price y ≥ 0 of every slot of a part, in time order, from the prices of a sample. Null where tasks are few, or the
 * time is up before there are any prices.
 *
 * @param priceSlots finds the slot prices of a sample; null where the time is up before there are any
 */
export function pricesOfSample(
  sampling: Sampling,
  priceSlots: (sample: SlotAssignmentProblem) => Float64Array | null,
): Float64Array | null {
  const { instance, part, groups } = sampling;
  const order = sortByTimeAndWeight(instance, part);
  const size = Math.floor(order.length / tasksPerSample);
  const curve = size > 0 ? priceSlots(sampleOf(sampling, order, size)) : null;
  if (curve === null) return null;
  const price = new Float64Array(slotsIn(groups));
  for (const [g, time] of groups.time.entries()) {
    const position = (time / instance.interval) * curve.length;
    price.fill(interpolate(curve, position), g * groups.size, (g + 1) * groups.size);
  }
  return price;
}

/** `size` of the part's tasks, evenly spaced in `order`, and slots for them in proportion. */
function sampleOf({ instance, groups }: Sampling, order: Int32Array, size: number): SlotAssignmentProblem {
  const { interval, idealTime, weight, kind } = instance;
  const step = order.length / size;
  const sample = Int32Array.from({ length: size }, (_, i) => order[Math.floor((i + 0.5) * step)]);
  const gather = (values: Float64Array | null): Float64Array | null =>
    values && Float64Array.from(sample, (j) => values[j]);
  const weights = gather(weight);
  const heaviest = weights === null ? 1 : weights.reduce((most, w) => Math.max(most, w), 0);
  const isFeasible = kind === null && instance.earliest === null && instance.latest === null;
  return {
    interval,
    slotCounts: Int32Array.of(Math.max(1, Math.round(slotsIn(groups) / step))),
    idealTime: Float64Array.from(sample, (j) => idealTime[j]),
    kind: kind && Uint8Array.from(sample, (j) => kind[j]),
    weight: weights,
    allowed: null,
    earliest: gather(instance.earliest),
    latest: gather(instance.latest),
    // a sample that may be infeasible drops tasks, since otherwise it would have no prices
    dropPenalty: isFeasible ? instance.dropPenalty : Math.min(instance.dropPenalty, heaviest * interval),
  };
}

/** The tasks of the part in order of ideal time; tasks of one ideal time by weight. */
function sortByTimeAndWeight({ idealTime, weight }: SlotAssignmentProblem, part: Part): Int32Array {
  const tasks = part.tasks ?? Int32Array.from(idealTime.keys());
  return tasks.toSorted(
    (a, b) => idealTime[a] - idealTime[b] || (weight === null ? 0 : weight[a] - weight[b]) || a - b,
  );
}

/** A curve, given by its values at 0, 1, …, interpolated linearly at a position. */
function interpolate(curve: Float64Array, position: number): number {
  const left = Math.min(curve.length - 1, Math.floor(position));
  const right = Math.min(curve.length - 1, left + 1);
  return curve[left] + (position - left) * (curve[right] - curve[left]);
}
