/**
 * The queue as a controlled chain whose controller sees everything: arrival and service phases, and the phases of the
 * waiting pages. An option is a mode.
 *
 * States: (0, ν), then (i, ω, ν, m) at begin(i) + ω·W·M + ν·M + m, ω the word of the i − 1 waiting pages
 * (waiting-phases.ts; one word with exponential or no obsolescence). An empty system has no service phase: the first page
 * of a batch begins its service, in a phase drawn from β. Cost columns: the totals of queue/measures.ts. What becomes
 * of the pages does not depend on the policy (page-chain.ts), so how many of those present will be served is a cost.
 *
 * It gives the best table, measures any policy, and bounds thresholds: within the modes allowed at each level no
 * threshold policy is better than the best of those that see the phases.
 */
import type { Budget } from '../budget.ts';
import { type AllowedOptions, ChainBuilder, ChainSolver, type ControlledChain, type Weights } from '../chain/index.ts';
import { ConditionNotMet } from '../condition.ts';
import { admitPages } from '../queue/admission.ts';
import { type Totals, totalNames } from '../queue/measures.ts';
import {
  blockSize,
  constantPolicy,
  type Mode,
  type ModeByLevel,
  minModeWhenEmpty,
  type Queue,
} from '../queue/queue.ts';
import type { PageOutcomes } from './page-chain.ts';
import {
  expiries,
  type Move,
  phaseChanges,
  waitingLaw,
  waitingPhaseCount,
  waitingPhaseProbability,
} from './waiting-phases.ts';

/** Weights of the totals; those left out are 0. */
export type TotalsWeights = Partial<Totals>;

/** Weights of the cost columns, which are the totals in the order of `totalNames`. */
const columnsOf = (weights: TotalsWeights): Weights => totalNames.map((name) => weights[name] ?? 0);

/** Totals from their columns. */
export function totalsOf(sums: Float64Array): Totals {
  const [lossRate, obsolescenceRate, starvationProbability, activeCrawlers] = sums;
  const [toBeServed, toExpire, successRate, queueLength] = sums.subarray(4);
  const numbers = { toBeServed, toExpire, successRate, queueLength };
  return { lossRate, obsolescenceRate, starvationProbability, activeCrawlers, ...numbers };
}

/** A mode for each state of the chain. */
export type ModeByPhase = Uint8Array;

/** The least and the most active mode allowed at each level 0..topLevel. */
export interface AllowedModes {
  readonly lowest: ModeByLevel;
  readonly highest: ModeByLevel;
}

export class PhaseChain {
  readonly queue: Queue;
  readonly controlledChain: ControlledChain;
  /** Every mode at every level; in an empty system only modes with crawlers active. */
  readonly allModes: AllowedModes;
  readonly #begins: readonly number[];
  readonly #solver: ChainSolver;
  readonly #allOptions: AllowedOptions;

