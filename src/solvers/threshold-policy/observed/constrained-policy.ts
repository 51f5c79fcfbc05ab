/**
 * The cheapest way to choose by queue length and phases that keeps limits on averages. It is a mixture in time of a few
 * tables, proved by Lagrange multipliers.
 *
 * A table enters with its averages per unit of time, in which limits are linear (linear-constraints.ts). So is the cost
 * but for the response time V1 = n1/D. That is linearised at the mixture at hand: B + k(n1 − v·D), k = a/D, v = V1. For
 * given k and v the best mixture is a linear program with a column for each table. Columns are generated: the program's
 * multipliers price the limits, policy iteration finds the best table at these prices. When none is better, the mixture
 * moves towards that of the program, as far as its cost falls. That is in closed form: the cost along the way is
 * B + a·n1/D of three linear functions. Then k and v are taken there, until the program gains nothing. The multipliers
 * of that last program are the prices of the limits. Proof: the Lagrangian of those multipliers is a lower bound. Where
 * the response time has a price, the proof branches on the throughput (throughput-bound.ts). Each interval is bounded
 * by a program of the same kind that restricts the throughput too. Limits beyond reach stay exceeded however expensive
 * that is made. Where one phase is seen alone, tables are priced by local search (table-pricing.ts). What is mixed
 * keeps the limits, and has no proof of its own. Source: Altman (1999), chapter 3, for mixtures and multipliers;
 * Dantzig, Wolfe (1960) for columns; Frank, Wolfe (1956) for the steps.
 */
import { type Budget, unlessStopped } from '../../budget.ts';
import { cheapestMixture, type Mixture, mixedParts } from '../../numerics/search/cheapest-mixture.ts';
import type { Constraints, CostWeights } from '../../queue/measures.ts';
import type { ModeByState } from '../../queue/state-policy.ts';
import {
  constraintScale,
  type LinearConstraint,
  linearConstraints,
  relativeScale,
} from '../bound/linear-constraints.ts';
import { lagrangian } from '../bound/multipliers.ts';
import { everything } from '../bound/relaxation-bound.ts';
import { type Restricted, type RestrictedAt, throughputBound } from '../bound/throughput-bound.ts';
import type { MemorylessQueue } from '../evaluate/memoryless/evaluate-memoryless.ts';
import type { Weights } from '../evaluate/memoryless/rewards.ts';
import type { MixedTable } from './mixed-state.ts';
import { type Pricing, provedPricing } from './table-pricing.ts';

export interface ConstrainedPolicy {
  /** The largest share first; one where a single table does. */
  readonly mixture: readonly MixedTable[];
  readonly cost: number;
  /** Lower bound on the cost of every policy that sees the phases and keeps the limits; null where none is known. */
  readonly bound: number | null;
  /** What a unit of excess of each limit costs, in its linear form. */
  readonly limits: readonly { readonly constraint: LinearConstraint; readonly multiplier: number }[];
  /** False when no mixture keeps the limits. */
  readonly kept: boolean;
  readonly statistics: Readonly<Record<string, number>>;
}

interface ConstrainedProblem {
  readonly prepared: MemorylessQueue;
  readonly costs: CostWeights;
  readonly constraints: Constraints;
  /** Tables to begin with, one at least. */
  readonly start: readonly ModeByState[];
  readonly budget: Budget;
  /** How tables are found where not every state can be told from every other: then without a proof. */
  readonly searched?: Pricing;
}

interface Column {
  readonly modes: ModeByState;
  /** B, n1 and D per unit of time. */
  readonly linear: number;
  readonly toBeServed: number;
  readonly ends: number;
  readonly excess: readonly number[];
}

/** A mixture of the columns that were there when it was made, and what it does per unit of time. */
interface Point {
  readonly shares: readonly number[];
  readonly linear: number;
  readonly toBeServed: number;
  readonly ends: number;
  readonly cost: number;
}

/** The best mixture at one linearisation of the response time, its multipliers, and what exceeding a limit cost. */
interface Program {
  readonly mixture: Mixture;
  readonly price: number;
  readonly v: number;
  readonly penalties: readonly number[];
}

const settled = 1e-10;
const proofTolerance = 1e-8;
const mostColumns = 1000;
/** The most steps of the mixture towards that of a program. */
const mostMoves = 200;
/** The most tables that are added for one bound of an interval. */
const mostSteps = 20;
/** Prices of exceeding a limit are raised this often, a hundredfold, before it counts as beyond reach. */
const mostRaises = 5;
/** An excess of this share of what a limit is made of is rounding. */
const negligible = 1e-11;
/** Limits are loosened by this share of an excess that matters, far below rounding: see cheapest-mixture.ts. */
const loosening = 1e-14;

