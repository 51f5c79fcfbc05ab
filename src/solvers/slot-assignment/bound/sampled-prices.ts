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
import { type Budget, pollOf, unlessStopped } from '../../budget.ts';
import type { Part } from '../instance/parts.ts';
import { type SlotGroups, slotsIn } from '../instance/slot-order.ts';
import type { SlotAssignmentProblem } from '../problem.ts';
import { dualBound } from './dual-bound.ts';

/** Prices of an instance's slots, and whether they prove its assignment optimal. */
export interface PricedSample {
  readonly price: Float64Array;
  readonly exact: boolean;
}

/** Solves an instance as far as the time goes; null where it has no prices. */
type PriceSlots = (instance: SlotAssignmentProblem) => PricedSample | null;

/** A part to be priced. */
interface Sampling {
  readonly instance: SlotAssignmentProblem;
  readonly part: Part;
  readonly groups: SlotGroups;
  /** Number in the grid of every slot in time order. */
  readonly gridSlot: Int32Array;
  readonly budget: Budget;
  readonly priceSlots: PriceSlots;
}

/** Tasks of the samples, one after the other; the second takes some six times as long as the first. */
const sampleSizes = [1000, 4000];
const dearerBy = 6;
/** A sample that proves less than this share of what other prices prove is mostly noise, and so is a larger one. */
const promising = 0.9;
/** Blocks of slots read for a task in a first bound. */
const fewReads = 4;
/** Tasks by which bounds are compared. */
const compared = 2000;

/**
 * The prices that prove most, of those given and those of samples, by slot in time order; with a sample's bound.
 */
export function bestStart(
  sampling: Sampling,
  prices: Float64Array,
): { readonly prices: Float64Array; readonly bound: number } {
  const { budget, gridSlot } = sampling;
  const order = byTimeAndWeight(sampling);
  let best = prices;
  let most = boundEstimate(sampling, prices);
  for (const size of sampleSizes) {
    if (size > gridSlot.length / 3 || budget.stopRequested()) break;
    const before = budget.remainingMs();
    const sampled = sampledPrices(sampling, order, size);
    if (sampled === null) break;
    const took = before - budget.remainingMs();
    const bound = boundEstimate(sampling, sampled.price);
    if (bound < promising * most) break;
    if (bound > most) [best, most] = [sampled.price, bound];
    if (!sampled.exact || budget.remainingMs() < dearerBy * took) break;
  }
  if (best === prices) return { prices, bound: 0 };
  const poll = pollOf(budget, 'the bound of a sample was not found');
  const open = { ...sampling.instance, allowed: null };
  const price = onGrid(sampling, best);
  const quick = unlessStopped(0, () => dualBound(open, price, sampling.part, fewReads, poll));
  const bound = unlessStopped(quick, () => dualBound(open, price, sampling.part, Number.POSITIVE_INFINITY, poll));
  return { prices: best, bound };
}

/** What prices prove, about: the cheapest slots of every m-th task stand for those of all. */
function boundEstimate(sampling: Sampling, prices: Float64Array): number {
  const { part } = sampling;
  const instance = { ...sampling.instance, allowed: null };
  const tasks = part.tasks ?? Int32Array.from(instance.idealTime.keys());
  const step = Math.max(1, Math.floor(tasks.length / compared));
  const some = tasks.filter((_, i) => i % step === step >> 1);
  const paid = prices.reduce((sum, y) => sum + y, 0);
  const cheapest = dualBound(instance, onGrid(sampling, prices), { ...part, tasks: some }) + paid;
  return (cheapest * tasks.length) / some.length - paid;
}

/** The tasks of the part in order of ideal time, and of weight where these are alike. */
function byTimeAndWeight({ instance: { idealTime, weight }, part }: Sampling): Int32Array {
  const tasks = part.tasks ?? Int32Array.from(idealTime.keys());
  return tasks.toSorted(
    (a, b) => idealTime[a] - idealTime[b] || (weight === null ? 0 : weight[a] - weight[b]) || a - b,
  );
}

function onGrid({ instance, gridSlot }: Sampling, prices: Float64Array): Float64Array {
  const all = new Float64Array(instance.slotCounts.reduce((sum, count) => sum + count, 0));
  for (const [s, price] of prices.entries()) all[gridSlot[s]] = price;
  return all;
}

/** A task may be left out of the sample's assignment at so many times the most that a slot may cost it. */
const droppedAt = 2;

/**
 * y ≥ 0 of every slot in time order; null where the sample has none.
 *
 * @param size k: how many tasks to take
 */
function sampledPrices(
  { instance, part, groups, priceSlots }: Sampling,
  order: Int32Array,
  size: number,
): PricedSample | null {
  const { interval, idealTime, weight } = instance;
  let slots = 0;
  for (const k of part.crawlers) slots += instance.slotCounts[k];
  const step = order.length / size;
  const taken = Int32Array.from({ length: size }, (_, i) => order[Math.floor((i + 0.5) * step)]);
  const ofTaken = (values: Float64Array | null): Float64Array | null =>
    values && Float64Array.from(taken, (j) => values[j]);
  const { kind } = instance;
  const weights = ofTaken(weight);
  const heaviest = weights === null ? 1 : weights.reduce((most, w) => Math.max(most, w), 0);
  const count = Math.max(1, Math.round((slots * size) / order.length));
  const solved = priceSlots({
    interval,
    slotCounts: Int32Array.of(count),
    idealTime: Float64Array.from(taken, (j) => idealTime[j]),
    kind: kind && Uint8Array.from(taken, (j) => kind[j]),
    weight: weights,
    allowed: null,
    earliest: ofTaken(instance.earliest),
    latest: ofTaken(instance.latest),
    dropPenalty: Math.min(instance.dropPenalty, droppedAt * heaviest * interval),
  });
  if (solved === null) return null;
  const { price: curve, exact } = solved;
  const price = new Float64Array(slotsIn(groups));
  for (const [g, time] of groups.time.entries()) {
    price.fill(interpolated(curve, (time / interval) * count), g * groups.size, (g + 1) * groups.size);
  }
  return { price, exact };
}

/** The curve between two of its slots, at a position among them. */
function interpolated(curve: Float64Array, position: number): number {
  const left = Math.min(curve.length - 1, Math.floor(position));
  const right = Math.min(curve.length - 1, left + 1);
  return curve[left] + (position - left) * (curve[right] - curve[left]);
}
