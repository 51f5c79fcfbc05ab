/**
 * The slots of every page, or of every host, as linked lists in time order: neighbours in O(1), whatever their number.
 *
 * Slots are positions in time order; −1 stands for none.
 */
export class Chains {
  readonly next: Int32Array;
  readonly previous: Int32Array;
  readonly #first: Int32Array;
  readonly count: Int32Array;

  /** @param member the chain of each slot, −1 for none */
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
  before(chain: number, slot: number): number {
    let at = -1;
    for (let s = this.#first[chain]; s >= 0 && s < slot; s = this.next[s]) at = s;
    return at;
  }

  /** Puts a slot into a chain, behind `before` (as `before()` has it). */
  insert(chain: number, slot: number, before: number): void {
    const after = before < 0 ? this.#first[chain] : this.next[before];
    this.#join(chain, before, slot);
    this.#join(chain, slot, after);
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

  /** A slot of one chain gives way to another one, which is in none, within its neighbours. */
  move(chain: number, slot: number, to: number): void {
    const before = this.previous[slot];
    const after = this.next[slot];
    this.next[slot] = -1;
    this.previous[slot] = -1;
    this.#join(chain, before, to);
    this.#join(chain, to, after);
  }

  /** Two slots of two chains exchange them, within their neighbours. */
  exchange(chain: number, slot: number, otherChain: number, other: number): void {
    const [before, after] = [this.previous[slot], this.next[slot]];
    const [otherBefore, otherAfter] = [this.previous[other], this.next[other]];
    this.#join(chain, before, other);
    this.#join(chain, other, after);
    this.#join(otherChain, otherBefore, slot);
    this.#join(otherChain, slot, otherAfter);
  }

  #join(chain: number, a: number, b: number): void {
    if (a >= 0) this.next[a] = b;
    else this.#first[chain] = b;
    if (b >= 0) this.previous[b] = a;
  }
}
