/** What replications say of every page: means, with 95% intervals over the replications. */
import { halfWidth, type Interval, intervalOf, type Seen, shareInterval, varianceOfMean } from './mean-intervals.ts';
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
  readonly freshnessInterval: readonly Interval[];
  readonly ageInterval: readonly Interval[];
  readonly delayInterval: readonly (Interval | null)[];
}

/** Waits beside those seen, in the interval of a page's delay. */
const supposed = 10;
const names = ['fresh', 'age', 'waiting', 'updates', 'together', 'fetches', 'changesSeen'] as const;

/** Sums of one page's counts, of their squares, and of waiting times updates. */
export class PageSums {
  readonly #sum = { fresh: 0, age: 0, waiting: 0, updates: 0, together: 0, fetches: 0, changesSeen: 0 };
  readonly #square = { fresh: 0, age: 0, waiting: 0, updates: 0, together: 0, fetches: 0, changesSeen: 0 };
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

  variance(name: keyof PageCounts, runs: number): number {
    return varianceOfMean(this.#square[name] - this.#sum[name] ** 2 / runs, runs);
  }

  /** Between two fetches in the mean, the ends of the duration counted as such. */
  gap(duration: number, runs: number): number {
    return duration / (this.#sum.fetches / runs + 1);
  }

  /**
   * About the area that one change adds to the age, where areas count by their size. It is a third of gap² where
   * fetches are even, and 6 gap² where they are at random.
   */
  largestArea(gap: number, runs: number): number {
    return gap ** 2 * (1 + 5 * this.#atRandom(runs));
  }

  /** From 0 where fetches are even to 1 where they are at random: the variance of their number over its mean. */
  #atRandom(runs: number): number {
    const fetches = this.mean('fetches', runs);
    return fetches > 0 ? Math.min(1, (this.variance('fetches', runs) * runs) / fetches) : 0;
  }

  /**
   * Waiting over updates, with the variance of the mean of waiting − delay·updates over that of the updates. Few
   * waits say little of that: a few more are supposed, of variance gap²/12 where fetches are even and gap² where they
   * are at random. Changes that wait for one fetch count as one, and the less the more they differ in number from others.
   */
  delay(gap: number, runs: number): Pick<Seen, 'mean' | 'variance'> {
    const { waiting, updates, together } = this.#sum;
    const waits = updates ** 2 / together;
    const mean = waiting / updates;
    const squares = this.#square.waiting - 2 * mean * this.#product + mean ** 2 * this.#square.updates;
    const seen = varianceOfMean(squares, runs) * (runs / updates) ** 2;
    const spread = (gap ** 2 * (1 + 11 * this.#atRandom(runs))) / 12;
    return { mean, variance: (waits * seen + (supposed * spread) / waits) / (waits + supposed) };
  }
}

/**
 * Of a mean of waits, which are skewed: where they are short so is their spread. So the upper end is that of a lognormal
 * law as well, up to `most`.
 */
function delayInterval(seen: Seen): Interval {
  const { mean, variance, runs, most } = seen;
  const half = halfWidth(variance, runs);
  if (!(mean > 0)) return [0, half];
  const [low, high] = intervalOf(seen);
  return [low, Math.max(high, Math.min(mean * Math.exp(half / mean), most))];
}

export function pageMeans(sums: readonly PageSums[], duration: number, runs: number): PageMeans {
  const column = (value: (page: PageSums) => number): Float64Array => Float64Array.from(sums, value);
  const gaps = sums.map((page) => page.gap(duration, runs));
  return {
    freshness: column((page) => page.mean('fresh', runs) / duration),
    age: column((page) => page.mean('age', runs) / duration),
    delay: column((page) => (page.mean('updates', runs) > 0 ? page.delay(0, runs).mean : Number.NaN)),
    fetches: column((page) => page.mean('fetches', runs)),
    changesSeen: column((page) => page.mean('changesSeen', runs)),
    freshnessInterval: sums.map((page, i) => {
      const [mean, variance] = [page.mean('fresh', runs) / duration, page.variance('fresh', runs) / duration ** 2];
      return shareInterval({ mean, variance, runs, event: gaps[i] / duration / runs });
    }),
    ageInterval: sums.map((page, i) => {
      const [mean, variance] = [page.mean('age', runs) / duration, page.variance('age', runs) / duration ** 2];
      const event = page.largestArea(gaps[i], runs) / duration / runs;
      return intervalOf({ mean, variance, runs, event, most: duration });
    }),
    delayInterval: sums.map((page, i) => {
      if (!(page.mean('updates', runs) > 0)) return null;
      const { mean, variance } = page.delay(gaps[i], runs);
      const event = page.largestArea(gaps[i], runs) / duration / runs;
      return delayInterval({ mean, variance, runs, event, most: duration });
    }),
  };
}
