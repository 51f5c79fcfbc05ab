/** What every test asserts of frequencies, by formulas of its own (plain e^, no shared code with the solver). */
import { expect } from 'vitest';
import type { AccessPages } from '../../../src/solvers/access-frequencies/index.ts';

/** Plain staleness of an evenly accessed page; fine for moderate loads. */
export function plainEven({ load, floor }: AccessPages, i: number, f: number): number {
  if (f === 0) return 1;
  const s = load[i] / f;
  return floor[i] + (1 - floor[i]) * (1 - (1 - Math.exp(-s)) / s);
}

/** Plain staleness under randomized accessing: the papers' Lemma 4.1. */
export function plainRandomized({ load, floor }: AccessPages, i: number, f: number): number {
  const h = Math.exp(-load[i]);
  // f/(μE X) = (f/L)(1 − floor)
  return 1 - (f / load[i]) * (1 - floor[i]) * ((1 - h) / (1 - h + f * h));
}

export type PlainStaleness = typeof plainEven;

export function plainCost(pages: AccessPages, frequency: ArrayLike<number>, stale: PlainStaleness): number {
  let sum = 0;
  for (let i = 0; i < pages.length; i++) sum += pages.weight[i] * stale(pages, i, frequency[i]);
  return sum;
}

/**
 * Asserts that the frequencies are feasible and optimal: Lagrangian duality. For the multiplier λ every page minimises
 * c_i r_i(x) + λx over [m, 1] by itself. The sum of these minima minus λ is a bound, found here by golden section.
 */
export function certifyFrequencies(
  pages: AccessPages,
  frequency: Float64Array,
  multiplier: number,
  least: number,
  stale: PlainStaleness,
): void {
  const total = frequency.reduce((a, b) => a + b, 0);
  expect(Math.abs(total - 1), `sum of frequencies ${total}`).toBeLessThan(1e-11);
  let primal = 0;
  let dual = -multiplier;
  for (let i = 0; i < pages.length; i++) {
    expect(frequency[i], `frequency of page ${i}`).toBeGreaterThanOrEqual(least * (1 - 1e-12));
    const lagrangian = (x: number): number => pages.weight[i] * stale(pages, i, x) + multiplier * x;
    primal += pages.weight[i] * stale(pages, i, frequency[i]);
    dual += minimumOf(lagrangian, least, 1);
  }
  const scale = pages.weight.reduce((a, b) => a + b, 0);
  expect((primal - dual) / scale, `duality gap: cost ${primal}, bound ${dual}`).toBeLessThan(1e-9);
}

/** Least value of a convex function on [low, high], by golden section; the ends count. */
function minimumOf(f: (x: number) => number, low: number, high: number): number {
  const ratio = (Math.sqrt(5) - 1) / 2;
  let [a, b] = [low, high];
  for (let step = 0; step < 90; step++) {
    const left = b - ratio * (b - a);
    const right = a + ratio * (b - a);
    if (f(left) <= f(right)) b = right;
    else a = left;
  }
  return Math.min(f(low), f((a + b) / 2), f(high));
}
