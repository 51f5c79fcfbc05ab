/**
 * Pages that may not be fetched yet, and the times from which they may: pages within their minimum interval, and for
 * each host a queue of pages, by worth, that wait for its delay or rate.
 */
import { KeyedHeap } from '../numerics/collections/keyed-heap.ts';
import { hostBurst, type ScheduleLimits } from './problem.ts';

/** Pages that wait for their host, the page of largest worth first, from position `first` on. */
interface HostQueue {
  readonly pages: number[];
  first: number;
}

/**
 * Fraction of the time by which wake-ups come early, so that rounding makes none late; a woken page is checked again.
 */
const rounding = 4 * Number.EPSILON;
/**
 * Fraction of a delay or interval that must pass, so that slots exactly one delay apart are allowed despite rounding.
 */
const delayFraction = 1 - 1e-12;

export class WaitingPages {
  readonly #host: Int32Array;
  readonly #hostDelay: Float64Array;
  readonly #hostRate: Float64Array | null;
  /** By host: theoretical time of its next fetch at the highest rate (generic cell rate algorithm). */
  readonly #nextAtRate: Float64Array;
  /** By host: the time from which it may be fetched again. */
  readonly #readyTime: Float64Array;
  readonly #queues = new Map<number, HostQueue>();
  /** Hosts with a queue; the key is the negative of the time from which they may be fetched again. */
  readonly #hosts = new KeyedHeap();
  /** Pages that wait for a time; the key is the negative of this time. */
  readonly #pages = new KeyedHeap();

  /** @param last by page, time of its last fetch; −Infinity for a page never fetched */
  constructor({ host, hostDelay, hostRate }: ScheduleLimits, last: Float64Array) {
    this.#host = host;
    this.#hostDelay = hostDelay;
    this.#hostRate = hostRate ?? null;
    this.#nextAtRate = new Float64Array(hostDelay.length).fill(Number.NEGATIVE_INFINITY);
    this.#readyTime = new Float64Array(hostDelay.length).fill(Number.NEGATIVE_INFINITY);
    for (const [i, h] of host.entries()) {
      if (h >= 0) this.#readyTime[h] = Math.max(this.#readyTime[h], last[i] + delayFraction * hostDelay[h]);
    }
  }

  /** Whether the minimum interval of a page last fetched at `last`, and its host, allow a fetch. */
  isReady(page: number, time: number, last: number, minInterval: number): boolean {
    return time - last >= minInterval * delayFraction && this.hostReady(page, time);
  }

  /** Whether the host of a page allows a fetch at a time. */
  hostReady(page: number, time: number): boolean {
    const h = this.#host[page];
    return h < 0 || this.#readyTime[h] <= time;
  }

  /** Records a fetch: the host of the page is blocked for its delay, and by its highest rate. */
  recordFetch(page: number, time: number): void {
    const h = this.#host[page];
    if (h < 0) return;
    this.#readyTime[h] = time + delayFraction * this.#hostDelay[h];
    if (this.#hostRate !== null) {
      this.#nextAtRate[h] = Math.max(this.#nextAtRate[h], time) + 1 / this.#hostRate[h];
      this.#readyTime[h] = Math.max(this.#readyTime[h], this.#nextAtRate[h] - hostBurst / this.#hostRate[h]);
    }
    if (this.#queues.has(h)) this.#hosts.push(-this.#readyTime[h], h);
  }

  /** Lets a page wait until a time. */
  waitUntil(page: number, time: number): void {
    this.#pages.push(-(time - rounding * Math.abs(time)), page);
  }

  /**
   * Lets a page wait for its host: at the front of the queue if it is worth more than the first page, else at the end.
   */
  waitForHost(page: number, worth: (page: number) => number): void {
    const h = this.#host[page];
    const queue = this.#queues.get(h);
    if (queue === undefined) {
      this.#queues.set(h, { pages: [page], first: 0 });
      this.#hosts.push(-this.#readyTime[h], h);
    } else if (worth(page) <= worth(queue.pages[queue.first])) queue.pages.push(page);
    else if (queue.first > 0) queue.pages[--queue.first] = page;
    else queue.pages.unshift(page);
  }

  /** Passes pages that may be fetched now to `resume`: of each host the first page of its queue. */
  wake(time: number, resume: (page: number) => void): void {
    while (-this.#hosts.topKey() <= time) {
      const h = this.#hosts.pop();
      const queue = this.#queues.get(h);
      if (queue === undefined) continue;
      const best = queue.pages[queue.first++];
      if (queue.first === queue.pages.length) this.#queues.delete(h);
      resume(best);
    }
    while (this.#pages.size > 0 && -this.#pages.topKey() <= time) resume(this.#pages.pop());
  }

  /** Time of the next wake-up; Infinity for none. */
  nextWake(): number {
    return Math.min(-this.#hosts.topKey(), -this.#pages.topKey());
  }

  clear(): void {
    if (this.#queues.size > 0) this.#queues.clear();
    this.#hosts.clear();
    this.#pages.clear();
  }
}
