/**
 * Policies of a controlled chain and their average cost, a weighted sum of its columns: evaluation, improvement, bound.
 *
 * Evaluation by banded elimination (elimination.ts) towards a likely state: relative values seen from a rare state are
 * differences of huge numbers. Of several recurrent classes the cheapest is kept, and the other states are led to it
 * where their options can (Puterman 1994, §9.5). Improvement takes the best option in every state (Howard 1960).
 * Bound: whatever h is, no policy costs less than min over states of min over options of
 *   cost + Σ rate·(h(to) − h(from))
 * (Odoni 1969), less what rounding can have added. O(states·down·up) an evaluation, O(moves) an improvement.
 */
import { type Budget, type Poll, pollOf } from '../budget.ts';
import type { ControlledChain, Policy } from './chain.ts';
import { recurrentClasses } from './classes.ts';
import { BandedRates, EliminatedChain, reduceToLikeliest } from './elimination.ts';

/** Weights of the cost columns, of any sign: under −1 the average of a column is maximised. */
export type Weights = readonly number[];

/** The rows of the options that each state may take: from[s]…to[s] − 1. */
export interface AllowedOptions {
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** Most rounds of improvement; no chain so far needed as many. */
const maxRounds = 100;
/** Smallest improvement that changes an option, as a share of the summed magnitudes of the average's terms. */
const minImprovement = 1e-12;
const ulp = 2 ** -53;
/** Elementary steps of visiting the moves of one state. */
const stepsPerVisit = 100;

export class ChainSolver {
  readonly chain: ControlledChain;
  readonly #budget: Budget;
  readonly #poll: Poll;
  /** Memory of the band that is being eliminated. */
  readonly #bandMemory: Float64Array;
  #reference: number;
  /** The policy evaluated last, with its eliminated chain. */
  #lastEvaluation: { readonly policy: Policy; readonly eliminatedChain: EliminatedChain } | null = null;
  /** Stationary distribution of the policy evaluated last. */
  stationaryDistribution: Float64Array;
  /** Averages of the cost columns per unit of time under the policy evaluated last. */
  readonly totals: Float64Array;
  /** Costs of the rows under the weights used last. */
  #weightedCosts: WeightedCosts;
  /** Relative values of the policy evaluated last, under the weights used last. */
  values: Float64Array;

  /** @param reference a state that is likely to be visited often */
  constructor(chain: ControlledChain, reference: number, budget: Budget) {
    this.chain = chain;
    this.#budget = budget;
    this.#poll = pollOf(budget, 'the policy had not been evaluated');
    this.#bandMemory = new BandedRates(chain.states, chain.down, chain.up).rates;
    this.#reference = reference;
    this.stationaryDistribution = new Float64Array(chain.states);
    this.totals = new Float64Array(chain.costs.length);
    this.#weightedCosts = weightCosts(chain, []);
    this.values = new Float64Array(chain.states);
  }

