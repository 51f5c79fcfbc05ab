/**
 * Expected stale time of a page between two crawls, whatever their times.
 *
 * - Renewal updates in equilibrium (Poisson, Lomax, any law): a gap τ after a crawl is stale for a time H(τ). The first
 *   gap of the interval, whose copy has age a, is stale for H(a + τ) − H(a) (staleGap of crawl-allocation), and all of
 *   it if the page was never crawled.
 * - Quasi-deterministic: between possible updates the chance of being stale is constant, and a crawl makes it 0; an
 *   update at the moment of a crawl comes before it.
 * The stale time of an interval is the sum over its gaps, so that an exchange of crawls changes only the gaps next to
 * them. O(1) a gap; for a quasi-deterministic page O(log of its updates + updates in the gap).
 * Source: Wolf et al. (2002), section 2.3, for any times.
 */
import type { CrawlAllocationProblem } from '../crawl-allocation/index.ts';
import {
  lomaxProcess,
  poissonProcess,
  quasiDeterministicProcess,
  staleAtStart,
  staleChance,
  staleGap,
} from '../crawl-allocation/index.ts';
import { findRoot } from '../numerics/search/root.ts';
import { changesAtGain, freshnessGain, staleChanges } from '../pages/objectives/index.ts';

/** In place of the time of a crawl: the gap begins with the interval, before its first crawl. */
export const intervalStart = -1;

export class StaleTime {
  readonly #problem: CrawlAllocationProblem;
  readonly #startStale: Float64Array;

  constructor(problem: CrawlAllocationProblem) {
    this.#problem = problem;
    this.#startStale = staleAtStart(problem);
  }

  /** Expected stale time of page i from a crawl at `from` (or `intervalStart`) until `to`, with no crawl between. */
  gap(i: number, from: number, to: number): number {
    const { process, meanGap } = this.#problem.updates;
    if (process[i] === quasiDeterministicProcess) return this.#quasi(i, from, to);
    if (process[i] === poissonProcess && from !== intervalStart) {
      return to > from ? meanGap[i] * staleChanges((to - from) / meanGap[i]) : 0;
    }
    const age = this.#ageAt(i, from, Math.max(0, from));
    const length = to - Math.max(0, from);
    if (Number.isNaN(age) || !(length > 0)) return Math.max(0, length);
    const unit = this.#unit(i);
    return unit * staleGap(this.#problem.updates, i, age / unit, length / unit);
  }

  /**
   * Chance that the copy is stale at `to`, the last crawl being at `from` (or `intervalStart`). It is the slope of the
   * gap's stale time in its end, and minus that in its start. NaN for quasi-deterministic pages, whose gaps are not
   * convex.
   */
  staleAt(i: number, from: number, to: number): number {
    const { updates } = this.#problem;
    if (updates.process[i] === quasiDeterministicProcess) return Number.NaN;
    const age = this.#ageAt(i, from, to);
    return Number.isNaN(age) ? 1 : staleChance(updates, i, age / this.#unit(i));
  }

  /**
   * Worth of a crawl at `time` of a page last crawled at `from` (or `intervalStart`), before weighting: the lesser of its
   * saving in the long run and its saving until `end` if no other follows.
   */
  worthAt(i: number, from: number, time: number, end: number): number {
    const { process, meanGap } = this.#problem.updates;
    if (process[i] === quasiDeterministicProcess) return this.#quasiWorth(i, from, time, end);
    const age = this.#ageAt(i, from, time);
    if (process[i] === poissonProcess) {
      const mean = meanGap[i];
      const y = Number.isNaN(age) ? Number.POSITIVE_INFINITY : age / mean;
      return mean * Math.min(freshnessGain(y), Math.expm1(-y) * Math.expm1(-(end - time) / mean));
    }
    const shortSaving = this.gap(i, from, end) - this.gap(i, from, time) - this.gap(i, time, end);
    return Number.isNaN(age)
      ? shortSaving
      : Math.min(shortSaving, age * this.staleAt(i, from, time) - this.gap(i, 0, age));
  }

  /**
   * The least age, at most `longest`, at which a crawl saves `worth` in the long run, before weighting; Infinity where
   * there is none. 0 for quasi-deterministic pages, whose worth depends on the time, not on the age.
   */
  ageAt(i: number, worth: number, longest: number): number {
    const { process, meanGap } = this.#problem.updates;
    if (process[i] === quasiDeterministicProcess) return 0;
    const savingAt = (age: number): number => age * this.staleAt(i, 0, age) - this.gap(i, 0, age);
    if (!(savingAt(longest) >= worth)) return Number.POSITIVE_INFINITY;
    if (process[i] === poissonProcess) return changesAtGain(worth / meanGap[i]) * meanGap[i];
    return findRoot((age) => savingAt(age) - worth, 0, longest);
  }

  /** Worth under quasi-deterministic updates: the saving until the next possible update, or until the end. */
  #quasiWorth(i: number, from: number, time: number, end: number): number {
    const { quasi, entry } = this.#problem.updates;
    const k = entry[i];
    const next = firstAfter(quasi.times, quasi.offsets[k], quasi.offsets[k + 1], time);
    const nextTime = next < quasi.offsets[k + 1] ? quasi.times[next] : end;
    return this.#quasi(i, from, nextTime) - this.#quasi(i, from, time);
  }

  /** Age of the copy at a time, the last crawl being at `from`; NaN where the page was never crawled. */
  #ageAt(i: number, from: number, time: number): number {
    return from === intervalStart ? (this.#problem.lastCrawlAge?.[i] ?? Number.NaN) + time : time - from;
  }

  /** σ: the unit of time of the page's family. */
  #unit(i: number): number {
    const { process, meanGap, alpha } = this.#problem.updates;
    return process[i] === lomaxProcess ? (meanGap[i] * (alpha[i] - 1)) / alpha[i] : meanGap[i];
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
