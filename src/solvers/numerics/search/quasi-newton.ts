/**
 * The least of a smooth function of a few variables: the quasi-Newton method of Broyden, Fletcher, Goldfarb and Shanno
 * with Armijo's rule (Nocedal & Wright 2006, algorithm 6.1). Stops when every component of the gradient is below the
 * tolerance times the size of the value, or after 200 steps. O(n²) a step beside the evaluations.
 */
export interface Evaluation {
  readonly value: number;
  readonly gradient: Float64Array;
}

export interface Minimum extends Evaluation {
  readonly at: Float64Array;
  /** Whether the gradient is as small as asked for. */
  readonly settled: boolean;
}

const mostSteps = 200;
const longestStep = 2;

export function quasiNewton(f: (x: Float64Array) => Evaluation, start: Float64Array, tolerance: number): Minimum {
  const n = start.length;
  let at = start.slice();
  let { value, gradient } = f(at);
  const inverse = identity(n);
  for (let step = 0; step < mostSteps; step++) {
    if (largest(gradient) <= tolerance * Math.max(1, Math.abs(value))) return { at, value, gradient, settled: true };
    let direction = product(inverse, gradient).map((each) => -each);
    let slope = dot(direction, gradient);
    if (!(slope < 0)) {
      inverse.set(identity(n));
      direction = gradient.map((each) => -each);
      slope = dot(direction, gradient);
    }
    let share = Math.min(1, longestStep / largest(direction));
    let next = at;
    let found: Evaluation | null = null;
    for (let halving = 0; halving < 40; halving++, share /= 2) {
      const scale = share;
      next = at.map((each, i) => each + scale * direction[i]);
      const tried = f(next);
      if (tried.value <= value + 1e-4 * share * slope) {
        found = tried;
        break;
      }
    }
    if (found === null) break;
    const moved = next.map((each, i) => each - at[i]);
    const turned = found.gradient.map((each, i) => each - gradient[i]);
    update(inverse, moved, turned);
    at = next;
    value = found.value;
    gradient = found.gradient;
  }
  return { at, value, gradient, settled: largest(gradient) <= tolerance * Math.max(1, Math.abs(value)) };
}

/** H ← (I − ρsyᵀ)H(I − ρysᵀ) + ρssᵀ, left alone where the curvature seen is not positive. */
function update(inverse: Float64Array, s: Float64Array, y: Float64Array): void {
  const n = s.length;
  const curvature = dot(s, y);
  if (!(curvature > 1e-12 * Math.sqrt(dot(s, s) * dot(y, y)))) return;
  const hy = product(inverse, y);
  const scale = (1 + dot(y, hy) / curvature) / curvature;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      inverse[i * n + j] += scale * s[i] * s[j] - (hy[i] * s[j] + s[i] * hy[j]) / curvature;
    }
  }
}

function identity(n: number): Float64Array {
  return Float64Array.from({ length: n * n }, (_, k) => (k % (n + 1) === 0 ? 1 : 0));
}

function product(matrix: Float64Array, vector: Float64Array): Float64Array {
  const n = vector.length;
  return vector.map((_, i) => dot(matrix.subarray(i * n, (i + 1) * n), vector));
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function largest(vector: Float64Array): number {
  return vector.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
}
