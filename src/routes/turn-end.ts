/**
 * What is done at the end of a turn of the event loop, all at once.
 *
 * Writing an answer wakes its reader, and a reader woken for one answer sleeps again before the next. Under load that
 * takes the system longer than a small solve. Every request that has come is first read and solved. Then their answers
 * leave one after the other while the reader is awake.
 */
import { now } from '../dispatch/clock.ts';

/** In a long turn nothing waits much longer than this for its end. */
const longestMs = 1;

export class TurnEnd {
  #waiting: (() => void)[] = [];
  #since = 0;

  /** @param action must not throw */
  later(action: () => void): void {
    const at = now();
    if (this.#waiting.length === 0) {
      this.#since = at;
      setImmediate(() => this.#act());
    }
    this.#waiting.push(action);
    if (at - this.#since >= longestMs) this.#act();
  }

  #act(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const action of waiting) action();
  }
}
