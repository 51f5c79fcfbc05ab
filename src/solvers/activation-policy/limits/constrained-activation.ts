/**
 * The cheapest way to run the crawlers that keeps limits on long-run averages, proved by Lagrange multipliers.
 *
 * A policy enters with its averages alone, in which cost and limits are linear. So the best mixture of policies in time
 * is a linear program with a column for each policy. Columns are generated: the program's multipliers price the limits,
 * and the policy iteration finds the best policy at these prices. Its bound proves a lower bound on every mixture. Ends
 * when the two meet, which they do, since the dual of this program has no gap. The limits' elastic form finds out too
 * that no mixture keeps them: when exceeding them stays in the mixture however expensive. A mixture of two policies is
 * then brought into one, decision by decision on the way from one curve to the other. All these decisions are equally
 * good at the prices; the limit is met at one of them. It is left to chance there (mixed-decision.ts). Source: Altman
 * (1999), chapter 3; Beutler, Ross (1985) for chance in one state; Dantzig, Wolfe (1960).
 */
import { type Conflict, relativeGap } from '../../answer.ts';
import { type Budget, NothingToReturn } from '../../budget.ts';
import { cheapestMixture, mixedParts } from '../../numerics/search/cheapest-mixture.ts';
import { clashInWords, type ReachedLimit } from '../../queue/clash.ts';
import type { ClassMeasures } from '../model/activation-model.ts';
import {
  type ActivationConstraints,
  type ActivationLimit,
  excessOf,
  measureOf,
  type WeightedLimit,
  weightedLimits,
} from './limits.ts';
import { type Model, WeightedOptima } from './weighted-optima.ts';

export interface MixedPolicy {
  /** Share of time. */
  readonly share: number;
  readonly targets: Int32Array;
  readonly averages: ClassMeasures;
}

export interface ActivationConflict extends Conflict {
  readonly limits: readonly ReachedLimit<ActivationLimit>[];
}

interface ConstrainedOptimum {
  readonly crawlers: number;
  /** The policies mixed, the largest share first; one where a single policy does. */
  readonly mixture: readonly MixedPolicy[];
  readonly cost: number;
  readonly bound: number;
  /** What a unit more of each limit would save. */
  readonly dualPrices: Partial<Record<ActivationLimit, number>>;
  readonly conflict: ActivationConflict | null;
  readonly iterations: number;
}

interface Column {
  readonly cost: number;
  readonly excess: readonly number[];
  readonly targets: Int32Array;
  readonly averages: ClassMeasures;
}

const proofTolerance = 1e-9;
/** The gap to which a policy at given prices is proved. */
const tolerance = 1e-10;
const mostColumns = 200;
/** How much a limit is loosened for its price, as a share of the most it is exceeded by. */
const loosening = 1e-6;
/** Prices of exceeding a limit are raised this often, a hundredfold, before it counts as beyond reach. */
const mostRaises = 5;

/** @throws NothingToReturn when the budget ends before limits that clash are proved to, or are kept */
export function optimiseConstrained(
  problem: Model,
  constraints: ActivationConstraints,
  budget: Budget,
): ConstrainedOptimum {
  const limits = weightedLimits(constraints, problem.indexingRate);
  const pricing = new Pricing(problem, limits, budget);
  const first = pricing.best(
    limits.map(() => 0),
    1,
  );
  const columns = [first.column];
  let bound = first.bound;
  const unit = Math.max(first.column.cost, 1e-9 * problem.indexingRate);
  let penalties = limits.map(({ right }) => (10 * unit) / Math.max(right, 1e-9));
  for (let raises = 0; ; ) {
    const mixture = cheapestMixture(columns, penalties);
    const exceeded = mixture.exceeded.some((excess, i) => excess > 1e-12 * Math.max(limits[i].right, 1e-12));
    const priced = pricing.best(mixture.multipliers, 1);
    bound = Math.max(bound, priced.bound);
    const settled = relativeGap(mixture.value, bound) <= proofTolerance;
    const known = isKnown(columns, priced.column);
    if (!settled && !known && columns.length < mostColumns && !budget.stopRequested()) {
      columns.push(priced.column);
      continue;
    }
    if (exceeded && raises < mostRaises && !budget.stopRequested()) {
      penalties = penalties.map((penalty) => 100 * penalty);
      raises++;
      bound = Number.NEGATIVE_INFINITY;
      continue;
    }
    if (exceeded) {
      const nearest = pricing.outcome(columns, mixture.shares);
      const conflict = pricing.conflict();
      // Columns or least values that the time limit cut short prove no conflict.
      if (budget.stopRequested()) throw new NothingToReturn('no policy that keeps the limits had been found');
      return { ...nearest, bound, conflict, dualPrices: {} };
    }
    const outcome = pricing.outcome(columns, mixture.shares);
    const multipliers = limits.map((_, i) => pricing.multiplierOf(i, columns, penalties));
    return {
      ...outcome,
      bound: Math.min(bound, outcome.cost),
      dualPrices: pricing.prices(multipliers, outcome),
      conflict: null,
    };
  }
}

