/** Whether the bounds of a plan can be bounds, by code that shares nothing with the planner. */
import { type Objective, relativeGap } from '../../../src/solvers/answer.ts';

export interface ProvedPlan {
  readonly status: string;
  readonly objective: Objective;
  readonly longRun: Objective | null;
}

/** Bounds above their values, and gaps that are not theirs. */
export function certifyBound(answer: ProvedPlan): string[] {
  const faults: string[] = [];
  for (const { value, bound, gap } of [answer.objective, ...(answer.longRun === null ? [] : [answer.longRun])]) {
    if (bound === null) continue;
    if (bound > value * (1 + 1e-7)) faults.push(`the bound ${bound} is above the value ${value}`);
    if (gap !== relativeGap(value, bound)) faults.push(`the gap ${gap} is not that of ${value} and ${bound}`);
  }
  const { gap } = answer.objective;
  if ((answer.status === 'optimal') !== (gap !== null && gap < 1e-9))
    faults.push(`${answer.status} with a gap of ${gap}`);
  return faults;
}
