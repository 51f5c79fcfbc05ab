/**
 * The best thresholds, with their proof.
 *
 * First, where that is cheap, every policy of two modes is measured; the policies of one mode were measured before.
 *
 * Few threshold vectors are all measured (`enumeration`): then every subset of modes has its best thresholds too.
 *
 * Else branch and bound. A node holds the modes allowed at each level; its relaxed policy is the best of those within
 * them that see the phases, and gives its bound (ratio-bound.ts). Branching: at the level where the relaxed policy
 * differs most from its mean modes made monotone, weighed by probability, and where many modes are allowed. One child
 * forces modes above the mean on all levels up to there, the other at most the mean from there on. Best bound first.
 * Incumbents: the relaxed policy's mean modes made monotone; after the root, and in the end, the best one moves its
 * thresholds one by one until nothing costs less.
 *
 * Under limits a node is cut when even the policies that see the phases cannot keep one of them.
 * Stops when the relative gap is at most `provedTolerance`, when there are too many nodes, or when the budget ends.
 *
 * Threshold vectors: −1 ≤ j_1 ≤ … ≤ j_{N−1} ≤ K gives mode N−1 to levels ≤ j_1, mode N−2 to those up to j_2, …, the
 * modes ascending in activity. They cover every subset of modes once.
 */
import { type Budget, NothingToReturn, unlessStopped } from '../budget.ts';
import type { Constraints, CostWeights } from '../queue/measures.ts';
import {
  constantPolicy,
  type ModeByLevel,
  minModeWhenEmpty,
  modesOfThresholds,
  type Queue,
  thresholdsOfModes,
} from '../queue/queue.ts';
import type { Incumbent } from './incumbent.ts';
import { excessesOf, type LinearExcess, mayBeFeasible } from './limits.ts';
import type { AllowedModes, ModeByPhase, PhaseChain } from './phase-chain.ts';
import { provedTolerance, RatioBounds } from './ratio-bound.ts';

/** Most threshold vectors that are all measured. */
const enumerationLimit = 10_000;
/** Most elementary steps for measuring all threshold vectors; also for measuring all policies of two modes. */
const enumerationSteps = 2e8;
/** Most nodes of branch and bound; each open node keeps a byte for each state. */
const defaultMaxNodes = 200_000;
/** Weight of the range of allowed modes in the choice of the branching level; the relaxed policy's deviation has 1. */
const rangeWeight = 0.01;

export interface Search {
  readonly chain: PhaseChain;
  readonly costs: CostWeights;
  readonly constraints: Constraints;
  /** Has been offered the policies of one mode. On return it holds the best policy of the search. */
  readonly incumbent: Incumbent;
  /** Elementary steps of measuring one policy. */
  readonly work: number;
  /** Nodes of branch and bound at most. */
  readonly maxNodes?: number;
  readonly budget: Budget;
}

/** What a search proves. */
export interface Proof {
  readonly solver: 'enumeration' | 'branch-and-bound';
  /** Proved lower bound on the cost. Infinite: proved that nothing keeps the limits. */
  readonly bound: number;
  /** Every threshold vector was measured. */
  readonly isComplete: boolean;
  readonly statistics: Readonly<Record<string, number>>;
}

/** How many threshold vectors there are: C(K+N, N−1); infinite when beyond exact integers. */
export function countThresholdVectors(capacity: number, modes: number): number {
  let count = 1;
  for (let i = 1; i < modes; i++) count = (count * (capacity + 1 + i)) / i;
  return count > Number.MAX_SAFE_INTEGER ? Number.POSITIVE_INFINITY : Math.round(count);
}

/** All non-decreasing vectors of thresholds −1..K; neighbours agree on the upper levels, which are measured once. */
export function* thresholdVectors(length: number, capacity: number): Generator<number[]> {
  if (length === 0) {
    yield [];
    return;
  }
  for (let last = -1; last <= capacity; last++) {
    for (const lowerThresholds of thresholdVectors(length - 1, last)) yield [...lowerThresholds, last];
  }
}

