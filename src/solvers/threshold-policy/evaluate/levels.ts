/**
 * Measures and stationary distribution of a policy by queue length: block elimination of the levels from the top down.
 *
 * Level 0 has W states. Level i has (ω, ν, m), ω the phases of the i − 1 waiting pages (waiting-words.ts), at
 * ω·W·M + ν·M + m. Every way down leads one level lower, so with the levels above i eliminated, T_i the rates left inside
 * level i, H_i = [G_i | R_i] = (−T_i)⁻¹[Q_{i,i−1} | rewards] holds the probabilities of entering each state of level
 * i − 1 and what is gathered until then. H_i depends on the modes of levels i and above alone: a policy that differs from
 * the one measured last from level i downwards redoes levels i … 0 only. State reduction throughout, no subtraction.
 * O(k_max·n_i²·(n_{i−1} + 8)) a level, n_i its states.
 *
 * Source: Avrachenkov et al. (2012), section 3, steps 1–5, after Klimenok et al.; state reduction: see small-matrices.ts.
 */
import { type Budget, type Poll, pollOf } from '../../budget.ts';
import { ConditionNotMet } from '../../condition.ts';
import { solveByStateReduction, stationaryByStateReduction } from '../../numerics/linear/small-matrices.ts';
import type { Totals } from '../../queue/measures.ts';
import { blockSize, type LevelArrivals, type ModeByLevel, type PhaseType, type Queue } from '../../queue/queue.ts';
import type { Fates } from './fates.ts';
import { chanceOf, expiries, phaseChanges, type WordMove, waitingLaw, wordsAt } from './waiting-words.ts';

/** Shares of the states of each level; all of them sum to 1. */
export type LevelShares = readonly Float64Array[];

/** Loss, expiry, crawlers, to be served, to expire, service ends, queue length, time. */
const columns = 8;
const time = columns - 1;
/** Under overload unnormalised shares grow from level to level: beyond this they are scaled back. */
const largeShare = 1e200;

/** Moves as rows of a sparse matrix: from row r to targets[begins[r]…begins[r + 1] − 1]. */
interface SparseRows {
  readonly begins: Int32Array;
  readonly targets: Int32Array;
  readonly rates: Float64Array;
}

/** What does not depend on the policy, for each level. */
interface Level {
  readonly size: number;
  /** Of service and of the phases of waiting pages, inside the level. */
  readonly inside: SparseRows;
  /** To the level below: ends of services and expiries. */
  readonly down: SparseRows;
  /** size × columns, without what depends on the mode: loss and crawlers. */
  readonly rewards: Float64Array;
  /** H of the policy measured last, size × (size of the level below + columns); empty at level 0. */
  readonly descent: Float64Array;
}

export class LevelElimination {
  readonly queue: Queue;
  readonly states: number;
  readonly #law: PhaseType;
  readonly #poll: Poll;
  readonly #levels: readonly Level[];
  /** Of arrivals, by arrival blocks and words of a level: a row for each state and number of levels up. */
  readonly #batches = new Map<LevelArrivals, Map<number, SparseRows>>();
  /** A row of each level, zero between uses. */
  readonly #carried: readonly Float64Array[];
  readonly #within: Float64Array;
  readonly #exit: Float64Array;
  readonly #rewards: Float64Array;
  /** The policy whose H are at hand. */
  #last: ModeByLevel | null = null;

  constructor(queue: Queue, fates: Fates, budget: Budget) {
    this.queue = queue;
    this.#poll = pollOf(budget, 'a policy had not been measured');
    this.#law = waitingLaw(queue);
    const sizes = levelSizes(queue);
    this.states = sizes.reduce((sum, size) => sum + size, 0);
    this.#levels = sizes.map((size, level) => levelOf(queue, fates, level, size, sizes[level - 1] ?? 0));
    this.#carried = sizes.map((size) => new Float64Array(size));
    const largest = Math.max(...sizes.slice(-1), sizes[0]);
    this.#within = new Float64Array(largest * largest);
    this.#exit = new Float64Array(largest);
    this.#rewards = new Float64Array(largest * columns);
  }