export function bestUnderLimits(problem: ConstrainedProblem): ConstrainedPolicy {
  return new TableProgram(problem).solve();
}

class TableProgram {
  readonly #problem: ConstrainedProblem;
  readonly #limits: readonly LinearConstraint[];
  readonly #plain: ReturnType<typeof everything>;
  readonly #pricing: Pricing;
  readonly #columns: Column[] = [];
  #iterations = 0;

  constructor(problem: ConstrainedProblem) {
    const { prepared, costs, constraints, budget } = problem;
    this.#problem = problem;
    this.#pricing = problem.searched ?? provedPricing(prepared, budget);
    this.#limits = linearConstraints(prepared, constraints, budget);
    this.#plain = everything(prepared, costs, budget);
  }

  solve(): ConstrainedPolicy {
    const { costs, start, budget } = this.#problem;
    const [first] = start.map((modes) => this.#add(modes));
    const unit = Math.max(Math.abs(first.linear) + (costs.response * first.toBeServed) / first.ends, 1e-9);
    let penalties = this.#limits.map((limit) => (10 * unit) / constraintScale(limit));
    let [price, v] = [costs.response / first.ends, first.toBeServed / first.ends];
    let point: Point | null = null;
    for (let raises = 0, moves = 0; ; ) {
      const mixture = this.#mixed(price, v, penalties);
      const program = { mixture, price, v, penalties };
      const reached = this.#pointAt(mixture.shares);
      const exceeded = this.#exceeds(mixture);
      if (!budget.stopRequested()) {
        if (this.#improves(program, reached.cost)) continue;
        if (exceeded && raises++ < mostRaises) {
          penalties = penalties.map((penalty) => 100 * penalty);
          continue;
        }
      }
      if (exceeded) return this.#result(program, point ?? reached, point !== null);
      const next: Point = point === null ? reached : this.#between(point, reached);
      const settles = point !== null && !(next.cost < point.cost - 1e-12 * Math.abs(point.cost));
      if (settles || costs.response === 0 || moves++ >= mostMoves || budget.stopRequested()) {
        return this.#result(program, settles && point !== null ? point : next, true);
      }
      point = next;
      [price, v] = [costs.response / next.ends, next.toBeServed / next.ends];
    }
  }

  /** Whether a mixture exceeds a limit by more than rounding. */
  #exceeds({ exceeded }: Mixture): boolean {
    return exceeded.some((excess, i) => excess > negligible * relativeScale(this.#limits[i]));
  }

  #add(modes: ModeByState): Column {
    const { relaxation } = this.#plain;
    relaxation.evaluate([1, 0, 0, 0], modes);
    const [linear, toBeServed, ends] = relaxation.totals;
    const excess = this.#limits.map((limit) => limit.relaxation.evaluate(limit.weights, modes));
    const column = { modes, linear, toBeServed, ends, excess };
    this.#columns.push(column);
    return column;
  }

  #mixed(price: number, v: number, penalties: readonly number[]): Mixture {
    const columns = this.#columns.map(({ linear, toBeServed, ends, excess }) => ({
      cost: linear + price * (toBeServed - v * ends),
      excess,
    }));
    return cheapestMixture(
      columns,
      penalties,
      this.#limits.map((limit) => loosening * constraintScale(limit)),
    );
  }

  #pointAt(shares: readonly number[]): Point {
    const total = (of: (column: Column) => number): number =>
      shares.reduce((sum, share, i) => sum + share * of(this.#columns[i]), 0);
    const [linear, toBeServed, ends] = [
      total((column) => column.linear),
      total((column) => column.toBeServed),
      total((column) => column.ends),
    ];
    const cost = linear + (this.#problem.costs.response * toBeServed) / ends;
    return { shares, linear, toBeServed, ends, cost };
  }

  /** The cheapest mixture of two. Where B′ + a·(n1/D)′ = 0 the cost between them turns. */
  #between(from: Point, to: Point): Point {
    const [linear, toBeServed, ends] = [to.linear - from.linear, to.toBeServed - from.toBeServed, to.ends - from.ends];
    const bend = this.#problem.costs.response * (from.toBeServed * ends - toBeServed * from.ends);
    const turn = (Math.sqrt(Math.max(0, bend / linear)) - from.ends) / ends;
    const points = [turn, 1].flatMap((share) => {
      if (!(share > 0 && share <= 1)) return [];
      return [this.#pointAt(to.shares.map((there, i) => share * there + (1 - share) * (from.shares[i] ?? 0)))];
    });
    return points.reduce((best, point) => (point.cost < best.cost ? point : best), from);
  }

  /** Adds the best table at the prices of a mixture, if it is better than what is mixed. */
  #improves({ mixture, price, v }: Program, cost: number): boolean {
    const { bound, isNew } = this.#priced(mixture, { price, v, ends: 0 });
    return isNew && bound < mixture.value - settled * Math.abs(cost);
  }

  /**
   * The best table at the multipliers of a mixture, each service end costing `ends` more; it joins the columns.
   *
   * @returns a lower bound on B + k(n1 − v·D) + excesses + ends·D; without a proof, what the table found costs in these
   */
  #priced(
    { shares, multipliers }: Mixture,
    { price, v, ends }: { readonly price: number; readonly v: number; readonly ends: number },
  ): { readonly bound: number; readonly isNew: boolean } {
    const { costs: priced, base } = lagrangian(this.#problem.costs, this.#limits, multipliers);
    const modes = this.#columns[shares.indexOf(Math.max(...shares))].modes.slice();
    const weights: Weights = [base[0], base[1] + price, base[2] - price * v + ends, base[3]];
    const bound = this.#pricing({ costs: priced, base: weights }, modes);
    this.#iterations++;
    const known = this.#columns.some((column) => column.modes.every((mode, state) => mode === modes[state]));
    const isNew = !known && this.#columns.length < mostColumns;
    if (isNew) this.#add(modes);
    return { bound, isNew };
  }

  /**
   * The program with the throughput restricted too: columns are added until it is solved, or the target is beyond it.
   */
  #restricted({ price, v, low, high, target }: RestrictedAt, penalties: readonly number[]): ReturnType<Restricted> {
    let best = Number.NEGATIVE_INFINITY;
    let attained = v;
    // A throughput outside costs as much a service end as a limit's excess does a unit of what it is made of.
    const outside = Math.max(...penalties.map((penalty, i) => penalty * constraintScale(this.#limits[i]))) / high;
    for (let step = 0; step < mostSteps; step++) {
      const columns = this.#columns.map(({ linear, toBeServed, ends, excess }) => ({
        cost: linear + price * (toBeServed - v * ends),
        excess: [...excess, ends - high, low - ends],
      }));
      const mixture = cheapestMixture(columns, [...penalties, outside, outside]);
      const [above, below] = mixture.multipliers.slice(-2);
      const { bound, isNew } = this.#priced(mixture, { price, v, ends: above - below });
      best = Math.max(best, bound - above * high + below * low);
      const { toBeServed, ends } = this.#pointAt(mixture.shares);
      attained = toBeServed / ends;
      if (best >= target || mixture.value < target || !isNew) break;
    }
    return { bound: best, v: attained };
  }

  #result(program: Program, point: Point, kept: boolean): ConstrainedPolicy {
    const mixture = mixedParts(this.#columns, point.shares).map(({ share, part: { modes } }) => ({ share, modes }));
    const proves = kept && this.#problem.searched === undefined;
    const proof = proves ? unlessStopped(null, () => this.#bound(program, point.cost, mixture[0].modes)) : null;
    return {
      mixture,
      cost: point.cost,
      bound: proof !== null && Number.isFinite(proof.bound) ? proof.bound : null,
      limits: this.#limits.map((constraint, i) => ({ constraint, multiplier: program.mixture.multipliers[i] })),
      kept,
      statistics: {
        iterations: this.#iterations,
        tables: this.#columns.length,
        throughputIntervals: proof?.intervals ?? 0,
      },
    };
  }

  #bound(
    { mixture, price, v, penalties }: Program,
    cost: number,
    modes: ModeByState,
  ): { readonly bound: number; readonly intervals: number } {
    const { costs, budget } = this.#problem;
    const { relaxation, lowest, highest } = this.#plain;
    if (costs.response === 0) return { bound: this.#priced(mixture, { price, v, ends: 0 }).bound, intervals: 0 };
    return throughputBound({
      relaxation,
      lowest,
      highest,
      response: costs.response,
      incumbent: { cost, modes, responseTime: v },
      tolerance: proofTolerance,
      budget,
      restricted: (at) => this.#restricted(at, penalties),
    });
  }
}