export function search(input: Search): Proof {
  const { chain, incumbent, work, budget } = input;
  const { queue } = chain;
  const modes = queue.modes.length;
  if (((modes * (modes - 1)) / 2) * queue.capacity * work <= enumerationSteps) {
    for (const byLevel of policiesOfTwoModes(queue)) {
      if (budget.stopRequested() || unlessStopped(null, () => incumbent.offer(byLevel)) === null) break;
    }
  }
  const vectors = countThresholdVectors(queue.capacity, modes);
  const canEnumerate = vectors <= enumerationLimit && vectors * work <= enumerationSteps;
  return canEnumerate ? enumerate(input, vectors) : branchAndBound(input);
}

/** Every policy of two modes that changes at one length: no answer is worse than such a rule of thumb. */
function* policiesOfTwoModes(queue: Queue): Generator<ModeByLevel> {
  for (let firstMode = minModeWhenEmpty(queue); firstMode < queue.modes.length; firstMode++) {
    for (let lastMode = 0; lastMode < firstMode; lastMode++) {
      for (let threshold = queue.capacity - 1; threshold >= 0; threshold--) {
        yield constantPolicy(queue, lastMode).fill(firstMode, 0, threshold + 1);
      }
    }
  }
}

function enumerate({ chain, costs, incumbent, budget }: Search, vectors: number): Proof {
  const { queue, allModes } = chain;
  // The root bound is computed first, since the enumeration may use up the time.
  const bounds = new RatioBounds(chain, costs, budget);
  const rootBound = unlessStopped(0, () => bounds.prove(allModes, chain.fromLevels(allModes.highest), 0).bound);
  let isComplete = true;
  for (const vector of thresholdVectors(queue.modes.length - 1, queue.capacity)) {
    const byLevel = modesOfThresholds(queue, vector);
    if (byLevel[0] < minModeWhenEmpty(queue)) continue;
    isComplete = !budget.stopRequested() && unlessStopped(null, () => incumbent.offer(byLevel)) !== null;
    if (!isComplete) break;
    budget.report({ fraction: incumbent.evaluations / vectors, incumbent: incumbent.cost });
  }
  return {
    solver: 'enumeration',
    bound: isComplete ? incumbent.cost : rootBound,
    isComplete,
    statistics: { thresholdVectors: vectors, examined: incumbent.evaluations },
  };
}

interface Node {
  readonly allowedModes: AllowedModes;
  /** The parent's relaxed policy: where to begin. */
  readonly modes: ModeByPhase;
  readonly bound: number;
}

/** The bound is infinite where it is proved that no policy keeps the limits. */
export function branchAndBound(input: Search): Proof {
  const { chain, costs, constraints, incumbent, maxNodes = defaultMaxNodes, budget } = input;
  const { allModes } = chain;
  const proof = (bound: number, nodes: number): Proof => ({
    solver: 'branch-and-bound',
    bound,
    isComplete: false,
    statistics: { nodes },
  });
  let [bound, nodes] = [0, 0];
  try {
    const excesses = excessesOf(constraints);
    const bounds = new RatioBounds(chain, costs, budget);
    const openNodes: Node[] = [{ allowedModes: allModes, modes: chain.fromLevels(allModes.highest), bound }];
    while (openNodes.length > 0) {
      const node = openNodes.reduce((a, b) => (b.bound < a.bound ? b : a));
      openNodes.splice(openNodes.indexOf(node), 1);
      bound = Math.max(bound, Math.min(node.bound, incumbent.cost));
      if (node.bound >= cutoffOf(incumbent)) break;
      if (nodes >= maxNodes || (nodes > 0 && budget.stopRequested())) return proof(bound, nodes);
      nodes++;
      openNodes.push(...expand(input, bounds, excesses, node));
      if (nodes === 1) improveIncumbent(input);
      budget.report({ incumbent: incumbent.cost, bound });
    }
  } catch (error) {
    if (!(error instanceof NothingToReturn)) throw error;
    return proof(bound, nodes);
  }
  // No node that was cut holds a policy better than the incumbent by more than the tolerance.
  bound = Math.max(bound, cutoffOf(incumbent));
  improveIncumbent(input);
  return proof(bound, nodes);
}

/** The bound from which on a node cannot hold anything better. */
const cutoffOf = ({ cost }: Incumbent): number => cost * (1 - provedTolerance);

