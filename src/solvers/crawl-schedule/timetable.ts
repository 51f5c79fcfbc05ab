/**
 * Assignment of pages to slots with the cost of changes: the state that filling, exchanges and transfers work on.
 *
 * Slots are positions in time order. The cost of a change depends on the two gaps next to it only, O(1). Hosts with a delay
 * have their own chain of slots: no change may bring two of them closer than the delay.
 */

import type { HostDelays } from './problem.ts';
import { intervalStart } from './stale-time.ts';

/** Cost of a gap between two crawls of a page, before weighting; `from` is a time or `intervalStart`. */
interface GapCosts {
  gap(page: number, from: number, to: number): number;
  /** Slope of the cost in the gap's end, and minus that in its start; NaN where gaps are not convex. */
  staleAt(page: number, from: number, to: number): number;
}

interface TimetableProblem {
  readonly slotTime: Float64Array;
  readonly interval: number;
  readonly weight: Float64Array;
  readonly stale: GapCosts;
  /** Null: no host has a delay. */
  readonly hosts: HostDelays | null;
}

/** Relative tolerance of delays. */
const roundoff = 1e-12;

export class Timetable {
  readonly slotTime: Float64Array;
  /** Page of each slot, −1 for none. */
  readonly page: Int32Array;
  readonly #weight: Float64Array;
  readonly #stale: GapCosts;
  readonly #interval: number;
  readonly #hosts: HostDelays | null;
  readonly #pages: Chains;
  readonly #hostSlots: Chains | null;
  /**
   * Weighted chance that the copy is stale just before the crawl in a slot, and just before the page's next crawl; 0
   * for an empty slot.
   */
  readonly #chanceBefore: Float64Array;
  readonly #chanceAfter: Float64Array;

