/**
 * The optimal threshold policy for any number of modes, with exponential (or no) obsolescence, first in first out,
 * proved by branch and bound.
 *
 * Node: the modes lowest[i]..highest[i] allowed at each level, both non-increasing in i, and its bound: node-bounds.ts.
 *
 * Branching: where the bound is low because V1 is a ratio, the node's throughputs D are halved, as long as that raises
 * the bound. Else it branches at the level with the largest probability × spread of the relaxed policy's modes (over
 * the phases, and against monotony), at their mean c. One child forces modes above c on all levels up to there, the
 * other at most c from there on. Best bound first. Incumbents: the relaxed policy's mean modes made monotone, then
 * local search.
 *
 * Stops when the gap is at most `tolerance` (relative), or the budget ends: then the gap is what is reported. A node
 * costs 10 to 20 policy-iteration rounds of O(K·(k_max·(W·M)³ + N·k_max·W²·M)).
 * Constraints: every limit is linear in the stationary distribution (linear-constraints.ts). A node is cut when even
 * the full-information policies cannot keep one of them. Its bound is the Lagrangian one at the multipliers found for
 * the root (multipliers.ts); between the two a gap may be left.
 * Known limits: the gap may stay open where arrival phases differ much between levels; then `feasible`.
 */
import { NothingToReturn } from '../../budget.ts';
import type { Totals } from '../../queue/measures.ts';
import { fixedMode, leastWhenEmpty, type ModeByLevel } from '../../queue/queue.ts';
import { evaluateMemoryless } from '../evaluate/memoryless/evaluate-memoryless.ts';
import { improveLocally } from '../search/local-search.ts';
import { penalty } from '../search/tally.ts';
import { type Node, type NodeBoundSetting, NodeBounds, type Throughput } from './node-bounds.ts';
import { allModes } from './relaxation-bound.ts';
import { roundedPolicy } from './rounded-policy.ts';

export interface BranchAndBoundResult {
  /** Null when no policy was found that keeps the limits. */
  readonly byLevel: ModeByLevel | null;
  readonly cost: number;
  readonly bound: number;
  readonly nodes: number;
}

interface BranchAndBoundSetting extends NodeBoundSetting {
  readonly maxNodes: number;
  /** A policy to begin with. */
  readonly start?: ModeByLevel | null;
  /** Cost of a policy with these totals; infinite when it breaks a limit. */
  score(totals: Totals, byLevel: ModeByLevel): number;
  /** As score, with a penalty instead of infinity: what local search climbs down. */
  penalised(totals: Totals, byLevel: ModeByLevel): number;
  /** Measures a policy, where first in first out is not what is asked about. */
  readonly evaluate?: (byLevel: ModeByLevel) => Totals;
  /** False when no policy within these modes can keep every limit. */
  canKeepConstraints?(lowest: Uint8Array, highest: Uint8Array): boolean;
}

export function branchAndBound(setting: BranchAndBoundSetting): BranchAndBoundResult {
  return new Search(setting).run();
}

class Search {
  readonly #setting: BranchAndBoundSetting;
  readonly #bounds: NodeBounds;
  #best: ModeByLevel | null = null;
  #bestCost = Number.POSITIVE_INFINITY;
  #bound = Number.NEGATIVE_INFINITY;
  #nodes = 0;

  constructor(setting: BranchAndBoundSetting) {
    this.#setting = setting;
    this.#bounds = new NodeBounds(setting);
  }

