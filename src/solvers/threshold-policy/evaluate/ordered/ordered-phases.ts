/**
 * Stationary distribution of the first-in-first-out queue when waiting pages have obsolescence phases: exact, by the
 * ordered phases.
 *
 * States of level i ≥ 1: (ω, ν, m), ω the phases of the i − 1 waiting pages, the oldest first: W·M·R^(i−1) of them, in
 * all W + W·M(R^K − 1)/(R − 1). Layout of a level: word major (a number in base R, the oldest leading), (ν, m) minor.
 * So removing a page at any place is a sum of contiguous runs.
 *
 * Method: sweeps over the levels from the top down. Inside a level a word's phases only lead forward
 * (waiting-phases.ts). So with the other levels given it is solved exactly, word by word, by (W·M)² inverses that
 * depend on the counts of the phases only. After each sweep the distribution is aggregated by level and (ν, m), the
 * rate of expiries taken from it. The aggregate is solved exactly, and the distribution rescaled to it
 * (aggregation.ts). Every fourth sweep the distribution is moved on to where the last four lead (extrapolation.ts).
 * Stops when a sweep moves less than 1e−13 of the probability (or less than 1e−10 and 20 sweeps have not reduced it:
 * rounding).
 * Cost of a sweep: O(R^K·K·W·M). With R ≥ 3 and phases that are entered again the same sweeps are Gauss–Seidel inside
 * the levels too and take more rounds.
 * Source: Avrachenkov et al. (2012), section 3.
 */
import { type Budget, NothingToReturn, pollOf } from '../../../budget.ts';
import { solveByStateReduction } from '../../../numerics/linear/small-matrices.ts';
import { blockSize, type ModeByLevel, type PhaseType, type Queue } from '../../../queue/queue.ts';
import { Aggregation } from './aggregation.ts';
import { Extrapolation } from './extrapolation.ts';
import { addArrivals, addBothExpiries, addExpiries, grow } from './word-flows.ts';
import type { WordIndex } from './word-index.ts';

const converged = 1e-13;
const nearlyConverged = 1e-10;
const mostStale = 20;

export class OrderedDistribution {
  readonly queue: Queue;
  readonly law: PhaseType;
  /** x[level][word·b + (ν, m)]. */
  readonly levels: readonly Float64Array[];
  sweeps = 0;
  readonly #index: WordIndex;
  readonly #byLevel: ModeByLevel;
  readonly #b: number;
  readonly #aggregation: Aggregation;
  readonly #inverses: readonly (readonly Float64Array[])[];
  readonly #inflow: Float64Array;
  readonly #arriving: readonly [Float64Array, Float64Array];

  readonly #budget: Budget;

  constructor(queue: Queue, law: PhaseType, index: WordIndex, byLevel: ModeByLevel, budget: Budget) {
    this.#budget = budget;
    this.queue = queue;
    this.law = law;
    this.#index = index;
    this.#byLevel = byLevel;
    this.#b = blockSize(queue);
    const size = (level: number): number => this.#b * law.phases ** Math.max(0, level - 1);
    this.levels = Array.from({ length: queue.topLevel + 1 }, (_, level) => new Float64Array(size(level)));
    this.#aggregation = new Aggregation(queue, law, index, byLevel, budget);
    this.#inverses = this.levels.map((_, level) => this.#inversesOf(level));
    this.#inflow = new Float64Array(size(queue.topLevel));
    this.#arriving = [new Float64Array(size(queue.topLevel)), new Float64Array(size(queue.topLevel))];
    this.#aggregation.begin(this.levels);
  }

  /** @throws NothingToReturn when the budget ends before the distribution has settled */
  solve(): void {
    const extrapolation = new Extrapolation(this.levels);
    let least = Number.POSITIVE_INFINITY;
    for (let stale = 0; ; ) {
      this.sweeps++;
      extrapolation.keep(this.levels);
      let moved = 0;
      for (let level = this.queue.topLevel; level >= 0; level--) {
        moved += this.#sweep(level);
        if (this.#budget.stopRequested())
          throw new NothingToReturn('an evaluation of the ordered phases had not settled');
      }
      this.#aggregation.rescale(this.levels);
      if (moved < converged) return;
      stale = moved < least ? 0 : stale + 1;
      least = Math.min(least, moved);
      // Very stiff chains may stay at their rounding, a little above the usual.
      if (stale >= mostStale && least < nearlyConverged) return;
      extrapolation.advance(this.levels, moved);
    }
  }

  /** (−(D_0 ⊕ S) + decay)⁻¹ of a level, one for every count vector. */
  #inversesOf(level: number): Float64Array[] {
    const { queue, law } = this;
    const b = this.#b;
    const { phases, generator, exit: ends } = queue.service;
    const { blocks } = queue.arrivals[this.#byLevel[level]][level];
    const w = queue.arrivalPhases;
    const poll = pollOf(this.#budget, 'an evaluation of the ordered phases had not begun');
    return this.#index.counts.vectors(Math.max(0, level - 1)).map((counts) => {
      let decay = 0;
      for (const [s, count] of counts.entries()) decay -= count * law.generator[s * law.phases + s];
      const rates = new Float64Array(b * b);
      const exit = new Float64Array(b).fill(decay);
      const inverse = new Float64Array(b * b);
      for (let i = 0; i < b; i++) {
        inverse[i * b + i] = 1;
        const m = i % phases;
        const from = (i - m) / phases;
        for (const [step, block] of blocks.entries()) {
          for (let to = 0; to < w; to++) {
            if (step === 0) rates[i * b + to * phases + m] += block[from * w + to];
            else exit[i] += block[from * w + to];
          }
        }
        if (level === 0) continue;
        exit[i] += ends[m];
        for (let next = 0; next < phases; next++)
          if (next !== m) rates[i * b + i - m + next] += generator[m * phases + next];
      }
      solveByStateReduction(rates, exit, inverse, b, b, poll);
      return inverse;
    });
  }

