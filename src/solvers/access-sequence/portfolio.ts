/**
 * Builds cycles by several methods and keeps the cheapest one, with its bound.
 *
 * The cost is that of the cycle returned, the rounding of counts and the seam of the cycle included (cycle-cost.ts).
 * `auto` builds cycles by most overdue and by the tree: cycles of 10·N accesses and, for up to 300 pages, of the length
 * up to 30·N at which rounding the counts costs least; for frequencies given by the caller that length is up to 2.8%
 * better. In the cheapest cycle accesses close together are exchanged as long as the cost falls (exchange-accesses.ts).
 * If frequencies are not given, most overdue includes, for few pages, cycles by the index rule, which are up to .5%
 * better with a dozen pages (index-rule.ts). Golden ratio and random order, of the papers, never win, and are built
 * only if the request names them. The bound uses that gaps are whole (integer-gaps.ts). The methods depend on sizes
 * only, so that the same input gives the same answer unless the budget ends.
 * Complexity: O(K·√K) for most overdue, O(K log N) for other methods; twice that for up to 300 pages. Known limits:
 * finding the best order is NP-hard in general (A. Bar-Noy, R. Bhatia, J. Naor and B. Schieber, Math. Oper. Res. 27,
 * 2002); the gap says how far from optimal the cycle can be.
 */
import { type AccessPages, evenStaleness, totalCost } from '../access-frequencies/access-pages.ts';
import { optimalFrequencies } from '../access-frequencies/frequencies.ts';
import { type Budget, NothingToReturn, type Poll, pollOf } from '../budget.ts';
import { seededRandom } from '../numerics/random/random.ts';
import { coveringCounts, largestRemainder, minCount, optimalCounts } from './counts.ts';
import { type CycleCost, cycleCost } from './cycle-cost.ts';
import { exchangeAccesses } from './exchange-accesses.ts';
import { gapIndex, integerGapBound, integerGapCost } from './integer-gaps.ts';
import { fibonacci, goldenRatio } from './methods/golden-ratio.ts';
import { playIndexRule } from './methods/index-rule.ts';
import { mostOverdue } from './methods/most-overdue.ts';
import { randomOrder } from './methods/random-order.ts';
import { splittingTree } from './methods/splitting-tree.ts';

/** The methods a request can name. */
export const sequencingMethods = ['most-overdue', 'tree', 'golden-ratio', 'randomized'] as const;
export type SequencingMethod = (typeof sequencingMethods)[number];

export interface SequenceTask {
  readonly pages: AccessPages;
  /** Shares of all accesses, summing to 1; null: the optimal frequencies. */
  readonly frequency: Float64Array | null;
  /** Minimum frequency of a page, for optimal frequencies. */
  readonly minFrequency: number;
  readonly method: SequencingMethod | 'auto';
  /** Length of the cycle; null: chosen by the method. */
  readonly cycleLength: number | null;
  /** Longest cycle that may be chosen. */
  readonly longestCycle: number;
}

export interface MethodResult {
  readonly method: SequencingMethod;
  readonly cost: number;
  readonly cycleLength: number;
  /** Present if accesses of the cycle were exchanged (auto only). */
  readonly improved?: true;
}

export interface SequenceResult extends CycleCost {
  readonly method: SequencingMethod;
  readonly sequence: Uint32Array;
  /** Lower bound on the cost of any order (see the header). */
  readonly bound: number;
  /** Lower bound over all policies and frequencies. */
  readonly overallBound: number;
  /** The best cycle of each method tried. */
  readonly methods: readonly MethodResult[];
  /** Pages of positive frequency that do not occur in the cycle. */
  readonly absent: number;
  /** Pages below the minimum frequency (possible with golden ratio and randomized only). */
  readonly belowMinimum: number;
  /** Pages of frequency 0. */
  readonly starved: number;
  /** Whether the time limit ended the search before every method was tried. */
  readonly isStopped: boolean;
}

/** Mean number of accesses of a page in a cycle of default length, and in the longest cycle compared with it. */
const [defaultCount, maxCount] = [10, 30];
/** Maximum number of pages for which cycle lengths are compared, and of pages × lengths compared. */
const [maxComparedPages, comparedCells] = [300, 30_000];
/** Maximum number of pages for which the index rule is run: O(N) an access. */
const maxIndexPages = 100;
/**
 * Pages × runs of the index rule with perturbed indices, which is also pages × cycles improved; and the relative size
 * of the perturbation. Without perturbed runs the cost of six pages is up to .9% higher.
 */
const [runPages, indexError] = [200, 0.14];
/** Length of the longest cycle in which accesses are exchanged. */
const maxExchangeLength = 2e4;
/** Elementary steps for each page compared when an access is assigned, for the poll of the budget. */
const stepsPerAccess = 100;
/** Relative saving below which an improvement is rounding error. */
const roundoff = 1e-13;