  constructor(queue: Queue, outcomes: PageOutcomes, budget: Budget) {
    this.queue = queue;
    const lowest = constantPolicy(queue, 0);
    lowest[0] = minModeWhenEmpty(queue);
    this.allModes = { lowest, highest: constantPolicy(queue, queue.modes.length - 1) };
    this.#begins = levelBegins(queue);
    this.controlledChain = chainOf(queue, outcomes, this.#begins);
    this.#solver = new ChainSolver(this.controlledChain, 0, budget);
    this.#allOptions = this.#optionsOf(this.allModes);
  }

  /** The first state of a level; of the level above the top: the number of states. */
  firstState(level: number): number {
    return this.#begins[level];
  }

  /** The same mode in all states of a level. */
  fromLevels(byLevel: ModeByLevel): ModeByPhase {
    const modes = new Uint8Array(this.controlledChain.states);
    for (const [level, mode] of byLevel.entries()) modes.fill(mode, this.firstState(level), this.firstState(level + 1));
    return modes;
  }

  /** Totals of the policy evaluated last, per unit of time. */
  totals(): Totals {
    return totalsOf(this.#solver.totals);
  }

  /** The stationary distribution of a policy, by level. */
  sharesOf(modes: ModeByPhase): Float64Array[] {
    this.evaluate({}, modes);
    const { stationaryDistribution } = this.#solver;
    return Array.from({ length: this.queue.topLevel + 1 }, (_, level) =>
      stationaryDistribution.subarray(this.firstState(level), this.firstState(level + 1)),
    );
  }

  /** Weighted totals of a policy. */
  evaluate(weights: TotalsWeights, modes: ModeByPhase): number {
    return this.#solver.evaluate(columnsOf(weights), this.#policyOf(modes), this.#allOptions);
  }

  /**
   * Minimises weighted totals within the modes allowed.
   *
   * @param modes where to begin, holds the best policy found on return
   * @returns a lower bound for every policy allowed
   * @throws NothingToReturn when the budget ends during an evaluation that takes long
   */
  minimise(weights: TotalsWeights, allowedModes: AllowedModes, modes: ModeByPhase): number {
    const policy = this.#policyOf(this.clampModes(allowedModes, modes));
    const bound = this.#solver.minimise(columnsOf(weights), policy, this.#optionsOf(allowedModes));
    for (const [s, option] of policy.entries()) modes[s] = option - this.controlledChain.firstOption[s];
    return bound;
  }

  /** Clamps the mode of each state to the range allowed at its level. */
  clampModes({ lowest, highest }: AllowedModes, modes: ModeByPhase): ModeByPhase {
    const [lowestModes, highestModes] = [this.fromLevels(lowest), this.fromLevels(highest)];
    return modes.map((mode, s) => Math.max(lowestModes[s], Math.min(highestModes[s], mode)));
  }

  #policyOf(modes: ModeByPhase): Int32Array {
    const policy = this.controlledChain.firstOption.slice();
    for (let s = 0; s < policy.length; s++) policy[s] += modes[s];
    return policy;
  }

  #optionsOf({ lowest, highest }: AllowedModes): AllowedOptions {
    return {
      from: this.#policyOf(this.fromLevels(lowest)),
      to: this.#policyOf(this.fromLevels(highest)).map((option) => option + 1),
    };
  }
}

/** The first state of each level 0..topLevel, and the number of states. */
function levelBegins(queue: Queue): number[] {
  const begins = [0, queue.arrivalPhases];
  const law = waitingLaw(queue);
  for (let level = 1; level <= queue.topLevel; level++) {
    begins.push(begins[level] + waitingPhaseCount(law, level) * blockSize(queue));
  }
  return begins;
}

