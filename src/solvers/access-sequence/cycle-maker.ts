/**
 * One cycle of a length by a method, and what the methods have in common. That is the counts to which frequencies are
 * rounded at that length, and the time to leave for what follows.
 *
 * Methods: one file each in methods/. Most overdue has several rules, and makes a cycle by each.
 */
import { type AccessPages, evenStaleness, totalCost } from '../access-frequencies/access-pages.ts';
import { frequenciesOf } from '../access-frequencies/frequencies.ts';
import { type Budget, endingEarlier } from '../budget.ts';
import { seededRandom } from '../numerics/random/random.ts';
import { bestCounts, largestRemainder, leastCount, presentCounts } from './counts.ts';
import { fibonacci, fibonacciIndexFrom, goldenRatio } from './methods/golden-ratio.ts';
import { mostOverdue, overdueRules } from './methods/most-overdue.ts';
import { randomOrder } from './methods/random-order.ts';
import { splittingTree } from './methods/splitting-tree.ts';

/** The methods that can be asked for by name. */
export const sequencingMethods = ['most-overdue', 'tree', 'golden-ratio', 'randomized'] as const;
/** Those that `auto` tries; the papers' golden ratio and random order never win. */
export const automaticMethods = ['most-overdue', 'tree'] as const;

export type SequencingMethod = (typeof sequencingMethods)[number];

export interface SequenceTask {
  readonly pages: AccessPages;
  /** Shares of all accesses, summing to 1; null: the optimal ones. */
  readonly frequency: Float64Array | null;
  /** Least frequency of a page, when they are the optimal ones. */
  readonly least: number;
  readonly method: SequencingMethod | 'auto';
  /** Length of the cycle; null: chosen. */
  readonly cycleLength: number | null;
  /** Longest cycle that may be chosen. */
  readonly longestCycle: number;
}

/** Longest cycle for which several rules of most overdue are tried. */
const maxSeveralRules = 1e5;
/** Milliseconds to cost an access and to write it out, and to count and measure a page. */
const msPerAccess = 3e-4;
const msPerPage = 1e-3;
/** Milliseconds past the deadline that may still go into an answer. */
const grace = 400;

export class CycleMaker {
  readonly #task: SequenceTask;
  readonly #frequency: Float64Array;
  readonly #budget: Budget;
  readonly #countsAt = new Map<number, Uint32Array>();

  /** @param frequency those of the task, or the optimal ones */
  constructor(task: SequenceTask, frequency: Float64Array, budget: Budget) {
    this.#task = task;
    this.#frequency = frequency;
    this.#budget = budget;
  }

  /**
   * Milliseconds that must be left to cost a long cycle and to write it out; 0 where both can be done past the
   * deadline.
   */
  #keptBack(cycle: number): number {
    return Math.max(0, msPerAccess * cycle + msPerPage * this.#task.pages.length - grace);
  }

  /** The budget of what makes or keeps a cycle of this length. */
  budgetFor(cycle: number): Budget {
    const ms = this.#keptBack(cycle);
    return ms > 0 ? endingEarlier(this.#budget, ms) : this.#budget;
  }

  /** False where a cycle of this length could not be finished in time any more. */
  mayBegin(cycle: number): boolean {
    return this.#keptBack(cycle) === 0 || !this.budgetFor(cycle).stopRequested();
  }

  /** The cycles of a method, each made when it is asked for; null when the budget stopped it. */
  *cycles(method: SequencingMethod, cycle: number): Generator<Uint32Array | null> {
    if (method !== 'most-overdue') {
      yield this.#cycle(method, cycle);
      return;
    }
    const counts = this.#counts(cycle);
    // frequencies of the caller's own are kept: without a quota a rule has counts of its own
    const rules = overdueRules.filter(({ quota }) => quota || this.#task.frequency === null);
    for (const rule of cycle > maxSeveralRules ? rules.slice(0, 1) : rules)
      yield mostOverdue(counts, cycle, rule, this.budgetFor(cycle));
  }

  #cycle(method: Exclude<SequencingMethod, 'most-overdue'>, cycle: number): Uint32Array | null {
    const { pages, frequency, least } = this.#task;
    switch (method) {
      case 'tree':
        return splittingTree(this.#counts(cycle), cycle, this.budgetFor(cycle));
      case 'golden-ratio':
        return goldenRatio(largestRemainder(this.#frequency, cycle), cycle, this.budgetFor(cycle));
      case 'randomized': {
        const drawn = frequency ?? frequenciesOf(pages, 'randomized', least, this.#budget).frequency;
        return randomOrder(drawn, cycle, seededRandom(this.#budget.seed), this.budgetFor(cycle));
      }
    }
  }

  /** How long the golden ratio's cycle is: as asked, or the smallest F_k ≥ 10·N. */
  goldenLength(): number {
    const { cycleLength, longestCycle, pages } = this.#task;
    if (cycleLength !== null) return cycleLength;
    let k = fibonacciIndexFrom(10 * pages.length);
    while (fibonacci(k) > longestCycle) k--;
    return fibonacci(k);
  }

  /**
   * Optimal frequencies are rounded to the optimal counts; a caller's own as nearly as whole numbers allow, every page
   * present.
   */
  #counts(cycle: number): Uint32Array {
    let counts = this.#countsAt.get(cycle);
    if (counts === undefined) {
      const { pages, frequency, least } = this.#task;
      counts =
        frequency === null
          ? bestCounts(pages, this.#frequency, cycle, leastCount(least, pages.length, cycle))
          : presentCounts(this.#frequency, cycle);
      if (this.#countsAt.size < 64) this.#countsAt.set(cycle, counts);
    }
    return counts;
  }

  /** What rounding costs at a length: the less, the better the length. */
  roundingCost(cycle: number): number {
    const { pages, frequency } = this.#task;
    const counts = this.#counts(cycle);
    if (frequency === null)
      return totalCost(
        pages,
        evenStaleness(
          pages,
          Float64Array.from(counts, (n) => n / cycle),
        ),
      );
    return counts.reduce((sum, count, i) => sum + Math.abs(count / cycle - frequency[i]), 0);
  }
}
