/**
 * The nodes of branch-and-bound.ts, and what no policy within one can beat.
 *
 * A node allows the modes lowest[i]..highest[i] at each level, and may be restricted to an interval of throughputs D.
 * Its bound is that of the best full-information policy within it (full-information.ts). The ratio V1 is linearised
 * over all throughputs (ratio-bound.ts), or, where that keeps the bound low, over an interval of them
 * (throughput-bound.ts).
 */
import type { Budget } from '../../budget.ts';
import type { CostWeights } from '../../queue/measures.ts';
import type { MemorylessQueue } from '../evaluate/memoryless/evaluate-memoryless.ts';
import type { Weights } from '../evaluate/memoryless/rewards.ts';
import type { Lagrangian } from './multipliers.ts';
import { type Extremes, ratioBound } from './ratio-bound.ts';
import { type FullInformation, relaxationOfCost } from './relaxation/full-information.ts';
import { boundBetween } from './throughput-bound.ts';

export interface Node {
  readonly lowest: Uint8Array;
  readonly highest: Uint8Array;
  /** Start policy: the parent's relaxed optimum. */
  readonly modes: Uint8Array;
  readonly extremes: Extremes;
  readonly bound: number;
  /** The throughputs it is restricted to, and the V1 it is linearised at; null: all. */
  readonly throughput: Throughput | null;
}

export interface Throughput {
  readonly low: number;
  readonly high: number;
  readonly v: number;
}

/** A node's bound, and the interval of throughputs to halve where that is what keeps the bound low. */
interface Bounded {
  readonly bound: number;
  readonly halved: Throughput | null;
}

/** The relaxed policy of a node, which is found from that of its parent and put in its place. */
type Relaxed = Pick<Node, 'modes' | 'extremes'>;

/** What bounds are made of. */
export interface NodeBoundSetting {
  readonly prepared: MemorylessQueue;
  readonly costs: CostWeights;
  readonly budget: Budget;
  readonly tolerance: number;
  /** The Lagrangian of the limits: what nodes are bounded by instead of the cost. */
  readonly relaxed?: Lagrangian;
  /** The relaxation of a node, where it depends on the modes allowed. */
  readonly relaxationOf?: (lowest: Uint8Array, highest: Uint8Array) => FullInformation;
}

/** Throughputs closer to each other than this ratio are not told apart. */
const narrowest = 1 + 1e-6;
/** Throughputs are halved again where that raised the bound by this share of what was open. */
const leastRaise = 0.1;

export class NodeBounds {
  readonly #setting: NodeBoundSetting;
  readonly #relaxation: FullInformation;
  readonly #base: Weights;

  constructor(setting: NodeBoundSetting) {
    this.#setting = setting;
    const { costs, base } = setting.relaxed ?? { costs: setting.costs, base: [1, 0, 0, 0] };
    this.#base = base;
    this.#relaxation = relaxationOfCost(setting.prepared, costs, setting.budget);
  }

  /** The bound of a node, −∞ where none is found; leaves the relaxed policy in place of the one given. */
  of(node: Node, relaxed: Relaxed, bestCost: number): Bounded {
    const { bound, halved } =
      node.throughput === null
        ? this.#ofAll(node, relaxed, bestCost)
        : this.#within(node, node.throughput, relaxed.modes, bestCost);
    return { bound: Number.isNaN(bound) ? Number.NEGATIVE_INFINITY : bound, halved };
  }

  /** The bound of a node with all its throughputs. */
  #ofAll({ lowest, highest }: Node, { modes, extremes }: Relaxed, bestCost: number): Bounded {
    const { costs, relaxationOf, relaxed } = this.#setting;
    const { bound, cost, v, least, most } = ratioBound({
      relaxation: relaxationOf?.(lowest, highest) ?? this.#relaxation,
      base: this.#base,
      response: costs.response,
      lowest,
      highest,
      modes,
      extremes,
    });
    const splits = relaxed === undefined && ratioIsLoose(bound, cost, bestCost) && least > 0 && most > least;
    return { bound, halved: splits ? { low: least, high: most, v } : null };
  }

  /** As {@link #ofAll}, for the policies whose throughput lies in an interval. */
  #within(
    { lowest, highest, bound }: Node,
    { low, high, v }: Throughput,
    modes: Uint8Array,
    bestCost: number,
  ): Bounded {
    const { costs, relaxationOf, budget, tolerance } = this.#setting;
    const problem = {
      relaxation: relaxationOf?.(lowest, highest) ?? this.#relaxation,
      lowest,
      highest,
      response: costs.response,
      incumbent: { cost: bestCost, modes, responseTime: v },
      tolerance,
      budget,
    };
    const target = bestCost - tolerance * Math.abs(bestCost);
    const found = boundBetween(problem, low, high, v, target);
    if (found.modes === undefined) return { bound: found.bound, halved: null };
    modes.set(found.modes);
    const linear = problem.relaxation.evaluate(this.#base, modes);
    const [, toBeServed, ends] = problem.relaxation.totals;
    const loose = ratioIsLoose(found.bound, linear + (costs.response * toBeServed) / ends, bestCost);
    // Between two policies their mixtures keep the bound low, however narrow the interval: then modes must tell.
    const helps = found.bound - bound > leastRaise * (bestCost - bound);
    return { bound: found.bound, halved: loose && helps && high > narrowest * low ? { low, high, v: found.v } : null };
  }
}

/** Whether more of what is open to the incumbent is due to the ratio than to the phases. */
function ratioIsLoose(bound: number, cost: number, bestCost: number): boolean {
  return Math.min(cost, bestCost) - bound > 0.5 * (bestCost - bound);
}
