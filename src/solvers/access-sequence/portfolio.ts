/**
 * Makes cycles by several methods and keeps the cheapest, with the bound it is measured against.
 *
 * The cost is that of the cycle returned, rounding of counts and its seam included (cycle-cost.ts).
 *
 * `auto` makes cycles (cycle-maker.ts) by most overdue and by the tree at the lengths of cycle-length.ts. For few pages
 * it makes some also by indices with noise (noisy-index.ts); they count as most overdue. It takes the cheapest and
 * exchanges neighbouring accesses in it as long as that saves anything (exchanges.ts). Of up to five pages it then
 * finds the best cycle and proves it (methods/few-pages.ts). Of up to a thousand it asks what whole gaps and the
 * busiest pages' conflicts cost at the least (priced-bound.ts). What is run depends on sizes only, so the same input
 * gives the same answer unless time runs out.
 * Known limits: finding the best order is NP-hard in general (A. Bar-Noy, R. Bhatia, J. Naor and B. Schieber, Math.
 * Oper. Res. 27, 2002); for more pages the gap says how far from optimal the cycle can be.
 */
import { type AccessPages, evenStaleness, totalCost } from '../access-frequencies/access-pages.ts';
import { frequenciesOf } from '../access-frequencies/frequencies.ts';
import { type Budget, NothingToReturn } from '../budget.ts';
import { leastCount } from './counts.ts';
import { type CycleCost, cycleCost } from './cycle-cost.ts';
import { cycleLengths } from './cycle-length.ts';
import { automaticMethods, CycleMaker, type SequenceTask, type SequencingMethod } from './cycle-maker.ts';
import { exchangeAccesses } from './exchanges.ts';
import { exactCycle } from './methods/few-pages.ts';
import { mostNoisy, noisyCycles } from './methods/noisy-index.ts';
import { mostPriced, pricedBound } from './priced-bound.ts';
import { wholeGapCost } from './whole-gaps.ts';

export interface MethodResult {
  readonly method: SequencingMethod;
  readonly cost: number;
  readonly cycleLength: number;
  /** The cycle of this method after exchanging accesses, or the best of few pages (auto only). */
  readonly improved?: true;
}

export interface SequenceFound extends CycleCost {
  readonly method: SequencingMethod;
  readonly sequence: Uint32Array;
  /** What no order can beat: see the header. */
  readonly bound: number;
  /** The least cost of any policy, whatever its frequencies. */
  readonly overallBound: number;
  /** The best of every method tried. */
  readonly methods: readonly MethodResult[];
  /** Pages of positive frequency that do not occur in the cycle. */
  readonly absent: number;
  /** Pages that occur less often than the least frequency asks (golden ratio and randomized, asked for by name). */
  readonly belowLeast: number;
  /** Pages of frequency 0. */
  readonly starved: number;
  /** Whether the time limit cut the list of methods short. */
  readonly cutShort: boolean;
}

/** From here on most overdue is tried last, as it slows with the number of different counts. */
const longCycle = 2e6;
/** Longest cycle in which accesses are exchanged: beyond a few thousand pages that no longer saves 1e−5. */
const maxExchanged = 2e4;
/** Of a cost, relatively. */
const rounding = 1e-13;
/** Cycles by indices with noise in which accesses are exchanged. */
const noisyExchanged = 4;

/**
 * O(K·√K) for most overdue, O(K log N) for the others; some ten times that for up to 300 pages, where several lengths
 * are tried.
 *
 * @throws NothingToReturn when the budget runs out before the first cycle
 */
export function findSequence(task: SequenceTask, budget: Budget): SequenceFound {
  return new Portfolio(task, budget).run();
}

