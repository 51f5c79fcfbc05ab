/**
 * The minimum of a smooth function of a few variables. Method: the quasi-Newton method of Broyden, Fletcher, Goldfarb
 * and Shanno with Armijo's rule (Nocedal & Wright 2006, algorithm 6.1). Stops when every component of the gradient is
 * below the tolerance times the size of the value, or after 200 steps. O(n²) a step, evaluations not counted.
 */
import { Matrix } from 'ml-matrix';
import { dot } from '../linear/absorbing-chain.ts';

export interface ValueAndGradient {
  readonly value: number;
  readonly gradient: Float64Array;
}

interface Minimum extends ValueAndGradient {
  readonly at: Float64Array;
  /** Whether every component of the gradient is below the tolerance. */
  readonly converged: boolean;
}

/** Steps of the search at most. */
const maxSteps = 200;
/** Largest change of a variable in one step. */
const maxStepLength = 2;

export function quasiNewton(f: (x: Float64Array) => ValueAndGradient, start: Float64Array, tolerance: number): Minimum {
  const n = start.length;
  let at = start.slice();
  let { value, gradient } = f(at);
  let inverse = Matrix.identity(n, n);
  for (let step = 0; step < maxSteps; step++) {
    if (largestMagnitude(gradient) <= tolerance * Math.max(1, Math.abs(value)))
      return { at, value, gradient, converged: true };
    let direction = multiply(inverse, gradient).map((each) => -each);
    let slope = dot(direction, gradient);
    if (!(slope < 0)) {
      inverse = Matrix.identity(n, n);
      direction = gradient.map((each) => -each);
      slope = dot(direction, gradient);
    }
    let share = Math.min(1, maxStepLength / largestMagnitude(direction));
    let next = at;
    let nextEvaluation: ValueAndGradient | null = null;
    for (let halving = 0; halving < 40; halving++, share /= 2) {
      const scale = share;
      next = at.map((each, i) => each + scale * direction[i]);
      const trial = f(next);
      if (trial.value <= value + 1e-4 * share * slope) {
        nextEvaluation = trial;
        break;
      }
    }
    if (nextEvaluation === null) break;
    const displacement = next.map((each, i) => each - at[i]);
    const gradientChange = nextEvaluation.gradient.map((each, i) => each - gradient[i]);
    inverse = updateInverse(inverse, displacement, gradientChange);
    at = next;
    value = nextEvaluation.value;
    gradient = nextEvaluation.gradient;
  }
  return { at, value, gradient, converged: largestMagnitude(gradient) <= tolerance * Math.max(1, Math.abs(value)) };
}

/**
 * The update of the inverse Hessian, (I − ρsyᵀ)H(I − ρysᵀ) + ρssᵀ with ρ = 1/sᵀy; H itself where the curvature sᵀy is
 * not positive.
 */
function updateInverse(inverse: Matrix, s: Float64Array, y: Float64Array): Matrix {
  const curvature = dot(s, y);
  if (!(curvature > 1e-12 * Math.sqrt(dot(s, s) * dot(y, y)))) return inverse;
  const step = Matrix.columnVector(s);
  const hy = multiply(inverse, y);
  const crossTerm = Matrix.columnVector(hy).mmul(step.transpose());
  return Matrix.add(inverse, step.mmul(step.transpose()).mul((1 + dot(y, hy) / curvature) / curvature)).sub(
    Matrix.add(crossTerm, crossTerm.transpose()).div(curvature),
  );
}

function multiply(matrix: Matrix, vector: Float64Array): Float64Array {
  return Float64Array.from(matrix.mmul(Matrix.columnVector(vector)).to1DArray());
}

function largestMagnitude(vector: Float64Array): number {
  return vector.reduce((maximum, each) => Math.max(maximum, Math.abs(each)), 0);
}
