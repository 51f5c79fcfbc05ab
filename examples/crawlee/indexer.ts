/** The indexing engine: a queue with room for `capacity` pages, the one being indexed included, served one by one. */
import { setTimeout as sleep } from 'node:timers/promises';

export class Indexer {
  readonly capacity: number;
  readonly #meanMs: number;
  readonly #changed: (length: number) => void;
  readonly #queue: string[] = [];
  #busy = false;
  #idleSince: number | null = performance.now();
  indexed = 0;
  lost = 0;
  idleMs = 0;

  /** `changed` is called with the number of pages after every arrival and departure. */
  constructor(capacity: number, meanMs: number, changed: (length: number) => void) {
    this.capacity = capacity;
    this.#meanMs = meanMs;
    this.#changed = changed;
  }

  get length(): number {
    return this.#queue.length + (this.#busy ? 1 : 0);
  }

  /** Hands in a page; false when there is no room. */
  offer(page: string): boolean {
    const room = this.length < this.capacity;
    if (room) this.#queue.push(page);
    else this.lost++;
    this.#changed(this.length);
    void this.#work();
    return room;
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    if (this.#idleSince !== null) this.idleMs += performance.now() - this.#idleSince;
    this.#idleSince = null;
    while (this.#queue.shift() !== undefined) {
      await sleep(-Math.log(1 - Math.random()) * this.#meanMs);
      this.indexed++;
      this.#changed(this.#queue.length);
    }
    this.#busy = false;
    this.#idleSince = performance.now();
  }
}
