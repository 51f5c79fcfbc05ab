/** Limits on the crawls of pages and hosts, with the crawls assigned so far. */
import type { CrawlScheduleProblem } from './problem.ts';

export class CrawlLimits {
  /** Minimum number of crawls, by page. */
  readonly minimum: Int32Array;
  readonly #maximum: Int32Array;
  readonly #hostOf: Int32Array | null;
  /** By page: crawls assigned. By host: crawls that it may still get. */
  readonly #crawls: Int32Array;
  readonly #remainingOfHost: Float64Array;
  /** Crawls in all that are neither assigned nor reserved for minimums. */
  #spare: number;

  constructor({ allocation }: CrawlScheduleProblem) {
    const { maxCrawls, minCrawls, hosts, crawls } = allocation;
    this.minimum = minCrawls;
    this.#maximum = maxCrawls;
    this.#hostOf = hosts?.of ?? null;
    this.#crawls = new Int32Array(minCrawls.length);
    this.#remainingOfHost = hosts?.maxCrawls.slice() ?? new Float64Array(0);
    this.#spare = crawls - minCrawls.reduce((sum, minimum) => sum + minimum, 0);
  }

  /** Whether a page and its host may have one more crawl. */
  allow(i: number): boolean {
    const h = this.#hostOf?.[i] ?? -1;
    return !(this.#maximum[i] >= 0 && this.#crawls[i] >= this.#maximum[i]) && (h < 0 || this.#remainingOfHost[h] > 0);
  }

  /**
   * Whether a page and its host may have one more crawl that leaves enough crawls for the minimums of all other pages.
   */
  allowUnreserved(i: number): boolean {
    return this.allow(i) && (this.#crawls[i] < this.minimum[i] || this.#spare > 0);
  }

  /** Records a change in the number of crawls of a page. */
  record(i: number, change: number): void {
    const h = this.#hostOf?.[i] ?? -1;
    if (h >= 0) this.#remainingOfHost[h] -= change;
    const previousCount = Math.max(this.#crawls[i], this.minimum[i]);
    this.#crawls[i] += change;
    this.#spare -= Math.max(this.#crawls[i], this.minimum[i]) - previousCount;
  }
}
