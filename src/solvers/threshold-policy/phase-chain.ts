/**
 * The queue for a controller that sees arrival and service phases, with exponential (or no) obsolescence, as a
 * controlled chain: an option is a mode.
 *
 * States: (0, ν), then (i, ν, m) at W + (i − 1)·W·M + ν·M + m. An empty system has no service phase: the first page of a
 * batch begins its service, in a phase drawn from β. Reward columns: the totals of queue/measures.ts. What becomes of
 * the pages does not depend on the policy (fates.ts), so how many of those present will be served is a reward too.
 *
 * It gives the best table (best-table.ts), measures a given one, and bounds thresholds: within the modes allowed at each
 * level no threshold policy is better than the best of those that see the phases.
 */
import type { Budget } from '../budget.ts';
import { type Allowed, ChainBuilder, ChainSolver, type ControlledChain, type Weights } from '../chain/index.ts';
import type { Totals } from '../queue/measures.ts';
import { leastWhenEmpty, obsolescenceRate, type Queue } from '../queue/queue.ts';
import type { ModeByState } from '../queue/state-policy.ts';
import type { Fates } from './evaluate/fates.ts';

/** The reward columns, in order. */
const columns = [
  'lossRate',
  'obsolescenceRate',
  'starvationProbability',
  'activeCrawlers',
  'toBeServed',
  'successRate',
  'toExpire',
  'queueLength',
] as const satisfies readonly (keyof Totals)[];

/** Weights of the totals; those left out are 0. */
export type TotalsWeights = Partial<Totals>;

/** A mode for each state of the chain. */
export type ModeByPhase = Uint8Array;

/** The modes allowed at each level 0..K; levels above K are as K. */
export interface AllowedModes {
  readonly lowest: Uint8Array;
  readonly highest: Uint8Array;
}

/** Every mode at every level, but none that would leave an empty system asleep. */
export function allModes(queue: Queue): AllowedModes {
  const lowest = new Uint8Array(queue.capacity + 1);
  lowest[0] = leastWhenEmpty(queue);
  return { lowest, highest: new Uint8Array(queue.capacity + 1).fill(queue.modes.length - 1) };
}

export class PhaseChain {
  readonly queue: Queue;
  readonly states: number;
  readonly #solver: ChainSolver;
  readonly #modes: number;

  constructor(queue: Queue, fates: Fates, budget: Budget) {
    this.queue = queue;
    this.#modes = queue.modes.length;
    const chain = chainOf(queue, fates);
    this.states = chain.states;
    this.#solver = new ChainSolver(chain, 0, budget);
  }

  /** The first state of a level; of the level above the top: the number of states. */
  begin(level: number): number {
    const { arrivalPhases: w, service } = this.queue;
    return level === 0 ? 0 : w + (level - 1) * w * service.phases;
  }

  /** The same mode in all states of a level. */
  ofLevels(byLevel: ArrayLike<number>): ModeByPhase {
    const modes = new Uint8Array(this.states);
    for (let level = 0; level <= this.queue.topLevel; level++) {
      modes.fill(byLevel[Math.min(level, byLevel.length - 1)], this.begin(level), this.begin(level + 1));
    }
    return modes;
  }

  /** From a table with a row of W·M states for every level, and back. */
  ofTable(table: ModeByState): ModeByPhase {
    const { arrivalPhases: w, service } = this.queue;
    return Uint8Array.from({ length: this.states }, (_, s) =>
      s < w ? table[s * service.phases] : table[s - w + w * service.phases],
    );
  }

  toTable(modes: ModeByPhase): ModeByState {
    const { arrivalPhases: w, service } = this.queue;
    const n = w * service.phases;
    return Uint8Array.from({ length: n + this.states - w }, (_, at) =>
      at < n ? modes[Math.floor(at / service.phases)] : modes[at - n + w],
    );
  }

  /** Totals of the policy evaluated last, per unit of time. */
  totals(): Totals {
    const [
      lossRate,
      obsolescenceRate,
      starvationProbability,
      activeCrawlers,
      toBeServed,
      successRate,
      toExpire,
      queueLength,
    ] = this.#solver.totals;
    return {
      lossRate,
      obsolescenceRate,
      starvationProbability,
      activeCrawlers,
      toBeServed,
      successRate,
      toExpire,
      queueLength,
    };
  }

  /** The stationary distribution of that policy. */
  get shares(): Float64Array {
    return this.#solver.shares;
  }

