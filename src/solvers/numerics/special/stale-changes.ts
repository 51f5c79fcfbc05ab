/**
 * χ(y) = y − 1 + e^(−y), y ≥ 0: below 1/2, where that cancels, y² times a Chebyshev polynomial of degree 9 (truncation
 * 4e−18). Relative error at most 2e−15, from y = 1e−150 on.
 */
export function staleChanges(y: number): number {
  if (y >= 0.5) return y - 1 + Math.exp(-y);
  const y2 = y * y;
  const y4 = y2 * y2;
  const low = 0.5 - 0.16666666666666538 * y + y2 * (0.04166666666658177 - 0.008333333331155702 * y);
  const middle =
    0.0013888888604959757 - 0.00019841248546681166 * y + y2 * (2.4800612832459925e-5 - 2.7529613436538965e-6 * y);
  return y2 * (low + y4 * (middle + y4 * (2.7077661631340097e-7 - 2.0367831165025622e-8 * y)));
}