  /**
   * Totals of a policy per unit of time.
   *
   * @throws NothingToReturn when the budget ends first; ConditionNotMet where doubles cannot hold them
   */
  evaluate(byLevel: ModeByLevel): Totals {
    const totals = this.#fromDescents(byLevel);
    // Passages down from a long queue under overload leave the range of doubles; shares are positive in range.
    const inRange = Object.values(totals).every((value: number) => value < Number.POSITIVE_INFINITY);
    return checkTotals(inRange ? totals : this.#totalsOf(this.distribution(byLevel), byLevel));
  }

  #fromDescents(byLevel: ModeByLevel): Totals {
    const rates = this.#eliminateTo(byLevel);
    const { size } = this.#levels[0];
    const law = new Float64Array(size);
    stationaryByStateReduction(rates.within, law, size);
    const sums = new Float64Array(columns);
    for (let s = 0; s < size; s++) for (let c = 0; c < columns; c++) sums[c] += law[s] * rates.rewards[s * columns + c];
    const [loss, expiry, crawlers, toBeServed, toExpire, ends, length] = sums.map((sum) => sum / sums[time]);
    return {
      lossRate: loss,
      obsolescenceRate: expiry,
      starvationProbability: 1 / sums[time],
      activeCrawlers: crawlers,
      toBeServed,
      toExpire,
      successRate: ends,
      queueLength: length,
    };
  }

  /** The stationary distribution of a policy: levels are put back from the bottom up. */
  distribution(byLevel: ModeByLevel): LevelShares {
    const { within } = this.#eliminateTo(byLevel);
    const { topLevel } = this.queue;
    const shares = this.#levels.map(({ size }) => new Float64Array(size));
    const inflow = this.#levels.map(({ size }) => new Float64Array(size));
    stationaryByStateReduction(within, shares[0], shares[0].length);
    for (let level = 0; level <= topLevel; level++) {
      if (level > 0) shares[level].set(this.#throughLevel(level, byLevel, inflow[level]));
      const steps = this.#steps(level, byLevel);
      const batches = this.#batchesOf(level, byLevel[level]);
      let above: Float64Array | null = null;
      for (let step = steps; step > 0; step--) {
        const moving = new Float64Array(this.#levels[level + step].size);
        if (above !== null) this.#descend(level + step + 1, above, moving, null);
        for (let s = 0; s < shares[level].length; s++) {
          const at = s * (steps + 1) + step;
          for (let i = batches.begins[at]; i < batches.begins[at + 1]; i++) {
            moving[batches.targets[i]] += shares[level][s] * batches.rates[i];
          }
        }
        for (let s = 0; s < moving.length; s++) inflow[level + step][s] += moving[s];
        above = moving;
      }
      if (shares[level].some((share) => share > largeShare)) {
        for (const vector of [...shares, ...inflow]) for (let s = 0; s < vector.length; s++) vector[s] /= largeShare;
      }
    }
    let total = 0;
    for (const law of shares) for (const share of law) total += share;
    for (const law of shares) for (let s = 0; s < law.length; s++) law[s] /= total;
    return shares;
  }

  /** inflow·(−T)⁻¹ of a level, the levels above eliminated. */
  #throughLevel(level: number, byLevel: ModeByLevel, inflow: Float64Array): Float64Array {
    const { size } = this.#levels[level];
    const { within, exit } = this.#gather(level, byLevel);
    const inverse = new Float64Array(size * size);
    for (let s = 0; s < size; s++) inverse[s * size + s] = 1;
    solveByStateReduction(within, exit, inverse, size, size, this.#poll);
    const share = new Float64Array(size);
    for (let from = 0; from < size; from++) {
      if (inflow[from] === 0) continue;
      for (let s = 0; s < size; s++) share[s] += inflow[from] * inverse[from * size + s];
    }
    return share;
  }

  #totalsOf(shares: LevelShares, byLevel: ModeByLevel): Totals {
    const sums = new Float64Array(columns);
    for (const [level, law] of shares.entries()) {
      this.#setRewards(level, byLevel[level]);
      for (const [s, share] of law.entries()) {
        for (let c = 0; c < columns; c++) sums[c] += share * this.#rewards[s * columns + c];
      }
    }
    const [loss, expiry, crawlers, toBeServed, toExpire, ends, length] = sums;
    return {
      lossRate: loss,
      obsolescenceRate: expiry,
      starvationProbability: shares[0].reduce((sum, share) => sum + share, 0),
      activeCrawlers: crawlers,
      toBeServed,
      toExpire,
      successRate: ends,
      queueLength: length,
    };
  }

  #steps(level: number, byLevel: ModeByLevel): number {
    return this.queue.arrivals[byLevel[level]][level].blocks.length - 1;
  }

