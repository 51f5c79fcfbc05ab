/**
 * Targets for crawlers with phases, batches and indexing in phases, event by event; nothing of the solver but its
 * random numbers.
 */
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import type { NaiveQueue } from './naive-phased.ts';

function drawnFrom(weights: readonly number[], random: Random): number {
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [i, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return i;
  }
  return weights.length - 1;
}

/** The cost per unit time of targets, event by event, each crawler with a phase of its own. */
export function simulatedCost(queue: NaiveQueue, targets: ArrayLike<number>, seed: number, horizon: number): number {
  const random = seededRandom(seed);
  const { capacity: K, crawlers: N, service, matrices } = queue;
  const drawn = (weights: readonly number[]): number => drawnFrom(weights, random);
  const begins = lawAfterBatches(matrices, random);
  let active = [0];
  let [length, phase, time, cost] = [0, -1, 0, 0];
  while (time < horizon) {
    const exits = active.map((w) => -matrices[0][w][w]);
    const serving = length > 0 ? -service.generator[phase][phase] : 0;
    const total = exits.reduce((sum, rate) => sum + rate, serving);
    const step = -Math.log(1 - random()) / total;
    if (length === 0) cost += queue.starvationWeight * step;
    time += step;
    const which = drawn([...exits, serving]);
    if (which === active.length) {
      const row = service.generator[phase];
      const next = drawn([...row.map((rate, m) => (m === phase ? 0 : rate)), -row.reduce((a, b) => a + b, 0)]);
      if (next < row.length) {
        phase = next;
        continue;
      }
      length--;
      phase = length > 0 ? drawn(service.initial) : -1;
      if (active.length < N && (active.length < targets[length] || (length === 0 && active.length === 0))) {
        active.push(drawn(begins));
      }
      continue;
    }
    const w = active[which];
    const flat = matrices.flatMap((d, k) => d[w].map((rate, v) => (k === 0 && v === w ? 0 : rate)));
    const event = drawn(flat);
    const [k, v] = [Math.floor(event / matrices[0].length), event % matrices[0].length];
    if (k === 0) {
      active = active.with(which, v);
      continue;
    }
    if (length === 0) phase = drawn(service.initial);
    cost += Math.max(0, length + k - K);
    length = Math.min(K, length + k);
    active = active.filter((_, i) => i !== which);
    if (active.length < targets[length]) active.push(v);
  }
  return cost / time;
}

/** The phases that batches leave, from one long run of a crawler that is always active. */
function lawAfterBatches(matrices: NaiveQueue['matrices'], random: Random): number[] {
  const counts = new Array<number>(matrices[0].length).fill(0);
  let w = 0;
  for (let events = 0; events < 20_000; events++) {
    const flat = matrices.flatMap((d, k) => d[w].map((rate, v) => (k === 0 && v === w ? 0 : rate)));
    const event = drawnFrom(flat, random);
    w = event % matrices[0].length;
    if (event >= matrices[0].length) counts[w]++;
  }
  const total = counts.reduce((a, b) => a + b, 0);
  return counts.map((count) => count / total);
}
