/**
 * Largest index first: at every step the page whose access is worth most, a_i·(1 − (1 + s)e^(−s)) with s = age × load,
 * among those that have accesses left in the cycle. The index is the marginal value of frequency at even spacing
 * (access-frequencies/even-spacing.ts), so at the optimal frequencies all pages are due at the same index. Ties go to
 * the lower position.
 *
 * Two passes: the second starts from the ages the first one left.
 *
 * Not every page is looked at in every step. An index only rises until the page is accessed, so for a block of B steps
 * the candidates are the pages whose index reaches a level θ by its end, about B of them; as long as the largest index
 * among the candidates is above θ it is the largest of all, and when it is not the block ends and the level is lowered.
 * e^(−s) and s are carried along within a block. With B = √(6N): O(K·√N).
 */
import type { AccessPages } from '../../access-frequencies/access-pages.ts';
import type { Budget } from '../../budget.ts';

const passes = 2;

/**
 * @param counts accesses of each page, summing to `cycle`
 * @returns the cycle, and whether the first pass was complete: if the budget ran out before, the rest of the cycle is
 * filled with the
 *   accesses left, each page's spaced evenly: O(K + N) after the budget has ended
 */
export function largestIndex(
  pages: AccessPages,
  counts: Uint32Array,
  cycle: number,
  budget: Budget,
): { sequence: Uint32Array; complete: boolean } {
  const race = new IndexRace(pages, counts, cycle, budget);
  let best: Uint32Array | null = null;
  for (let pass = 0; pass < passes || best === null; pass++) {
    const sequence = new Uint32Array(cycle);
    race.startPass();
    let t = 0;
    while (t < cycle && !race.stopped) t = race.runBlock(t, sequence);
    if (t < cycle) {
      if (best !== null) return { sequence: best, complete: true };
      race.fillEvenly(t, sequence);
      return { sequence, complete: false };
    }
    best = sequence;
  }
  return { sequence: best, complete: true };
}

/** Indices computed between two looks at the budget. */
const pollEvery = 1_000_000;

class IndexRace {
  readonly #cycle: number;
  readonly #budget: Budget;
  readonly #block: number;
  readonly #counts: Uint32Array;
  /** The pages that occur, and by their order here: worth, load, step of the last access, accesses left. */
  readonly #page: Uint32Array;
  readonly #gain: Float64Array;
  readonly #load: Float64Array;
  readonly #last: Float64Array;
  readonly #left: Uint32Array;
  /** Candidates of the block (by the same order): worth (−∞ when none is left), load, s, e^(−s) and e^(−load). */
  readonly #candidate: Uint32Array;
  readonly #worth: Float64Array;
  readonly #step: Float64Array;
  readonly #age: Float64Array;
  readonly #unchanged: Float64Array;
  readonly #decay: Float64Array;
  #level = 0;
  /** Indices computed since the budget was last asked. */
  #unpolled = 0;
  #stopped = false;

  constructor(pages: AccessPages, counts: Uint32Array, cycle: number, budget: Budget) {
    const present: number[] = [];
    for (let i = 0; i < counts.length; i++) if (counts[i] > 0) present.push(i);
    const n = present.length;
    this.#cycle = cycle;
    this.#budget = budget;
    this.#block = Math.ceil(Math.sqrt(6 * n));
    this.#counts = counts;
    this.#page = Uint32Array.from(present);
    this.#gain = Float64Array.from(present, (i) => pages.gain[i]);
    this.#load = Float64Array.from(present, (i) => pages.load[i]);
    // staggered ages to start with, counted back from the end of the pass before the first
    this.#last = Float64Array.from(present, (i, k) => cycle - (cycle / counts[i]) * ((k * 0.6180339887498949) % 1));
    this.#left = new Uint32Array(n);
    this.#candidate = new Uint32Array(n);
    this.#worth = new Float64Array(n);
    this.#step = new Float64Array(n);
    this.#age = new Float64Array(n);
    this.#unchanged = new Float64Array(n);
    this.#decay = new Float64Array(n);
  }

  /** Whether the budget stopped the race. */
  get stopped(): boolean {
    return this.#stopped;
  }

