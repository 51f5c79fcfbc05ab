/**
 * Pages that a Crawlee crawler keeps fresh by one number, the price of a fetch (docs/how-to/crawling-by-a-price.md). It
 * fetches each page again once a fetch is worth the price, and moves the price so that as many are made as are wanted.
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
import { answerOf, type SeenFetch } from './crawl-log.ts';

/** Longest interval of a page in seconds; maximum doublings of a failing page's pause. */
const longest = 180 * day;
const maxDoublings = 8;
/** Growth factor of the number of pages that restarts the price. */
const growth = 1.2;
/** Longest pause between two checks for due pages, seconds. */
const look = 60;

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
  /** Last response, epoch seconds; undefined if there was none. */
  checked?: number;
  due: number;
  failures: number;
  signature?: string;
  headers: Record<string, string>;
}

interface State {
  readonly pages: Record<string, Page>;
  price?: number | undefined;
  /** Number of pages when the price was set. */
  priced: number;
  meanRate?: number;
  ahead: number;
}

export class FreshPages {
  readonly #path: string;
  readonly #perDay: number;
  readonly #objective: NonNullable<FreshPagesOptions['objective']>;
  readonly #state: State;
  readonly #pages: Map<string, Page>;
  #seen = 0;
  #since = Date.now() / 1000;

  /** @param path a JSON file that stores the state of the pages between runs */
  constructor(path: string, { perDay, objective = 'freshness' }: FreshPagesOptions) {
    if (!(perDay > 0)) throw new RangeError(`perDay must be above 0; got ${perDay}`);
    this.#path = path;
    this.#perDay = perDay;
    this.#objective = objective;
    this.#state = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { pages: {}, priced: 0, ahead: 0 };
    this.#pages = new Map(Object.entries(this.#state.pages));
  }

  /** Records a fetch; call it in `requestHandler` (also for 304) and in `failedRequestHandler`. */
  add(seen: SeenFetch): void {
    const { page: id, status, signature, headers } = answerOf(seen);
    const now = Date.now() / 1000;
    this.#seen++;
    const known = this.#pages.get(id);
    const page: Page = known ?? { belief: newBelief(this.#prior()), due: 0, failures: 0, headers: {} };
    this.#pages.set(id, page);
    const answered = status === 304 || signature !== undefined;
    if (answered) {
      const tells = status === 304 || page.signature !== undefined;
      if (tells && page.checked !== undefined && now > page.checked) {
        const changed = signature !== undefined && signature !== page.signature;
        page.belief = afterCheck(page.belief, { elapsed: now - page.checked, changed }, this.#prior());
      }
      page.checked = now;
      page.failures = 0;
      page.headers = { ...page.headers, ...headers };
      if (signature !== undefined) page.signature = signature;
    } else page.failures++;
    const age = Math.min(longest, dueAge(page.belief, 1, this.#price(), this.#objective));
    page.due =
      now + (answered ? age : Math.max(age, Math.min(longest, age * 2 ** Math.min(page.failures, maxDoublings))));
  }

  /**
   * Fetches the pages, and those that the crawler discovers, when they are due, until the signal aborts. New URLs are
   * fetched at once.
   */
  async run(crawler: RequestRunner, urls: readonly string[], signal: AbortSignal): Promise<void> {
    let fresh = urls.filter((url) => !this.#pages.has(url));
    while (!signal.aborted) {
      const now = Date.now() / 1000;
      const due = [...fresh, ...[...this.#pages].filter(([, page]) => page.due <= now).map(([id]) => id)];
      fresh = [];
      if (due.length > 0) {
        await crawler.run(
          due.map((id) => this.#request(id, now)),
          { purgeRequestQueue: false },
        );
        this.#holdPrice();
        this.#save();
      }
      const next = [...this.#pages.values()].reduce((least, page) => Math.min(least, page.due), now + look);
      const ahead = Math.max(0, next - Date.now() / 1000);
      await wait(1000 * ahead, undefined, { signal }).catch(() => {});
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
    if (state.price !== undefined && this.#pages.size <= growth * state.priced) return state.price;
    state.priced = this.#pages.size;
    state.price = worthOfFetch(newBelief(this.#prior()), 1, this.#interval(), this.#objective);
    return state.price;
  }

  #holdPrice(): void {
    const now = Date.now() / 1000;
    const elapsed = now - this.#since;
    if (elapsed < Math.min(day, this.#interval() / 4)) return;
    const wanted = (this.#perDay * elapsed) / day;
    const { size } = this.#pages;
    const mean = [...this.#pages.values()].reduce((sum, { belief }) => sum + believedRate(belief), 0) / size;
    this.#state.price = nextPrice({
      price: this.#price(),
      seen: this.#seen,
      wanted,
      pages: size,
      ahead: this.#state.ahead,
    });
    this.#state.ahead += this.#seen - wanted;
    this.#state.meanRate = Math.sqrt(this.#prior().meanRate * mean);
    this.#seen = 0;
    this.#since = now;
  }

  #save(): void {
    const part = `${this.#path}.part`;
    writeFileSync(part, JSON.stringify({ ...this.#state, pages: Object.fromEntries(this.#pages) }));
    renameSync(part, this.#path);
  }
}
