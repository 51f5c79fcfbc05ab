/**
 * What a stale page costs a search engine: Wolf et al. 2002, equation (8), w_i = d_i Σ_j Σ_k c_{jk} b_{ijk}, with c_{jk} the
 * chance of a click on position j of result page k, b_{ijk} the chance that page i stands there, d_i the chance that the
 * stale copy gives a wrong answer. O(pages × positions × result pages).
 */

/** c_{jk} = p^{−(1−θ)}/Σ_p p^{−(1−θ)} · s^{k−1}, p = (k−1)·positions + j, the sum over p = 1..positions·pages. */
export function zipfClicks(theta: number, carryOn: number, positions: number, pages: number): number[][] {
  let sum = 0;
  for (let p = positions * pages; p >= 1; p--) sum += p ** -(1 - theta);
  return Array.from({ length: positions }, (_, j) =>
    Array.from({ length: pages }, (__, k) => (k * positions + j + 1) ** -(1 - theta) * (carryOn ** k / sum)),
  );
}

/** d · Σ c·b for one page. */
export function embarrassmentWeight(
  clicks: readonly (readonly number[])[],
  impressions: readonly (readonly number[])[],
  errorProbability: number,
): number {
  let sum = 0;
  for (const [j, row] of clicks.entries()) {
    for (const [k, click] of row.entries()) sum += click * impressions[j][k];
  }
  return errorProbability * sum;
}
