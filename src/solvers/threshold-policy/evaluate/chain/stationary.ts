/**
 * Stationary distribution of the queue with exponential (or no) obsolescence under a given policy.
 *
 * States: level i = 0..topLevel, each of W·M phases (ν, m) at ν·M + m. At level 0 the phase m is that in which the next
 * service will begin. It is drawn when the last page leaves, so that all levels have one size. Rates from level i:
 * batches D_l ⊗ I up by l, S0β ⊗ and (i−1)θ down by 1, S and D_0 inside.
 *
 * Method: block state reduction from the top level down: with levels above i eliminated, the rates inside level i are
 * T_i = Q_ii + Σ_l Q̄_{i,i+l}·G…. All exits lead one level down, so G_{i−1} = (−T_i)⁻¹Q_{i,i−1} and the diagonal of T_i
 * is known from its off-diagonal rates: no subtraction anywhere. Then the distribution goes up again from level 0.
 * Cost: O(K·k_max·(W·M)³). Memory O(K·(W·M)²). Source: Avrachenkov et al. (2012), section 3, steps 1–5, after Klimenok
 * et al.; state reduction: see small-matrices.ts.
 */

import type { Poll } from '../../../budget.ts';
import {
  addArrivalProduct,
  addProduct,
  identityOf,
  solveByStateReduction,
  stationaryByStateReduction,
} from '../../../numerics/linear/small-matrices.ts';
import { blockSize, type ModeByLevel, obsolescenceRate, type Queue } from '../../../queue/queue.ts';

/** Shares beyond which the recursion upwards is scaled back. */
const large = 1e200;

/** out += Q_{i,i−1}·X for X (W·M)×columns: the end of a service, or one of the `waiting` pages expiring. */
export function addDownProduct(
  queue: Queue,
  level: number,
  out: Float64Array,
  outAt: number,
  x: Float64Array,
  xAt: number,
  columns: number,
): void {
  const { initial, exit, phases } = queue.service;
  const expiry = (level - 1) * obsolescenceRate(queue);
  for (let phase = 0; phase < queue.arrivalPhases; phase++) {
    const at = phase * phases;
    for (let c = 0; c < columns; c++) {
      let next = 0;
      for (let m = 0; m < phases; m++) next += initial[m] * x[xAt + (at + m) * columns + c];
      for (let m = 0; m < phases; m++) {
        out[outAt + (at + m) * columns + c] += exit[m] * next + expiry * x[xAt + (at + m) * columns + c];
      }
    }
  }
}

/** rates += S of the server (nothing at level 0, where it rests): I ⊗ S. */
export function addServiceRates(queue: Queue, rates: Float64Array): void {
  const { generator, phases } = queue.service;
  const n = blockSize(queue);
  for (let at = 0; at < n; at += phases) {
    for (let i = 0; i < phases; i++) {
      for (let j = 0; j < phases; j++) if (i !== j) rates[(at + i) * n + at + j] += generator[i * phases + j];
    }
  }
}

/** A policy as the reduction asks for it: the rates up, by queue length or state by state. */
export interface RatesUp {
  /** The mode at (level, ν·M + m). */
  modeOf(level: number, state: number): number;
  /** The most levels that a batch leads up from this one. */
  steps(level: number): number;
  /** rates[n×n] += the rates from the states of `level` to those `step` levels up; step 0: inside the level. */
  addRates(level: number, step: number, rates: Float64Array): void;
  /** out[n] += what flows `step` levels up from `level`, whose shares begin at `distribution[level·n]`. */
  addFlow(level: number, step: number, distribution: Float64Array, out: Float64Array): void;
}

/** The rates up where the mode depends on the queue's length alone. */
export function ratesUpByLevel(queue: Queue, byLevel: ModeByLevel): RatesUp {
  const { arrivalPhases, arrivals } = queue;
  const { phases } = queue.service;
  const n = blockSize(queue);
  const identity = identityOf(n);
  const blocksOf = (level: number): readonly Float64Array[] => arrivals[byLevel[level]][level].blocks;
  return {
    modeOf: (level) => byLevel[level],
    steps: (level) => blocksOf(level).length - 1,
    addRates: (level, step, rates) =>
      addArrivalProduct(rates, 0, blocksOf(level)[step], identity, 0, arrivalPhases, phases, n),
    addFlow: (level, step, distribution, out) =>
      addArrivalFlow(out, distribution, level * n, blocksOf(level)[step], arrivalPhases, phases),
  };
}

/** The rates up where each state has a mode of its own: modes[level·W·M + state]. */
export function ratesUpByState(queue: Queue, modes: Uint8Array): RatesUp {
  const { arrivalPhases, arrivals, largestBatch, topLevel } = queue;
  const { phases } = queue.service;
  const n = blockSize(queue);
  const addRow = (at: number, step: number, weight: number, out: Float64Array, outAt: number): void => {
    const state = at % n;
    const { blocks } = arrivals[modes[at]][(at - state) / n];
    if (step >= blocks.length) return;
    const m = state % phases;
    const row = ((state - m) / phases) * arrivalPhases;
    for (let to = 0; to < arrivalPhases; to++) out[outAt + to * phases + m] += weight * blocks[step][row + to];
  };
  return {
    modeOf: (level, state) => modes[level * n + state],
    steps: (level) => Math.min(largestBatch, topLevel - level),
    addRates(level, step, rates) {
      for (let i = 0; i < n; i++) addRow(level * n + i, step, 1, rates, i * n);
    },
    addFlow(level, step, distribution, out) {
      for (let i = 0; i < n; i++) addRow(level * n + i, step, distribution[level * n + i], out, 0);
    },
  };
}

