/**
 * A controlled chain in continuous time: in every state one of several options holds, each with its moves and its
 * costs per unit of time.
 *
 * Moves and costs are kept in rows that many states share: a row lists offsets to other states, their rates, and costs.
 * All moves and costs of a state under an option are those of the state's own row and those of the option's row. The
 * options of a state are consecutive rows, so that a few numbers a state are kept, however many options it has.
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
  /** costs[c][row] per unit of time. */
  readonly costs: readonly Float64Array[];
  /** Of each state: the row that all its options share. */
  readonly ownRow: Int32Array;
  /** The options of state s: rows firstOption[s]…endOption[s] − 1. */
  readonly firstOption: Int32Array;
  readonly endOption: Int32Array;
}

/** For each state the row of its option. */
export type Policy = Int32Array;

/** Collects the rows of a chain, and its states in their order. */
export class ChainBuilder {
  readonly #begins: number[] = [0];
  readonly #offsets: number[] = [];
  readonly #rates: number[] = [];
  readonly #costs: number[][];
  readonly #ownRow: number[] = [];
  readonly #firstOption: number[] = [];
  readonly #endOption: number[] = [];
  #down = 0;
  #up = 0;

  /** @param columns of costs */
  constructor(columns: number) {
    this.#costs = Array.from({ length: columns }, () => []);
  }

  /**
   * Adds a row of moves [offset, rate] and its cost in each column; moves of rate 0 or offset 0 are left out.
   *
   * @returns the number of the row
   */
  row(moves: Iterable<readonly [offset: number, rate: number]>, costs: readonly number[]): number {
    for (const [offset, rate] of moves) {
      if (rate === 0 || offset === 0) continue;
      this.#offsets.push(offset);
      this.#rates.push(rate);
      this.#down = Math.max(this.#down, -offset);
      this.#up = Math.max(this.#up, offset);
    }
    this.#begins.push(this.#offsets.length);
    for (const [c, column] of this.#costs.entries()) column.push(costs[c] ?? 0);
    return this.#begins.length - 2;
  }

  /** Adds a state whose options are the `options` rows from `firstOption` on. */
  state(ownRow: number, firstOption: number, options: number): void {
    this.#ownRow.push(ownRow);
    this.#firstOption.push(firstOption);
    this.#endOption.push(firstOption + options);
  }

  chain(): ControlledChain {
    return {
      states: this.#ownRow.length,
      down: this.#down,
      up: this.#up,
      begins: Int32Array.from(this.#begins),
      offsets: Int32Array.from(this.#offsets),
      rates: Float64Array.from(this.#rates),
      costs: this.#costs.map((column) => Float64Array.from(column)),
      ownRow: Int32Array.from(this.#ownRow),
      firstOption: Int32Array.from(this.#firstOption),
      endOption: Int32Array.from(this.#endOption),
    };
  }
}
