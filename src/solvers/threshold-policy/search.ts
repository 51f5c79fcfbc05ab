/**
 * The best thresholds, with their proof.
 *
 * First every policy of one mode is measured and, where that is cheap, every policy of two.
 *
 * Few threshold vectors are all measured (`enumeration`): then every subset of modes has its best thresholds too.
 *
 * Else branch and bound. A node holds the modes allowed at each level; its relaxed policy is the best of those within
 * them that see the phases, and gives its bound (ratio-bound.ts). Branching: at the level with the largest probability ×
 * spread of the relaxed policy's modes over its phases (and against monotony), at their mean c. One child forces modes
 * above c on all levels up to there, the other at most c from there on. Best bound first. Incumbents: the relaxed
 * policy's mean modes made monotone; after the root the best one moves its thresholds one by one until nothing costs less.
 *
 * Under limits a node is cut when even the policies that see the phases cannot keep one of them, and bounded by the cost
 * with the limits at the multipliers of the root (limits.ts).
 * Stops when the relative gap is at most `provedTolerance`, when there are too many nodes, or when the budget ends.
 *
 * Threshold vectors: −1 ≤ j_1 ≤ … ≤ j_{N−1} ≤ K gives mode N−1 to levels ≤ j_1, mode N−2 to those up to j_2, …, the
 * modes ascending in activity. They cover every subset of modes once.
 */
import { type Budget, NothingToReturn, unlessStopped } from '../budget.ts';
import type { Constraints, CostWeights } from '../queue/measures.ts';
import {
  fixedMode,
  type ModeByLevel,
  minModeWhenEmpty,
  modesOfThresholds,
  type Queue,
  thresholdsOfModes,
} from '../queue/queue.ts';
import type { Incumbent } from './incumbent.ts';
import { costAtBestMultipliers, excessesOf, type LinearExcess, mayBeFeasible } from './limits.ts';
import type { AllowedModes, ModeByPhase, PhaseChain } from './phase-chain.ts';
import { RatioBounds, ratioCostOf } from './ratio-bound.ts';

/** Vectors up to which all are measured, and the elementary steps that this may take. */
const enumerationLimit = 10_000;
const enumerationSteps = 1e9;
/** Elementary steps that the policies of two modes may take before the search begins. */
const pairSteps = 2e8;
/** Vectors between two looks at the budget's progress. */
const vectorsBetweenReports = 64;
/** Relative gap at which the proof stops. */
export const provedTolerance = 1e-9;
/** Nodes of branch and bound, and the bytes they keep at most. */
const defaultMaxNodes = 200_000;
const nodeBytes = 300_000_000;
/** Share of its level below which the mode of a state says nothing. */
const negligibleShare = 1e-9;
/** Stationary share of a level below which it is branched on last. */
const negligibleLevel = 1e-12;
/** Weight in the branching score of the range of modes allowed at a level; the spread of the relaxed policy has 1. */
const rangeWeight = 1e-6;

export interface Search {
  readonly chain: PhaseChain;
  readonly costs: CostWeights;
  readonly constraints: Constraints;
  /** On return it holds the best policy of the search. */
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
    for (const rest of thresholdVectors(length - 1, last)) yield [...rest, last];
  }
}

/** @throws NothingToReturn when the budget ends before any policy is measured */
export function search(input: Search): Proof {
  const { chain, incumbent, work, budget } = input;
  const { queue } = chain;
  const modes = queue.modes.length;
  const affordsPairs = ((modes * (modes - 1)) / 2) * queue.capacity * work <= pairSteps;
  for (const byLevel of simplePolicies(queue, affordsPairs)) {
    const isMeasured = unlessStopped(false, () => incumbent.offer(byLevel) >= 0);
    if (!isMeasured && incumbent.count === 0) throw new NothingToReturn('not one policy had been measured');
    if (incumbent.count >= modes && budget.stopRequested()) break;
  }
  const vectors = countThresholdVectors(queue.capacity, modes);
  const canEnumerate = vectors <= enumerationLimit && vectors * work <= enumerationSteps;
  return canEnumerate ? enumerate(input, vectors) : branchAndBound(input);
}

