/**
 * Searches that measure one policy at a time. They serve where no recursion shares work between policies: with
 * obsolescence phases.
 *
 * Every threshold vector is evaluated once (`enumeration`), after a local search for the incumbent that an early end
 * leaves. An evaluation that the budget interrupts counts as not made.
 */
import { leastWhenEmpty, modesOfThresholds, thresholdsOfModes } from '../../queue/queue.ts';
import { nonDecreasing } from '../search/enumerate.ts';
import { costByEvaluation, localOptimum } from '../search/local-optimum.ts';
import type { SearchResult, SearchSetting } from '../search/setting.ts';
import { Tally } from '../search/tally.ts';
import { relaxationBound } from './relaxation-bound.ts';

/** The most threshold vectors that are looked at one by one. */
export const maxEnumeratedVectors = 20_000_000;

/** One evaluation per vector. */
export function evaluateEach(setting: SearchSetting, vectors: number): SearchResult {
  const { queue, prepared, costs, constraints, budget } = setting;
  const tally = new Tally(costs, constraints);
  const { evaluations } = localOptimum(setting, tally);
  // Before the enumeration, which may use up the time.
  const open = prepared === null ? null : relaxationBound(prepared, costs, false, budget);
  let complete = vectors <= maxEnumeratedVectors && !budget.stopRequested();
  tally.restartCount();
  if (complete) {
    const cost = costByEvaluation(setting, tally, (totals, byLevel) =>
      tally.costOfTotals(totals, () => thresholdsOfModes(queue, byLevel)),
    );
    for (const vector of nonDecreasing(queue.modes.length - 1, -1, queue.capacity)) {
      const byLevel = modesOfThresholds(queue, vector);
      if (byLevel[0] < leastWhenEmpty(queue)) continue;
      const value = cost(byLevel);
      if (value === null) {
        complete = false;
        break;
      }
      tally.remember(queue, byLevel, value);
      if (tally.count % 64 === 0) budget.report({ fraction: tally.count / vectors, incumbent: tally.best });
    }
  }
  return {
    solver: complete ? 'enumeration' : 'local-search',
    byLevel: tally.bestPolicy(queue),
    bound: complete ? tally.best : open,
    tally,
    enumerated: complete,
    statistics: { thresholdVectors: vectors, examined: tally.count, evaluations: evaluations + tally.count },
  };
}
