/** The schedule by epochs, or slot by slot where that can be had and costs less, or misses fewer longest intervals. */
import type { Budget } from '../../budget.ts';
import type { PricedPlan } from '../market/priced-plan.ts';
import { canBeExact, type ExactProblem, scheduleExactly } from './by-index/exact-schedule.ts';
import { type IndexScheduleResult, type ScheduleProblem, scheduleByIndex } from './by-index/index-schedule.ts';
import { missedDeadlines } from './missed-deadlines.ts';

/** @param exact the same with a model of its own state */
export function scheduleForEver(
  { problem, slots, age }: PricedPlan,
  byIndex: ScheduleProblem,
  exact: ExactProblem,
  budget: Budget,
): IndexScheduleResult {
  const quick = scheduleByIndex(byIndex, budget);
  if (quick.stopped || !canBeExact(exact)) return quick;
  const slow = scheduleExactly(exact, budget);
  if (slow.stopped) return { ...quick, unimproved: true };
  const [lateQuick, lateSlow] = [quick, slow].map(({ page }) => missedDeadlines(problem, slots, page, age) !== null);
  if (lateQuick !== lateSlow) return lateQuick ? slow : quick;
  const cost = ({ costTime }: IndexScheduleResult): number =>
    costTime.reduce((sum, each, i) => sum + problem.weight[i] * each, 0);
  return cost(slow) < cost(quick) ? slow : quick;
}
