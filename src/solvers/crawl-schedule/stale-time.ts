/**
 * Expected stale time of a page between two crawls, whatever their times.
 *
 * - Renewal updates in equilibrium (Poisson, Lomax, any law): a gap τ after a crawl is stale for H(τ) = (τE[min(X,τ)] −
 *   ½E[min(X,τ)²])/m. The first gap, its copy of age a, for H(a + t) − H(a); before the first crawl ever, all of it.
 * - Quasi-deterministic: between possible updates the chance of being stale is constant, and a crawl makes it 0; an
 *   update at the moment of a crawl comes before it.
 * The stale time of an interval is the sum over its gaps, so that an exchange of crawls changes only the gaps next to
 * them. O(1) a gap; for quasi-deterministic pages the logarithm of their updates, and the updates in the gap.
 * Source: Wolf et al. (2002), section 2.3, for any times.
 */
import type { CrawlAllocationProblem } from '../crawl-allocation/index.ts';
import { lomaxProcess, poissonProcess, quasiDeterministicProcess, staleAtStart } from '../crawl-allocation/index.ts';
import { findRoot } from '../numerics/search/root.ts';
import { changesAtGain, freshnessGain, staleChanges } from '../pages/objectives/index.ts';

/** In place of the time of a crawl: the gap begins with the interval, before its first crawl. */
export const intervalStart = -1;

/**
 * Ratio of age to gap from which H(a + t) − H(a) would lose six digits or more. The chance of being stale then changes by
 * less than 1e-6 over the gap, so the gap is integrated by the midpoint rule.
 */
const oldAge = 1e6;
/** Points of that midpoint rule. */
const midpoints = 64;
/** Tolerance of an age found for a worth, relative to the longest age. */
const ageTolerance = 1e-4;

export class StaleTime {
  readonly #problem: CrawlAllocationProblem;
  readonly #startStale: Float64Array;

  constructor(problem: CrawlAllocationProblem) {
    this.#problem = problem;
    this.#startStale = staleAtStart(problem);
  }

  /** Expected stale time of page i from a crawl at `from` (or `intervalStart`) until `to`, with no crawl between. */
  gap(i: number, from: number, to: number): number {
    const { process } = this.#problem.updates;
    if (process[i] === quasiDeterministicProcess) return this.#quasi(i, from, to);
    if (from !== intervalStart) return this.#renewal(i, to - from);
    const age = this.#problem.lastCrawlAge?.[i] ?? Number.NaN;
    if (Number.isNaN(age) || !(to > 0)) return to;
    if (!(age > 0)) return this.#renewal(i, to);
    if (age < oldAge * to) return this.#renewal(i, age + to) - this.#renewal(i, age);
    let sum = 0;
    for (let k = 0; k < midpoints; k++) sum += this.staleAt(i, from, (to * (k + 0.5)) / midpoints);
    return (to * sum) / midpoints;
  }

  /**
   * Chance that the copy is stale at `to`, the last crawl being at `from` (or `intervalStart`). It is the slope of the
   * gap's stale time in its end, and minus that in its start. NaN for quasi-deterministic pages, whose gaps are not
   * convex.
   */
  staleAt(i: number, from: number, to: number): number {
    const { process, meanGap, alpha, laws, entry } = this.#problem.updates;
    if (process[i] === quasiDeterministicProcess) return Number.NaN;
    let tau = to - from;
    if (from === intervalStart) {
      const age = this.#problem.lastCrawlAge?.[i] ?? Number.NaN;
      if (Number.isNaN(age)) return 1;
      tau = age + to;
    }
    const mean = meanGap[i];
    if (process[i] === poissonProcess) return -Math.expm1(-tau / mean);
    if (process[i] === lomaxProcess) return -Math.expm1((1 - alpha[i]) * Math.log1p(tau / (mean * (alpha[i] - 1))));
    const { law, mean: unit } = laws[entry[i]];
    return law.truncatedMean((tau * unit) / mean) / unit;
  }