  startPass(): void {
    const n = this.#page.length;
    for (let k = 0; k < n; k++) {
      this.#left[k] = this.#counts[this.#page[k]];
      this.#last[k] -= this.#cycle;
    }
    if (n <= this.#block) return;
    // about as many candidates as steps in the first block as well
    const end = Math.min(this.#cycle, this.#block);
    const atEnd = this.#gain.map((gain, k) => {
      const s = (end - this.#last[k]) * this.#load[k];
      return gain * indexShare(s, Math.exp(-s));
    });
    this.#level = atEnd.sort()[n - this.#block];
    this.#poll(n);
  }

  #poll(computed: number): void {
    this.#unpolled += computed;
    if (this.#unpolled < pollEvery) return;
    this.#unpolled = 0;
    if (this.#budget.stopRequested()) this.#stopped = true;
  }

  /** Fills steps from t on with the accesses that are left, those of a page at equal distances. O(K + N). */
  fillEvenly(t: number, sequence: Uint32Array): void {
    const room = sequence.length - t;
    const starts = new Uint32Array(room + 1);
    const place = (k: number, j: number): number =>
      Math.min(room - 1, Math.floor(((j + ((k * 0.6180339887498949) % 1)) * room) / this.#left[k]));
    for (let k = 0; k < this.#left.length; k++) for (let j = 0; j < this.#left[k]; j++) starts[place(k, j) + 1]++;
    for (let step = 0; step < room; step++) starts[step + 1] += starts[step];
    for (let k = 0; k < this.#left.length; k++)
      for (let j = 0; j < this.#left[k]; j++) sequence[t + starts[place(k, j)]++] = this.#page[k];
  }

  /** Fills steps from t on; returns the step after the last one filled (at least one, unless the budget stops it). */
  runBlock(t: number, sequence: Uint32Array): number {
    const end = Math.min(this.#cycle, t + this.#block);
    let size = this.#select(t, end);
    let lowest = Infinity;
    for (let step = t; step < end; step++) {
      this.#poll(size);
      if (this.#stopped) return step;
      let { chosen, highest } = this.#best(size);
      if (chosen < 0 || highest < this.#level) {
        if (step > t) return step;
        // at the index found, or at none, the larger set of candidates holds the largest
        this.#level = Math.max(0, highest);
        size = this.#select(t, end);
        ({ chosen, highest } = this.#best(size));
      }
      lowest = Math.min(lowest, highest);
      this.#access(chosen, step, sequence);
    }
    this.#level = 0.99 * lowest;
    return end;
  }

  /** The pages whose index reaches the level by `end`, with their state at t. */
  #select(t: number, end: number): number {
    let size = 0;
    this.#poll(this.#page.length);
    for (let k = 0; k < this.#page.length; k++) {
      if (this.#left[k] === 0) continue;
      const load = this.#load[k];
      if (this.#level > 0) {
        const s = (end - this.#last[k]) * load;
        if (this.#gain[k] * indexShare(s, Math.exp(-s)) < this.#level) continue;
      }
      this.#candidate[size] = k;
      this.#worth[size] = this.#gain[k];
      this.#step[size] = load;
      this.#age[size] = (t - this.#last[k]) * load;
      this.#unchanged[size] = Math.exp(-this.#age[size]);
      this.#decay[size] = Math.exp(-load);
      size++;
    }
    return size;
  }

  /** The candidate of largest index in this step; then all of them are a step older. */
  #best(size: number): { chosen: number; highest: number } {
    const worth = this.#worth;
    const step = this.#step;
    const age = this.#age;
    const unchanged = this.#unchanged;
    const decay = this.#decay;
    let chosen = -1;
    let highest = -1;
    for (let c = 0; c < size; c++) {
      const s = age[c];
      const index = worth[c] * indexShare(s, unchanged[c]);
      age[c] = s + step[c];
      unchanged[c] *= decay[c];
      if (index > highest) {
        highest = index;
        chosen = c;
      }
    }
    return { chosen, highest };
  }

  #access(c: number, step: number, sequence: Uint32Array): void {
    const k = this.#candidate[c];
    sequence[step] = this.#page[k];
    this.#last[k] = step;
    this.#age[c] = this.#step[c];
    this.#unchanged[c] = this.#decay[c];
    // with nothing left its index is below any other, even that of a page worth nothing
    if (--this.#left[k] === 0) this.#worth[c] = Number.NEGATIVE_INFINITY;
  }
}

/** 1 − (1 + s)e^(−s), as its series where the difference would cancel. */
function indexShare(s: number, unchanged: number): number {
  return s < 1e-3 ? s * s * (1 / 2 - s * (1 / 3 - s / 8)) : 1 - (1 + s) * unchanged;
}
