/**
 * When a page would be crawled if every moment had its price: from its ideal times by Newton's method.
 *
 * Crawls at t_1 < … < t_x cost w·ΣH(gaps) + Σq(t_k), q the prices. The derivative is w·(H'(before) − H'(after)) + q';
 * the second derivatives of H make a tridiagonal matrix that is positive where q'' is left out. Steps are shortened
 * where crawls would come too near. For a guess alone: slots and exchanges decide. O(x) a step.
 */
import { fromStart } from '../table/stale-time.ts';
import type { GapCosts } from '../table/timetable.ts';

/** Steps a page; what is left to go is for the next placing, and for exchanges. */
const mostSteps = 2;
/** A gap is at least this share of what it was before the step. */
const leastGap = 0.2;

export interface PriceSlopes {
  /** q' at the middle of each of equal cells of the interval. */
  readonly slope: Float64Array;
  readonly interval: number;
}

export class PricedTimes {
  readonly #stale: GapCosts;
  readonly #prices: PriceSlopes;
  #derivative = new Float64Array(8);
  #bend = new Float64Array(8);
  #step = new Float64Array(8);

  constructor(stale: GapCosts, prices: PriceSlopes) {
    this.#stale = stale;
    this.#prices = prices;
  }

  /** Moves the times of page i, times[from..to − 1]. */
  move(i: number, weight: number, times: Float64Array, from: number, to: number): void {
    const count = to - from;
    if (count === 0 || !(weight > 0)) return;
    if (this.#step.length <= count) {
      this.#derivative = new Float64Array(2 * count);
      this.#bend = new Float64Array(2 * count);
      this.#step = new Float64Array(2 * count);
    }
    for (let round = 0; round < mostSteps; round++)
      if (this.#newton(i, weight, times.subarray(from, to)) < 1e-4) return;
  }

  /** One step; how far the crawl that moved most went, relative to its gap. */
  #newton(i: number, weight: number, times: Float64Array): number {
    const { interval } = this.#prices;
    const count = times.length;
    const step = this.#step;
    const bend = this.#bend;
    const slope = this.#derivative;
    // H' and H'' of each gap
    for (let k = 0; k <= count; k++) {
      const from = k === 0 ? fromStart : times[k - 1];
      const to = k === count ? interval : times[k];
      const width = Math.max(1e-9 * interval, k === 0 ? to : to - from);
      slope[k] = this.#stale.staleAt(i, from, to);
      bend[k] = Math.max(1e-12, (this.#stale.staleAt(i, from, to + 1e-3 * width) - slope[k]) / (1e-3 * width));
    }
    // the tridiagonal system by elimination from the front
    let share = 0;
    let carried = 0;
    for (let k = 0; k < count; k++) {
      const right = -(slope[k] - slope[k + 1] + this.#slopeAt(times[k]) / weight);
      const diagonal = bend[k] + bend[k + 1] - bend[k] * share;
      carried = (right + bend[k] * carried) / diagonal;
      share = bend[k + 1] / diagonal;
      step[k] = carried;
      slope[k] = share;
    }
    for (let k = count - 2; k >= 0; k--) step[k] += slope[k] * step[k + 1];
    return this.#take(times);
  }

  #take(times: Float64Array): number {
    const { interval } = this.#prices;
    const count = times.length;
    const step = this.#step;
    let length = 1;
    for (let k = 1; k < count; k++) {
      const gap = times[k] - times[k - 1];
      const change = step[k] - step[k - 1];
      if (gap + change < leastGap * gap) length = Math.min(length, ((leastGap - 1) * gap) / change);
    }
    let farthest = 0;
    for (let k = 0; k < count; k++) {
      const time = Math.min(interval, Math.max(0, times[k] + length * step[k]));
      farthest = Math.max(farthest, Math.abs(time - times[k]));
      times[k] = time;
    }
    return (farthest * count) / interval;
  }

  #slopeAt(time: number): number {
    const { slope, interval } = this.#prices;
    const at = (time / interval) * slope.length - 0.5;
    const cell = Math.max(0, Math.min(slope.length - 2, Math.floor(at)));
    const share = Math.max(0, Math.min(1, at - cell));
    return slope[cell] * (1 - share) + slope[cell + 1] * share;
  }
}
