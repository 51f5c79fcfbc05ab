/** What no schedule of a plan's interval can beat, and what its fetch intervals cost for ever. */
import { type Objective, objective } from '../../answer.ts';
import { type Budget, unlessStopped } from '../../budget.ts';
import { cutShort, noBound } from '../../crawl-schedule/index.ts';
import type { PricedPlan } from '../market/priced-plan.ts';
import { boundBySlots } from './bound-by-slots.ts';
import { copyBounds } from './copy-bounds.ts';
import { costedBounds } from './costed-bounds.ts';
import { intervalBound } from './interval-bound.ts';
import { longRunCost, unrounded } from './long-run.ts';
import type { PageBounds } from './page-bounds.ts';

/** Pages times slots up to which hosts' delays count in the bound of plans for ever. */
const mostByHosts = 1e7;

export interface PlanBounds {
  readonly objective: Objective;
  /** Whether the time ended before the bound was as close as it can be. */
  readonly cut: boolean;
  readonly longRun: Objective | null;
}

/** The value of a schedule, and of its fetch intervals kept for ever, each with the best bound there is. */
export function boundsOf(
  priced: PricedPlan,
  schedule: { readonly value: number; readonly page: Int32Array },
  budget: Budget,
): PlanBounds {
  const { weight, costs } = priced.problem;
  const { uncosted, costed } = priced.pages;
  const plain = copyBounds(weight, uncosted.copies);
  const bounds = costs === undefined || costed === null ? plain : costedBounds(plain, costs, costed);
  // at the prices of the plan, whose intervals are known still
  const longRun = longRunCost(priced, bounds);
  return { ...ofInterval(priced, bounds, schedule, budget), longRun };
}

function ofInterval(
  priced: PricedPlan,
  bounds: PageBounds,
  { value, page }: { readonly value: number; readonly page: Int32Array },
  budget: Budget,
): Pick<PlanBounds, 'objective' | 'cut'> {
  const { problem } = priced;
  const free = intervalBound(priced, bounds, budget);
  // where fetches are paid for, slots are not what is short
  const exactly = problem.planFor === 'interval';
  const withDelays = exactly || page.length * problem.weight.length <= mostByHosts;
  const asked = exactly || problem.costs === undefined;
  const question = { priced, bounds, page, withDelays };
  const bySlots = asked ? unlessStopped(cutShort, () => boundBySlots(question, budget)) : noBound;
  const told = free === null ? objective(value, null) : unrounded(value, Math.max(free, bySlots.value));
  return { objective: told, cut: bySlots.cut || budget.stopRequested() };
}