/** Bounds a node, tries its policy as an incumbent, and gives the children that may hold something better. */
function expand(
  { chain, incumbent }: Search,
  bounds: RatioBounds,
  excesses: readonly LinearExcess[],
  { allowedModes, modes: parentModes, bound: parentBound }: Node,
): Node[] {
  if (!mayBeFeasible(chain, excesses, allowedModes)) return [];
  const proof = bounds.prove(allowedModes, parentModes, cutoffOf(incumbent));
  const bound = Math.max(parentBound, proof.bound);
  if (bound >= cutoffOf(incumbent)) return [];
  const { modes } = proof.best;
  const { byLevel, level, cut } = roundToThresholds(chain, modes, allowedModes);
  incumbent.offer(byLevel);
  // Without a level to branch on, the node holds one policy, which was just offered.
  if (bound >= cutoffOf(incumbent) || level < 0) return [];
  const lowest = allowedModes.lowest.map((mode, i) => (i <= level ? Math.max(mode, cut + 1) : mode));
  const highest = allowedModes.highest.map((mode, i) => (i >= level ? Math.min(mode, cut) : mode));
  return [
    { modes, bound, allowedModes: { lowest, highest: allowedModes.highest } },
    { modes, bound, allowedModes: { lowest: allowedModes.lowest, highest } },
  ];
}

/**
 * Moves one threshold of the best policy at a time, by large steps first, until no move costs less. The last steps are
 * of 1, so that all neighbours of the best policy are measured: policies of equal cost are usually among them.
 */
function improveIncumbent({ chain, incumbent, budget }: Search): void {
  const { queue } = chain;
  for (let step = queue.capacity; step >= 1; ) {
    const previousCost = incumbent.cost;
    const thresholds = incumbent.best === null ? [] : thresholdsOfModes(queue, incumbent.best.byLevel);
    for (const [i, threshold] of thresholds.entries()) {
      for (const shiftedThreshold of [threshold - step, threshold + step]) {
        if (shiftedThreshold < -1 || shiftedThreshold > queue.capacity) continue;
        if (budget.stopRequested()) return;
        // Thresholds that would break the order move with it.
        const neighbour = thresholds.map((each, k) =>
          k < i ? Math.min(each, shiftedThreshold) : Math.max(each, shiftedThreshold),
        );
        const byLevel = modesOfThresholds(queue, neighbour.with(i, shiftedThreshold));
        if (byLevel[0] >= minModeWhenEmpty(queue)) incumbent.offer(byLevel);
      }
    }
    if (!(incumbent.cost < previousCost)) step = Math.floor(step / 2);
  }
}

/** The mean modes of a relaxed policy made monotone, and where to branch (level −1: no other policy is left). */
function roundToThresholds(
  chain: PhaseChain,
  modes: ModeByPhase,
  { lowest, highest }: AllowedModes,
): { readonly byLevel: ModeByLevel; readonly level: number; readonly cut: number } {
  const { queue } = chain;
  const shares = chain.sharesOf(modes);
  const byLevel = constantPolicy(queue, 0);
  let [level, largest, cut] = [-1, 0, 0];
  let roundedMode = queue.modes.length - 1;
  for (let i = 0; i <= queue.capacity; i++) {
    const levelModes = modes.subarray(chain.firstState(i), chain.firstState(i + 1));
    const share = shares[i].reduce((sum, each) => sum + each, 0);
    // At a level of probability 0 all states have the same weight.
    const weights = share > 0 ? shares[i].map((each) => each / share) : shares[i].fill(1 / levelModes.length);
    const mean = weights.reduce((sum, weight, s) => sum + weight * levelModes[s], 0);
    roundedMode = Math.min(roundedMode, Math.max(lowest[i], Math.min(highest[i], Math.round(mean))));
    byLevel[i] = roundedMode;
    const deviation = weights.reduce((sum, weight, s) => sum + weight * Math.abs(levelModes[s] - roundedMode), 0);
    const range = highest[i] - lowest[i];
    const score = share * (deviation + rangeWeight * range);
    if (range === 0 || score < largest) continue;
    [level, largest] = [i, score];
    cut = Math.min(highest[i] - 1, Math.max(lowest[i], Math.floor(mean)));
  }
  byLevel.fill(roundedMode, queue.capacity + 1);
  return { byLevel, level, cut };
}
