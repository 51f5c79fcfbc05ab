/**
 * State reduction (numerics/linear/state-reduction.ts) of a banded chain, from both ends of its numbering towards a
 * reference state.
 *
 * Eliminating from the ends keeps the band: the states left that touch an eliminated one lie within one bandwidth on
 * its inner side. Pivots are sums of rates. O(states·bandwidth²) flops, states·(2·bandwidth + 1) numbers.
 * Only the states with `present` are treated; they must be closed and all reach the reference.
 */
import type { Budget } from '../../../budget.ts';
import { eliminateState, keepWithinDoubles } from '../../../numerics/linear/state-reduction.ts';
import { requireEvaluationTime } from '../../model/finishing-reserve.ts';

/** A chain whose transitions are no longer than `bandwidth`. */
export interface BandedChain {
  readonly states: number;
  readonly bandwidth: number;
  /** Calls `add` with every rate from a state to another one. */
  eachRate(add: (from: number, to: number, rate: number) => void): void;
}

/** The reduced band: rate x → y at band[x·(2w + 1) + y − x + w], and the pivot of every eliminated state. */
export interface ReducedBand {
  readonly band: Float64Array;
  readonly pivots: Float64Array;
  readonly bandwidth: number;
  readonly reference: number;
  readonly present: Uint8Array;
}

/** @param present 1 for the states to treat; rates from others are left out */
export function reduceBand(chain: BandedChain, present: Uint8Array, reference: number, budget: Budget): ReducedBand {
  const { states, bandwidth: w } = chain;
  const width = 2 * w + 1;
  const band = new Float64Array(states * width);
  chain.eachRate((from, to, rate) => {
    if (present[from] === 1 && from !== to) band[from * width + to - from + w] += rate;
  });
  const pivots = new Float64Array(states);
  const perPoll = Math.max(1, Math.ceil(1e6 / (w * w)));
  const poll = (x: number): void => {
    if (x % perPoll === perPoll - 1) requireEvaluationTime(budget);
  };
  for (let x = states - 1; x > reference; x--) {
    poll(x);
    if (present[x] === 1) pivots[x] = eliminateState(band, 2 * w, w, x, Math.max(0, x - w), x - 1, 0);
  }
  for (let x = 0; x < reference; x++) {
    poll(x);
    if (present[x] === 1) pivots[x] = eliminateState(band, 2 * w, w, x, x + 1, Math.min(x + w, reference), 0);
  }
  return { band, pivots, bandwidth: w, reference, present };
}

/** Bounds of the states around x that were left when it was eliminated. */
function leftWith(x: number, reference: number, w: number): [from: number, to: number] {
  return x > reference ? [Math.max(0, x - w), x - 1] : [x + 1, Math.min(x + w, reference)];
}

/** Every state but the reference in the order in which values can be found again: the reverse of the elimination. */
function* outward(reference: number, states: number): Generator<number> {
  for (let x = reference - 1; x >= 0; x--) yield x;
  for (let x = reference + 1; x < states; x++) yield x;
}

/** Stationary weights, to a common factor; those that are 1e−308 of the largest or less may be 0. */
export function bandWeights({ band, pivots, bandwidth: w, reference, present }: ReducedBand): Float64Array {
  const states = pivots.length;
  const width = 2 * w + 1;
  const weights = new Float64Array(states);
  weights[reference] = 1;
  for (const x of outward(reference, states)) {
    if (present[x] === 0) continue;
    const [from, to] = leftWith(x, reference, w);
    let inflow = 0;
    for (let y = from; y <= to; y++) inflow += weights[y] * band[y * width + x - y + w];
    weights[x] = inflow / pivots[x];
    keepWithinDoubles(weights, x);
  }
  return weights;
}

/** Relative values for per-state costs whose stationary mean is 0; the reference has value 0. */
export function bandValues(reduced: ReducedBand, costs: Float64Array): Float64Array {
  const { band, pivots, bandwidth: w, reference, present } = reduced;
  const states = pivots.length;
  const width = 2 * w + 1;
  const carried = costs.slice();
  const push = (x: number): void => {
    if (present[x] === 0) return;
    const [from, to] = leftWith(x, reference, w);
    const share = carried[x] / pivots[x];
    for (let y = from; y <= to; y++) carried[y] += share * band[y * width + x - y + w];
  };
  for (let x = states - 1; x > reference; x--) push(x);
  for (let x = 0; x < reference; x++) push(x);
  const values = new Float64Array(states);
  for (const x of outward(reference, states)) {
    if (present[x] === 0) continue;
    const [from, to] = leftWith(x, reference, w);
    let value = carried[x];
    for (let y = from; y <= to; y++) value += band[x * width + y - x + w] * values[y];
    values[x] = value / pivots[x];
  }
  return values;
}
