/**
 * Pages that may not be fetched yet, and when they may: those whose least interval is not past, each by itself, and those
 * whose host must be left alone for a while, in order of worth behind the host.
 */
import { KeyedHeap } from '../numerics/heaps/keyed-heap.ts';
import { hostBurst, type ScheduleLimits } from './problem.ts';

/** Pages waiting for their host, the best first, from `first` on. */
interface HostQueue {
  readonly pages: number[];
  first: number;
}

/**
 * A wake-up may come this much of the time too soon (rounding), never too late; whoever is woken is looked at again.
 */
const rounding = 4 * Number.EPSILON;
/** Of a delay or interval: slots that are just so far apart keep it, however their times were rounded. */
const delayFraction = 1 - 1e-12;

export class WaitingPages {
  readonly #host: Int32Array;
  readonly #hostDelay: Float64Array;
  readonly #hostRate: Float64Array | null;
  /** By host: when it would be fetched next at its largest rate, had it kept to it. */
  readonly #paced: Float64Array;
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
    this.#paced = new Float64Array(hostDelay.length).fill(Number.NEGATIVE_INFINITY);
    this.#ready = new Float64Array(hostDelay.length).fill(Number.NEGATIVE_INFINITY);
    for (const [i, h] of host.entries()) {
      if (h >= 0) this.#ready[h] = Math.max(this.#ready[h], last[i] + delayFraction * hostDelay[h]);
    }
  }

  /** Whether a page last fetched at `last` may be fetched again, by itself and by its host. */
  isReady(page: number, time: number, last: number, minInterval: number): boolean {
    return time - last >= minInterval * delayFraction && this.hostReady(page, time);
  }

  /** Whether the page's host may be fetched. */
  hostReady(page: number, time: number): boolean {
    const h = this.#host[page];
    return h < 0 || this.#ready[h] <= time;
  }

  /** The page's host was fetched: it is left alone for its delay. */
  recordFetch(page: number, time: number): void {
    const h = this.#host[page];
    if (h < 0) return;
    this.#ready[h] = time + delayFraction * this.#hostDelay[h];
    if (this.#hostRate !== null) {
      this.#paced[h] = Math.max(this.#paced[h], time) + 1 / this.#hostRate[h];
      this.#ready[h] = Math.max(this.#ready[h], this.#paced[h] - hostBurst / this.#hostRate[h]);
    }
    if (this.#queues.has(h)) this.#hosts.push(-this.#ready[h], h);
  }

  /** Holds a page until its least interval is past. */
  waitUntil(page: number, time: number): void {
    this.#early.push(-(time - rounding * Math.abs(time)), page);
  }

  /** Holds a page behind its host. It stands before the others there when it is worth more than the first of them. */
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

  /** Gives back the pages that may be fetched by now, of each host only the best: the next follows its fetch. */
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

  /** When the next page may come back; Infinity for never. */
  nextWake(): number {
    return Math.min(-this.#hosts.topKey(), -this.#early.topKey());
  }

  clear(): void {
    if (this.#queues.size > 0) this.#queues.clear();
    this.#hosts.clear();
    this.#early.clear();
  }
}
