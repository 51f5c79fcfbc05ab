/** The front of the policies by the queue's length: each weighting solved by the search that solves the request. */
import { measuresOf } from '../../queue/measures.ts';
import type { ModeByLevel } from '../../queue/queue.ts';
import { search } from '../bound/proved-search.ts';
import type { FrontCriterion } from '../problem.ts';
import type { SearchSetting } from '../search/setting.ts';
import { type Front, frontBetween } from './front-between.ts';
import { policySolution } from './policy-solution.ts';

/** The front of the threshold policies that keep the limits; null where none is asked for. */
export function thresholdFront(setting: SearchSetting, criteria: readonly FrontCriterion[] | undefined): Front | null {
  if (criteria === undefined) return null;
  const { queue, evaluator, budget } = setting;
  return frontBetween<ModeByLevel>(criteria, {
    best(costs) {
      const { byLevel, bound } = search({ ...setting, costs });
      return byLevel === null ? null : { what: byLevel, totals: evaluator.evaluate(byLevel), bound };
    },
    shown(byLevel) {
      const solution = policySolution(queue, byLevel, measuresOf(evaluator.evaluate(byLevel)));
      const { crawlersByQueueLength, modes, thresholds } = solution;
      return { crawlersByQueueLength, modes, thresholds };
    },
    budget,
  });
}