/** Every policy of one mode, and of two that change at one length: no answer is worse than such a rule of thumb. */
function* simplePolicies(queue: Queue, withPairs: boolean): Generator<ModeByLevel> {
  const lowest = minModeWhenEmpty(queue);
  for (let mode = lowest; mode < queue.modes.length; mode++) yield fixedMode(queue, mode);
  if (!withPairs) return;
  for (let firstMode = lowest; firstMode < queue.modes.length; firstMode++) {
    for (let lastMode = 0; lastMode < firstMode; lastMode++) {
      for (let threshold = queue.capacity - 1; threshold >= 0; threshold--) {
        yield fixedMode(queue, lastMode).fill(firstMode, 0, threshold + 1);
      }
    }
  }
}

function enumerate({ chain, costs, incumbent, budget }: Search, vectors: number): Proof {
  const { queue, allModes } = chain;
  // Before the enumeration, which may use up the time.
  const bounds = new RatioBounds(chain, ratioCostOf(costs));
  const effort = { tolerance: provedTolerance, maxIntervals: 1, maxTangents: 2, budget };
  const rootBound = unlessStopped(0, () => bounds.prove(allModes, chain.fromLevels(allModes.highest), effort).bound);
  let isComplete = true;
  for (const vector of thresholdVectors(queue.modes.length - 1, queue.capacity)) {
    const byLevel = modesOfThresholds(queue, vector);
    if (byLevel[0] < minModeWhenEmpty(queue)) continue;
    isComplete = !budget.stopRequested() && unlessStopped(false, () => incumbent.offer(byLevel) >= 0);
    if (!isComplete) break;
    if (incumbent.count % vectorsBetweenReports === 0) {
      budget.report({ fraction: incumbent.count / vectors, incumbent: incumbent.cost });
    }
  }
  return {
    solver: 'enumeration',
    bound: isComplete ? incumbent.cost : rootBound,
    isComplete,
    statistics: { thresholdVectors: vectors, examined: incumbent.count },
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
    const cost = ratioCostOf(costs);
    const lagrangianCost =
      excesses.length > 0
        ? costAtBestMultipliers(chain, cost, excesses, (modes) => offerRounded(input, modes), budget)
        : cost;
    const bounds = new RatioBounds(chain, lagrangianCost);
    const isClosed = (lowerBound: number): boolean => lowerBound >= incumbent.cost * (1 - provedTolerance);
    const open: Node[] = [{ allowedModes: allModes, modes: chain.fromLevels(allModes.highest), bound }];
    const limit = Math.min(maxNodes, Math.ceil(nodeBytes / (3 * chain.controlled.states)));
    while (open.length > 0) {
      const node = takeBest(open);
      bound = Math.max(bound, Math.min(node.bound, incumbent.cost));
      if (isClosed(node.bound)) break;
      if (nodes >= limit || (nodes > 0 && budget.stopRequested())) return proof(bound, nodes);
      nodes++;
      open.push(...expand(input, bounds, excesses, node, isClosed));
      if (nodes === 1) improveIncumbent(input);
      budget.report({ incumbent: incumbent.cost, bound });
    }
  } catch (error) {
    if (!(error instanceof NothingToReturn) || incumbent.best === null) throw error;
    return proof(bound, nodes);
  }
  // What was cut cannot beat the incumbent by more than the tolerance.
  bound = Math.max(bound, incumbent.cost * (1 - provedTolerance));
  improveIncumbent(input);
  return proof(bound, nodes);
}