  /** Eliminates the levels that differ from the policy before, and those below them; gives what is left of level 0. */
  #eliminateTo(byLevel: ModeByLevel) {
    let level = this.queue.topLevel;
    const last = this.#last;
    if (last !== null) while (level > 0 && last[level] === byLevel[level]) level--;
    this.#last = null;
    for (; level > 0; level--) {
      const { size, descent, down } = this.#levels[level];
      const below = this.#levels[level - 1].size;
      const { within, exit, rewards } = this.#gather(level, byLevel);
      const width = below + columns;
      descent.fill(0);
      for (let s = 0; s < size; s++) {
        const row = s * width;
        for (let i = down.begins[s]; i < down.begins[s + 1]; i++) descent[row + down.targets[i]] += down.rates[i];
        for (let c = 0; c < columns; c++) descent[row + below + c] = rewards[s * columns + c];
      }
      solveByStateReduction(within, exit, descent, size, width, this.#poll);
    }
    this.#last = byLevel.slice();
    return this.#gather(0, byLevel);
  }

  /** Rates inside a level, rates down, and rewards of a level, those above eliminated; overwritten by the next call. */
  #gather(level: number, byLevel: ModeByLevel) {
    const { size, inside, down } = this.#levels[level];
    const [within, exit, rewards] = [this.#within, this.#exit, this.#rewards];
    const batches = this.#batchesOf(level, byLevel[level]);
    const steps = this.#steps(level, byLevel);
    within.fill(0, 0, size * size);
    this.#setRewards(level, byLevel[level]);
    for (let s = 0; s < size; s++) {
      const row = s * size;
      for (let step = steps; step > 0; step--) {
        const vector = this.#carried[level + step];
        const at = s * (steps + 1) + step;
        for (let i = batches.begins[at]; i < batches.begins[at + 1]; i++)
          vector[batches.targets[i]] += batches.rates[i];
        this.#descend(level + step, vector, this.#carried[level + step - 1], rewards, s * columns);
        vector.fill(0);
      }
      const left = this.#carried[level];
      for (let to = 0; to < size; to++) {
        within[row + to] = left[to];
        left[to] = 0;
      }
      const at = s * (steps + 1);
      for (let i = batches.begins[at]; i < batches.begins[at + 1]; i++)
        within[row + batches.targets[i]] += batches.rates[i];
      for (let i = inside.begins[s]; i < inside.begins[s + 1]; i++) within[row + inside.targets[i]] += inside.rates[i];
      exit[s] = 0;
      for (let i = down.begins[s]; i < down.begins[s + 1]; i++) exit[s] += down.rates[i];
    }
    return { within, exit, rewards };
  }

  #setRewards(level: number, mode: number): void {
    const { size, rewards } = this.#levels[level];
    const { arrivals, modes, service, arrivalPhases: w } = this.queue;
    const { lossRate } = arrivals[mode][level];
    const phases = level === 0 ? 1 : service.phases;
    this.#rewards.set(rewards);
    for (let s = 0; s < size; s++) {
      this.#rewards[s * columns] = lossRate[Math.floor(s / phases) % w];
      this.#rewards[s * columns + 2] = modes[mode].crawlers;
    }
  }

  /** below += vector·G of a level; gathered += vector·R, where that is wanted. */
  #descend(level: number, vector: Float64Array, below: Float64Array, gathered: Float64Array | null, at = 0): void {
    const { descent } = this.#levels[level];
    const inner = below.length;
    const width = inner + columns;
    if (vector.length > 100) this.#poll(vector.length * width);
    for (let s = 0; s < vector.length; s++) {
      const weight = vector[s];
      if (weight === 0) continue;
      const row = s * width;
      for (let c = 0; c < inner; c++) below[c] += weight * descent[row + c];
      if (gathered !== null) for (let c = 0; c < columns; c++) gathered[at + c] += weight * descent[row + inner + c];
    }
  }

  #batchesOf(level: number, mode: number): SparseRows {
    const arrivals = this.queue.arrivals[mode][level];
    let known = this.#batches.get(arrivals);
    if (known === undefined) {
      known = new Map();
      this.#batches.set(arrivals, known);
    }
    // Levels with one word have the same moves, but for the empty system.
    const key = level === 0 ? 0 : wordsAt(this.#law, level);
    const moves = known.get(key) ?? batchMoves(this.queue, this.#law, level, arrivals);
    known.set(key, moves);
    return moves;
  }
}

function levelSizes(queue: Queue): number[] {
  const law = waitingLaw(queue);
  return Array.from({ length: queue.topLevel + 1 }, (_, level) =>
    level === 0 ? queue.arrivalPhases : wordsAt(law, level) * blockSize(queue),
  );
}

