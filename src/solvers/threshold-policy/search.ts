/**
 * The best thresholds, with their proof:
 *
 * - few threshold vectors, or obsolescence phases: every vector is measured (`enumeration`);
 * - else branch and bound (branch-and-bound.ts), and enumeration of what it leaves open where that is affordable.
 *
 * Threshold vectors: −1 ≤ j_1 ≤ … ≤ j_{N−1} ≤ K gives mode N−1 to levels ≤ j_1, mode N−2 to those up to j_2, …, the
 * modes ascending in activity. They cover every subset of modes once.
 */
import { type Budget, keepingShare, NothingToReturn, unlessStopped } from '../budget.ts';
import type { Constraints, CostWeights } from '../queue/measures.ts';
import { leastWhenEmpty, type ModeByLevel, modesOfThresholds, type Queue } from '../queue/queue.ts';
import { branchAndBound } from './branch-and-bound.ts';
import type { LevelElimination } from './evaluate/levels.ts';
import { bestLagrangian, excessesOf } from './limits.ts';
import { localOptimum, type Measure } from './local-search.ts';
import { allModes, type PhaseChain } from './phase-chain.ts';
import { RatioBounds, ratioCostOf } from './ratio-bound.ts';
import type { Tally } from './tally.ts';

/** Vectors that are all measured without more ado: then every subset of modes has its best thresholds too. */
const fewVectors = 10_000;
/** Vectors that are ever enumerated. */
const mostVectors = 20_000_000;
/** Elementary steps of an enumeration of what branching left open. */
const affordableSteps = 2e10;
/** Relative gap at which branch and bound stops. */
const provedTolerance = 1e-9;
/** Relative gap above which an open search is bounded once more, by branching on the throughput. */
const openGap = 1e-6;
const mostNodes = 200_000;
/** Bytes that the nodes of branch and bound keep at most. */
const nodeBytes = 300_000_000;
/** Vectors between two looks at the budget's progress. */
const vectorsBetweenReports = 64;

export interface Search {
  readonly queue: Queue;
  readonly levels: LevelElimination;
  /** Null with obsolescence phases. */
  readonly chain: PhaseChain | null;
  readonly costs: CostWeights;
  readonly constraints: Constraints | null;
  readonly tally: Tally;
  /** Elementary steps of measuring one policy. */
  readonly work: number;
  readonly budget: Budget;
}

/** What a search proves; the tally holds what it found. */
export interface Proof {
  readonly solver: string;
  /** Proved lower bound on the cost; null when none is known. Infinite: proved that nothing keeps the limits. */
  readonly bound: number | null;
  /** Every threshold vector was measured. */
  readonly enumerated: boolean;
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
export function search(of: Search): Proof {
  const { queue, chain, tally, work, budget } = of;
  const vectors = countThresholdVectors(queue.capacity, queue.modes.length);
  if (chain === null || vectors <= fewVectors) return enumerate(of, vectors);
  const found = byBranching(of, chain);
  const isOpen = !(found.bound !== null && found.bound >= tally.bestCost * (1 - 2 * provedTolerance));
  return isOpen && vectors * work <= affordableSteps && !budget.stopRequested() ? enumerate(of, vectors) : found;
}

/** Measures a policy and offers it to the tally; infinite when the budget has ended and something is known. */
export function measureOf({ levels, tally, budget }: Pick<Search, 'levels' | 'tally' | 'budget'>): Measure {
  let known = false;
  return (byLevel) => {
    if (known && budget.stopRequested()) return Number.POSITIVE_INFINITY;
    const totals = unlessStopped(null, () => levels.evaluate(byLevel));
    if (totals === null) return Number.POSITIVE_INFINITY;
    known = true;
    return tally.offer(byLevel, totals);
  };
}

function enumerate(of: Search, vectors: number): Proof {
  const { queue, levels, chain, costs, tally, budget } = of;
  const incumbent = localOptimum(queue, measureOf(of), budget);
  if (incumbent.cost === Number.POSITIVE_INFINITY) throw new NothingToReturn('not one policy had been measured');
  // Before the enumeration, which may use up the time.
  const start = chain?.ofLevels(incumbent.byLevel);
  const open =
    chain === null || start === undefined
      ? null
      : unlessStopped(null, () => new RatioBounds(chain, ratioCostOf(costs)).boundWithin(allModes(queue), start).bound);
  let complete = vectors <= mostVectors && !budget.stopRequested();
  if (complete) {
    for (const vector of thresholdVectors(queue.modes.length - 1, queue.capacity)) {
      const byLevel = modesOfThresholds(queue, vector);
      if (byLevel[0] < leastWhenEmpty(queue)) continue;
      const totals = budget.stopRequested() ? null : unlessStopped(null, () => levels.evaluate(byLevel));
      if (totals === null) {
        complete = false;
        break;
      }
      tally.enumerate(byLevel, totals);
      if (tally.count % vectorsBetweenReports === 0) {
        budget.report({ fraction: tally.count / vectors, incumbent: tally.bestCost });
      }
    }
  }
  return {
    solver: complete ? 'enumeration' : 'local-search',
    bound: complete ? tally.bestCost : open,
    enumerated: complete,
    statistics: { thresholdVectors: vectors, examined: tally.count },
  };
}

function byBranching(of: Search, chain: PhaseChain): Proof {
  const { queue, costs, constraints, tally, budget } = of;
  const measure = measureOf(of);
  const excesses = excessesOf(constraints ?? {});
  const isLimited = excesses.length > 0;
  const cost = ratioCostOf(costs);
  if (isLimited) localOptimum(queue, measure, budget);
  const priced = isLimited
    ? unlessStopped(cost, () => bestLagrangian(chain, cost, excesses, tally.bestCost, budget))
    : cost;
  const { bound, nodes } = branchAndBound({
    queue,
    chain,
    bounds: new RatioBounds(chain, priced),
    excesses,
    tally,
    measure,
    tolerance: provedTolerance,
    mostNodes: Math.min(mostNodes, Math.ceil(nodeBytes / (3 * chain.states))),
    // What stays open is bounded once more: time is kept back for that.
    budget: isLimited ? budget : keepingShare(budget, 1 / 5),
  });
  const raised = isLimited ? bound : Math.max(bound, boundByThroughput(of, chain, tally.best?.byLevel, bound));
  return { solver: 'branch-and-bound', bound: raised, enumerated: false, statistics: { nodes } };
}

/** Where the gap stays open: the bound of all policies that see the phases, by branching on the throughput. */
function boundByThroughput(
  { queue, costs, tally, budget }: Search,
  chain: PhaseChain,
  byLevel: ModeByLevel | undefined,
  bound: number,
): number {
  if (byLevel === undefined || bound >= tally.bestCost * (1 - openGap) || budget.stopRequested()) return bound;
  const bounds = new RatioBounds(chain, ratioCostOf(costs));
  return unlessStopped(bound, () => {
    const start = bounds.measure(chain.ofLevels(byLevel));
    return bounds.prove(allModes(queue), start, provedTolerance, budget).bound;
  });
}
