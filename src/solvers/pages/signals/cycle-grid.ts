/**
 * Ψ and W (signal-cycle.ts) above the first jump, on a grid of levels, from a delay differential equation for Ψ.
 *
 * At the start of a cycle the level either drifts or jumps: δΨ′(y) + γ(Ψ(y) − Ψ(y − j)) = 1, Ψ = 0 below 0. Up to j the
 * solution is Ψ = (1 − e^{−κy})/γ, κ = γ/δ. Above j a step of length h is
 *
 *     Ψ(y + h) = e^{−κh}Ψ(y) + ∫₀ʰ e^{−κ(h−s)}(1 + γΨ(y + s − j))/δ ds.
 *
 * The delayed term is interpolated by a parabola through three points and the exponential is integrated exactly, so
 * that a step may be long compared with 1/κ. W = ∫ c′Ψ by Simpson's rule. Complexity: O(level/h), h a 48th of the jump
 * or less.
 */
import { levelSlope, type SignalMotion } from './signal-cycle.ts';

/** Minimum number of grid steps per jump of the level. */
const minStepsPerJump = 48;
/** Maximum number of grid steps per jump, which limits the rule of four steps in the mean time between signals. */
const maxStepsPerJump = 2000;

/** Values at the levels k·step, k from 0. */
export interface CycleGrid {
  readonly step: number;
  /** Ψ: mean length of a cycle. */
  readonly length: Float64Array;
  /** Ψ′. */
  readonly slope: Float64Array;
  /** W. */
  readonly worth: Float64Array;
}

/** The grid up to at least a level. @param motion with a rate of signals and a drift above 0, and a finite jump */
export function cycleGrid(motion: SignalMotion, level: number): CycleGrid {
  const { drift, signals, jump } = motion;
  const kappa = signals / drift;
  const stepsPerJump = Math.min(maxStepsPerJump, Math.max(minStepsPerJump, Math.ceil(4 * jump * kappa)));
  const h = jump / stepsPerJump;
  const count = Math.max(stepsPerJump, Math.ceil(level / h)) + 2;
  const length = new Float64Array(count);
  const slope = new Float64Array(count);
  const worth = new Float64Array(count);
  const decay = Math.exp(-kappa * h);
  const [first, middle, last] = weightsOf(kappa * h);
  const slopeAt = (k: number): number =>
    (1 - signals * (length[k] - (k >= stepsPerJump ? length[k - stepsPerJump] : 0))) / drift;
  slope[0] = 1 / drift;
  /** Ψ midway between nodes k and k + 1, by the cubic through values and slopes. */
  const halfway = (k: number): number => 0.5 * (length[k] + length[k + 1]) + (h / 8) * (slope[k] - slope[k + 1]);
  for (let k = 0; k + 1 < count; k++) {
    const at = k - stepsPerJump;
    if (at < 0) length[k + 1] = -Math.expm1(-kappa * (k + 1) * h) / signals;
    else {
      const forcing = first * length[at] + middle * halfway(at) + last * length[at + 1];
      length[k + 1] = decay * length[k] + ((first + middle + last) * h + signals * h * forcing) / drift;
    }
    slope[k + 1] = slopeAt(k + 1);
    const ends = levelSlope(motion, k * h) * length[k] + levelSlope(motion, (k + 1) * h) * length[k + 1];
    worth[k + 1] = worth[k] + (h / 6) * (ends + 4 * levelSlope(motion, (k + 0.5) * h) * halfway(k));
  }
  return { step: h, length, slope, worth };
}

/** Weights of the values at 0, 1/2 and 1 in ∫₀¹ e^{−z(1−t)}p(t) dt, for a parabola p. */
function weightsOf(z: number): readonly [number, number, number] {
  const [one, linear, square] = z < 1 ? [0, 1, 2].map((power) => moment(power, z)) : recurrence(z);
  return [one - 3 * linear + 2 * square, 4 * (linear - square), 2 * square - linear];
}

/** ∫₀¹ t^k e^{−z(1−t)} dt = Σ (−z)^m k!/(k + m + 1)!. */
function moment(power: number, z: number): number {
  let term = 1 / (power + 1);
  let sum = term;
  for (let m = 1; m < 20; m++) {
    term *= -z / (power + m + 1);
    sum += term;
  }
  return sum;
}

/** ∫₀¹ t^k e^{−z(1−t)} dt for k = 0, 1, 2 by their recurrence in k, which cancels for small z. */
function recurrence(z: number): [number, number, number] {
  const one = -Math.expm1(-z) / z;
  const linear = (1 - one) / z;
  return [one, linear, (1 - 2 * linear) / z];
}