  /** Weighted totals of a policy. */
  evaluate(weights: TotalsWeights, modes: ModeByPhase): number {
    const policy = Int32Array.from(modes, (mode, s) => s * this.#modes + mode);
    return this.#solver.evaluate(listOf(weights), policy, this.#allowed(allModes(this.queue)));
  }

  /**
   * Minimises weighted totals within the modes allowed.
   *
   * @param modes where to begin, holds the best policy found on return
   * @returns a lower bound for every policy allowed
   * @throws NothingToReturn when the budget ends during an evaluation that takes long
   */
  minimise(weights: TotalsWeights, allowed: AllowedModes, modes: ModeByPhase): number {
    const options = this.#allowed(allowed);
    const policy = Int32Array.from(this.within(allowed, modes), (mode, s) => s * this.#modes + mode);
    const bound = this.#solver.minimise(listOf(weights), policy, options);
    for (const [s, option] of policy.entries()) modes[s] = option - s * this.#modes;
    return bound;
  }

  /** The modes nearest to these of those allowed. */
  within({ lowest, highest }: AllowedModes, modes: ModeByPhase): ModeByPhase {
    const nearest = modes.slice();
    for (let level = 0; level <= this.queue.topLevel; level++) {
      const row = Math.min(level, this.queue.capacity);
      for (let s = this.begin(level); s < this.begin(level + 1); s++) {
        nearest[s] = Math.max(lowest[row], Math.min(highest[row], modes[s]));
      }
    }
    return nearest;
  }

  #allowed({ lowest, highest }: AllowedModes): Allowed {
    const from = new Int32Array(this.states);
    const to = new Int32Array(this.states);
    for (let level = 0; level <= this.queue.topLevel; level++) {
      const row = Math.min(level, this.queue.capacity);
      for (let s = this.begin(level); s < this.begin(level + 1); s++) {
        from[s] = s * this.#modes + lowest[row];
        to[s] = s * this.#modes + highest[row] + 1;
      }
    }
    return { from, to };
  }
}

const listOf = (weights: TotalsWeights): Weights => columns.map((name) => weights[name] ?? 0);

function chainOf(queue: Queue, fates: Fates): ControlledChain {
  const { topLevel, arrivals, arrivalPhases: w, modes } = queue;
  const { initial, exit, generator, phases } = queue.service;
  const expiry = obsolescenceRate(queue);
  const builder = new ChainBuilder(columns.length);
  const none = builder.row([]);
  // Levels that see the same arrivals share their rows: one for each mode and arrival phase.
  const shared = new Map<object, number>();
  for (let level = 0; level <= topLevel; level++) {
    const rows = arrivals.map((levels) => {
      const first = shared.get(levels[level]);
      if (level > 1 && first !== undefined) return first;
      const begin = Array.from({ length: w }, (_, v) =>
        builder.row(arrivalMoves(levels[level].blocks, v, level === 0)),
      )[0];
      shared.set(levels[level], begin);
      return begin;
    });
    for (let state = 0; state < (level === 0 ? w : w * phases); state++) {
      const m = level === 0 ? 0 : state % phases;
      const v = level === 0 ? state : (state - m) / phases;
      const waiting = Math.max(0, level - 1);
      for (const [mode, { crawlers }] of modes.entries()) {
        builder.option(rows[mode] + v, [
          arrivals[mode][level].lossRate[v],
          waiting * expiry,
          level === 0 ? 1 : 0,
          crawlers,
          fates.toBeServed[level][m],
          level === 0 ? 0 : exit[m],
          fates.toExpire[level][m],
          level,
        ]);
      }
      builder.endState(level === 0 ? none : builder.row(serviceMoves(level, v, m)));
    }
  }
  return builder.chain();

  function* arrivalMoves(blocks: readonly Float64Array[], v: number, empty: boolean): Generator<[number, number]> {
    for (const [step, block] of blocks.entries()) {
      for (let to = 0; to < w; to++) {
        const rate = block[v * w + to];
        if (!empty) yield [step * w * phases + (to - v) * phases, rate];
        else if (step === 0) yield [to - v, rate];
        else
          for (let m = 0; m < phases; m++) yield [w + (step - 1) * w * phases + to * phases + m - v, rate * initial[m]];
      }
    }
  }

  function* serviceMoves(level: number, v: number, m: number): Generator<[number, number]> {
    const below = level === 1 ? v - (w + v * phases + m) : -w * phases;
    for (let next = 0; next < phases; next++) {
      if (next !== m) yield [next - m, generator[m * phases + next]];
      if (level > 1) yield [below + next - m, exit[m] * initial[next] + (next === m ? (level - 1) * expiry : 0)];
    }
    if (level === 1) yield [below, exit[m]];
  }
}