function chainOf(queue: Queue, outcomes: PageOutcomes, begins: readonly number[]): ControlledChain {
  const { topLevel, arrivalPhases: w, modes, admission, capacity } = queue;
  const { initial, exit, generator, phases } = queue.service;
  const law = waitingLaw(queue);
  const b = blockSize(queue);
  const builder = new ChainBuilder(totalNames.length);
  /**
   * The first of the modes' rows, by word and arrival phase. Levels with one word in which every batch fits share these
   * rows; every other level has its own.
   */
  let firstOptions: number[] = [];
  for (let level = 0; level <= topLevel; level++) {
    const fits = modes.every(({ matrices }) => {
      const largest = matrices.length - 1;
      return admitPages(admission, capacity, level, largest) === largest;
    });
    if (level < 2 || law.phases > 1 || !fits) firstOptions = [];
    for (let s = begins[level]; s < begins[level + 1]; s++) {
      const word = level === 0 ? 0 : Math.floor((s - begins[level]) / b);
      const m = level === 0 ? 0 : (s - begins[level]) % phases;
      const v = level === 0 ? s : Math.floor(((s - begins[level]) % b) / phases);
      const place = { word, v, m };
      const optionAt = word * w + v;
      if (firstOptions[optionAt] === undefined) {
        const rows = modes.map((mode) =>
          builder.row(
            offsetsFrom(s, level === 0 ? firstPages(mode, v) : batches(mode, level, place)),
            columnsOf({ lossRate: lossRate(mode, level, v), activeCrawlers: mode.crawlers }),
          ),
        );
        firstOptions[optionAt] = rows[0];
      }
      const expiryMoves = expiries(law, Math.max(0, level - 1), word);
      const ownCosts = columnsOf({
        obsolescenceRate: expiryMoves.reduce((sum, [, rate]) => sum + rate, 0),
        starvationProbability: level === 0 ? 1 : 0,
        toBeServed: outcomes.toBeServed[level][word * phases + m],
        successRate: level === 0 ? 0 : exit[m],
        toExpire: outcomes.toExpire[level][word * phases + m],
        queueLength: level,
      });
      const ownRow = builder.row(offsetsFrom(s, departures(level, s, place, expiryMoves)), ownCosts);
      builder.state(ownRow, firstOptions[optionAt], modes.length);
    }
  }
  return builder.chain();

  /** Pages lost per unit of time. */
  function lossRate({ matrices }: Mode, level: number, v: number): number {
    return matrices.reduce((sum, matrix, batch) => {
      const lostPages = batch - admitPages(admission, capacity, level, batch);
      return lostPages > 0
        ? matrix.subarray(v * w, (v + 1) * w).reduce((total, rate) => total + lostPages * rate, sum)
        : sum;
    }, 0);
  }

  /** Moves out of an empty system: the first page of a batch goes to the server, its other pages wait. */
  function* firstPages({ matrices }: Mode, v: number): Generator<Move> {
    for (const [batch, matrix] of matrices.entries()) {
      const entrants = admitPages(admission, capacity, 0, batch);
      for (let to = 0; to < w; to++) {
        const rate = matrix[v * w + to];
        if (entrants === 0) yield [to, rate];
        else
          for (let word = 0; word < waitingPhaseCount(law, entrants); word++) {
            const flow = rate * waitingPhaseProbability(law, entrants - 1, word);
            for (let m = 0; m < phases; m++) yield [begins[entrants] + word * b + to * phases + m, flow * initial[m]];
          }
      }
    }
  }

  function* batches({ matrices }: Mode, level: number, { word, v, m }: Place): Generator<Move> {
    for (const [batch, matrix] of matrices.entries()) {
      const entrants = admitPages(admission, capacity, level, batch);
      const words = law.phases ** entrants;
      for (let to = 0; to < w; to++) {
        for (let suffix = 0; suffix < words; suffix++) {
          const at = begins[level + entrants] + (word * words + suffix) * b + to * phases + m;
          yield [at, matrix[v * w + to] * waitingPhaseProbability(law, entrants, suffix)];
        }
      }
    }
  }

  /** Changes and ends of service, and the changes of phase and expiries of the waiting pages. */
  function* departures(level: number, s: number, { word, v, m }: Place, expiryMoves: readonly Move[]): Generator<Move> {
    if (level === 0) return;
    for (let next = 0; next < phases; next++) if (next !== m) yield [s + next - m, generator[m * phases + next]];
    if (level === 1) {
      yield [v, exit[m]];
      return;
    }
    const [wordWithoutOldest, shorterBase] = [word % waitingPhaseCount(law, level - 1), begins[level - 1] + v * phases];
    for (let next = 0; next < phases; next++)
      yield [shorterBase + wordWithoutOldest * b + next, exit[m] * initial[next]];
    for (const [shorter, rate] of expiryMoves) yield [shorterBase + shorter * b + m, rate];
    for (const [to, rate] of phaseChanges(law, level - 1, word)) yield [s + (to - word) * b, rate];
  }
}

/** A state within its level. */
interface Place {
  readonly word: number;
  readonly v: number;
  readonly m: number;
}

function* offsetsFrom(s: number, moves: Iterable<Move>): Generator<Move> {
  for (const [to, rate] of moves) yield [to - s, rate];
}

/**
 * Checks totals by Little's law, which fails where rates are so far apart that shares underflow.
 *
 * @throws ConditionNotMet
 */
export function checkTotals(totals: Totals): Totals {
  const { toBeServed, toExpire, queueLength, successRate } = totals;
  const areFinite = Object.values(totals).every((value: number) => value >= 0 && value < Number.POSITIVE_INFINITY);
  if (areFinite && successRate > 0 && Math.abs(toBeServed + toExpire - queueLength) <= 1e-6 * queueLength)
    return totals;
  throw new ConditionNotMet(
    [],
    'rates-too-far-apart',
    'has rates (of arrivals, service and obsolescence) too far apart for double precision: leave out the phases that are ' +
      'hardly ever entered or left at once, or the modes that hardly ever bring a page',
  );
}