/** The distribution, level by level: W·M entries for each of the levels 0..topLevel; sums to 1. */
export function stationaryDistribution(queue: Queue, byLevel: ModeByLevel, poll?: Poll): Float64Array {
  return stationaryOf(queue, ratesUpByLevel(queue, byLevel), poll);
}

/** As {@link stationaryDistribution}, whatever the rates up depend on. */
export function stationaryOf(queue: Queue, up: RatesUp, poll?: Poll): Float64Array {
  const distribution = spreadUpward(queue, up, reduceDownward(queue, up, poll));
  let total = 0;
  for (const share of distribution) total += share;
  for (let i = 0; i < distribution.length; i++) distribution[i] /= total;
  return distribution;
}

/** What the elimination of the levels leaves, n×n a level. */
interface Reduced {
  /** down[i]: G from level i + 1 to level i. */
  readonly down: Float64Array;
  /** inverse[i]: (−T_i)⁻¹. */
  readonly inverse: Float64Array;
  /** The rates of level 0, those above eliminated. */
  readonly rates: Float64Array;
}

/** Eliminates the levels from the top down. */
function reduceDownward(queue: Queue, up: RatesUp, poll?: Poll): Reduced {
  const { topLevel } = queue;
  const n = blockSize(queue);
  const size = n * n;
  const identity = identityOf(n);
  const down = new Float64Array(topLevel * size);
  const inverse = new Float64Array((topLevel + 1) * size);
  const rates = new Float64Array(size);
  const carried = new Float64Array(size);
  const exit = new Float64Array(n);
  const ones = new Float64Array(n).fill(1);
  for (let level = topLevel; level >= 0; level--) {
    rates.fill(0);
    for (let step = up.steps(level); step >= 0; step--) {
      poll?.(size * n);
      up.addRates(level, step, rates);
      if (step === 0) break;
      carried.fill(0);
      addProduct(carried, 0, rates, 0, down, (level + step - 1) * size, n, n, n);
      rates.set(carried);
    }
    if (level === 0) break;
    addServiceRates(queue, rates);
    exit.fill(0);
    addDownProduct(queue, level, exit, 0, ones, 0, 1);
    const here = inverse.subarray(level * size, (level + 1) * size);
    here.set(identity);
    solveByStateReduction(rates, exit, here, n, n, poll);
    // G = (−T)⁻¹Q_{i,i−1}, column by column of Q: (inverse)·(Q·I).
    carried.fill(0);
    addDownProduct(queue, level, carried, 0, identity, 0, n);
    addProduct(down, (level - 1) * size, here, 0, carried, 0, n, n, n);
  }
  return { down, inverse, rates };
}

/** The distribution again from level 0 up, not normalised. */
function spreadUpward(queue: Queue, up: RatesUp, { down, inverse, rates }: Reduced): Float64Array {
  const { topLevel, largestBatch } = queue;
  const n = blockSize(queue);
  const size = n * n;
  const distribution = new Float64Array((topLevel + 1) * n);
  const first = new Float64Array(n);
  stationaryByStateReduction(rates, first, n);
  distribution.set(first);
  // inflow[i·n…]: rates into level i from below, of what has been eliminated above as well.
  const inflow = new Float64Array((topLevel + 1 + largestBatch) * n);
  const moving = new Float64Array(n);
  const next = new Float64Array(n);
  for (let level = 0; level <= topLevel; level++) {
    const at = level * n;
    if (level > 0) addProduct(distribution, at, inflow, at, inverse, level * size, 1, n, n);
    moving.fill(0);
    for (let step = up.steps(level); step > 0; step--) {
      up.addFlow(level, step, distribution, moving);
      const target = (level + step) * n;
      for (let i = 0; i < n; i++) inflow[target + i] += moving[i];
      if (step === 1) break;
      next.fill(0);
      addProduct(next, 0, moving, 0, down, (level + step - 1) * size, 1, n, n);
      moving.set(next);
    }
    scaleBack(distribution, inflow, at, at + n);
  }
  return distribution;
}

function addArrivalFlow(
  out: Float64Array,
  distribution: Float64Array,
  at: number,
  d: Float64Array,
  arrivalPhases: number,
  servicePhases: number,
): void {
  for (let from = 0; from < arrivalPhases; from++) {
    for (let to = 0; to < arrivalPhases; to++) {
      const rate = d[from * arrivalPhases + to];
      if (rate === 0) continue;
      for (let m = 0; m < servicePhases; m++) {
        out[to * servicePhases + m] += rate * distribution[at + from * servicePhases + m];
      }
    }
  }
}

/** Under heavy load the unnormalised distribution grows geometrically: keep it inside the range of doubles. */
function scaleBack(distribution: Float64Array, inflow: Float64Array, begin: number, end: number): void {
  let largest = 0;
  for (let i = begin; i < end; i++) if (distribution[i] > largest) largest = distribution[i];
  if (largest <= large) return;
  for (let i = 0; i < end; i++) distribution[i] /= large;
  for (let i = 0; i < inflow.length; i++) inflow[i] /= large;
}
