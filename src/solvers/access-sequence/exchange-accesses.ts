/**
 * Local search: improves a cycle by exchanging pairs of accesses close together, as long as the exact cost falls.
 *
 * Page i contributes Σ_m v_i(d_m) with v_i(d) = c_i(1 − floor_i)·(dL_i − 1 + e^(−dL_i))/(K L_i), convex in the distance
 * d. Exchanging the accesses at t and u of pages p and q changes two distances of each page; counts stay the same.
 * Pairs at most `maxReach` steps apart are tried, if no other access of p or q is between them. Sweeps end when one
 * changes nothing, or the budget ends; the result is never worse than the given cycle. O(K·maxReach) a sweep.
 */
import type { AccessPages } from '../access-frequencies/access-pages.ts';
import type { Budget } from '../budget.ts';
import { staleChanges } from '../pages/objectives/index.ts';

/** Largest distance, in accesses, over which two are exchanged. */
const maxReach = 12;
/** Savings below this fraction of the two pages' gap costs are rounding error. */
const roundoff = 1e-12;

/** A cycle with the same counts, at most as costly. @param sequence page of each access in the cycle */
export function exchangeAccesses(pages: AccessPages, sequence: Uint32Array, budget: Budget): Uint32Array {
  const cycle = new LinkedCycle(pages, sequence);
  for (let hasExchanged = true; hasExchanged; ) {
    hasExchanged = false;
    for (let t = 0; t < sequence.length; t++) {
      if ((t & 127) === 0 && budget.stopRequested()) return cycle.page;
      for (let reach = 1; reach <= maxReach && reach < sequence.length; reach++) {
        if (cycle.exchange(t, reach)) hasExchanged = true;
      }
    }
  }
  return cycle.page;
}

/** A cycle in which each access is linked to the previous and the next one of its page. */
class LinkedCycle {
  readonly page: Uint32Array;
  readonly #pages: AccessPages;
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  readonly #scale: Float64Array;

  constructor(pages: AccessPages, sequence: Uint32Array) {
    const length = sequence.length;
    this.page = sequence.slice();
    this.#pages = pages;
    this.#next = new Int32Array(length);
    this.#previous = new Int32Array(length);
    this.#scale = pages.load.map((load, i) => (pages.weight[i] * (1 - pages.floor[i])) / load / length);
    const last = new Int32Array(pages.length).fill(-1);
    for (let round = 0; round < 2; round++) {
      for (let t = 0; t < length; t++) {
        const p = sequence[t];
        if (last[p] >= 0) {
          this.#previous[t] = last[p];
          this.#next[last[p]] = t;
        }
        last[p] = t;
      }
    }
  }

  /** Steps forward from access a to access b; the length of the cycle from an access to itself. */
  #distance(a: number, b: number): number {
    return b > a ? b - a : b - a + this.page.length;
  }

  #value(page: number, distance: number): number {
    return staleChanges(distance * this.#pages.load[page]) * this.#scale[page];
  }

  /** Change in cost when an access moves forward, given its distances to the previous and next access of its page. */
  #moveCost(page: number, gapBefore: number, gapAfter: number, steps: number): number {
    const current = this.#value(page, gapBefore) + this.#value(page, gapAfter);
    return this.#value(page, gapBefore + steps) + this.#value(page, gapAfter - steps) - current;
  }

  /** Exchanges the accesses at t and t + reach if the cost falls and no other access of their pages is between them. */
  exchange(t: number, reach: number): boolean {
    const { page } = this;
    const length = page.length;
    const u = (t + reach) % length;
    const p = page[t];
    const q = page[u];
    if (p === q) return false;
    const gapAfterP = this.#distance(t, this.#next[t]);
    const gapBeforeQ = this.#distance(this.#previous[u], u);
    if (gapAfterP <= reach || gapBeforeQ <= reach) return false;
    // the only access of a page is its own neighbour on both sides: moving it changes no distance
    const costOfP = this.#next[t] === t ? 0 : this.#moveCost(p, this.#distance(this.#previous[t], t), gapAfterP, reach);
    const costOfQ = this.#next[u] === u ? 0 : this.#moveCost(q, gapBeforeQ, this.#distance(u, this.#next[u]), -reach);
    const gapCosts = this.#value(p, gapAfterP) + this.#value(q, gapBeforeQ);
    if (!(costOfP + costOfQ < -roundoff * gapCosts)) return false;
    this.#swap(t, u);
    return true;
  }

  #swap(t: number, u: number): void {
    const next = this.#next;
    const previous = this.#previous;
    const [p, q] = [this.page[t], this.page[u]];
    const neighboursOfP: [number, number] = [previous[t], next[t]];
    const neighboursOfQ: [number, number] = [previous[u], next[u]];
    this.#place(q, t, neighboursOfQ, u);
    this.#place(p, u, neighboursOfP, t);
  }

  /** Moves an access of a page from `from` to `to`, and relinks the accesses of the page before and after it. */
  #place(page: number, to: number, [previous, next]: [number, number], from: number): void {
    this.page[to] = page;
    const isOnly = previous === from;
    this.#previous[to] = isOnly ? to : previous;
    this.#next[to] = isOnly ? to : next;
    if (isOnly) return;
    this.#next[previous] = to;
    this.#previous[next] = to;
  }
}