  /**
   * Average cost of a policy under these weights; sets `stationaryDistribution`, `totals` and `values`. Evaluating the
   * policy evaluated last under other weights is cheap. Changes options of transient states where that is needed for
   * one recurrent class.
   *
   * @throws NothingToReturn when the budget ends during an evaluation that takes long
   */
  evaluate(weights: Weights, policy: Policy, allowedOptions: AllowedOptions): number {
    if (this.#lastEvaluation === null || !isSame(this.#lastEvaluation.policy, policy))
      this.#reduce(policy, weights, allowedOptions);
    const averageCost = averageOf(weights, this.totals);
    const { ownRow } = this.chain;
    const { values } = this.#weightCosts(weights);
    const relativeCosts = new Float64Array(policy.length);
    for (let s = 0; s < relativeCosts.length; s++)
      relativeCosts[s] = values[ownRow[s]] + values[policy[s]] - averageCost;
    this.values = this.#lastEvaluation?.eliminatedChain.values(relativeCosts) ?? this.values;
    return averageCost;
  }

  /**
   * Minimises the average cost among the options allowed, from the policy given, which holds the best one found on
   * return.
   *
   * @returns a lower bound on the average cost of every policy allowed, valid also where the budget ended it between two
   * rounds
   * @throws NothingToReturn when the budget ends during an evaluation that takes long
   */
  minimise(weights: Weights, policy: Policy, allowedOptions: AllowedOptions): number {
    this.evaluate(weights, policy, allowedOptions);
    for (let round = 1; round < maxRounds; round++) {
      if (this.#budget.stopRequested() || !this.#improve(weights, policy, allowedOptions)) break;
      this.evaluate(weights, policy, allowedOptions);
    }
    return this.#lowerBound(weights, allowedOptions);
  }

  /** The averages of each recurrent class of a policy: totals of the columns, and the states. */
  recurrentClassesOf(policy: Policy): { readonly totals: Float64Array; readonly members: readonly number[] }[] {
    return recurrentClasses(this.#movesOf(policy)).map((members) => {
      const reduceTo = (state: number): EliminatedChain => this.#reduceTo(policy, state, members);
      const { weights } = reduceToLikeliest(reduceTo(members[members.length >> 1] - members[0]), reduceTo);
      return { members, totals: this.#totalsOf(policy, normalise(weights), members[0]) };
    });
  }

  /** Takes the best option in every state. @returns whether any option changed */
  #improve(weights: Weights, policy: Policy, { from, to }: AllowedOptions): boolean {
    const { states, begins, offsets, rates } = this.chain;
    const values = this.values;
    const costs = this.#weightCosts(weights).values;
    const margin = minImprovement * weights.reduce((sum, weight, c) => sum + Math.abs(weight * this.totals[c]), 0);
    let hasChanged = false;
    for (let s = 0; s < states; s++) {
      if (to[s] - from[s] < 2) continue;
      const value = values[s];
      let [bestOption, minScore, presentScore] = [policy[s], Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (let option = from[s]; option < to[s]; option++) {
        let score = costs[option];
        for (let i = begins[option]; i < begins[option + 1]; i++) score += rates[i] * (values[s + offsets[i]] - value);
        if (option === policy[s]) presentScore = score;
        if (score < minScore) [bestOption, minScore] = [option, score];
      }
      if (minScore >= presentScore - margin) continue;
      policy[s] = bestOption;
      hasChanged = true;
    }
    return hasChanged;
  }

  /** The lower bound that the relative values prove, less what rounding can have added. O(moves). */
  #lowerBound(weights: Weights, { from, to }: AllowedOptions): number {
    const { states, begins, offsets, rates, ownRow } = this.chain;
    const costs = this.#weightCosts(weights);
    let bound = Number.POSITIVE_INFINITY;
    for (let s = 0; s < states; s++) {
      const value = this.values[s];
      const own = ownRow[s];
      let [ownScore, ownSize] = [costs.values[own], costs.magnitudes[own]];
      for (let i = begins[own]; i < begins[own + 1]; i++) {
        const flow = rates[i] * (this.values[s + offsets[i]] - value);
        ownScore += flow;
        ownSize += Math.abs(flow);
      }
      for (let option = from[s]; option < to[s]; option++) {
        let [score, size] = [ownScore + costs.values[option], ownSize + costs.magnitudes[option]];
        for (let i = begins[option]; i < begins[option + 1]; i++) {
          const flow = rates[i] * (this.values[s + offsets[i]] - value);
          score += flow;
          size += Math.abs(flow);
        }
        const terms = begins[own + 1] - begins[own] + begins[option + 1] - begins[option] + weights.length + 4;
        bound = Math.min(bound, score - terms * ulp * size);
      }
    }
    return bound;
  }

  #weightCosts(weights: Weights): WeightedCosts {
    const last = this.#weightedCosts.weights;
    if (weights.length !== last.length || weights.some((weight, c) => weight !== last[c])) {
      this.#weightedCosts = weightCosts(this.chain, weights);
    }
    return this.#weightedCosts;
  }

  #visitMoves(policy: Policy, s: number, visit: (to: number, rate: number) => void): void {
    const { begins, offsets, rates, ownRow } = this.chain;
    this.#poll(stepsPerVisit);
    for (const row of [ownRow[s], policy[s]]) {
      for (let i = begins[row]; i < begins[row + 1]; i++) visit(s + offsets[i], rates[i]);
    }
  }