class Portfolio {
  readonly #task: SequenceTask;
  readonly #budget: Budget;
  readonly #frequency: Float64Array;
  readonly #multiplier: number;
  readonly #present: number;
  readonly #evenCost: number;
  readonly #overallBound: number;
  readonly #maker: CycleMaker;
  readonly #results = new Map<SequencingMethod, MethodResult>();
  /** What the ages of few pages and prices of accesses prove; −∞ where it was not asked. */
  #provedBound = Number.NEGATIVE_INFINITY;
  #improved: MethodResult | null = null;
  #best: (CycleCost & { method: SequencingMethod; sequence: Uint32Array }) | null = null;

  constructor(task: SequenceTask, budget: Budget) {
    this.#task = task;
    this.#budget = budget;
    const { pages, frequency, least } = task;
    const optimal = frequency === null ? frequenciesOf(pages, 'deterministic', least, budget) : null;
    this.#frequency = frequency ?? optimal?.frequency ?? new Float64Array(pages.length);
    this.#multiplier = optimal?.multiplier ?? 0;
    this.#present = this.#frequency.reduce((n, f) => (f > 0 ? n + 1 : n), 0);
    this.#evenCost =
      frequency === null ? totalCost(pages, evenStaleness(pages, this.#frequency)) : wholeGapCost(pages, frequency);
    this.#maker = new CycleMaker(task, this.#frequency, budget);
    this.#overallBound = frequency === null && least === 0 ? this.#evenCost : leastCost(pages, budget);
  }

  run(): SequenceFound {
    const { method } = this.#task;
    const cutShort = !this.#tryAll(method === 'auto' ? this.#portfolio() : [method]);
    const best = this.#best;
    if (best === null) throw new NothingToReturn('no cycle was complete');
    const { pages, least } = this.#task;
    const realised = Float64Array.from(best.counts, (count) => count / best.sequence.length);
    // At the frequencies of the cycle's own counts no order costs less than whole gaps do. What rounding puts above the
    // cost of an actual cycle is no bound.
    const even = Math.min(this.#evenCost, wholeGapCost(pages, realised));
    const bound = Math.min(Math.max(even, this.#provedBound), best.cost);
    const overallBound = Math.min(Math.max(this.#overallBound, this.#provedBound), best.cost);
    const absent = this.#frequency.reduce((n, f, i) => (f > 0 && best.counts[i] === 0 ? n + 1 : n), 0);
    const starved = pages.length - this.#present;
    const fewest = leastCount(least, pages.length, best.sequence.length);
    const belowLeast = best.counts.reduce((n, count) => (count < fewest ? n + 1 : n), 0);
    const methods = [...this.#results.values(), ...(this.#improved ? [this.#improved] : [])];
    return { ...best, bound, overallBound, methods, absent, belowLeast, starved, cutShort };
  }

  /**
   * All methods; for very long cycles the slowest comes last, so that there is something to return when time runs out.
   */
  #portfolio(): readonly SequencingMethod[] {
    const { cycleLength } = this.#task;
    return (cycleLength ?? 10 * this.#present) <= longCycle ? automaticMethods : automaticMethods.toReversed();
  }

  /** False when the budget stopped it. */
  #tryAll(methods: readonly SequencingMethod[]): boolean {
    const { cycleLength, longestCycle, method: asked } = this.#task;
    const own = asked === 'golden-ratio' || asked === 'randomized';
    const longest = Math.min(longestCycle, 2 ** 31 - 2);
    const lengths =
      cycleLength !== null
        ? [cycleLength]
        : own
          ? [asked === 'golden-ratio' ? this.#maker.goldenLength() : Math.min(10 * this.#present, longest)]
          : cycleLengths(this.#present, longest, (cycle) => this.#maker.roundingCost(cycle), this.#budget);
    for (const method of methods) {
      for (const cycle of lengths) {
        if (this.#best !== null && this.#budget.stopRequested()) return false;
        if (!this.#try(method, cycle)) return false;
      }
      this.#budget.report({
        fraction: (methods.indexOf(method) + 1) / methods.length,
        incumbent: this.#best?.cost,
        bound: this.#evenCost,
      });
    }
    return methods.length === 1 || (this.#improve() && this.#tryNoisy(longest) && this.#tryExact(longest));
  }

  /** Few pages, free in counts and length, are also ordered by indices with noise; false when the budget stopped it. */
  #tryNoisy(longest: number): boolean {
    const { pages, frequency, least, cycleLength } = this.#task;
    if (frequency !== null || least > 0 || cycleLength !== null || pages.length > mostNoisy) return true;
    const found = Array.from(noisyCycles(pages, longest, this.#budget), (sequence) => ({
      sequence,
      cost: cycleCost(pages, sequence).cost,
    }));
    for (const { sequence } of found.sort((a, b) => a.cost - b.cost).slice(0, noisyExchanged))
      if (!this.#keep('most-overdue', exchangeAccesses(pages, sequence, this.#budget))) return false;
    return !this.#budget.stopRequested();
  }

  /** Exchanges accesses of the best cycle; what that gives stands in the list beside the methods themselves. */
  #improve(): boolean {
    const best = this.#best;
    if (best === null || best.sequence.length > maxExchanged) return true;
    this.#take(exchangeAccesses(this.#task.pages, best.sequence, this.#budget));
    return !this.#budget.stopRequested();
  }

  /** The best cycle of few pages where counts and length are free, and what is proved; false when the budget stopped. */
  #tryExact(longest: number): boolean {
    const { pages, frequency, least, cycleLength } = this.#task;
    if (frequency !== null || pages.length > mostPriced) return true;
    const found = cycleLength === null ? exactCycle(pages, this.#frequency, this.#budget) : null;
    if (found === null) {
      this.#provedBound = pricedBound(pages, this.#frequency, this.#multiplier, this.#budget);
      return !this.#budget.stopRequested();
    }
    const { sequence, bound } = found;
    this.#provedBound = bound;
    const fewest = leastCount(least, pages.length, sequence.length);
    const keepsLeast = fewest === 0 || cycleCost(pages, sequence).counts.every((count) => count >= fewest);
    if (sequence.length <= longest && keepsLeast) this.#take(sequence);
    return !this.#budget.stopRequested();
  }

  /** What improves on the best cycle, by more than rounding. */
  #take(sequence: Uint32Array): void {
    const best = this.#best;
    const result = cycleCost(this.#task.pages, sequence);
    if (best === null || !(result.cost < best.cost * (1 - rounding))) return;
    const { method } = best;
    this.#best = { ...result, method, sequence };
    this.#improved = { method, cost: result.cost, cycleLength: sequence.length, improved: true };
  }

  /** False when the budget stopped it. */
  #try(method: SequencingMethod, cycle: number): boolean {
    if (!this.#maker.mayBegin(cycle)) return false;
    for (const sequence of this.#maker.cycles(method, cycle)) if (!this.#keep(method, sequence)) return false;
    return true;
  }

  #keep(method: SequencingMethod, sequence: Uint32Array | null): boolean {
    if (sequence === null) return false;
    // a first cycle of a size that is soon costed and written is finished even when time is up
    if (this.#best !== null && this.#maker.budgetFor(sequence.length).stopRequested()) return false;
    const { pages, least, method: asked } = this.#task;
    const result = cycleCost(pages, sequence);
    // the golden ratio and randomized methods have counts of their own; a cycle of any other that breaks the least
    // frequency does not compete
    const fewest = leastCount(least, pages.length, sequence.length);
    const free = asked === 'golden-ratio' || asked === 'randomized';
    if (!free && fewest > 0 && result.counts.some((count) => count < fewest)) return true;
    const known = this.#results.get(method);
    if (known === undefined || result.cost < known.cost)
      this.#results.set(method, { method, cost: result.cost, cycleLength: sequence.length });
    if (this.#best === null || result.cost < this.#best.cost) this.#best = { ...result, method, sequence };
    return true;
  }
}

/** The least cost of any policy. */
function leastCost(pages: AccessPages, budget: Budget): number {
  const { frequency } = frequenciesOf(pages, 'deterministic', 0, budget);
  return totalCost(pages, evenStaleness(pages, frequency));
}