/** The cheapest cycle of the methods of a task. @throws NothingToReturn when the budget ends before the first cycle */
export function findSequence(task: SequenceTask, budget: Budget): SequenceResult {
  return new Portfolio(task, budget).run();
}

class Portfolio {
  readonly #task: SequenceTask;
  readonly #budget: Budget;
  readonly #poll: Poll;
  readonly #frequency: Float64Array;
  readonly #multiplier: number;
  readonly #presentPages: number;
  readonly #results = new Map<SequencingMethod, MethodResult>();
  #improved: MethodResult | null = null;
  #best: (CycleCost & { method: SequencingMethod; sequence: Uint32Array }) | null = null;

  constructor(task: SequenceTask, budget: Budget) {
    this.#task = task;
    this.#budget = budget;
    const poll = pollOf(budget, 'no cycle was complete');
    this.#poll = (accesses) => poll(stepsPerAccess * accesses);
    const { pages, frequency, minFrequency } = task;
    const optimal = frequency === null ? optimalFrequencies(pages, 'deterministic', minFrequency, budget) : null;
    this.#frequency = frequency ?? optimal?.frequency ?? new Float64Array(pages.length);
    this.#multiplier = optimal?.multiplier ?? 0;
    this.#presentPages = this.#frequency.reduce((n, f) => (f > 0 ? n + 1 : n), 0);
  }

