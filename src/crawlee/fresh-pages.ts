/**
 * Pages that a Crawlee crawler keeps fresh by one number, the price of a fetch (docs/how-to/crawling-by-a-price.md). It
 * fetches each page again once a fetch is worth the price, and adjusts the price to the wanted number of fetches a day.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { day } from '../solvers/day.ts';
import {
  afterCheck,
  believedRate,
  dueAge,
  newBelief,
  nextPrice,
  type PageBelief,
  type RatePrior,
  worthOfFetch,
} from '../solvers/price-policy/index.ts';
import { type FetchContext, readFetch } from './crawl-log.ts';

/** Longest interval of a page in seconds; maximum doublings of a failing page's pause. */
const maxInterval = 180 * day;
const maxDoublings = 8;
/** Growth factor of the number of pages that restarts the price. */
const growth = 1.2;
/** Longest pause between two checks for due pages, seconds. */
const pollInterval = 60;

export interface FreshPagesOptions {
  /** Fetches wanted a day. */
  readonly perDay: number;
  readonly objective?: 'freshness' | 'delay' | 'harmonic';
}

/** A request as Crawlee takes it. */
export interface PageRequest {
  readonly url: string;
  /** Unique per fetch, because Crawlee fetches each key once. */
  readonly uniqueKey: string;
  readonly headers: Record<string, string>;
  readonly userData: { readonly page: string };
}

/** The part of Crawlee's crawlers that is used. */
export interface RequestRunner {
  run(requests: PageRequest[], options: { purgeRequestQueue: boolean }): Promise<unknown>;
}

interface Page {
  belief: PageBelief;
  /** Time of the last response, epoch seconds; undefined if there was none. */
  lastAnswer?: number;
  due: number;
  failures: number;
  signature?: string;
  headers: Record<string, string>;
}

interface State {
  readonly pages: Record<string, Page>;
  price?: number | undefined;
  /** Number of pages when the price was set. */
  pricedPages: number;
  meanRate?: number;
  ahead: number;
}

export class FreshPages {
  readonly #path: string;
  readonly #perDay: number;
  readonly #objective: NonNullable<FreshPagesOptions['objective']>;
  readonly #state: State;
  readonly #pages: Map<string, Page>;
  #fetches = 0;
  #windowStart = Date.now() / 1000;

  /** @param path a JSON file that stores the state of the pages between runs */
  constructor(path: string, { perDay, objective = 'freshness' }: FreshPagesOptions) {
    if (!(perDay > 0)) throw new RangeError(`perDay must be above 0; got ${perDay}`);
    this.#path = path;
    this.#perDay = perDay;
    this.#objective = objective;
    this.#state = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { pages: {}, pricedPages: 0, ahead: 0 };
    this.#pages = new Map(Object.entries(this.#state.pages));
  }

  /** Records a fetch; call it in `requestHandler` (also for 304) and in `failedRequestHandler`. */
  add(fetch: FetchContext): void {
    const { page: id, status, signature, headers } = readFetch(fetch);
    const now = Date.now() / 1000;
    this.#fetches++;
    const storedPage = this.#pages.get(id);
    const page: Page = storedPage ?? { belief: newBelief(this.#prior()), due: 0, failures: 0, headers: {} };
    this.#pages.set(id, page);
    const hasAnswer = status === 304 || signature !== undefined;
    if (hasAnswer) {
      const hasComparison = status === 304 || page.signature !== undefined;
      if (hasComparison && page.lastAnswer !== undefined && now > page.lastAnswer) {
        const hasChanged = signature !== undefined && signature !== page.signature;
        page.belief = afterCheck(page.belief, { elapsed: now - page.lastAnswer, changed: hasChanged }, this.#prior());
      }
      page.lastAnswer = now;
      page.failures = 0;
      page.headers = { ...page.headers, ...headers };
      if (signature !== undefined) page.signature = signature;
    } else page.failures++;
    const age = Math.min(maxInterval, dueAge(page.belief, 1, this.#price(), this.#objective));
    page.due =
      now + (hasAnswer ? age : Math.max(age, Math.min(maxInterval, age * 2 ** Math.min(page.failures, maxDoublings))));
  }

  /**
   * Fetches the pages, and those that the crawler discovers, when they are due, until the signal aborts. New URLs are
   * fetched at once.
   */
  async run(crawler: RequestRunner, urls: readonly string[], signal: AbortSignal): Promise<void> {
    let newUrls = urls.filter((url) => !this.#pages.has(url));
    while (!signal.aborted) {
      const now = Date.now() / 1000;
      const due = [...newUrls, ...[...this.#pages].filter(([, page]) => page.due <= now).map(([id]) => id)];
      newUrls = [];
      if (due.length > 0) {
        await crawler.run(
          due.map((id) => this.#request(id, now)),
          { purgeRequestQueue: false },
        );
        this.#holdPrice();
        this.#save();
      }
      const next = [...this.#pages.values()].reduce((dueTime, page) => Math.min(dueTime, page.due), now + pollInterval);
      const waitSeconds = Math.max(0, next - Date.now() / 1000);
      await wait(1000 * waitSeconds, undefined, { signal }).catch(() => {});
    }
  }

  #request(id: string, now: number): PageRequest {
    const headers = { ...this.#pages.get(id)?.headers };
    return { url: id, uniqueKey: `${id}#${now}`, headers, userData: { page: id } };
  }

  /** The target mean interval of a page, seconds. */
  #interval(): number {
    return (day * Math.max(1, this.#pages.size)) / this.#perDay;
  }

  #prior(): RatePrior {
    const interval = this.#interval();
    return { meanRate: this.#state.meanRate ?? 1 / interval, memoryUnit: Math.min(day, 5 * interval) };
  }

  #price(): number {
    const state = this.#state;
    if (state.price !== undefined && this.#pages.size <= growth * state.pricedPages) return state.price;
    state.pricedPages = this.#pages.size;
    state.price = worthOfFetch(newBelief(this.#prior()), 1, this.#interval(), this.#objective);
    return state.price;
  }

  #holdPrice(): void {
    const now = Date.now() / 1000;
    const elapsed = now - this.#windowStart;
    if (elapsed < Math.min(day, this.#interval() / 4)) return;
    const targetFetches = (this.#perDay * elapsed) / day;
    const { size } = this.#pages;
    const mean = [...this.#pages.values()].reduce((sum, { belief }) => sum + believedRate(belief), 0) / size;
    this.#state.price = nextPrice({
      price: this.#price(),
      seen: this.#fetches,
      wanted: targetFetches,
      pages: size,
      ahead: this.#state.ahead,
    });
    this.#state.ahead += this.#fetches - targetFetches;
    this.#state.meanRate = Math.sqrt(this.#prior().meanRate * mean);
    this.#fetches = 0;
    this.#windowStart = now;
  }

  #save(): void {
    const part = `${this.#path}.part`;
    writeFileSync(part, JSON.stringify({ ...this.#state, pages: Object.fromEntries(this.#pages) }));
    renameSync(part, this.#path);
  }
}
