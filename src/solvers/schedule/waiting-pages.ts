/**
 * Pages that may not be fetched yet, and the times when they may: pages within their minimum interval, and per host a
 * queue of pages, by worth, that wait for its delay or rate.
 */
import { KeyedHeap } from '../numerics/collections/keyed-heap.ts';
import { hostBurst, type ScheduleLimits } from './problem.ts';

/** Pages waiting for their host, the best first, from `first` on. */
interface HostQueue {
  readonly pages: number[];
  first: number;
}

/**
 * Wake-ups are early by this fraction of the time, so that rounding never makes one late; a page woken is checked again.
 */
const rounding = 4 * Number.EPSILON;
/** Fraction of a delay or interval that must pass: slots exactly that far apart keep it in spite of rounding. */
const delayFraction = 1 - 1e-12;

export class WaitingPages {
  readonly #host: Int32Array;
  readonly #hostDelay: Float64Array;
  readonly #hostRate: Float64Array | null;
  /** By host: theoretical time of its next fetch at the highest rate (generic cell rate algorithm). */
  readonly #nextAtRate: Float64Array;
  /** By host: when it may be fetched again. */
  readonly #ready: Float64Array;
  readonly #queues = new Map<number, HostQueue>();
  /** Hosts with a queue, by the time they may be fetched again, negative. */
  readonly #hosts = new KeyedHeap();
  /** Pages by the end of their least interval, negative. */
  readonly #early = new KeyedHeap();

  /** @param last when each page was fetched, −Infinity for never */
  constructor({ host, hostDelay, hostRate }: ScheduleLimits, last: Float64Array) {
    this.#host = host;
    this.#hostDelay = hostDelay;
    this.#hostRate = hostRate ?? null;
    this.#nextAtRate = new Float64Array(hostDelay.length).fill(Number.NEGATIVE_INFINITY);
    this.#ready = new Float64Array(hostDelay.length).fill(Number.NEGATIVE_INFINITY);
    for (const [i, h] of host.entries()) {
      if (h >= 0) this.#ready[h] = Math.max(this.#ready[h], last[i] + delayFraction * hostDelay[h]);
    }
  }

  /** Whether the minimum interval of a page last fetched at `last`, and its host, allow a fetch. */
  isReady(page: number, time: number, last: number, minInterval: number): boolean {
    return time - last >= minInterval * delayFraction && this.hostReady(page, time);
  }

  /** Whether the page's host allows a fetch. */
  hostReady(page: number, time: number): boolean {
    const h = this.#host[page];
    return h < 0 || this.#ready[h] <= time;
  }

  /** Records a fetch: the host is blocked for its delay. */
  recordFetch(page: number, time: number): void {
    const h = this.#host[page];
    if (h < 0) return;
    this.#ready[h] = time + delayFraction * this.#hostDelay[h];
    if (this.#hostRate !== null) {
      this.#nextAtRate[h] = Math.max(this.#nextAtRate[h], time) + 1 / this.#hostRate[h];
      this.#ready[h] = Math.max(this.#ready[h], this.#nextAtRate[h] - hostBurst / this.#hostRate[h]);
    }
    if (this.#queues.has(h)) this.#hosts.push(-this.#ready[h], h);
  }

  /** Queues a page until a time. */
  waitUntil(page: number, time: number): void {
    this.#early.push(-(time - rounding * Math.abs(time)), page);
  }

  /** Queues a page behind its host: at the front when it is worth more than the first there, else at the end. */
  waitForHost(page: number, worth: (page: number) => number): void {
    const h = this.#host[page];
    const queue = this.#queues.get(h);
    if (queue === undefined) {
      this.#queues.set(h, { pages: [page], first: 0 });
      this.#hosts.push(-this.#ready[h], h);
    } else if (worth(page) <= worth(queue.pages[queue.first])) queue.pages.push(page);
    else if (queue.first > 0) queue.pages[--queue.first] = page;
    else queue.pages.unshift(page);
  }

  /** Returns pages that may be fetched now through `back`, one per host: the next follows after a fetch. */
  wake(time: number, back: (page: number) => void): void {
    while (-this.#hosts.topKey() <= time) {
      const h = this.#hosts.pop();
      const queue = this.#queues.get(h);
      if (queue === undefined) continue;
      const best = queue.pages[queue.first++];
      if (queue.first === queue.pages.length) this.#queues.delete(h);
      back(best);
    }
    while (this.#early.size > 0 && -this.#early.topKey() <= time) back(this.#early.pop());
  }

  /** Time of the next wake-up; Infinity for none. */
  nextWake(): number {
    return Math.min(-this.#hosts.topKey(), -this.#early.topKey());
  }

  clear(): void {
    if (this.#queues.size > 0) this.#queues.clear();
    this.#hosts.clear();
    this.#early.clear();
  }
}
