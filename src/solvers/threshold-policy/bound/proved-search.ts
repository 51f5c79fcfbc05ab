/**
 * Which search answers which question, and with what proof.
 *
 * - exponential (or no) obsolescence: `splitting` (all threshold vectors) where they are few, `branch-and-bound` beyond;
 * - obsolescence phases: `enumeration`, one evaluation per threshold vector, starting from a local optimum, until the
 *   budget ends; the rest is then bounded where a bound is known.
 */
import { keepingShare, unlessStopped } from '../../budget.ts';
import { measuresOf } from '../../queue/measures.ts';
import { blockSize, type Queue, thresholdsOfModes } from '../../queue/queue.ts';
import { modeByStateOf } from '../../queue/state-policy.ts';
import { evaluateMemoryless, type MemorylessQueue } from '../evaluate/memoryless/evaluate-memoryless.ts';
import { countThresholdVectors, enumerateMemoryless } from '../search/enumerate.ts';
import { localOptimum } from '../search/local-optimum.ts';
import type { SearchResult, SearchSetting } from '../search/setting.ts';
import { penalty, Tally } from '../search/tally.ts';
import { bestByPhases } from './best-table.ts';
import { type BranchAndBoundResult, branchAndBound } from './branch-and-bound.ts';
import { evaluateEach } from './evaluation-search.ts';
import { constraintTest, linearConstraints } from './linear-constraints.ts';
import { bestLagrangian, unpriced } from './multipliers.ts';
import { relaxationBound } from './relaxation-bound.ts';

/** The most numbers (8 bytes each) that splitting keeps. */
const maxSplittingCells = 40_000_000;
/** Every policy is looked at while that costs less than this many elementary steps: up to four modes, and beyond. */
const affordableEnumeration = 1e10;
const cheapEnumeration = 2e8;
const manyVectors = 50_000;
const provedTolerance = 1e-9;
const maxNodes = 200_000;
/** What the nodes of branch and bound keep takes at most this many bytes. */
const maxNodeCells = 300_000_000;

/** Numbers that the halves of an enumeration by splitting take: upper halves (s, j) and lower halves of one s. */
function splittingCells(queue: Queue, modes: number): number {
  const n = blockSize(queue);
  const upper = modes < 3 ? queue.capacity : (queue.capacity * queue.topLevel) / 2;
  const lower = modes < 4 ? 1 : countThresholdVectors(queue.capacity, modes - 2);
  return upper * n * (n + 8) + 2 * lower * n * (queue.largestBatch * n + 8);
}

export function search(setting: SearchSetting): SearchResult {
  const { queue, prepared } = setting;
  const vectors = countThresholdVectors(queue.capacity, queue.modes.length);
  if (prepared === null) return evaluateEach(setting, vectors);
  return enumerates(queue) ? bySplitting(setting, prepared, vectors) : byBranching(setting, prepared);
}

/** Whether every policy is looked at, where splitting applies. */
function enumerates(queue: Queue): boolean {
  const n = blockSize(queue);
  const modes = queue.modes.length;
  const steps = countThresholdVectors(queue.capacity, modes) * queue.largestBatch * n ** 2 * (n + 8);
  const affordable = modes <= 4 ? affordableEnumeration : cheapEnumeration;
  return steps < affordable && splittingCells(queue, modes) <= maxSplittingCells;
}

function bySplitting(setting: SearchSetting, prepared: MemorylessQueue, vectors: number): SearchResult {
  const { queue, costs, constraints, budget } = setting;
  const long = vectors > manyVectors;
  // A long enumeration may use up the time. So what it would leave unproved is bounded first. A tenth is kept for a
  // local search, which finds more than the beginning of an enumeration does.
  const open = long ? relaxationBound(prepared, costs, true, budget) : null;
  const enumerating = long ? keepingShare(budget, 1 / 10) : budget;
  const { tally, complete } = enumerateMemoryless({ prepared, costs, constraints, budget: enumerating });
  if (tally.unmeasured > 0 && !budget.stopRequested()) return evaluateEach(setting, vectors);
  const examined = tally.count;
  const proved = complete && tally.unmeasured === 0;
  if (!proved && tally.byModes.size === 0) localOptimum(setting, tally);
  else if (!proved && long) unlessStopped(null, () => localOptimum(setting, tally));
  return {
    solver: 'splitting',
    byLevel: tally.bestPolicy(queue),
    bound: proved ? tally.best : (open ?? relaxationBound(prepared, costs, true, budget)),
    tally,
    enumerated: proved,
    statistics: { thresholdVectors: vectors, examined },
  };
}

/** The bound of a search that ended open, raised to that of every policy that sees the phases where that is higher. */
function raisedBound(
  { costs, budget }: SearchSetting,
  prepared: MemorylessQueue,
  { byLevel, cost, bound }: BranchAndBoundResult,
): number {
  if (byLevel === null || !(bound < cost - 1e-6 * Math.abs(cost)) || budget.stopRequested()) return bound;
  const { queue } = prepared;
  const start = {
    modes: modeByStateOf(queue, byLevel),
    cost,
    responseTime: measuresOf(evaluateMemoryless(prepared, byLevel)).responseTime,
  };
  const informed = unlessStopped(null, () => bestByPhases(prepared, costs, start, budget).bound);
  return Math.max(bound, informed ?? Number.NEGATIVE_INFINITY);
}

function byBranching(setting: SearchSetting, prepared: MemorylessQueue): SearchResult {
  const { queue, evaluator, costs, constraints, budget } = setting;
  const tally = new Tally(costs, constraints);
  const limits = linearConstraints(prepared, constraints ?? {}, budget);
  const incumbent = limits.length === 0 ? Number.POSITIVE_INFINITY : localOptimum(setting, tally).cost;
  const states = (queue.topLevel + 1) * blockSize(queue);
  // Without limits what stays open is bounded once more, by branching on the throughput: time is kept back for that.
  const result = branchAndBound({
    prepared,
    costs,
    budget: limits.length === 0 ? keepingShare(budget, 1 / 5) : budget,
    tolerance: provedTolerance,
    maxNodes: Math.min(maxNodes, Math.ceil(maxNodeCells / (3 * states))),
    score: (totals, candidate) => tally.costOfTotals(totals, () => thresholdsOfModes(queue, candidate)),
    penalised: (totals, candidate) => tally.penalisedCost(totals, () => thresholdsOfModes(queue, candidate)),
    start: tally.bestPolicy(queue),
    ...(limits.length === 0
      ? {}
      : {
          canKeepConstraints: constraintTest(limits, states),
          relaxed: unlessStopped(unpriced(costs), () =>
            bestLagrangian(prepared, costs, limits, incumbent < penalty ? incumbent : Number.POSITIVE_INFINITY, budget),
          ),
        }),
  });
  if (result.byLevel !== null) tally.remember(queue, result.byLevel, result.cost);
  return {
    solver: 'branch-and-bound',
    byLevel: result.byLevel,
    bound: limits.length === 0 ? raisedBound(setting, prepared, result) : result.bound,
    tally,
    enumerated: false,
    statistics: { nodes: result.nodes, states: evaluator.states },
  };
}
