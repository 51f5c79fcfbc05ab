/** Mean, variance and autocorrelations of the intervals of a Markovian arrival process, by dense linear algebra. */
export function mapSeries(d0: readonly (readonly number[])[], d1: readonly (readonly number[])[], lags: number) {
  const m = inverse(d0.map((row) => row.map((x) => -x)));
  const times = (a: readonly (readonly number[])[], b: readonly (readonly number[])[]) =>
    a.map((row) => b[0].map((_, j) => row.reduce((sum, x, k) => sum + x * b[k][j], 0)));
  const p = times(m, d1);
  // the phase distribution after an arrival solves x(I − P + 1·1ᵀ) = 1ᵀ
  const start = times([p.map(() => 1)], inverse(p.map((row, i) => row.map((x, j) => (i === j ? 1 : 0) - x + 1))));
  const ones = p.map(() => [1]);
  const mean = times(times(start, m), ones)[0][0];
  const second = 2 * times(times(times(start, m), m), ones)[0][0];
  const variance = second - mean * mean;
  let left = times(start, m);
  const correlations = Array.from({ length: lags }, () => {
    left = times(left, p);
    return (times(times(left, m), ones)[0][0] - mean * mean) / variance;
  });
  return { mean, variance, correlations };
}

/** The inverse of a matrix by Gauss–Jordan elimination with partial pivoting. */
function inverse(matrix: readonly (readonly number[])[]): number[][] {
  const n = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  for (let c = 0; c < n; c++) {
    let pivot = c;
    for (let i = c; i < n; i++) if (Math.abs(rows[i][c]) > Math.abs(rows[pivot][c])) pivot = i;
    [rows[c], rows[pivot]] = [rows[pivot], rows[c]];
    const head = rows[c][c];
    rows[c] = rows[c].map((x) => x / head);
    for (let i = 0; i < n; i++) {
      const factor = rows[i][c];
      if (i !== c && factor !== 0) rows[i] = rows[i].map((x, j) => x - factor * rows[c][j]);
    }
  }
  return rows.map((row) => row.slice(n));
}
