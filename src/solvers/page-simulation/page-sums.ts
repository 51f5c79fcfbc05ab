/** What replications say of every page: means, with 95% intervals by Student's t over the replications. */
import { studentQuantile } from '../numerics/special/student-t.ts';
import type { PageCounts } from './simulated-page.ts';

/** Means over the replications, by page. */
export interface PageMeans {
  readonly freshness: Float64Array;
  readonly age: Float64Array;
  /** NaN for a page that never changed. */
  readonly delay: Float64Array;
  readonly fetches: Float64Array;
  readonly changesSeen: Float64Array;
  /** Low and high; that of the delay is null for a page that never changed. */
  readonly freshnessInterval: readonly (readonly [number, number])[];
  readonly ageInterval: readonly (readonly [number, number])[];
  readonly delayInterval: readonly (readonly [number, number] | null)[];
}

const confidence = 0.95;
const names = ['fresh', 'age', 'waiting', 'updates', 'fetches', 'changesSeen'] as const;

/** Sums of one page's counts, of their squares, and of waiting times updates. */
export class PageSums {
  readonly #sum = { fresh: 0, age: 0, waiting: 0, updates: 0, fetches: 0, changesSeen: 0 };
  readonly #square = { fresh: 0, age: 0, waiting: 0, updates: 0, fetches: 0, changesSeen: 0 };
  #product = 0;

  add(counts: PageCounts): void {
    for (const name of names) {
      this.#sum[name] += counts[name];
      this.#square[name] += counts[name] ** 2;
    }
    this.#product += counts.waiting * counts.updates;
  }

  mean(name: keyof PageCounts, runs: number): number {
    return this.#sum[name] / runs;
  }

  /** Half the width of the interval of a mean. */
  half(name: keyof PageCounts, runs: number): number {
    return halfWidth(this.#square[name] - this.#sum[name] ** 2 / runs, runs);
  }

  /**
   * Waiting over updates, and half the width of its interval: of the mean of waiting − delay·updates, over that of the
   * updates.
   */
  delay(runs: number): readonly [delay: number, half: number] {
    const { waiting, updates } = this.#sum;
    const delay = waiting / updates;
    const squares = this.#square.waiting - 2 * delay * this.#product + delay ** 2 * this.#square.updates;
    return [delay, (halfWidth(squares, runs) * runs) / updates];
  }
}

export function pageMeans(sums: readonly PageSums[], horizon: number, runs: number): PageMeans {
  const column = (value: (page: PageSums) => number): Float64Array => Float64Array.from(sums, value);
  const shares = (name: 'fresh' | 'age') =>
    sums.map((page): [number, number] => {
      const [mean, half] = [page.mean(name, runs) / horizon, page.half(name, runs) / horizon];
      return [mean - half, mean + half];
    });
  return {
    freshness: column((page) => page.mean('fresh', runs) / horizon),
    age: column((page) => page.mean('age', runs) / horizon),
    delay: column((page) => (page.mean('updates', runs) > 0 ? page.delay(runs)[0] : Number.NaN)),
    fetches: column((page) => page.mean('fetches', runs)),
    changesSeen: column((page) => page.mean('changesSeen', runs)),
    freshnessInterval: shares('fresh'),
    ageInterval: shares('age'),
    delayInterval: sums.map((page) => {
      if (!(page.mean('updates', runs) > 0)) return null;
      const [delay, half] = page.delay(runs);
      return [delay - half, delay + half];
    }),
  };
}

/** By the sum of squares about the mean; what rounding makes negative is 0. */
function halfWidth(squares: number, runs: number): number {
  return studentQuantile(confidence, runs - 1) * Math.sqrt(Math.max(0, squares) / (runs - 1) / runs);
}