  /** Solves one level with the others given; returns how much probability moved. */
  #sweep(level: number): number {
    const { law } = this;
    const b = this.#b;
    const r = law.phases;
    const x = this.levels[level];
    const inflow = this.#inflow.subarray(0, x.length);
    this.#setFromBelow(inflow, level);
    this.#addFromAbove(inflow, level);
    const letters = Math.max(0, level - 1);
    const countOf = this.#index.countOf[letters];
    const inverses = this.#inverses[level];
    const couplings: { from: number; to: number; rate: number }[] = [];
    for (let from = 0; from < r; from++) {
      for (let to = 0; to < r; to++) {
        if (from !== to && law.generator[from * r + to] > 0)
          couplings.push({ from, to, rate: law.generator[from * r + to] });
      }
    }
    let moved = 0;
    for (let word = 0; word < countOf.length; word++) {
      const at = word * b;
      if (couplings.length > 0) {
        for (let k = 0, place = 1; k < letters; k++, place *= r) {
          const letter = Math.floor(word / place) % r;
          for (const { from, to, rate } of couplings) {
            if (to !== letter) continue;
            const source = (word + (from - letter) * place) * b;
            for (let state = 0; state < b; state++) inflow[at + state] += rate * x[source + state];
          }
        }
      }
      const inverse = inverses[countOf[word]];
      moved += b === 4 ? replaceFour(x, inflow, inverse, at) : replaceBlock(x, inflow, inverse, at, b);
    }
    return moved;
  }

  /** Ends of services (the oldest waiting page goes to the server) and expiries, from level + 1. */
  #addFromAbove(inflow: Float64Array, level: number): void {
    const { queue, law } = this;
    if (level === queue.topLevel) return;
    const r = law.phases;
    const { phases, initial, exit } = queue.service;
    const above = this.levels[level + 1];
    const heads = level === 0 ? 1 : r;
    for (let at = 0; at < inflow.length; at += phases) {
      let ended = 0;
      for (let head = 0; head < heads; head++) {
        const source = head * inflow.length + at;
        for (let m = 0; m < phases; m++) ended += exit[m] * above[source + m];
      }
      for (let m = 0; m < phases; m++) inflow[at + m] += ended * initial[m];
    }
    // Level + 1 has `level` waiting pages; the one at place k leaves. Neighbouring places share what they read.
    let run = inflow.length;
    let k = 0;
    if (r > 1) for (; k + 1 < level; k += 2, run /= r * r) addBothExpiries(inflow, above, run / r, law.exit);
    for (; k < level; k++, run /= r) addExpiries(inflow, above, run, law.exit);
  }

  /** Adds batches, the largest first: pages still to be placed are carried along, one more phase at each level. */
  #setFromBelow(inflow: Float64Array, level: number): void {
    const { queue, law } = this;
    if (level === 0) inflow.fill(0);
    let [carried, spare] = this.#arriving;
    const first = Math.max(0, level - queue.largestBatch);
    for (let from = first; from < level; from++) {
      const x = this.levels[from];
      if (from === first) carried.fill(0, 0, x.length);
      const block = queue.arrivals[this.#byLevel[from]][from].blocks[level - from];
      if (block !== undefined) addArrivals(carried, x, block, queue.arrivalPhases, queue.service.phases);
      const grown = from === level - 1 ? inflow : spare;
      // From level 0 the first page goes to the server: it needs no phase.
      if (from === 0) grown.set(carried.subarray(0, x.length));
      else grow(grown, carried, x.length, this.#b, law.initial);
      [carried, spare] = [grown, carried];
    }
  }
}

/** x := inflow·inverse for the b states of a word at `at`; returns how much changed. */
function replaceBlock(x: Float64Array, inflow: Float64Array, inverse: Float64Array, at: number, b: number): number {
  let moved = 0;
  for (let j = 0; j < b; j++) {
    let sum = 0;
    for (let i = 0; i < b; i++) sum += inflow[at + i] * inverse[i * b + j];
    moved += Math.abs(sum - x[at + j]);
    x[at + j] = sum;
  }
  return moved;
}

/**
 * As {@link replaceBlock} for four states (two phases of arrivals, two of service), unrolled: most of a sweep's time.
 */
function replaceFour(x: Float64Array, inflow: Float64Array, inverse: Float64Array, at: number): number {
  const a = inflow[at];
  const b = inflow[at + 1];
  const c = inflow[at + 2];
  const d = inflow[at + 3];
  const e = a * inverse[0] + b * inverse[4] + c * inverse[8] + d * inverse[12];
  const f = a * inverse[1] + b * inverse[5] + c * inverse[9] + d * inverse[13];
  const g = a * inverse[2] + b * inverse[6] + c * inverse[10] + d * inverse[14];
  const h = a * inverse[3] + b * inverse[7] + c * inverse[11] + d * inverse[15];
  const moved = Math.abs(e - x[at]) + Math.abs(f - x[at + 1]) + Math.abs(g - x[at + 2]) + Math.abs(h - x[at + 3]);
  x[at] = e;
  x[at + 1] = f;
  x[at + 2] = g;
  x[at + 3] = h;
  return moved;
}
