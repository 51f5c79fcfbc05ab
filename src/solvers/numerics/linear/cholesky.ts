/**
 * Symmetric positive definite systems of a few dozen unknowns by Cholesky's factorisation A = L·Lᵀ, row-major.
 * Complexity: n³/6 for the factor, n² for a solution. Source: Golub & Van Loan, Matrix Computations, section 4.2.
 */

/** L in place of the lower triangle of A (n × n); what is above the diagonal is not looked at. */
export function factorise(a: Float64Array, n: number): void {
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      let sum = a[i * n + j];
      for (let k = 0; k < j; k++) sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = i === j ? Math.sqrt(sum) : sum / a[j * n + j];
    }
  }
}

/** x with A·x = b in place of b, from the factor of A. */
export function solveFactorised(l: Float64Array, n: number, b: Float64Array): void {
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) b[i] -= l[i * n + k] * b[k];
    b[i] /= l[i * n + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) b[i] -= l[k * n + i] * b[k];
    b[i] /= l[i * n + i];
  }
}

/** A⁻¹ (n × n) from the factor of A. */
export function inverseFactorised(l: Float64Array, n: number): Float64Array {
  const inverse = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    const column = inverse.subarray(j * n, (j + 1) * n);
    column[j] = 1;
    solveFactorised(l, n, column);
  }
  return inverse;
}
