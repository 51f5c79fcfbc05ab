/**
 * The chain under an arbitrary deterministic policy, curve or not: a table D(q, b) that says, for the queue length q
 * after an event and the b < N crawlers active before the decision, whether to activate one.
 *
 * State (q, r) has at most two successors: the arrival (rate λr) and the departure (rate μ, q > 0). They are numbered
 * along the shorter side, so that no transition is longer than `bandwidth`.
 */
import type { ActivationModel } from '../../model/activation-model.ts';
import type { Transitions } from './recurrent-classes.ts';

/** D(q, b) at b·(K + 1) + q, b = 0..N−1; D(0, 0) = 1. */
export type DecisionTable = Uint8Array;

/** Numbering of the states: (q, r) ↦ q·queueStride + r·crawlerStride. */
export interface StateNumbering {
  readonly states: number;
  readonly queueStride: number;
  readonly crawlerStride: number;
  readonly bandwidth: number;
}

/** Numbers the states with the smaller bandwidth, min(K, N) + 1. */
export function numberStates(model: ActivationModel): StateNumbering {
  const n = model.capacity + 1;
  const m = model.crawlers + 1;
  return n <= m
    ? { states: n * m, queueStride: 1, crawlerStride: n, bandwidth: n }
    : { states: n * m, queueStride: m, crawlerStride: 1, bandwidth: m };
}

/** The table that activates iff b < targets[q]. */
export function decisionsOf(model: ActivationModel, targets: ArrayLike<number>): DecisionTable {
  const n = model.capacity + 1;
  const decisions = new Uint8Array(n * model.crawlers);
  for (let b = 0; b < model.crawlers; b++) {
    for (let q = 0; q < n; q++) decisions[b * n + q] = b < targets[q] ? 1 : 0;
  }
  return decisions;
}

/** Per state, by number: where the arrival and the departure lead (−1: no such event; (0, 0) has neither). */
export interface Successors {
  readonly arrival: Int32Array;
  readonly departure: Int32Array;
}

export function successorsOf(model: ActivationModel, numbering: StateNumbering, decisions: DecisionTable): Successors {
  const { capacity: K, crawlers: N } = model;
  const n = K + 1;
  const { states, queueStride, crawlerStride } = numbering;
  const arrival = new Int32Array(states).fill(-1);
  const departure = new Int32Array(states).fill(-1);
  for (let r = 0; r <= N; r++) {
    for (let q = 0; q <= K; q++) {
      const x = q * queueStride + r * crawlerStride;
      if (r > 0) {
        const t = Math.min(q + 1, K);
        arrival[x] = t * queueStride + (r - 1 + decisions[(r - 1) * n + t]) * crawlerStride;
      }
      if (q > 0) {
        const up = r < N ? decisions[r * n + q - 1] : 0;
        departure[x] = (q - 1) * queueStride + (r + up) * crawlerStride;
      }
    }
  }
  return { arrival, departure };
}

/** The same, state by state. */
export function transitionsOf({ arrival, departure }: Successors): Transitions {
  const begins = new Int32Array(arrival.length + 1);
  const targets = new Int32Array(2 * arrival.length);
  let count = 0;
  for (let x = 0; x < arrival.length; x++) {
    if (arrival[x] >= 0) targets[count++] = arrival[x];
    if (departure[x] >= 0) targets[count++] = departure[x];
    begins[x + 1] = count;
  }
  return { begins, targets };
}
