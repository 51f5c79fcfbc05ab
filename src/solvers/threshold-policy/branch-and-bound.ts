/**
 * Branch and bound over policies by queue length, with exponential (or no) obsolescence.
 *
 * A node holds the modes allowed at each level. Its bound is that of the policies within them that see the phases
 * (ratio-bound.ts). Branching: at the level with the largest probability × spread of the relaxed policy's modes over its
 * phases (and against monotony), at their mean c. One child forces modes above c on all levels up to there, the other at
 * most c from there on. Best bound first. Incumbents: the relaxed policy's mean modes made monotone, then local search.
 *
 * Under limits a node is cut when even the policies that see the phases cannot keep one of them, and bounded by the cost
 * with the limits at the multipliers of the root (limits.ts): between the two a gap may be left.
 * Stops when the gap is at most `tolerance` (relative), when there are too many nodes, or when the budget ends.
 */
import { type Budget, NothingToReturn } from '../budget.ts';
import { fixedMode, leastWhenEmpty, type ModeByLevel, type Queue } from '../queue/queue.ts';
import { type Excess, mayBeFeasible } from './limits.ts';
import { improveLocally, type Measure } from './local-search.ts';
import { type AllowedModes, allModes, type ModeByPhase, type PhaseChain } from './phase-chain.ts';
import type { RatioBounds } from './ratio-bound.ts';
import type { Tally } from './tally.ts';

interface Node {
  readonly allowed: AllowedModes;
  /** The parent's relaxed policy: where to begin. */
  readonly modes: ModeByPhase;
  readonly bound: number;
}

export interface BranchAndBoundSetting {
  readonly queue: Queue;
  readonly chain: PhaseChain;
  readonly bounds: RatioBounds;
  readonly excesses: readonly Excess[];
  readonly tally: Tally;
  /** Measures a policy and offers it to the tally. */
  readonly measure: Measure;
  readonly tolerance: number;
  readonly mostNodes: number;
  readonly budget: Budget;
}

/** A stationary share below this says nothing about the modes of a state. */
const negligibleShare = 1e-9;

/** Leaves the best policy in the tally; the bound is infinite where it is proved that no policy keeps the limits. */
export function branchAndBound(setting: BranchAndBoundSetting): { readonly bound: number; readonly nodes: number } {
  const { queue, chain, tally, measure, tolerance, mostNodes, budget } = setting;
  const allowed = allModes(queue);
  for (let mode = leastWhenEmpty(queue); mode < queue.modes.length; mode++) measure(fixedMode(queue, mode));
  const closes = (bound: number): boolean => bound >= tally.bestCost - tolerance * Math.abs(tally.bestCost);
  const open: Node[] = [{ allowed, modes: chain.ofLevels(allowed.highest), bound: Number.NEGATIVE_INFINITY }];
  let [bound, nodes] = [Number.NEGATIVE_INFINITY, 0];
  try {
    while (open.length > 0) {
      const node = takeBest(open);
      bound = Math.max(bound, Math.min(node.bound, tally.bestCost));
      if (closes(node.bound)) break;
      if (nodes >= mostNodes || (nodes > 0 && budget.stopRequested())) return { bound, nodes };
      nodes++;
      open.push(...expand(setting, node, closes));
      budget.report({ incumbent: tally.bestCost, bound });
    }
  } catch (error) {
    if (!(error instanceof NothingToReturn) || tally.best === null) throw error;
    return { bound, nodes };
  }
  // What was cut cannot beat the incumbent by more than the tolerance.
  const proved = tally.bestCost - (tally.best === null ? 0 : tolerance * Math.abs(tally.bestCost));
  return { bound: Math.max(bound, proved), nodes };
}

/** Bounds a node, tries its policy as an incumbent, and gives the children that may hold something better. */
function expand(setting: BranchAndBoundSetting, node: Node, closes: (bound: number) => boolean): Node[] {
  const { queue, chain, bounds, excesses, tally, measure, budget } = setting;
  const { allowed } = node;
  if (!mayBeFeasible(chain, excesses, allowed)) return [];
  const { bound, best } = bounds.boundWithin(allowed, node.modes);
  if (closes(bound)) return [];
  const { byLevel, level, cut } = roundToThresholds(chain, best.modes, allowed);
  const before = tally.bestCost;
  const cost = measure(byLevel);
  if (tally.bestCost < before || node.bound === Number.NEGATIVE_INFINITY) {
    improveLocally(queue, { byLevel, cost }, measure, budget);
  }
  // Without a level one policy is left, and it was tried.
  if (closes(bound) || level < 0) return [];
  const lowest = allowed.lowest.slice();
  for (let i = 0; i <= level; i++) lowest[i] = Math.max(lowest[i], cut + 1);
  const highest = allowed.highest.slice();
  for (let i = level; i < highest.length; i++) highest[i] = Math.min(highest[i], cut);
  const child = { modes: best.modes, bound: Math.max(bound, node.bound) };
  return [
    { ...child, allowed: { lowest, highest: allowed.highest } },
    { ...child, allowed: { lowest: allowed.lowest, highest } },
  ];
}

function takeBest(open: Node[]): Node {
  let best = 0;
  for (let i = 1; i < open.length; i++) if (open[i].bound < open[best].bound) best = i;
  const node = open[best];
  open[best] = open[open.length - 1];
  open.pop();
  return node;
}

/** The monotone policy nearest to a relaxed one, and where to branch (level −1: it is the only one left). */
function roundToThresholds(
  chain: PhaseChain,
  modes: ModeByPhase,
  { lowest, highest }: AllowedModes,
): { readonly byLevel: ModeByLevel; readonly level: number; readonly cut: number } {
  const { capacity, topLevel, modes: all } = chain.queue;
  chain.evaluate({}, modes);
  const means = new Float64Array(capacity + 1);
  const byLevel = new Uint8Array(topLevel + 1);
  let [level, largest] = [-1, 0];
  // Where nothing speaks against the relaxed policy, yet its bound is not attained (a limit, or the ratio): the widest
  // choice.
  let [widest, width] = [-1, 0];
  let ceiling = Number.POSITIVE_INFINITY;
  let previous = all.length - 1;
  for (let i = 0; i <= capacity; i++) {
    let [share, mean, sum] = [0, 0, 0];
    let [least, most] = [all.length, -1];
    const [begin, end] = [chain.begin(i), chain.begin(i + 1)];
    for (let s = begin; s < end; s++) {
      share += chain.shares[s];
      mean += chain.shares[s] * modes[s];
      sum += modes[s];
    }
    for (let s = begin; s < end; s++) {
      if (chain.shares[s] < negligibleShare && share > negligibleShare) continue;
      [least, most] = [Math.min(least, modes[s]), Math.max(most, modes[s])];
    }
    means[i] = share > 0 ? mean / share : sum / (end - begin);
    const against = Math.max(0, most - ceiling);
    ceiling = Math.min(ceiling, least);
    const range = (share + 1e-12) * (highest[i] - lowest[i]);
    if (range > width) [widest, width] = [i, range];
    const spread = (share + 1e-12) * (most - least + against);
    if (spread > largest && lowest[i] < highest[i]) [level, largest] = [i, spread];
    previous = Math.min(previous, Math.max(lowest[i], Math.min(highest[i], Math.round(means[i]))));
    byLevel[i] = previous;
  }
  byLevel.fill(previous, capacity + 1);
  if (level < 0) level = widest;
  if (level < 0) return { byLevel, level, cut: 0 };
  return { byLevel, level, cut: Math.min(highest[level] - 1, Math.max(lowest[level], Math.floor(means[level]))) };
}
