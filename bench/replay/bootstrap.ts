/**
 * How far a freshness could be off because the pages are these and not others: a bootstrap over pages.
 *
 * Pages of a host are drawn together, since they may change together; each resample draws as many hosts as there are.
 * Source: Efron & Tibshirani 1993, chapter 8 (resampling blocks that depend on each other).
 */
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import type { PageHistory } from './page-history.ts';

const resamples = 1000;

/** Standard error of the mean over pages of `values`; take the difference of two policies for a paired comparison. */
export function standardError(pages: readonly PageHistory[], values: Float64Array): number {
  const sums = new Map<string, { sum: number; pages: number }>();
  for (const [i, { host }] of pages.entries()) {
    const entry = sums.get(host) ?? { sum: 0, pages: 0 };
    entry.sum += values[i];
    entry.pages++;
    sums.set(host, entry);
  }
  const hosts = [...sums.values()];
  const random = seededRandom(1);
  let mean = 0;
  let square = 0;
  for (let b = 1; b <= resamples; b++) {
    let sum = 0;
    let count = 0;
    for (let k = 0; k < hosts.length; k++) {
      const host = hosts[Math.floor(random() * hosts.length)];
      sum += host.sum;
      count += host.pages;
    }
    const delta = sum / count - mean;
    mean += delta / b;
    square += delta * (sum / count - mean);
  }
  return Math.sqrt(square / (resamples - 1));
}
