/**
 * A controlled chain in continuous time: in every state one of several options holds, each with its moves and what it
 * earns per unit of time.
 *
 * Moves are rows that many states share: a row lists offsets to other states, and rates. All moves of state s under
 * option o are those of its own row, which no option changes, and those of the option's row.
 */
export interface ControlledChain {
  readonly states: number;
  /** The longest moves to lower and to higher numbers. */
  readonly down: number;
  readonly up: number;
  /** Row r: moves begins[r]…begins[r + 1] − 1, each by offsets[i] at rates[i] > 0. */
  readonly begins: Int32Array;
  readonly offsets: Int32Array;
  readonly rates: Float64Array;
  /** The row that all options of a state share. */
  readonly ownRow: Int32Array;
  /** Options of state s: first[s]…first[s + 1] − 1, with their rows. */
  readonly first: Int32Array;
  readonly optionRow: Int32Array;
  /** rewards[c][option] per unit of time. */
  readonly rewards: readonly Float64Array[];
}

/** An option for each state, by its number. */
export type Policy = Int32Array;

/** Collects the rows of a chain, then its states in their order, each with its options. */
export class ChainBuilder {
  readonly #begins: number[] = [0];
  readonly #offsets: number[] = [];
  readonly #rates: number[] = [];
  readonly #ownRow: number[] = [];
  readonly #first: number[] = [0];
  readonly #optionRow: number[] = [];
  readonly #rewards: number[][];
  #down = 0;
  #up = 0;

  /** @param columns of rewards */
  constructor(columns: number) {
    this.#rewards = Array.from({ length: columns }, () => []);
  }

  /** A row of moves [offset, rate]; those at rate 0, and those that lead nowhere, are left out. */
  row(moves: Iterable<readonly [offset: number, rate: number]>): number {
    for (const [offset, rate] of moves) {
      if (rate === 0 || offset === 0) continue;
      this.#offsets.push(offset);
      this.#rates.push(rate);
      this.#down = Math.max(this.#down, -offset);
      this.#up = Math.max(this.#up, offset);
    }
    this.#begins.push(this.#offsets.length);
    return this.#begins.length - 2;
  }

  /** Adds an option of the state that is being described. */
  option(row: number, rewards: readonly number[]): void {
    this.#optionRow.push(row);
    for (const [c, reward] of rewards.entries()) this.#rewards[c].push(reward);
  }

  /** Ends the description of a state. */
  endState(ownRow: number): void {
    this.#ownRow.push(ownRow);
    this.#first.push(this.#optionRow.length);
  }

  chain(): ControlledChain {
    return {
      states: this.#ownRow.length,
      down: this.#down,
      up: this.#up,
      begins: Int32Array.from(this.#begins),
      offsets: Int32Array.from(this.#offsets),
      rates: Float64Array.from(this.#rates),
      ownRow: Int32Array.from(this.#ownRow),
      first: Int32Array.from(this.#first),
      optionRow: Int32Array.from(this.#optionRow),
      rewards: this.#rewards.map((column) => Float64Array.from(column)),
    };
  }
}