/** Bounds a node, tries its policy as an incumbent, and gives the children that may hold something better. */
function expand(
  { chain, incumbent, budget }: Search,
  bounds: RatioBounds,
  excesses: readonly LinearExcess[],
  { allowedModes, modes, bound: parentBound }: Node,
  isClosed: (bound: number) => boolean,
): Node[] {
  if (!mayBeFeasible(chain, excesses, allowedModes)) return [];
  const proof = bounds.prove(allowedModes, modes, {
    tolerance: provedTolerance,
    maxIntervals: 1,
    maxTangents: 2,
    budget,
  });
  const bound = Math.max(parentBound, proof.bound);
  if (isClosed(bound)) return [];
  const { byLevel, level, cut } = roundToThresholds(chain, proof.best.modes, allowedModes);
  incumbent.offer(byLevel);
  // Without a level one policy is left, and it was tried.
  if (isClosed(bound) || level < 0) return [];
  const lowest = allowedModes.lowest.map((mode, i) => (i <= level ? Math.max(mode, cut + 1) : mode));
  const highest = allowedModes.highest.map((mode, i) => (i >= level ? Math.min(mode, cut) : mode));
  return [
    { modes: proof.best.modes, bound, allowedModes: { lowest, highest: allowedModes.highest } },
    { modes: proof.best.modes, bound, allowedModes: { lowest: allowedModes.lowest, highest } },
  ];
}

function takeBest(open: Node[]): Node {
  let best = 0;
  for (let i = 1; i < open.length; i++) if (open[i].bound < open[best].bound) best = i;
  return open.splice(best, 1)[0];
}

/**
 * Moves one threshold of the best policy at a time, far first, until nothing costs less. In the end its neighbours by one
 * are measured: those that cost the same are usually among them.
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
        const neighbour = thresholds.map((other, k) =>
          k < i ? Math.min(other, shiftedThreshold) : Math.max(other, shiftedThreshold),
        );
        const byLevel = modesOfThresholds(queue, neighbour.with(i, shiftedThreshold));
        if (byLevel[0] >= minModeWhenEmpty(queue)) incumbent.offer(byLevel);
      }
    }
    if (!(incumbent.cost < previousCost)) step = Math.floor(step / 2);
  }
}

/** Offers a relaxed policy made monotone; gives the least cost known. */
function offerRounded({ chain, incumbent }: Search, modes: ModeByPhase): number {
  incumbent.offer(roundToThresholds(chain, modes, chain.allModes).byLevel);
  return incumbent.cost;
}

/** The monotone policy nearest to a relaxed one, and where to branch (level −1: it is the only one left). */
function roundToThresholds(
  chain: PhaseChain,
  modes: ModeByPhase,
  { lowest, highest }: AllowedModes,
): { readonly byLevel: ModeByLevel; readonly level: number; readonly cut: number } {
  const { queue } = chain;
  const shares = chain.sharesOf(modes);
  const byLevel = fixedMode(queue, 0);
  let [level, largest, cut] = [-1, 0, 0];
  // The least mode of the levels before, which those that follow should not exceed, and that of the rounded policy.
  let [ceiling, previous] = [queue.modes.length, queue.modes.length - 1];
  for (let i = 0; i <= queue.capacity; i++) {
    const levelModes = modes.subarray(chain.firstState(i), chain.firstState(i + 1));
    const share = shares[i].reduce((sum, each) => sum + each, 0);
    const weightedMode = shares[i].reduce((sum, each, s) => sum + each * levelModes[s], 0);
    const mean = share > 0 ? weightedMode / share : levelModes.reduce((sum, mode) => sum + mode, 0) / levelModes.length;
    const likelyModes = levelModes.filter((_, s) => shares[i][s] >= negligibleShare * share);
    const [minMode, maxMode] = [
      likelyModes.reduce((a, b) => Math.min(a, b)),
      likelyModes.reduce((a, b) => Math.max(a, b)),
    ];
    const range = highest[i] - lowest[i];
    // A limit or the ratio can leave the bound open where nothing speaks against the policy: then the widest choice.
    const spread = maxMode - minMode + Math.max(0, maxMode - ceiling) + rangeWeight * range;
    if (range > 0 && (share + negligibleLevel) * spread > largest) {
      [level, largest] = [i, (share + negligibleLevel) * spread];
      cut = Math.min(highest[i] - 1, Math.max(lowest[i], Math.floor(mean)));
    }
    ceiling = Math.min(ceiling, minMode);
    previous = Math.min(previous, Math.max(lowest[i], Math.min(highest[i], Math.round(mean))));
    byLevel[i] = previous;
  }
  byLevel.fill(previous, queue.capacity + 1);
  return { byLevel, level, cut };
}