function levelOf(queue: Queue, fates: Fates, level: number, size: number, below: number): Level {
  const { arrivalPhases: w, service } = queue;
  const { phases, generator, initial, exit } = service;
  const law = waitingLaw(queue);
  const b = w * phases;
  const letters = Math.max(0, level - 1);
  const inside: WordMove[][] = [];
  const down: WordMove[][] = [];
  const rewards = new Float64Array(size * columns);
  for (let s = 0; s < size; s++) {
    const word = level === 0 ? 0 : Math.floor(s / b);
    const state = s - word * b;
    const m = level === 0 ? 0 : state % phases;
    const tail = (word % wordsAt(law, level - 1)) * b;
    const expiring = level === 0 ? [] : expiries(law, letters, word);
    const row = s * columns;
    rewards[row + 3] = fates.toBeServed[level][word * phases + m];
    rewards[row + 4] = fates.toExpire[level][word * phases + m];
    rewards[row + 6] = level;
    rewards[row + 7] = 1;
    inside.push([]);
    down.push([]);
    if (level === 0) continue;
    rewards[row + 1] = expiring.reduce((sum, [, rate]) => sum + rate, 0);
    rewards[row + 5] = exit[m];
    for (let next = 0; next < phases; next++)
      if (next !== m) inside[s].push([s - m + next, generator[m * phases + next]]);
    for (const [to, rate] of phaseChanges(law, letters, word)) inside[s].push([s + (to - word) * b, rate]);
    if (level === 1) {
      down[s].push([(state - m) / phases, exit[m]]);
      continue;
    }
    for (let next = 0; next < phases; next++) down[s].push([tail + state - m + next, exit[m] * initial[next]]);
    for (const [shorter, rate] of expiring) down[s].push([shorter * b + state, rate]);
  }
  const descent = new Float64Array(level === 0 ? 0 : size * (below + columns));
  return { size, inside: sparse(inside), down: sparse(down), rewards, descent };
}

/** The moves of arrivals from a level: row s·(steps + 1) + step from state s to the states `step` levels higher. */
function batchMoves(queue: Queue, law: PhaseType, level: number, { blocks }: LevelArrivals): SparseRows {
  const { arrivalPhases: w, service } = queue;
  const { phases, initial } = service;
  const b = w * phases;
  const rows: WordMove[][] = [];
  for (let s = 0; s < (level === 0 ? w : wordsAt(law, level) * b); s++) {
    const word = level === 0 ? 0 : Math.floor(s / b);
    const m = level === 0 ? 0 : s % phases;
    const v = level === 0 ? s : Math.floor((s - word * b) / phases);
    for (const [step, block] of blocks.entries()) {
      const moves: WordMove[] = [];
      // From an empty system the first page of the batch goes to the server.
      const fresh = level === 0 ? Math.max(0, step - 1) : step;
      const suffixes = law.phases ** fresh;
      for (let to = 0; to < w; to++) {
        const rate = block[v * w + to];
        if (step === 0 && to === v) continue;
        if (level === 0 && step === 0) {
          moves.push([to, rate]);
          continue;
        }
        for (let suffix = 0; suffix < suffixes; suffix++) {
          const at = (word * suffixes + suffix) * b + to * phases;
          const flow = rate * chanceOf(law, fresh, suffix);
          if (level > 0) moves.push([at + m, flow]);
          else for (let begin = 0; begin < phases; begin++) moves.push([at + begin, flow * initial[begin]]);
        }
      }
      rows.push(moves);
    }
  }
  return sparse(rows);
}

function sparse(rows: readonly (readonly WordMove[])[]): SparseRows {
  const begins = new Int32Array(rows.length + 1);
  const moves = rows.flatMap((row, r) => {
    const positive = row.filter(([, rate]) => rate > 0);
    begins[r + 1] = begins[r] + positive.length;
    return positive;
  });
  return { begins, targets: Int32Array.from(moves, ([to]) => to), rates: Float64Array.from(moves, ([, rate]) => rate) };
}

/**
 * Where rates are too far apart, shares underflow, and Little's law tells.
 *
 * @throws ConditionNotMet
 */
export function checkTotals(totals: Totals): Totals {
  const { toBeServed, toExpire, queueLength, successRate } = totals;
  const finite = Object.values(totals).every((value: number) => value >= 0 && value < Number.POSITIVE_INFINITY);
  if (finite && successRate > 0 && Math.abs(toBeServed + toExpire - queueLength) <= 1e-6 * queueLength) return totals;
  throw new ConditionNotMet(
    [],
    'rates-too-far-apart',
    'has rates (of arrivals, service and obsolescence) too far apart for double precision: leave out the phases that are ' +
      'hardly ever entered or left at once, or the modes that hardly ever bring a page',
  );
}
