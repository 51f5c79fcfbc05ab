/**
 * Which search answers which question, and with what proof.
 *
 * - few threshold vectors, or obsolescence phases: `enumeration`, one evaluation per vector, starting from a local
 *   optimum, until the budget ends; the rest is then bounded where a bound is known;
 * - else `branch-and-bound`, and enumeration of what it leaves open where that is affordable.
 */
import { keepingShare, unlessStopped } from '../../budget.ts';
import { measuresOf } from '../../queue/measures.ts';
import { blockSize, thresholdsOfModes } from '../../queue/queue.ts';
import { modeByStateOf } from '../../queue/state-policy.ts';
import { evaluateMemoryless, type MemorylessQueue } from '../evaluate/memoryless/evaluate-memoryless.ts';
import { countThresholdVectors } from '../search/enumerate.ts';
import { localOptimum } from '../search/local-optimum.ts';
import type { SearchResult, SearchSetting } from '../search/setting.ts';
import { penalty, Tally } from '../search/tally.ts';
import { bestByPhases } from './best-table.ts';
import { type BranchAndBoundResult, branchAndBound } from './branch-and-bound.ts';
import { evaluateEach } from './evaluation-search.ts';
import { constraintTest, linearConstraints } from './linear-constraints.ts';
import { bestLagrangian, unpriced } from './multipliers.ts';

/** So few policies are all looked at: then every subset of modes has its best thresholds too. */
const fewVectors = 10_000;
/** What branching leaves open is settled by looking at every policy, where that takes at most so many steps. */
const affordableEnumeration = 2e10;
const provedTolerance = 1e-9;
const maxNodes = 200_000;
/** What the nodes of branch and bound keep takes at most this many bytes. */
const maxNodeCells = 300_000_000;

export function search(setting: SearchSetting, work: number): SearchResult {
  const { queue, prepared, budget } = setting;
  const vectors = countThresholdVectors(queue.capacity, queue.modes.length);
  if (prepared === null || vectors <= fewVectors) return evaluateEach(setting, vectors);
  const found = byBranching(setting, prepared);
  const { best } = found.tally;
  const isOpen = !(found.bound !== null && found.bound >= best - 2 * provedTolerance * Math.abs(best));
  return isOpen && vectors * work <= affordableEnumeration && !budget.stopRequested()
    ? evaluateEach(setting, vectors)
    : found;
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
