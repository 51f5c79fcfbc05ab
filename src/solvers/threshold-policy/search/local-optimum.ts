/** Local search from the best fixed mode, one evaluation a policy: incumbents, and answers where no proof is asked for. */
import { NothingToReturn, unlessStopped } from '../../budget.ts';
import { leastWhenEmpty, type ModeByLevel, thresholdsOfModes } from '../../queue/queue.ts';
import { improveLocally, type LocalOptimum } from './local-search.ts';
import type { SearchSetting } from './setting.ts';
import { penalty, type Tally } from './tally.ts';

type Score = (totals: ReturnType<SearchSetting['evaluator']['evaluate']>, byLevel: ModeByLevel) => number;

/** The cost of a policy, or null when the budget ended before it was measured. */
export function costByEvaluation({ evaluator, budget }: SearchSetting, tally: Tally, score: Score) {
  return (byLevel: ModeByLevel): number | null => {
    if (budget.stopRequested() && tally.byModes.size > 0) return null;
    return unlessStopped(null, () => score(evaluator.evaluate(byLevel), byLevel));
  };
}

/** The local optimum; the tally records it when it keeps the limits. */
export function localOptimum(setting: SearchSetting, tally: Tally): LocalOptimum {
  const { queue, budget } = setting;
  const measured = costByEvaluation(setting, tally, (totals, byLevel) =>
    tally.penalisedCost(totals, () => thresholdsOfModes(queue, byLevel)),
  );
  const cost = (byLevel: ModeByLevel): number => measured(byLevel) ?? Number.POSITIVE_INFINITY;
  let best: ModeByLevel = new Uint8Array(queue.topLevel + 1);
  let bestCost = Number.POSITIVE_INFINITY;
  for (let mode = leastWhenEmpty(queue); mode < queue.modes.length; mode++) {
    const byLevel = new Uint8Array(queue.topLevel + 1).fill(mode);
    const value = cost(byLevel);
    if (value < bestCost) [best, bestCost] = [byLevel, value];
    if (budget.stopRequested()) break;
  }
  if (bestCost === Number.POSITIVE_INFINITY) {
    throw new NothingToReturn('not one policy had been measured');
  }
  const local = improveLocally(queue, best, cost, budget);
  if (local.cost < penalty) tally.remember(queue, local.byLevel, local.cost);
  return local;
}
