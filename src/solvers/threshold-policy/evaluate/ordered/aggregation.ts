/**
 * The aggregate of an ordered distribution by level and (ν, m), solved exactly. It puts right what a sweep over the
 * levels leaves wrong on a large scale. Only the rates of expiry come from the distribution.
 * Source: iterative aggregation–disaggregation, Takahashi (1975).
 */
import type { Budget } from '../../../budget.ts';
import { meanOfPhaseType } from '../../../queue/phase-type.ts';
import { blockSize, type ModeByLevel, type PhaseType, type Queue } from '../../../queue/queue.ts';
import { LevelAggregate } from './level-aggregate.ts';
import type { WordIndex } from './word-index.ts';

/** Distributions are lists of levels, word·b + (ν, m) each. */
export class Aggregation {
  readonly #chain: LevelAggregate;
  readonly #law: PhaseType;
  readonly #index: WordIndex;
  readonly #b: number;
  readonly #budget: Budget;
  /** Rate of expiries of each count vector, by number waiting. */
  readonly #expiry: readonly Float64Array[];

  constructor(queue: Queue, law: PhaseType, index: WordIndex, byLevel: ModeByLevel, budget: Budget) {
    this.#chain = new LevelAggregate(queue, byLevel);
    this.#law = law;
    this.#index = index;
    this.#b = blockSize(queue);
    this.#budget = budget;
    this.#expiry = index.countOf.map((_, waiting) =>
      Float64Array.from(index.counts.vectors(waiting), (counts) =>
        counts.reduce((sum, count, s) => sum + count * law.exit[s], 0),
      ),
    );
  }

  /**
   * A distribution to begin with: pages expire at the reciprocal of their mean life; words as if every page had just
   * arrived.
   */
  begin(levels: readonly Float64Array[]): void {
    const b = this.#b;
    const rate = 1 / meanOfPhaseType(this.#law);
    const distributions = this.#chain.solve(
      levels.map((_, level) => new Float64Array(b).fill(Math.max(0, level - 1) * rate)),
      this.#budget,
    );
    let chances = new Float64Array([1]);
    for (const [level, x] of levels.entries()) {
      if (level > 1) {
        const shorter = chances;
        const r = this.#law.phases;
        chances = new Float64Array(shorter.length * r);
        for (let word = 0; word < chances.length; word++) {
          chances[word] = shorter[Math.floor(word / r)] * this.#law.initial[word % r];
        }
      }
      for (let at = 0; at < x.length; at++) x[at] = chances[Math.floor(at / b)] * distributions[level][at % b];
    }
  }

  /** Rescales a distribution to the exact solution of its aggregate. */
  rescale(levels: readonly Float64Array[]): void {
    const b = this.#b;
    const sums: Float64Array[] = [];
    const expiry: Float64Array[] = [];
    for (const [level, x] of levels.entries()) {
      const waiting = Math.max(0, level - 1);
      const countOf = this.#index.countOf[waiting];
      const sum = new Float64Array(b);
      const lost = new Float64Array(b);
      for (let word = 0; word < countOf.length; word++) {
        const rate = this.#expiry[waiting][countOf[word]];
        for (let state = 0; state < b; state++) {
          sum[state] += x[word * b + state];
          lost[state] += rate * x[word * b + state];
        }
      }
      sums.push(sum);
      expiry.push(lost.map((flow, state) => (sum[state] > 0 ? flow / sum[state] : 0)));
    }
    const distributions = this.#chain.solve(expiry, this.#budget);
    for (const [level, x] of levels.entries()) {
      const factor = distributions[level].map((share, state) =>
        sums[level][state] > 0 ? share / sums[level][state] : 0,
      );
      for (let at = 0; at < x.length; at += b) for (let state = 0; state < b; state++) x[at + state] *= factor[state];
    }
  }
}