/** Whether the policy is one of these. */
function isKnown(columns: readonly Column[], { targets }: Column): boolean {
  return columns.some((column) => column.targets.every((target, q) => target === targets[q]));
}

/** The best policy at given prices of the limits, and what follows from it. */
class Pricing {
  readonly #problem: Model;
  readonly #limits: readonly WeightedLimit[];
  readonly #budget: Budget;
  readonly #optima: WeightedOptima;

  constructor(problem: Model, limits: readonly WeightedLimit[], budget: Budget) {
    this.#problem = problem;
    this.#limits = limits;
    this.#budget = budget;
    this.#optima = new WeightedOptima(problem, tolerance, budget);
  }

  /** @param costWeight 1, or 0 to minimise the priced excesses alone */
  best(prices: readonly number[], costWeight: number): { readonly column: Column; readonly bound: number } {
    const priced = (of: (limit: WeightedLimit) => number): number =>
      this.#limits.reduce((total, limit, i) => total + prices[i] * of(limit), 0);
    const { targets, averages, bound } = this.#optima.at({
      loss: costWeight + priced(({ loss }) => loss),
      starvation: costWeight * this.#problem.starvationWeight + priced(({ starvation }) => starvation),
      crawlers: costWeight * this.#problem.crawlerCost + priced(({ crawler }) => crawler),
      queueLength: priced(({ queue }) => queue),
    });
    const excess = this.#limits.map((limit) => excessOf(limit, averages));
    return { column: { cost: averages.cost, excess, targets, averages }, bound: bound - priced(({ right }) => right) };
  }

  /**
   * The multiplier of limit i, what the first unit more of it saves. Where it is unique, it is that of the program
   * whose limit is loosened a little. Policies found for the loosened limit are added until none is better at its
   * prices.
   */
  multiplierOf(i: number, columns: readonly Column[], penalties: readonly number[]): number {
    const all = [...columns];
    const most = all.reduce((largest, { excess }) => Math.max(largest, excess[i]), 0);
    if (most === 0) return 0;
    const loosened = penalties.map((_, k) => (k === i ? loosening * most : 0));
    for (;;) {
      const { multipliers } = cheapestMixture(all, penalties, loosened);
      const { column } = this.best(multipliers, 1);
      if (isKnown(all, column) || all.length >= mostColumns || this.#budget.stopRequested()) return multipliers[i];
      all.push(column);
    }
  }

  outcome(columns: readonly Column[], shares: readonly number[]) {
    const mixture = mixedParts(columns, shares).map(({ share, part: { targets, averages } }) => ({
      share,
      targets,
      averages,
    }));
    return {
      mixture,
      cost: mixture.reduce((sum, { share, averages }) => sum + share * averages.cost, 0),
      crawlers:
        this.#problem.crawlers ??
        Math.max(1, ...mixture.map(({ targets }) => targets.reduce((a, b) => Math.max(a, b)))),
      iterations: this.#optima.iterations,
    };
  }

  /** Multipliers are of the weighted forms; a price is of a unit of the measure. */
  prices(multipliers: readonly number[], { mixture }: { readonly mixture: readonly MixedPolicy[] }) {
    const active = mixture.reduce((sum, { share, averages }) => sum + share * averages.meanActive, 0);
    return Object.fromEntries(
      this.#limits.map(({ name }, i) => [
        name,
        multipliers[i] * (name === 'lossProbability' ? this.#problem.crawlerRate * active : 1),
      ]),
    );
  }

  /** @throws NothingToReturn when the budget ends first */
  conflict(): ActivationConflict {
    const limits = this.#limits.map(({ name, limit }, i) => {
      const alone = this.best(
        this.#limits.map((_, k) => (k === i ? 1 : 0)),
        0,
      );
      return { constraint: name, limit, smallest: measureOf(name, alone.column.averages, this.#problem.crawlerRate) };
    });
    const beyond = limits.filter(({ limit, smallest }) => smallest > limit);
    const clash = clashInWords(limits, beyond, ['policy']);
    return { detail: `${clash}; raise a limit, or give more crawlers or capacity`, limits };
  }
}

/** Averages of a mixture. */
export function mixedAverages(mixture: readonly MixedPolicy[], cost: number): ClassMeasures {
  const mean = (name: 'starvationProbability' | 'lossRate' | 'meanActive' | 'meanQueueLength'): number =>
    mixture.reduce((sum, { share, averages }) => sum + share * averages[name], 0);
  return {
    cost,
    starvationProbability: mean('starvationProbability'),
    lossRate: mean('lossRate'),
    meanActive: mean('meanActive'),
    meanQueueLength: mean('meanQueueLength'),
    minActive: Math.min(...mixture.map(({ averages }) => averages.minActive)),
    maxActive: Math.max(...mixture.map(({ averages }) => averages.maxActive)),
  };
}