  /**
   * Worth of a crawl at `time` of a page last crawled at `from` (or `intervalStart`), before weighting: the lesser of its
   * saving in the long run and its saving until `end` if no other follows.
   */
  worthAt(i: number, from: number, time: number, end: number): number {
    const { process, meanGap } = this.#problem.updates;
    if (process[i] === quasiDeterministicProcess) return this.#quasiWorth(i, from, time, end);
    const age = from === intervalStart ? (this.#problem.lastCrawlAge?.[i] ?? Number.NaN) + time : time - from;
    if (process[i] === poissonProcess) {
      const mean = meanGap[i];
      const y = Number.isNaN(age) ? Number.POSITIVE_INFINITY : age / mean;
      return mean * Math.min(freshnessGain(y), Math.expm1(-y) * Math.expm1(-(end - time) / mean));
    }
    const left = this.gap(i, from, end) - this.gap(i, from, time) - this.gap(i, time, end);
    return Number.isNaN(age) ? left : Math.min(left, age * this.staleAt(i, from, time) - this.#renewal(i, age));
  }

  /**
   * The least age, at most `longest`, at which a crawl saves `worth` in the long run, before weighting; Infinity where
   * there is none. 0 for quasi-deterministic pages, whose worth depends on the time, not on the age.
   */
  ageAt(i: number, worth: number, longest: number): number {
    const { process, meanGap } = this.#problem.updates;
    if (process[i] === quasiDeterministicProcess) return 0;
    const saved = (age: number): number => age * this.staleAt(i, 0, age) - this.#renewal(i, age);
    if (!(saved(longest) >= worth)) return Number.POSITIVE_INFINITY;
    if (process[i] === poissonProcess) return changesAtGain(worth / meanGap[i]) * meanGap[i];
    return findRoot((age) => saved(age) - worth, 0, longest, ageTolerance * longest);
  }

  /** Worth under quasi-deterministic updates: the saving until the next possible update, or until the end. */
  #quasiWorth(i: number, from: number, time: number, end: number): number {
    const { quasi, entry } = this.#problem.updates;
    const k = entry[i];
    const next = firstAfter(quasi.times, quasi.offsets[k], quasi.offsets[k + 1], time);
    const until = next < quasi.offsets[k + 1] ? quasi.times[next] : end;
    return this.#quasi(i, from, until) - this.#quasi(i, from, time);
  }

  /** H(τ). */
  #renewal(i: number, tau: number): number {
    const { process, meanGap, alpha, laws, entry } = this.#problem.updates;
    if (!(tau > 0)) return 0;
    const mean = meanGap[i];
    if (process[i] === poissonProcess) {
      return staleChanges(tau / mean) * mean;
    }
    if (process[i] === lomaxProcess) {
      const b = mean * (alpha[i] - 1);
      const s = Math.log1p(tau / b);
      const power = 2 - alpha[i];
      return Math.max(0, tau - b * (Math.abs(power) < 1e-12 ? s : Math.expm1(power * s) / power));
    }
    const { law, mean: unit } = laws[entry[i]];
    const scale = mean / unit;
    const t = tau / scale;
    return (scale * scale * (t * law.truncatedMean(t) - 0.5 * law.truncatedSecondMoment(t))) / mean;
  }

  #quasi(i: number, from: number, to: number): number {
    const { quasi, entry } = this.#problem.updates;
    const k = entry[i];
    const last = quasi.offsets[k + 1];
    const begins = from === intervalStart;
    let next = begins ? quasi.offsets[k] : firstAfter(quasi.times, quasi.offsets[k], last, from);
    let fresh = begins ? 1 - this.#startStale[k] : 1;
    let at = begins ? 0 : from;
    let stale = 0;
    for (; next < last && quasi.times[next] <= to; next++) {
      stale += (quasi.times[next] - at) * (1 - fresh);
      at = quasi.times[next];
      fresh *= 1 - quasi.probabilities[next];
    }
    return stale + (to - at) * (1 - fresh);
  }
}

/** The first position in low..high − 1 whose time is after `time`; high where there is none. */
function firstAfter(times: Float64Array, low: number, high: number, time: number): number {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (times[middle] > time) to = middle;
    else from = middle + 1;
  }
  return from;
}
