/**
 * Extra variance of an estimate where pages of a host change together (a new template).
 *
 * Method: cluster-robust variances, less the variance of independent checks. h_k is the influence of check
 * k on the estimate: the slope of its log-likelihood in (logit p, logit ρ), at its page's likeliest rate, along a
 * direction. A cluster is a host and a stretch of twice the mean gap of its checks (two days, of pages checked daily).
 * What is added is Σ h_k·h_l over the pairs of checks of different pages in one cluster, less one standard deviation of
 * it among independent checks. Complexity: O(checks). Source: K.-Y. Liang, S. Zeger, Biometrika 73 (1986).
 */
import type { SignalPoint } from './page-integral.ts';
import type { ChangeSignalsProblem } from './problem.ts';

/**
 * The extra variance of an estimate along a direction.
 *
 * @param rates change rates of the sampled pages, by position
 * @param direction coefficients of (logit p, logit ρ)
 */
export function clusterVariance(
  { offsets, elapsed, changed, signals, host, lastCheck }: ChangeSignalsProblem,
  rates: ReadonlyMap<number, number>,
  { precision: p, recall }: Pick<SignalPoint, 'precision' | 'recall'>,
  direction: readonly number[],
): number {
  let [time, checks] = [0, 0];
  for (const i of rates.keys()) for (let k = offsets[i]; k < offsets[i + 1]; k++, checks++) time += elapsed[k];
  const stretch = (2 * time) / checks;
  /** Sum of the influences h of a page's checks, by cluster and page. */
  const clusters = new Map<string, Map<number, number>>();
  for (const [i, rate] of rates) {
    const last = lastCheck?.[i] ?? 0;
    let end = Number.isNaN(last) ? 0 : last;
    for (let k = offsets[i + 1] - 1; k >= offsets[i]; end -= elapsed[k--]) {
      const key = `${host[i]} ${Math.floor(end / stretch)}`;
      const pages = clusters.get(key) ?? new Map<number, number>();
      clusters.set(key, pages);
      const u = (1 - recall) * rate * elapsed[k];
      const jump = -Math.log1p(-p) * signals[k];
      // u/(e^(u + jump) − 1) tends to 1 where both u and jump vanish
      const odds = changed[k] === 0 ? -u : u + jump > 0 ? u / Math.expm1(u + jump) : 1;
      const signalOdds = changed[k] === 0 ? -signals[k] : signals[k] > 0 ? signals[k] / Math.expm1(u + jump) : 0;
      const excess = signals[k] - (rate * recall * elapsed[k]) / p;
      const byPrecision = p * signalOdds - (1 - p) * excess;
      const byRecall = (1 - recall) * excess - recall * odds;
      pages.set(i, (pages.get(i) ?? 0) + direction[0] * byPrecision + direction[1] * byRecall);
    }
  }
  let [products, chance] = [0, 0];
  for (const pages of clusters.values()) {
    let [sum, squares, fourths] = [0, 0, 0];
    for (const h of pages.values()) {
      sum += h;
      squares += h * h;
      fourths += h ** 4;
    }
    products += sum * sum - squares;
    chance += 2 * (squares * squares - fourths);
  }
  return Math.max(0, products - Math.sqrt(Math.max(0, chance)));
}