  run(): SequenceResult {
    const { pages, minFrequency, frequency, method } = this.#task;
    const hasStopped = !this.#tryAll(method === 'auto' ? ['most-overdue', 'tree'] : [method]);
    if (method === 'auto' && !hasStopped) this.#improve();
    const best = this.#best;
    if (best === null) throw new NothingToReturn('no cycle was complete');
    const isFree = frequency === null;
    const evenCost = isFree
      ? totalCost(pages, evenStaleness(pages, this.#frequency))
      : integerGapCost(pages, this.#frequency);
    const wholeGapBound = isFree ? integerGapBound(pages, this.#multiplier, this.#budget) : Number.NEGATIVE_INFINITY;
    const overall = isFree && minFrequency === 0 ? evenCost : minPolicyCost(pages, this.#budget);
    // The integer-gap cost at the cycle's own counts bounds every order with these counts. Rounding may put a bound
    // slightly above the cost of the cycle itself: cap it there.
    const cycleFrequency = Float64Array.from(best.counts, (count) => count / best.sequence.length);
    const bound = Math.min(
      Math.max(Math.min(evenCost, integerGapCost(pages, cycleFrequency)), wholeGapBound),
      best.cost,
    );
    const overallBound = Math.min(Math.max(overall, wholeGapBound), best.cost);
    const fewest = minCount(minFrequency, pages.length, best.sequence.length);
    return {
      ...best,
      bound,
      overallBound,
      methods: [...this.#results.values(), ...(this.#improved ? [this.#improved] : [])],
      absent: this.#frequency.reduce((n, f, i) => (f > 0 && best.counts[i] === 0 ? n + 1 : n), 0),
      belowMinimum: best.counts.reduce((n, count) => (count < fewest ? n + 1 : n), 0),
      starved: pages.length - this.#presentPages,
      isStopped: hasStopped || this.#budget.stopRequested(),
    };
  }

  /** Tries all methods. @returns false if the budget ended after the first cycle */
  #tryAll(methods: readonly SequencingMethod[]): boolean {
    try {
      for (const [k, method] of methods.entries()) {
        for (const sequence of this.#cycles(method)) {
          this.#record(method, sequence);
          if (this.#budget.stopRequested()) return false;
        }
        this.#budget.report({ fraction: (k + 1) / methods.length, incumbent: this.#best?.cost });
      }
      return true;
    } catch (error) {
      if (error instanceof NothingToReturn && this.#best !== null) return false;
      throw error;
    }
  }

  /** Cycle lengths to try: the default one and, for few pages, the length at which rounding the counts costs least. */
  #lengths(method: SequencingMethod): readonly number[] {
    const { cycleLength, longestCycle, pages } = this.#task;
    if (cycleLength !== null) return [cycleLength];
    if (method === 'golden-ratio') {
      // the smallest F_k ≥ 10·N, or the largest allowed
      let k = 1;
      while (fibonacci(k) < defaultCount * pages.length && fibonacci(k + 1) <= longestCycle) k++;
      return [fibonacci(k)];
    }
    const count = this.#presentPages;
    const defaultLength = Math.min(defaultCount * count, longestCycle, 2 ** 31 - 2);
    if (method === 'randomized' || count > maxComparedPages) return [defaultLength];
    const longest = Math.min(maxCount * count, longestCycle);
    const stride = Math.ceil((longest * count) / comparedCells);
    let [best, leastCost] = [defaultLength, this.#roundingCost(defaultLength)];
    for (let cycle = longest; cycle >= Math.min(count, longest) && !this.#budget.stopRequested(); cycle -= stride) {
      const cost = this.#roundingCost(cycle);
      // prefer the shorter of two cycles whose costs differ by rounding alone
      if (cost <= leastCost * (1 + roundoff)) [best, leastCost] = [cycle, cost];
    }
    return best === defaultLength ? [defaultLength] : [best, defaultLength];
  }

  /** Generates the cycles of a method one by one. */
  *#cycles(method: SequencingMethod): Generator<Uint32Array> {
    const { pages, frequency, minFrequency } = this.#task;
    for (const cycle of this.#lengths(method)) {
      if (method === 'most-overdue') yield* mostOverdue(this.#counts(cycle), cycle, this.#poll);
      else if (method === 'tree') yield splittingTree(this.#counts(cycle), cycle, this.#poll);
      else if (method === 'golden-ratio')
        yield goldenRatio(largestRemainder(this.#frequency, cycle), cycle, this.#poll);
      else {
        const drawFrequency =
          frequency ?? optimalFrequencies(pages, 'randomized', minFrequency, this.#budget).frequency;
        yield randomOrder(drawFrequency, cycle, seededRandom(this.#budget.seed), this.#poll);
      }
    }
    if (method === 'most-overdue' && frequency === null && pages.length <= maxIndexPages) yield* this.#byIndex();
  }

  /**
   * Cycles from the last accesses of runs of Whittle's index rule, of the given length or of many. In every run but the
   * first the indices of pages are perturbed, so that runs give different orders.
   */
  *#byIndex(): Generator<Uint32Array> {
    const { pages, cycleLength, longestCycle } = this.#task;
    const count = pages.length;
    const longest = cycleLength ?? Math.min(longestCycle, maxCount * count);
    const random = seededRandom(this.#budget.seed);
    const ends: { readonly end: Uint32Array; readonly cost: number }[] = [];
    for (let run = 0; run <= runPages / count; run++) {
      const factor = pages.weight.map(() => (run === 0 ? 1 : Math.exp(indexError * (2 * random() - 1))));
      const sequence = playIndexRule(count, 2 * longest, (i, gap) => factor[i] * gapIndex(pages, i, gap), this.#poll);
      const step = Math.max(1, Math.floor(count / 10));
      for (let cycle = cycleLength ?? Math.min(count, longest); cycle <= longest; cycle += step) {
        const end = sequence.slice(-cycle);
        ends.push({ end, cost: cycleCost(pages, end).cost });
      }
    }
    ends.sort((a, b) => a.cost - b.cost);
    for (const { end } of ends.slice(0, Math.ceil(runPages / count))) yield exchangeAccesses(pages, end, this.#budget);
  }

  /** The optimal counts, or the given frequencies rounded so that every page occurs. */
  #counts(cycle: number): Uint32Array {
    const { pages, frequency, minFrequency } = this.#task;
    return frequency === null
      ? optimalCounts(pages, this.#frequency, cycle, minCount(minFrequency, pages.length, cycle))
      : coveringCounts(this.#frequency, cycle);
  }

  /** Cost with even spacing at the rounded counts; for given frequencies their total change by rounding. */
  #roundingCost(cycle: number): number {
    const { pages, frequency } = this.#task;
    const share = Float64Array.from(this.#counts(cycle), (count) => count / cycle);
    if (frequency === null) return totalCost(pages, evenStaleness(pages, share));
    return share.reduce((sum, own, i) => sum + Math.abs(own - frequency[i]), 0);
  }

  #record(method: SequencingMethod, sequence: Uint32Array): void {
    const { pages, minFrequency } = this.#task;
    const result = cycleCost(pages, sequence);
    // only golden ratio and random order, whose counts are their own, may have counts below the minimum
    const fewest = minCount(minFrequency, pages.length, sequence.length);
    const ownCounts = method === 'golden-ratio' || method === 'randomized';
    if (!ownCounts && fewest > 0 && result.counts.some((count) => count < fewest)) return;
    const previous = this.#results.get(method);
    if (previous === undefined || result.cost < previous.cost)
      this.#results.set(method, { method, cost: result.cost, cycleLength: sequence.length });
    if (this.#best === null || result.cost < this.#best.cost) this.#best = { ...result, method, sequence };
  }

  /** Exchanges accesses of the best cycle; a cheaper cycle becomes a further entry of `methods`. */
  #improve(): void {
    const best = this.#best;
    if (best === null || best.sequence.length > maxExchangeLength) return;
    const { pages } = this.#task;
    const sequence = exchangeAccesses(pages, best.sequence, this.#budget);
    const result = cycleCost(pages, sequence);
    if (!(result.cost < best.cost * (1 - roundoff))) return;
    const { method } = best;
    this.#best = { ...result, method, sequence };
    this.#improved = { method, cost: result.cost, cycleLength: sequence.length, improved: true };
  }
}

/** Lower bound on the cost of any policy: even accesses at the optimal frequencies. */
function minPolicyCost(pages: AccessPages, budget: Budget): number {
  const { frequency } = optimalFrequencies(pages, 'deterministic', 0, budget);
  return totalCost(pages, evenStaleness(pages, frequency));
}
