/**
 * Whether a phase-type law is exponential, in whatever matrices it is written.
 *
 * It is exponential with rate θ in two cases. Either the exit rates are θ in every phase that is reached (S0 = θe), or
 * the initial law β is a left eigenvector (βS = −θβ). With two phases these are the only cases; with more phases, the
 * ones that occur in practice. Two rates count as equal if they differ by at most 1e−12 of their size, or by the
 * rounding of their rows.
 */

import { type Phases, phasesOf } from './families/phase-type.ts';
import type { PhaseTypeForm } from './law.ts';

/** Relative difference up to which two rates count as equal. */
const rateTolerance = 1e-12;

/** A phase-type law of n phases, each of which is reached. */
interface ReachablePhases {
  readonly initial: Float64Array;
  /** Row-major n×n, the diagonal minus the total rate out of the phase. */
  readonly generator: Float64Array;
  /** Rate of absorption from each phase. */
  readonly exit: Float64Array;
}

/** The rate θ where the law is exponential of that rate; null where it is not. O(n²). */
export function exponentialRateOf({ initial, generator, exit }: ReachablePhases): number | null {
  const n = initial.length;
  const rounding = (phase: number): number => 4 * n * Number.EPSILON * Math.abs(generator[phase * n + phase]);
  const first = exit[0];
  if (
    first > 0 &&
    exit.every((rate, i) => Math.abs(rate - first) <= rateTolerance * first + rounding(i) + rounding(0))
  ) {
    return first;
  }
  let rate = 0;
  for (let i = 0; i < n; i++) rate += initial[i] * exit[i];
  for (let j = 0; j < n; j++) {
    let image = 0;
    let size = 0;
    for (let i = 0; i < n; i++) {
      const term = initial[i] * generator[i * n + j];
      image += term;
      size += Math.abs(term);
    }
    const residual = Math.abs(image + rate * initial[j]);
    if (residual > rateTolerance * rate * initial[j] + 4 * n * Number.EPSILON * size) return null;
  }
  return rate > 0 ? rate : null;
}

/** The numbers of the phases of a law that can be reached, in order. O(n²). */
export function reachablePhaseNumbers({ n, initial, offDiagonal }: Phases): number[] {
  const visitedPhases = new Set<number>();
  const frontier = Array.from(initial.keys()).filter((phase) => initial[phase] > 0);
  for (let phase = frontier.pop(); phase !== undefined; phase = frontier.pop()) {
    if (visitedPhases.has(phase)) continue;
    visitedPhases.add(phase);
    for (let next = 0; next < n; next++) if (offDiagonal[phase * n + next] > 0) frontier.push(next);
  }
  return [...visitedPhases].sort((a, b) => a - b);
}

/** The phases of a law that can be reached. O(n²). */
export function reachablePhases(form: PhaseTypeForm): ReachablePhases {
  const phases = phasesOf(form);
  const { n, initial, offDiagonal, exit, total } = phases;
  const order = reachablePhaseNumbers(phases);
  return {
    initial: Float64Array.from(order, (phase) => initial[phase]),
    generator: Float64Array.from(
      order.flatMap((i) => order.map((j) => (i === j ? -total[i] : offDiagonal[i * n + j]))),
    ),
    exit: Float64Array.from(order, (phase) => exit[phase]),
  };
}
