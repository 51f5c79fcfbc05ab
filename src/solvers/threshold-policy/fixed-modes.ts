/** What each mode does when it is always on, and how much better the answer is than the best of them. */
import { NothingToReturn } from '../budget.ts';
import type { Evaluator } from './evaluation/evaluator.ts';
import { type Constraints, type CostWeights, costOf, type Measures, measuresOf, violations } from './model/measures.ts';
import { fixedMode, type Queue } from './model/queue.ts';

export interface FixedMode {
  readonly crawlers: number;
  readonly cost: number;
  readonly measures: Measures;
}

/** Cost and measures with one mode always on. Stops with the budget: what was not measured is left out. */
export function measureFixedModes(queue: Queue, evaluator: Evaluator, costs: CostWeights): FixedMode[] {
  const fixed: FixedMode[] = [];
  for (const [mode, { crawlers }] of queue.modes.entries()) {
    try {
      const totals = evaluator.evaluate(fixedMode(queue, mode));
      fixed.push({ crawlers, cost: costOf(totals, costs), measures: measuresOf(totals) });
    } catch (error) {
      if (error instanceof NothingToReturn) break;
      throw error;
    }
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
