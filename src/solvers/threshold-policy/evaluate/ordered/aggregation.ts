/**
 * Aggregates of an ordered distribution, solved exactly: what a sweep over the levels leaves wrong on a large scale is
 * put right.
 *
 * - by counts of phases: only the share of the phases at the head of the queue comes from the ordered distribution; few
 *   rounds;
 * - by level and (ν, m): only the rates of expiry come from it; cheap, more rounds.
 * The first is taken while one solve of it costs less than some 12 sweeps.
 * Source: iterative aggregation–disaggregation, Takahashi (1975).
 */
import type { Budget } from '../../../budget.ts';
import { meanOfPhaseType } from '../../../queue/phase-type.ts';
import { blockSize, type ModeByLevel, type PhaseType, type Queue } from '../../../queue/queue.ts';
import { countVectors, PhaseCountChain } from '../counted/phase-counts.ts';
import { LevelAggregate } from './level-aggregate.ts';
import type { WordIndex } from './word-index.ts';

/** Distributions are lists of levels, word·b + (ν, m) each. */
export interface Aggregation {
  /** Fills a distribution to begin with. */
  begin(levels: readonly Float64Array[]): void;
  /** Rescales a distribution to the exact solution of its aggregate. */
  rescale(levels: readonly Float64Array[]): void;
}

const worthSweeps = 12;

export function aggregationOf(
  queue: Queue,
  law: PhaseType,
  index: WordIndex,
  byLevel: ModeByLevel,
  budget: Budget,
): Aggregation {
  const b = blockSize(queue);
  let solve = 0;
  let sweep = 0;
  for (let level = 1; level <= queue.topLevel; level++) {
    solve +=
      (b * countVectors(level - 1, law.phases)) ** 3 * (3 + Math.min(queue.largestBatch, queue.topLevel - level));
    sweep += 2 * b * law.phases ** (level - 1) * level;
  }
  return solve < worthSweeps * sweep
    ? new CountAggregation(queue, law, index, byLevel, budget)
    : new LevelAggregation(queue, law, index, byLevel, budget);
}

class CountAggregation implements Aggregation {
  readonly #chain: PhaseCountChain;
  readonly #index: WordIndex;
  readonly #phases: number;
  readonly #b: number;
  readonly #budget: Budget;

  constructor(queue: Queue, law: PhaseType, index: WordIndex, byLevel: ModeByLevel, budget: Budget) {
    this.#chain = new PhaseCountChain(queue, law, index.counts, byLevel);
    this.#index = index;
    this.#phases = law.phases;
    this.#b = blockSize(queue);
    this.#budget = budget;
  }

  /** The distribution under random pick-up, words of one count vector equally likely. */
  begin(levels: readonly Float64Array[]): void {
    const b = this.#b;
    const distributions = this.#chain.solve(null, this.#budget);
    for (const [level, x] of levels.entries()) {
      const countOf = this.#index.countOf[Math.max(0, level - 1)];
      const words = new Float64Array(distributions[level].length / b);
      for (const position of countOf) words[position]++;
      for (let word = 0; word < countOf.length; word++) {
        const position = countOf[word];
        for (let state = 0; state < b; state++)
          x[word * b + state] = distributions[level][position * b + state] / words[position];
      }
    }
  }

  rescale(levels: readonly Float64Array[]): void {
    const b = this.#b;
    const r = this.#phases;
    const sums: Float64Array[] = [];
    const heads: Float64Array[] = [];
    for (const [level, x] of levels.entries()) {
      const letters = Math.max(0, level - 1);
      const countOf = this.#index.countOf[letters];
      const vectors = this.#index.counts.vectors(letters);
      const sum = new Float64Array(vectors.length * b);
      const head = new Float64Array(sum.length * r);
      const run = countOf.length / r;
      for (let word = 0; word < countOf.length; word++) {
        const to = countOf[word] * b;
        const first = letters === 0 ? 0 : Math.floor(word / run);
        for (let state = 0; state < b; state++) {
          const share = x[word * b + state];
          sum[to + state] += share;
          head[(to + state) * r + first] += share;
        }
      }
      for (let row = 0; row < sum.length; row++) {
        const counts = vectors[Math.floor(row / b)];
        for (let s = 0; s < r; s++) {
          head[row * r + s] = sum[row] > 0 ? head[row * r + s] / sum[row] : counts[s] / Math.max(1, letters);
        }
      }
      sums.push(sum);
      heads.push(head);
    }
    const distributions = this.#chain.solve(heads, this.#budget);
    for (const [level, x] of levels.entries()) {
      const countOf = this.#index.countOf[Math.max(0, level - 1)];
      const factor = distributions[level].map((share, row) => (sums[level][row] > 0 ? share / sums[level][row] : 0));
      for (let word = 0; word < countOf.length; word++) {
        const to = countOf[word] * b;
        for (let state = 0; state < b; state++) x[word * b + state] *= factor[to + state];
      }
    }
  }
}

class LevelAggregation implements Aggregation {
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

  /** Pages expire at the reciprocal of their mean life; words as if every page had just arrived. */
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
      for (let at = 0; at < x.length; at++) x[at] *= factor[at % b];
    }
  }
}
