/**
 * Averages of a policy by queue length: state reduction of the queue's chain from its last state down.
 *
 * Every way down leads one level lower at most. So with the states above x eliminated, row x holds the probabilities of
 * entering each lower state of its level and of the level below, and the costs and time of the passage there. The rows
 * of level i depend on the modes of levels i and above alone: a policy that differs from the previous one from level i
 * downwards redoes levels i … 0 only. At state 0 the costs of a cycle over its time are the averages. Nothing is
 * subtracted. O(k_max·n_i²·(n_i + n_{i−1})) a level, n_i its states.
 *
 * Source: Avrachenkov et al. (2012), section 3, steps 1–5, after Klimenok et al.; state reduction: Grassmann, Taksar and
 * Heyman (1985).
 */
import { type Budget, type Poll, pollOf } from '../budget.ts';
import type { Totals } from '../queue/measures.ts';
import type { ModeByLevel } from '../queue/queue.ts';
import { checkTotals, type PhaseChain, totalsOf } from './phase-chain.ts';

export class LevelPolicyEvaluator {
  readonly #chain: PhaseChain;
  readonly #poll: Poll;
  /** Of each state: probabilities of entering the states from the first of the level below up to the one before it. */
  readonly #entries: readonly Float64Array[];
  /** Of each state: the cost columns, and the time, summed over the passage to those states. */
  readonly #passageTotals: readonly Float64Array[];
  /** Rates of the row under elimination; all 0 between two eliminations. */
  readonly #row: Float64Array;
  /** The policy that `#entries` and `#passageTotals` belong to. */
  #lastPolicy: ModeByLevel | null = null;

  constructor(chain: PhaseChain, budget: Budget) {
    this.#chain = chain;
    this.#poll = pollOf(budget, 'a policy had not been measured');
    const { states, costs } = chain.controlledChain;
    this.#row = new Float64Array(states);
    this.#passageTotals = Array.from({ length: states }, () => new Float64Array(costs.length + 1));
    const entries: Float64Array[] = [];
    for (let level = 0; level <= chain.queue.topLevel; level++) {
      const from = chain.firstState(Math.max(0, level - 1));
      for (let x = chain.firstState(level); x < chain.firstState(level + 1); x++)
        entries.push(new Float64Array(x - from));
    }
    this.#entries = entries;
  }

  /**
   * Totals of a policy per unit of time.
   *
   * @throws NothingToReturn when the budget ends first; ConditionNotMet where doubles cannot hold them
   */
  evaluate(byLevel: ModeByLevel): Totals {
    const chain = this.#chain;
    let level = chain.queue.topLevel;
    const last = this.#lastPolicy;
    if (last !== null) while (level > 0 && last[level] === byLevel[level]) level--;
    this.#lastPolicy = null;
    for (; level >= 0; level--) {
      for (let x = chain.firstState(level + 1) - 1; x >= chain.firstState(level); x--)
        this.#eliminate(x, byLevel[level]);
    }
    this.#lastPolicy = byLevel.slice();
    const cycle = this.#passageTotals[0];
    const averages = cycle.map((sum) => sum / cycle[cycle.length - 1]);
    // Under overload the passage down from a long queue leaves the range of doubles: reduce towards a likely state.
    if (averages.every((average) => average < Number.POSITIVE_INFINITY)) return checkTotals(totalsOf(averages));
    chain.evaluate({}, chain.fromLevels(byLevel));
    return checkTotals(chain.totals());
  }

  #eliminate(x: number, mode: number): void {
    const { begins, offsets, rates, ownRow, firstOption, costs } = this.#chain.controlledChain;
    const row = this.#row;
    const totals = this.#passageTotals[x];
    const option = firstOption[x] + mode;
    let highest = x;
    for (const moves of [ownRow[x], option]) {
      for (let i = begins[moves]; i < begins[moves + 1]; i++) {
        row[x + offsets[i]] += rates[i];
        highest = Math.max(highest, x + offsets[i]);
      }
    }
    for (let c = 0; c < costs.length; c++) totals[c] = costs[c][ownRow[x]] + costs[c][option];
    totals[costs.length] = 1;
    for (let y = highest; y > x; y--) {
      const rate = row[y];
      if (rate === 0) continue;
      row[y] = 0;
      const entries = this.#entries[y];
      const from = y - entries.length;
      for (let i = 0; i < entries.length; i++) row[from + i] += rate * entries[i];
      const passage = this.#passageTotals[y];
      for (let c = 0; c < totals.length; c++) totals[c] += rate * passage[c];
    }
    this.#poll((highest - x + 1) * (this.#entries[x].length + totals.length));
    row[x] = 0;
    const entries = this.#entries[x];
    const from = x - entries.length;
    let pivot = 0;
    for (let i = 0; i < entries.length; i++) pivot += row[from + i];
    for (let i = 0; i < entries.length; i++) {
      entries[i] = row[from + i] / pivot;
      row[from + i] = 0;
    }
    if (x > 0) for (let c = 0; c < totals.length; c++) totals[c] /= pivot;
  }
}