  #reduce(policy: Policy, weights: Weights, allowedOptions: AllowedOptions): void {
    this.#lastEvaluation = null;
    const reduceTo = (state: number): EliminatedChain => this.#reduceTo(policy, state);
    let first = reduceTo(this.#reference);
    if (!first.reachesReference) first = reduceTo(this.#cheapestClass(policy, weights, allowedOptions)[0]);
    const likeliest = reduceToLikeliest(first, reduceTo);
    this.#reference = likeliest.eliminatedChain.reference;
    this.#lastEvaluation = { policy: policy.slice(), eliminatedChain: likeliest.eliminatedChain };
    this.stationaryDistribution = normalise(likeliest.weights);
    this.totals.set(this.#totalsOf(policy, this.stationaryDistribution));
  }

  /** Reduces the chain of a policy or, of one closed class, the states from its first to its last, numbered from 0. */
  #reduceTo(policy: Policy, reference: number, members?: readonly number[]): EliminatedChain {
    const { down, up } = this.chain;
    const first = members?.[0] ?? 0;
    const states = (members?.at(-1) ?? policy.length - 1) - first + 1;
    this.#poll(states * (down + up + 1));
    const band = new BandedRates(states, down, up, this.#bandMemory);
    const addMoves = (s: number): void =>
      this.#visitMoves(policy, s, (to, rate) => band.add(s - first, to - first, rate));
    if (members === undefined) for (let s = 0; s < states; s++) addMoves(s);
    else for (const s of members) addMoves(s);
    return new EliminatedChain(band, reference, this.#poll);
  }

  /** @param shares the probabilities of the states from `first` on */
  #totalsOf(policy: Policy, shares: Float64Array, first = 0): Float64Array {
    const { ownRow, costs } = this.chain;
    return Float64Array.from(costs, (column) => {
      let sum = 0;
      for (let s = 0; s < shares.length; s++) {
        if (shares[s] > 0) sum += shares[s] * (column[ownRow[first + s]] + column[policy[first + s]]);
      }
      return sum;
    });
  }

  #movesOf(policy: Policy) {
    const { states } = this.chain;
    const begins = new Int32Array(states + 1);
    const targets: number[] = [];
    for (let s = 0; s < states; s++) {
      this.#visitMoves(policy, s, (to) => targets.push(to));
      begins[s + 1] = targets.length;
    }
    return { begins, targets: Int32Array.from(targets) };
  }

  /** The states of the cheapest recurrent class, to which all others are led by options that are allowed. */
  #cheapestClass(policy: Policy, weights: Weights, allowedOptions: AllowedOptions): readonly number[] {
    const classes = this.recurrentClassesOf(policy);
    const averageCosts = classes.map(({ totals }) => averageOf(weights, totals));
    const { members } = classes[averageCosts.indexOf(Math.min(...averageCosts))];
    if (classes.length > 1) this.#leadTo(members, policy, allowedOptions);
    return members;
  }

  /** Gives every state outside a closed set a way into it, changing only options that have none. */
  #leadTo(members: readonly number[], policy: Policy, { from, to }: AllowedOptions): void {
    const { states, begins, offsets, ownRow } = this.chain;
    const isInside = new Uint8Array(states);
    for (const s of members) isInside[s] = 1;
    const leadsInside = (s: number, row: number): boolean => {
      for (let i = begins[row]; i < begins[row + 1]; i++) if (isInside[s + offsets[i]] === 1) return true;
      return false;
    };
    for (let hasGrown = true; hasGrown; ) {
      hasGrown = false;
      for (let s = 0; s < states; s++) {
        if (isInside[s] === 1) continue;
        if (!leadsInside(s, ownRow[s]) && !leadsInside(s, policy[s])) {
          let option = from[s];
          while (option < to[s] && !leadsInside(s, option)) option++;
          if (option === to[s]) continue;
          policy[s] = option;
        }
        isInside[s] = 1;
        hasGrown = true;
      }
    }
  }
}

/** The weighted costs of every row, and the sums of their terms' magnitudes. */
interface WeightedCosts {
  readonly weights: Weights;
  readonly values: Float64Array;
  readonly magnitudes: Float64Array;
}

function weightCosts({ costs, begins }: ControlledChain, weights: Weights): WeightedCosts {
  const values = new Float64Array(begins.length - 1);
  const magnitudes = new Float64Array(begins.length - 1);
  for (const [c, weight] of weights.entries()) {
    if (weight === 0) continue;
    for (const [row, cost] of costs[c].entries()) {
      values[row] += weight * cost;
      magnitudes[row] += Math.abs(weight * cost);
    }
  }
  return { weights, values, magnitudes };
}

const averageOf = (weights: Weights, totals: Float64Array): number =>
  weights.reduce((sum, weight, c) => sum + weight * totals[c], 0);

const isSame = (a: Policy, b: Policy): boolean => a.every((option, s) => option === b[s]);

function normalise(weights: Float64Array): Float64Array {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
