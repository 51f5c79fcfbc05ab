/** What each mode does when it is always on, and how much better the answer is than the best of them. */
import { type Budget, unlessStopped } from '../../budget.ts';
import {
  type Constraints,
  type CostWeights,
  costOf,
  type Measures,
  measuresOf,
  violations,
} from '../../queue/measures.ts';
import { fixedMode, type Queue } from '../../queue/queue.ts';
import type { Evaluator } from './chain/evaluator.ts';

export interface FixedMode {
  readonly crawlers: number;
  readonly cost: number;
  readonly measures: Measures;
}

/** What is measured, and what it may take. */
interface FixedModesSetting {
  readonly queue: Queue;
  readonly evaluator: Evaluator;
  readonly costs: CostWeights;
  /** Elementary steps of one evaluation. */
  readonly work: number;
  readonly budget: Budget;
}

/** Steps that may still be made once the time is up, all modes together: a tenth of a second. */
const lateWork = 1e8;

/** Cost and measures with one mode always on. Stops with the budget: what was not measured by then is left out. */
export function measureFixedModes({ queue, evaluator, costs, work, budget }: FixedModesSetting): FixedMode[] {
  const fixed: FixedMode[] = [];
  let late = 0;
  for (const [mode, { crawlers }] of queue.modes.entries()) {
    if (crawlers === 0) continue;
    if (budget.stopRequested()) late += work;
    if (late > lateWork) break;
    const totals = unlessStopped(null, () => evaluator.evaluate(fixedMode(queue, mode)));
    if (totals === null) break;
    fixed.push({ crawlers, cost: costOf(totals, costs), measures: measuresOf(totals) });
  }
  return fixed;
}

/** 1 − cost/(cost of the best fixed mode that keeps the constraints); null when none does. */
export function relativeProfit(
  cost: number,
  fixed: readonly FixedMode[],
  constraints: Constraints | null,
): number | null {
  const keeping = fixed.filter(({ measures }) => violations(measures, constraints ?? {}).length === 0);
  if (keeping.length === 0) return null;
  const best = Math.min(...keeping.map((mode) => mode.cost));
  return best > 0 ? 1 - cost / best : 0;
}