  run(): BranchAndBoundResult {
    try {
      return this.#search();
    } catch (error) {
      if (!(error instanceof NothingToReturn) || this.#best === null) throw error;
      return { byLevel: this.#best, cost: this.#bestCost, bound: this.#bound, nodes: this.#nodes };
    }
  }

  #search(): BranchAndBoundResult {
    const { prepared, budget, tolerance, maxNodes, start } = this.#setting;
    const { queue } = prepared;
    const all = allModes(queue);
    const open: Node[] = [];
    const root: Node = {
      ...all,
      extremes: { most: all.modes.slice(), least: new Uint8Array(all.modes.length) },
      bound: Number.NEGATIVE_INFINITY,
      throughput: null,
    };
    for (let mode = leastWhenEmpty(queue); mode < queue.modes.length; mode++) this.#try(fixedMode(queue, mode));
    if (start) this.#try(start);
    open.push(root);
    while (open.length > 0) {
      const node = takeBest(open);
      this.#bound = Math.max(this.#bound, Math.min(node.bound, this.#bestCost));
      if (this.#closes(node.bound)) break;
      if (this.#nodes >= maxNodes || (this.#nodes > 0 && budget.stopRequested())) {
        return { byLevel: this.#best, cost: this.#bestCost, bound: this.#bound, nodes: this.#nodes };
      }
      this.#nodes++;
      for (const child of this.#expand(node)) open.push(child);
      budget.report({ incumbent: this.#bestCost, bound: this.#bound });
    }
    // Everything that was cut could not beat the incumbent by more than the tolerance.
    const proved =
      this.#best === null ? Number.POSITIVE_INFINITY : this.#bestCost - tolerance * Math.abs(this.#bestCost);
    return {
      byLevel: this.#best,
      cost: this.#bestCost,
      bound: Math.max(this.#bound, Math.min(proved, this.#bestCost)),
      nodes: this.#nodes,
    };
  }

  #closes(bound: number): boolean {
    return this.#best !== null && bound >= this.#bestCost - this.#setting.tolerance * Math.abs(this.#bestCost);
  }

  #evaluate(byLevel: ModeByLevel): Totals {
    const { prepared, evaluate } = this.#setting;
    return evaluate === undefined ? evaluateMemoryless(prepared, byLevel) : evaluate(byLevel);
  }

  #try(byLevel: ModeByLevel): void {
    const { score } = this.#setting;
    const cost = score(this.#evaluate(byLevel), byLevel);
    if (!(cost < this.#bestCost)) return;
    this.#bestCost = cost;
    this.#best = byLevel.slice();
  }

  #improve(byLevel: ModeByLevel): void {
    const { prepared, penalised, budget } = this.#setting;
    const improved = improveLocally(
      prepared.queue,
      byLevel,
      (candidate) => penalised(this.#evaluate(candidate), candidate),
      budget,
    );
    if (improved.cost >= Math.min(this.#bestCost, penalty)) return;
    this.#bestCost = improved.cost;
    this.#best = improved.byLevel;
  }

  /** Bounds a node, tries its policy as an incumbent, and returns the children that may hold something better. */
  #expand(node: Node): Node[] {
    const { canKeepConstraints } = this.#setting;
    const { lowest, highest } = node;
    if (canKeepConstraints !== undefined && !canKeepConstraints(lowest, highest)) return [];
    const modes = node.modes.slice();
    const extremes = { most: node.extremes.most.slice(), least: node.extremes.least.slice() };
    const { bound, halved } = this.#bounds.of(node, { modes, extremes }, this.#bestCost);
    if (this.#closes(bound)) return [];
    const policy = roundedPolicy(this.#setting.prepared.queue, modes, lowest, highest);
    const before = this.#bestCost;
    this.#try(policy.byLevel);
    if (this.#bestCost < before || node.bound === Number.NEGATIVE_INFINITY) this.#improve(policy.byLevel);
    if (this.#closes(bound) || policy.level < 0) return []; // level −1: one policy is left, and it was tried
    const inherited = Math.max(bound, node.bound);
    if (halved !== null) return this.#halves(halved, { ...node, modes, extremes, bound: inherited });
    const { throughput } = node;
    const { level, cut } = policy;
    const raised = lowest.slice();
    for (let i = 0; i <= level; i++) raised[i] = Math.max(raised[i], cut + 1);
    const lowered = highest.slice();
    for (let i = level; i < lowered.length; i++) lowered[i] = Math.min(lowered[i], cut);
    return [
      { lowest: raised, highest, modes, extremes, bound: inherited, throughput },
      { lowest, highest: lowered, modes, extremes, bound: inherited, throughput },
    ];
  }

  #halves({ low, high, v }: Throughput, node: Node): Node[] {
    const middle = Math.sqrt(low * high);
    return [
      { ...node, throughput: { low, high: middle, v } },
      { ...node, throughput: { low: middle, high, v } },
    ];
  }
}

function takeBest(open: Node[]): Node {
  let best = 0;
  for (let i = 1; i < open.length; i++) if (open[i].bound < open[best].bound) best = i;
  const node = open[best];
  open[best] = open[open.length - 1];
  open.pop();
  return node;
}
