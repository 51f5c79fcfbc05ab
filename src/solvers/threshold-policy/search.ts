/**
 * Which search answers which question, and with what proof.
 *
 * - exponential (or no) obsolescence, first in first out: `splitting` (all threshold vectors) up to four modes, or when
 *   asked for; `branch-and-bound` beyond. Random pick-up with a cost and limits that ignore V1: the same, since only the
 *   sojourn times depend on the discipline.
 * - everything else: `enumeration`, one evaluation per threshold vector, starting from a local optimum, until the budget
 *   ends; the rest is then bounded where a bound is known.
 * - `local`: local search from the best fixed mode, with the bound of the full-information relaxation where it applies.
 */
import { type Budget, NothingToReturn } from '../budget.ts';
import { ConditionNotMet } from '../condition.ts';
import { branchAndBound } from './branch-and-bound.ts';
import { countThresholdVectors, enumerateMemoryless, nonDecreasing } from './enumerate.ts';
import type { MemorylessQueue } from './evaluate-memoryless.ts';
import type { Evaluator } from './evaluator.ts';
import { limitCuts } from './limit-cuts.ts';
import { improveLocally } from './local-search.ts';
import type { Constraints, CostWeights, Totals } from './measures.ts';
import { type ModeByLevel, modesOfThresholds, type Queue, thresholdsOfModes } from './queue.ts';
import { relaxationBound } from './relaxation-bound.ts';
import { blockSize } from './stationary.ts';
import { Tally } from './tally.ts';

export type SearchKind = 'auto' | 'enumerate' | 'local';

export interface SearchSetting {
  readonly queue: Queue;
  readonly evaluator: Evaluator;
  /** Present when obsolescence is exponential or absent. */
  readonly prepared: MemorylessQueue | null;
  readonly costs: CostWeights;
  readonly constraints: Constraints | null;
  readonly kind: SearchKind;
  readonly budget: Budget;
}

export interface SearchResult {
  readonly solver: string;
  /** Null when no policy was found that keeps the limits. */
  readonly byLevel: ModeByLevel | null;
  /** Proved lower bound on the cost; null when none is known. Infinite: proved that nothing keeps the limits. */
  readonly bound: number | null;
  readonly tally: Tally;
  /** Every threshold vector was looked at. */
  readonly enumerated: boolean;
  readonly statistics: Readonly<Record<string, number>>;
}

/** The most vectors that `enumerate` accepts. */
export const maxEnumeratedVectors = 20_000_000;
/** `auto` proves by enumeration while it costs less than this many elementary steps: up to four modes, and beyond. */
const affordableEnumeration = 1e10;
const cheapEnumeration = 2e8;
const provedTolerance = 1e-9;
const maxNodes = 200_000;

/** @throws ConditionNotMet when there are more threshold vectors than are enumerated */
export function refuseLongEnumeration(queue: Queue, vectors: number): void {
  if (vectors <= maxEnumeratedVectors) return;
  throw new ConditionNotMet(
    ['search'],
    'too-many-policies',
    `is enumerate, and ${queue.modes.length} modes at capacity ${queue.capacity} have ${vectors} threshold vectors; at most ` +
      `${maxEnumeratedVectors} are enumerated: use auto (branch and bound), fewer modes or a smaller capacity`,
  );
}

export function search(setting: SearchSetting): SearchResult {
  const { queue, prepared, costs, constraints, kind } = setting;
  const modes = queue.modes.length;
  const vectors = countThresholdVectors(queue.capacity, modes);
  if (kind === 'enumerate') refuseLongEnumeration(queue, vectors);
  const indifferent = costs.response === 0 && constraints?.responseTime === undefined;
  const splits = prepared !== null && (queue.discipline === 'fifo' || indifferent);
  if (kind === 'local') return locally(setting, splits);
  if (!splits) return oneByOne(setting, vectors);
  const steps = vectors * queue.largestBatch * blockSize(queue) ** 2 * (blockSize(queue) + 8);
  if (kind === 'enumerate' || steps < (modes <= 4 ? affordableEnumeration : cheapEnumeration)) {
    return bySplitting(setting, prepared, vectors);
  }
  return byBranching(setting, prepared);
}

function bySplitting(setting: SearchSetting, prepared: MemorylessQueue, vectors: number): SearchResult {
  const { queue, costs, constraints, budget } = setting;
  const { tally, complete } = enumerateMemoryless(prepared, costs, constraints, budget);
  const byLevel = bestOf(queue, tally);
  return {
    solver: 'splitting',
    byLevel,
    bound: complete ? tally.best : relaxationBound(prepared, costs),
    tally,
    enumerated: complete,
    statistics: { thresholdVectors: vectors, examined: tally.count },
  };
}

