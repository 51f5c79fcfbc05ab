/**
 * The orders of a few pages as a graph: its states are the pages' ages, its least mean cycle the best order.
 *
 * A state is the age of every page, the accesses since its last one; one page has age 1, all others are older. A step
 * costs Σ_i v_i(a_i), what the gap of page i becomes dearer by lasting until a_i: v_i rises with the age. Ages above
 * A_i count as A_i, so no order costs more here than it does. The least mean cost of the finite graph of states is then
 * a bound for every order, whatever A_i. Where its cycle never reaches an A_i it costs what it costs in truth, and is
 * the best.
 *
 * Method: R. A. Howard's policy iteration for the least mean cycle of a deterministic graph (J. Cochet-Terrasson et
 * al., IFAC 1998). Any values d give the bound min over steps s → s' of cost(s) + d(s') − d(s); so does a search that
 * was stopped. O(states · N) an iteration, some ten to fifty of these.
 */
import type { Budget } from '../../budget.ts';

const mostIterations = 300;
/** Of the cost of a state: what is saved less is rounding. */
const rounding = 1e-13;

/** The cycle found, and a bound on what any order costs. */
export interface LeastMean {
  readonly sequence: Uint32Array;
  readonly bound: number;
}

/** States in which one page has age 1 and the others ages from 2 to their oldest. */
export function statesOf(oldest: readonly number[]): number {
  return oldest.reduce((sum, _, p) => sum + blockOf(oldest, p), 0);
}

function blockOf(oldest: readonly number[], p: number): number {
  return oldest.reduce((product, most, i) => (i === p ? product : product * (most - 1)), 1);
}

export class AgeGraph {
  readonly #n: number;
  readonly #states: number;
  /** Cost of a step from each state, and the state after page q: #next[N·s + q]. */
  readonly #cost: Float64Array;
  readonly #next: Int32Array;
  /** The page of age 1 in the first state and in those after it, up to the next page's. */
  readonly #start: readonly number[];
  /** Choices of the last search: the next begins with them. */
  #choice: Uint8Array | null = null;

  /** @param steps v_i(a) for a from 0 to A_i ≥ 2 */
  constructor(steps: readonly Float64Array[]) {
    const oldest = steps.map(({ length }) => length - 1);
    const n = oldest.length;
    this.#n = n;
    this.#states = statesOf(oldest);
    this.#cost = new Float64Array(this.#states);
    this.#next = new Int32Array(n * this.#states);
    const start = oldest.map((_, p) => oldest.slice(0, p).reduce((sum, _each, q) => sum + blockOf(oldest, q), 0));
    this.#start = start;
    const age = new Int32Array(n);
    for (let p = 0; p < n; p++) {
      for (let k = 0; k < blockOf(oldest, p); k++) {
        let rest = k;
        for (let i = 0; i < n; i++) {
          if (i !== p) age[i] = 2 + (rest % (oldest[i] - 1));
          if (i !== p) rest = Math.floor(rest / (oldest[i] - 1));
        }
        age[p] = 1;
        const s = start[p] + k;
        for (let i = 0; i < n; i++) this.#cost[s] += steps[i][age[i]];
        for (let q = 0; q < n; q++) {
          let to = start[q];
          for (let i = 0, radix = 1; i < n; i++) {
            if (i === q) continue;
            to += radix * (Math.min(age[i] + 1, oldest[i]) - 2);
            radix *= oldest[i] - 1;
          }
          this.#next[n * s + q] = to;
        }
      }
    }
  }

  /** Makes every access of the last page cheaper by `reward`. */
  rewardLast(reward: number): void {
    for (let s = this.#start[this.#n - 1]; s < this.#states; s++) this.#cost[s] -= reward;
  }

  leastMean(budget: Budget): LeastMean {
    const d = new Float64Array(this.#states);
    const choice = this.#choice ?? this.#cheapestNext();
    this.#choice = choice;
    let cycle = this.#bestCycle(choice);
    for (let iteration = 0; iteration < mostIterations && !budget.stopRequested(); iteration++) {
      this.#evaluate(choice, cycle, d);
      if (!this.#improve(choice, cycle.mean, d)) break;
      cycle = this.#bestCycle(choice);
    }
    return { sequence: this.#sequence(choice, cycle.state), bound: this.#bound(d) };
  }

  /** To begin with: the page whose access makes the next state the cheapest. */
  #cheapestNext(): Uint8Array {
    const n = this.#n;
    return Uint8Array.from({ length: this.#states }, (_, s) => {
      let best = 0;
      for (let q = 1; q < n; q++)
        if (this.#cost[this.#next[n * s + q]] < this.#cost[this.#next[n * s + best]]) best = q;
      return best;
    });
  }

  /** The cycle of least mean cost among those in which the choices end. O(states). */
  #bestCycle(choice: Uint8Array): { readonly state: number; readonly mean: number } {
    const seen = new Int32Array(this.#states).fill(-1);
    let best = { state: 0, mean: Number.POSITIVE_INFINITY };
    for (let first = 0; first < this.#states; first++) {
      let s = first;
      while (seen[s] < 0) {
        seen[s] = first;
        s = this.#after(choice, s);
      }
      if (seen[s] !== first) continue;
      let [sum, count, at] = [0, 0, s];
      do {
        sum += this.#cost[at];
        count++;
        at = this.#after(choice, at);
      } while (at !== s);
      if (sum / count < best.mean) best = { state: s, mean: sum / count };
    }
    return best;
  }

  /** d of every state from which the choices lead into the cycle. O(states). */
  #evaluate(
    choice: Uint8Array,
    { state, mean }: { readonly state: number; readonly mean: number },
    d: Float64Array,
  ): void {
    // 1: known, 2: leads elsewhere, 3: on the present path
    const mark = new Uint8Array(this.#states);
    mark[state] = 1;
    const path: number[] = [];
    for (let first = 0; first < this.#states; first++) {
      let s = first;
      while (mark[s] === 0) {
        mark[s] = 3;
        path.push(s);
        s = this.#after(choice, s);
      }
      const leads = mark[s] === 1;
      for (let at = path.pop(); at !== undefined; at = path.pop()) {
        mark[at] = leads ? 1 : 2;
        if (leads) d[at] = this.#cost[at] - mean + d[this.#after(choice, at)];
      }
    }
  }

  /** Better choices at these values; whether there were any. O(states · N). */
  #improve(choice: Uint8Array, mean: number, d: Float64Array): boolean {
    const n = this.#n;
    let improved = false;
    for (let s = 0; s < this.#states; s++) {
      for (let q = 0; q < n; q++) {
        const value = this.#cost[s] - mean + d[this.#next[n * s + q]];
        if (value < d[s]) {
          if (value < d[s] - rounding * (Math.abs(d[s]) + this.#cost[s])) improved = true;
          else continue;
          d[s] = value;
          choice[s] = q;
        }
      }
    }
    return improved;
  }

  #bound(d: Float64Array): number {
    const n = this.#n;
    let least = Number.POSITIVE_INFINITY;
    for (let s = 0; s < this.#states; s++)
      for (let q = 0; q < n; q++) least = Math.min(least, this.#cost[s] + d[this.#next[n * s + q]] - d[s]);
    return least;
  }

  #sequence(choice: Uint8Array, state: number): Uint32Array {
    const sequence: number[] = [];
    let s = state;
    do {
      sequence.push(choice[s]);
      s = this.#after(choice, s);
    } while (s !== state);
    return Uint32Array.from(sequence);
  }

  #after(choice: Uint8Array, s: number): number {
    return this.#next[this.#n * s + choice[s]];
  }
}
