/** The front of the policies by the queue's length: each weighting solved by the search that solves the request. */
import type { Budget } from '../../budget.ts';
import { type FrontCriterion, policySolution } from '../answer.ts';
import { measuresOf } from '../model/measures.ts';
import type { ModeByLevel } from '../model/queue.ts';
import { search } from '../search/search.ts';
import type { SearchSetting } from '../search/setting.ts';
import { type Front, frontBetween } from './front-between.ts';

/** The front of the threshold policies that keep the limits. */
export function thresholdFront(
  setting: Omit<SearchSetting, 'costs'>,
  criteria: readonly FrontCriterion[],
  budget: Budget,
): Front {
  const { queue, evaluator } = setting;
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
