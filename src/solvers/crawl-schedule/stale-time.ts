/**
 * Expected stale time of a page crawled at given times, whatever the times.
 *
 * - Renewal updates in equilibrium (Poisson, Lomax, any law): a gap τ after a crawl is stale for H(τ) = (τE[min(X,τ)] −
 *   ½E[min(X,τ)²])/m; the first gap, its copy of age a, for H(a + t) − H(a); before the first crawl ever, all of it.
 * - Quasi-deterministic: between possible updates the chance of being stale is constant, and a crawl makes it 0; an update at
 *   the moment of a crawl comes before it.
 * O(crawls), for quasi-deterministic pages and their updates. Source: Wolf et al. (2002), section 2.3, for any times.
 */
import type { CrawlAllocationProblem } from '../crawl-allocation/index.ts';
import { lomaxProcess, poissonProcess, quasiDeterministicProcess, staleAtStart } from '../crawl-allocation/index.ts';

export class StaleTime {
  readonly #problem: CrawlAllocationProblem;
  readonly #startStale: Float64Array;

  constructor(problem: CrawlAllocationProblem) {
    this.#problem = problem;
    this.#startStale = staleAtStart(problem);
  }

  /** Of page i with crawls at times[from..to − 1], increasing. */
  of(i: number, times: Float64Array, from: number, to: number): number {
    const { updates, interval } = this.#problem;
    if (updates.process[i] === quasiDeterministicProcess) return this.#quasi(i, times, from, to);
    const age = this.#problem.lastCrawlAge?.[i] ?? Number.NaN;
    const end = to > from ? times[from] : interval;
    let stale = end;
    if (!Number.isNaN(age)) stale = age > 0 ? this.#gap(i, age + end) - this.#gap(i, age) : this.#gap(i, end);
    for (let k = from; k < to; k++) stale += this.#gap(i, (k + 1 < to ? times[k + 1] : interval) - times[k]);
    return stale;
  }

  /** H. */
  #gap(i: number, tau: number): number {
    const { process, meanGap, alpha, laws, slot } = this.#problem.updates;
    if (!(tau > 0)) return 0;
    const mean = meanGap[i];
    if (process[i] === poissonProcess) {
      const y = tau / mean;
      return y < 1e-3 ? tau * y * (0.5 - y / 6 + (y * y) / 24) : tau + Math.expm1(-y) * mean;
    }
    if (process[i] === lomaxProcess) {
      const b = mean * (alpha[i] - 1);
      const s = Math.log1p(tau / b);
      const power = 2 - alpha[i];
      return Math.max(0, tau - b * (Math.abs(power) < 1e-12 ? s : Math.expm1(power * s) / power));
    }
    const { law, mean: unit } = laws[slot[i]];
    const scale = mean / unit;
    const t = tau / scale;
    return (scale * scale * (t * law.truncatedMean(t) - 0.5 * law.truncatedSecondMoment(t))) / mean;
  }

  #quasi(i: number, times: Float64Array, from: number, to: number): number {
    const { updates, interval } = this.#problem;
    const k = updates.slot[i];
    const last = updates.quasi.offsets[k + 1];
    let next = updates.quasi.offsets[k];
    let fresh = 1 - this.#startStale[k];
    let at = 0;
    let stale = 0;
    for (let crawl = from; crawl <= to; crawl++) {
      const until = crawl < to ? times[crawl] : interval;
      for (; next < last && updates.quasi.times[next] <= until; next++) {
        stale += (updates.quasi.times[next] - at) * (1 - fresh);
        at = updates.quasi.times[next];
        fresh *= 1 - updates.quasi.probabilities[next];
      }
      stale += (until - at) * (1 - fresh);
      at = until;
      fresh = 1;
    }
    return stale;
  }
}
