/**
 * Local search from the best of simple policies, one evaluation a policy. It gives incumbents, and answers where no
 * proof is asked for.
 */
import { NothingToReturn, unlessStopped } from '../../budget.ts';
import { fixedMode, leastWhenEmpty, type ModeByLevel, type Queue, thresholdsOfModes } from '../../queue/queue.ts';
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
  let [best, bestCost]: [ModeByLevel | null, number] = [null, Number.POSITIVE_INFINITY];
  for (const byLevel of starts(queue)) {
    const value = cost(byLevel);
    if (value < bestCost) [best, bestCost] = [byLevel, value];
    if (budget.stopRequested()) break;
  }
  if (best === null) throw new NothingToReturn('not one policy had been measured');
  const local = improveLocally(queue, best, cost, budget);
  if (local.cost < penalty) tally.remember(queue, local.byLevel, local.cost);
  return local;
}

/** Modes whose pairs are tried. */
const mostPaired = 6;

/** Every mode alone; then pairs of a few modes, changed at one length of each magnitude; then all modes evenly. */
function* starts(queue: Queue): Generator<ModeByLevel> {
  const { capacity, topLevel } = queue;
  const least = leastWhenEmpty(queue);
  const most = queue.modes.length - 1;
  for (let mode = least; mode <= most; mode++) yield fixedMode(queue, mode);
  const paired = Math.min(mostPaired, most + 1);
  const some = Array.from({ length: paired }, (_, k) => Math.round((k * most) / Math.max(1, paired - 1)));
  for (const many of some) {
    for (const few of some) {
      if (few >= many) break;
      for (let length = 1; length <= capacity; length *= 2) yield fixedMode(queue, few).fill(many, 0, length);
    }
  }
  yield Uint8Array.from({ length: topLevel + 1 }, (_, q) => Math.round(most * Math.max(0, 1 - q / capacity)));
}
