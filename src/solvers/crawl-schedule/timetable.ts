/**
 * Slots with the pages that have them, and what a change of it would cost: the state that exchanges work on.
 *
 * Slots are known by their position in time order. Every page keeps its crawl times in a sorted list; a change of one page is
 * costed by its whole stale time, O(crawls of the page).
 */
import type { StaleTime } from './stale-time.ts';

export class Timetable {
  readonly slotTime: Float64Array;
  /** Page of each slot, −1 for none. */
  readonly page: Int32Array;
  readonly #weight: Float64Array;
  readonly #stale: StaleTime;
  readonly #times: number[][];
  readonly #cost: Float64Array;
  #scratch = new Float64Array(64);

  constructor(slotTime: Float64Array, page: Int32Array, weight: Float64Array, stale: StaleTime) {
    this.slotTime = slotTime;
    this.page = page;
    this.#weight = weight;
    this.#stale = stale;
    this.#times = Array.from(weight, () => []);
    this.#cost = new Float64Array(weight.length);
    for (const [s, i] of page.entries()) if (i >= 0) this.#times[i].push(slotTime[s]);
    for (let i = 0; i < weight.length; i++) this.#cost[i] = this.#costWith(i, Number.NaN, Number.NaN);
  }

  timesOf(i: number): readonly number[] {
    return this.#times[i];
  }

  /** weight·(stale time) of a page as it is. */
  costOf(i: number): number {
    return this.#cost[i];
  }

  /** What page i would save with one crawl more, in slot s. */
  savedBy(i: number, s: number): number {
    return this.#cost[i] - this.#costWith(i, Number.NaN, this.slotTime[s]);
  }

  give(s: number, i: number): void {
    this.#cost[i] = this.#costWith(i, Number.NaN, this.slotTime[s]);
    this.#move(i, Number.NaN, this.slotTime[s]);
    this.page[s] = i;
  }

  /** Exchanges what two slots have, if that lowers the cost. */
  exchange(s: number, other: number): boolean {
    const [i, j] = [this.page[s], this.page[other]];
    const [here, there] = [this.slotTime[s], this.slotTime[other]];
    if (i === j || here === there) return false;
    const first = i < 0 ? 0 : this.#costWith(i, here, there);
    const second = j < 0 ? 0 : this.#costWith(j, there, here);
    const before = (i < 0 ? 0 : this.#cost[i]) + (j < 0 ? 0 : this.#cost[j]);
    if (!(first + second < before * (1 - 1e-13))) return false;
    if (i >= 0) {
      this.#move(i, here, there);
      this.#cost[i] = first;
    }
    if (j >= 0) {
      this.#move(j, there, here);
      this.#cost[j] = second;
    }
    this.page[s] = j;
    this.page[other] = i;
    return true;
  }

  /** Cost of page i without the crawl at `without` and with one at `added` (NaN: none). */
  #costWith(i: number, without: number, added: number): number {
    const times = this.#times[i];
    if (this.#scratch.length < times.length + 1) this.#scratch = new Float64Array(2 * times.length + 2);
    const changed = this.#scratch;
    let count = 0;
    let removed = Number.isNaN(without);
    let placed = Number.isNaN(added);
    for (const time of times) {
      if (!removed && time === without) {
        removed = true;
        continue;
      }
      if (!placed && added <= time) {
        changed[count++] = added;
        placed = true;
      }
      changed[count++] = time;
    }
    if (!placed) changed[count++] = added;
    return this.#weight[i] * this.#stale.of(i, changed, 0, count);
  }

  #move(i: number, without: number, added: number): void {
    const times = this.#times[i];
    if (!Number.isNaN(without)) times.splice(times.indexOf(without), 1);
    let at = times.length;
    while (at > 0 && times[at - 1] > added) at--;
    times.splice(at, 0, added);
  }
}