  constructor(problem: TimetableProblem, page: Int32Array) {
    const { slotTime, interval, weight, stale, hosts } = problem;
    this.slotTime = slotTime;
    this.page = page;
    this.#weight = weight;
    this.#stale = stale;
    this.#interval = interval;
    this.#hosts = hosts;
    this.#pages = new Chains(weight.length, page.length, (s) => page[s]);
    const hostOf = (s: number): number => (page[s] < 0 || hosts === null ? -1 : hosts.of[page[s]]);
    this.#hostSlots = hosts === null ? null : new Chains(hosts.delay.length, page.length, hostOf);
    this.#chanceBefore = new Float64Array(page.length);
    this.#chanceAfter = new Float64Array(page.length);
    for (let s = 0; s < page.length; s++) {
      if (page[s] >= 0 && this.#pages.previous[s] < 0) this.#updateGapBefore(s);
      if (page[s] >= 0) this.#updateGapAfter(s);
    }
  }

  crawlsOf(i: number): number {
    return this.#pages.count[i];
  }

  /** Expected stale time of page i in the interval. */
  staleTime(i: number): number {
    let sum = 0;
    let from = intervalStart;
    for (let s = this.#pages.first(i); s >= 0; s = this.#pages.next[s]) {
      sum += this.#stale.gap(i, from, this.slotTime[s]);
      from = this.slotTime[s];
    }
    return sum + this.#stale.gap(i, from, this.#interval);
  }

  /** Saving in weighted stale time by one more crawl of page i, in a slot that the page does not have. */
  insertionSaving(i: number, slot: number): number {
    const predecessor = this.#pages.predecessorOf(i, slot);
    const successor = predecessor < 0 ? this.#pages.first(i) : this.#pages.next[predecessor];
    return this.#saving(i, this.#from(predecessor), this.slotTime[slot], this.#to(successor));
  }

  /** The slots of each host with a delay, in time order. */
  slotsByHost(): number[][] {
    if (this.#hosts === null) return [];
    const lists = Array.from(this.#hosts.delay, (): number[] => []);
    for (const [s, i] of this.page.entries()) if (i >= 0) lists[this.#hosts.of[i]]?.push(s);
    return lists;
  }

  /** What the crawl in a slot saves in weighted stale time. */
  savingOf(slot: number): number {
    const { previous, next } = this.#pages;
    return this.#saving(this.page[slot], this.#from(previous[slot]), this.slotTime[slot], this.#to(next[slot]));
  }

  /** Slope of the weighted cost in the time of the crawl in a slot; NaN where gaps are not convex. */
  slopeOf(slot: number): number {
    return this.#chanceBefore[slot] - this.#chanceAfter[slot];
  }

  /** Whether the delay of its host lets page i take an empty slot. */
  canAssign(i: number, slot: number): boolean {
    const hosts = this.#hosts;
    const chains = this.#hostSlots;
    if (hosts === null || chains === null || hosts.of[i] < 0) return true;
    const h = hosts.of[i];
    const predecessor = chains.predecessorOf(h, slot);
    return this.#keepsDelay(h, [predecessor, slot, predecessor < 0 ? chains.first(h) : chains.next[predecessor]]);
  }

  assign(slot: number, i: number): void {
    this.#pages.insert(i, slot, this.#pages.predecessorOf(i, slot));
    this.page[slot] = i;
    const h = this.#hosts?.of[i] ?? -1;
    if (h >= 0) this.#hostSlots?.insert(h, slot, this.#hostSlots.predecessorOf(h, slot));
    this.#updateGaps(slot);
  }

  clear(slot: number): void {
    const i = this.page[slot];
    const { previous, next } = this.#pages;
    const [predecessor, successor] = [previous[slot], next[slot]];
    this.#pages.remove(i, slot);
    this.page[slot] = -1;
    const h = this.#hosts?.of[i] ?? -1;
    if (h >= 0) this.#hostSlots?.remove(h, slot);
    this.#updateGaps(slot);
    if (predecessor >= 0) this.#updateGapAfter(predecessor);
    else if (successor >= 0) this.#updateGapBefore(successor);
  }

  /**
   * Exchanges the pages of two slots if that lowers the cost.
   *
   * @param otherSlot the later slot
   * @param equal difference of the slopes up to which nothing is tried
   * @returns the gain, or 0
   */
  exchange(s: number, otherSlot: number, equal: number): number {
    // costs are convex in the time of a crawl, so their slopes (before − after) bound the gain
    if (
      this.#chanceBefore[otherSlot] - this.#chanceAfter[otherSlot] - this.#chanceBefore[s] + this.#chanceAfter[s] <=
      equal
    )
      return 0;
    const i = this.page[s];
    const j = this.page[otherSlot];
    const time = this.slotTime[s];
    const otherTime = this.slotTime[otherSlot];
    if (i === j || time === otherTime) return 0;
    if (i >= 0 && !this.#pages.canMove(s, otherSlot)) return 0;
    if (j >= 0 && !this.#pages.canMove(otherSlot, s)) return 0;
    const firstChange = i < 0 ? 0 : this.#moveCost(i, s, otherTime);
    // the crawl of j saves at most its slope times the distance, again by convexity
    if (firstChange >= this.slopeOf(otherSlot) * (otherTime - time)) return 0;
    const change = firstChange + (j < 0 ? 0 : this.#moveCost(j, otherSlot, time));
    if (!(change < 0)) return 0;
    if (this.#hosts !== null && !this.#hostsAllow(i, s, j, otherSlot)) return 0;
    this.#swap(this.#pages, i, s, j, otherSlot);
    if (this.#hosts !== null && this.#hostSlots !== null) {
      const [h, k] = [i < 0 ? -1 : this.#hosts.of[i], j < 0 ? -1 : this.#hosts.of[j]];
      if (h !== k) this.#swap(this.#hostSlots, h, s, k, otherSlot);
    }
    this.page[s] = j;
    this.page[otherSlot] = i;
    this.#updateGaps(s);
    this.#updateGaps(otherSlot);
    return -change;
  }

  /** Updates the slopes of the gaps on both sides of a slot. */
  #updateGaps(slot: number): void {
    if (this.page[slot] < 0) {
      this.#chanceBefore[slot] = 0;
      this.#chanceAfter[slot] = 0;
      return;
    }
    this.#updateGapBefore(slot);
    this.#updateGapAfter(slot);
  }

  #updateGapBefore(slot: number): void {
    const previous = this.#pages.previous[slot];
    const i = this.page[slot];
    const stale = this.#weight[i] * this.#stale.staleAt(i, this.#from(previous), this.slotTime[slot]);
    this.#chanceBefore[slot] = stale;
    if (previous >= 0) this.#chanceAfter[previous] = stale;
  }

  #updateGapAfter(slot: number): void {
    const next = this.#pages.next[slot];
    const i = this.page[slot];
    const stale = this.#weight[i] * this.#stale.staleAt(i, this.slotTime[slot], this.#to(next));
    this.#chanceAfter[slot] = stale;
    if (next >= 0) this.#chanceBefore[next] = stale;
  }

  #swap(chains: Chains, c: number, s: number, d: number, otherSlot: number): void {
    if (c >= 0 && d >= 0) chains.exchange(c, s, d, otherSlot);
    else if (c >= 0) chains.move(c, s, otherSlot);
    else if (d >= 0) chains.move(d, otherSlot, s);
  }

  #hostsAllow(i: number, s: number, j: number, otherSlot: number): boolean {
    const hosts = this.#hosts;
    const chains = this.#hostSlots;
    if (hosts === null || chains === null) return true;
    const h = i < 0 ? -1 : hosts.of[i];
    const k = j < 0 ? -1 : hosts.of[j];
    if (h === k) return true;
    const allows = (host: number, from: number, to: number): boolean =>
      host < 0 || (chains.canMove(from, to) && this.#keepsDelay(host, [chains.previous[from], to, chains.next[from]]));
    return allows(h, s, otherSlot) && allows(k, otherSlot, s);
  }

  #keepsDelay(h: number, [predecessor, slot, successor]: readonly [number, number, number]): boolean {
    if (this.#hosts === null) return true;
    const time = this.slotTime;
    const minDelay = this.#hosts.delay[h] * (1 - roundoff);
    if (time[slot] < this.#hosts.from[h] - roundoff * this.#interval) return false;
    if (predecessor >= 0 && time[slot] - time[predecessor] < minDelay) return false;
    return successor < 0 || time[successor] - time[slot] >= minDelay;
  }

  /** Weighted change in cost when the crawl in a slot moves to another time between its neighbours. */
  #moveCost(i: number, slot: number, time: number): number {
    const from = this.#from(this.#pages.previous[slot]);
    const to = this.#to(this.#pages.next[slot]);
    const now = this.slotTime[slot];
    const stale = this.#stale;
    const changeBefore = stale.gap(i, from, time) - stale.gap(i, from, now);
    const changeAfter = stale.gap(i, time, to) - stale.gap(i, now, to);
    const change = changeBefore + changeAfter;
    // a difference within rounding of its terms is 0
    return Math.abs(change) <= 1e-13 * (Math.abs(changeBefore) + Math.abs(changeAfter)) ? 0 : this.#weight[i] * change;
  }

  #saving(i: number, from: number, time: number, to: number): number {
    const stale = this.#stale;
    return this.#weight[i] * (stale.gap(i, from, to) - stale.gap(i, from, time) - stale.gap(i, time, to));
  }

  #from(slot: number): number {
    return slot < 0 ? intervalStart : this.slotTime[slot];
  }

  #to(slot: number): number {
    return slot < 0 ? this.#interval : this.slotTime[slot];
  }
}

/**
 * The slots of every page, or of every host, as linked lists in time order: neighbours in O(1).
 *
 * Slots are positions in time order; −1 stands for none.
 */
class Chains {
  readonly next: Int32Array;
  readonly previous: Int32Array;
  readonly #first: Int32Array;
  readonly count: Int32Array;

  /** @param member position of each slot's chain, −1 for a slot in no chain */
  constructor(chains: number, slots: number, member: (slot: number) => number) {
    this.next = new Int32Array(slots).fill(-1);
    this.previous = new Int32Array(slots).fill(-1);
    this.#first = new Int32Array(chains).fill(-1);
    this.count = new Int32Array(chains);
    const last = new Int32Array(chains).fill(-1);
    for (let s = 0; s < slots; s++) {
      const c = member(s);
      if (c < 0) continue;
      this.count[c]++;
      this.previous[s] = last[c];
      if (last[c] < 0) this.#first[c] = s;
      else this.next[last[c]] = s;
      last[c] = s;
    }
  }

  first(chain: number): number {
    return this.#first[chain];
  }

  /** The last slot of a chain before `slot`, which is not in it. */
  predecessorOf(chain: number, slot: number): number {
    let at = -1;
    for (let s = this.#first[chain]; s >= 0 && s < slot; s = this.next[s]) at = s;
    return at;
  }

  /** Inserts a slot into a chain, after its predecessor; at the beginning if that is −1. */
  insert(chain: number, slot: number, predecessor: number): void {
    const successor = predecessor < 0 ? this.#first[chain] : this.next[predecessor];
    this.#join(chain, predecessor, slot);
    this.#join(chain, slot, successor);
    this.count[chain]++;
  }

  remove(chain: number, slot: number): void {
    this.#join(chain, this.previous[slot], this.next[slot]);
    this.next[slot] = -1;
    this.previous[slot] = -1;
    this.count[chain]--;
  }

  /** Whether a slot of a chain may move to another without passing a neighbour. */
  canMove(slot: number, to: number): boolean {
    return to > slot ? this.next[slot] < 0 || this.next[slot] > to : this.previous[slot] < to;
  }

  /** Replaces a slot of a chain by another, which is in no chain and lies between the same neighbours. */
  move(chain: number, slot: number, to: number): void {
    const predecessor = this.previous[slot];
    const successor = this.next[slot];
    this.next[slot] = -1;
    this.previous[slot] = -1;
    this.#join(chain, predecessor, to);
    this.#join(chain, to, successor);
  }

  /** Exchanges two slots of two chains; each must lie between the neighbours of the other. */
  exchange(chain: number, slot: number, otherChain: number, otherSlot: number): void {
    const [predecessor, successor] = [this.previous[slot], this.next[slot]];
    const [otherPredecessor, otherSuccessor] = [this.previous[otherSlot], this.next[otherSlot]];
    this.#join(chain, predecessor, otherSlot);
    this.#join(chain, otherSlot, successor);
    this.#join(otherChain, otherPredecessor, slot);
    this.#join(otherChain, slot, otherSuccessor);
  }

  #join(chain: number, a: number, b: number): void {
    if (a >= 0) this.next[a] = b;
    else this.#first[chain] = b;
    if (b >= 0) this.previous[b] = a;
  }
}