function byBranching(setting: SearchSetting, prepared: MemorylessQueue): SearchResult {
  const { queue, evaluator, costs, constraints, budget } = setting;
  const tally = new Tally(costs, constraints);
  const result = branchAndBound({
    prepared,
    costs,
    budget,
    tolerance: provedTolerance,
    maxNodes,
    score: scoreOf(setting, tally),
    ...(constraints === null ? {} : { canKeepLimits: limitCuts(prepared, constraints) }),
  });
  if (result.byLevel !== null) remember(queue, tally, result.byLevel, result.cost);
  return {
    solver: 'branch-and-bound',
    byLevel: result.byLevel,
    bound: result.bound,
    tally,
    enumerated: false,
    statistics: { nodes: result.nodes, states: evaluator.states },
  };
}

/** Local search from every fixed mode that may lead somewhere: from the best few. */
function locally(setting: SearchSetting, bounded: boolean): SearchResult {
  const { queue, evaluator, prepared, costs, constraints, budget } = setting;
  const tally = new Tally(costs, constraints);
  const score = scoreOf(setting, tally);
  const { byLevel, cost, evaluations } = localOptimum(setting, score);
  if (cost < Number.POSITIVE_INFINITY) remember(queue, tally, byLevel, cost);
  const bound = prepared === null ? null : relaxationBound(prepared, costs, bounded);
  return {
    solver: 'local-search',
    byLevel: cost < Number.POSITIVE_INFINITY ? byLevel : null,
    bound: cost < Number.POSITIVE_INFINITY || budget.stopRequested() ? bound : null,
    tally,
    enumerated: false,
    statistics: { evaluations, states: evaluator.states },
  };
}

/** One evaluation per vector, after a local search for the incumbent that an early end leaves. */
function oneByOne(setting: SearchSetting, vectors: number): SearchResult {
  const { queue, evaluator, prepared, costs, constraints, budget } = setting;
  const tally = new Tally(costs, constraints);
  const score = scoreOf(setting, tally);
  const local = localOptimum(setting, score);
  if (local.cost < Number.POSITIVE_INFINITY) remember(queue, tally, local.byLevel, local.cost);
  let complete = vectors <= maxEnumeratedVectors;
  tally.count = 0;
  tally.ties = 0;
  if (complete) {
    for (const vector of nonDecreasing(queue.modes.length - 1, -1, queue.capacity)) {
      const byLevel = modesOfThresholds(queue, vector);
      tally.record(usedModes(byLevel), score(evaluator.evaluate(byLevel), byLevel), vector.length, (out) =>
        out.set(vector),
      );
      if (budget.stopRequested()) {
        complete = tally.count === vectors;
        break;
      }
      if (tally.count % 64 === 0) budget.report({ fraction: tally.count / vectors, incumbent: tally.best });
    }
  }
  const open = prepared === null ? null : relaxationBound(prepared, costs, false);
  return {
    solver: complete ? 'enumeration' : 'local-search',
    byLevel: bestOf(queue, tally),
    bound: complete ? tally.best : open,
    tally,
    enumerated: complete,
    statistics: { thresholdVectors: vectors, examined: tally.count, states: evaluator.states },
  };
}

function localOptimum(setting: SearchSetting, score: (totals: Totals, byLevel: ModeByLevel) => number) {
  const { queue, evaluator, budget } = setting;
  const cost = (byLevel: ModeByLevel): number => score(evaluator.evaluate(byLevel), byLevel);
  let best: ModeByLevel | null = null;
  let bestCost = Number.POSITIVE_INFINITY;
  for (let mode = 0; mode < queue.modes.length; mode++) {
    const byLevel = new Uint8Array(queue.topLevel + 1).fill(mode);
    const value = cost(byLevel);
    if (best === null || value < bestCost) [best, bestCost] = [byLevel, value];
    if (budget.stopRequested()) break;
  }
  if (best === null) throw new NothingToReturn('the time limit ended before one policy was evaluated');
  return improveLocally(queue, best, cost, budget);
}

function scoreOf({ queue }: SearchSetting, tally: Tally) {
  return (totals: Totals, byLevel: ModeByLevel): number =>
    tally.costOfTotals(totals, () => thresholdsOfModes(queue, byLevel));
}

function remember(queue: Queue, tally: Tally, byLevel: ModeByLevel, cost: number): void {
  const thresholds = thresholdsOfModes(queue, byLevel);
  tally.record(usedModes(byLevel), cost, thresholds.length, (out) => out.set(thresholds));
}

function usedModes(byLevel: ModeByLevel): number {
  let used = 0;
  for (const mode of new Set(byLevel)) used += 2 ** mode;
  return used;
}

function bestOf(queue: Queue, tally: Tally): ModeByLevel | null {
  let best: { readonly cost: number; readonly thresholds: Int16Array } | null = null;
  for (const candidate of tally.byModes.values()) if (best === null || candidate.cost < best.cost) best = candidate;
  return best === null ? null : modesOfThresholds(queue, best.thresholds);
}
