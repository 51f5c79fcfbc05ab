/** What holds of every answer, whatever was asked: its status, and that its gap is that of its value and bound. */
import { isObject, objectiveOf, textIn, type WireObject } from './wire.ts';

const statuses = ['optimal', 'feasible', 'infeasible', 'evaluated'];
/** What rounding may do, as a share of the larger of value and bound. */
const slack = 1e-9;

export function envelopeFaults(answer: WireObject): string[] {
  const status = textIn(answer, 'status');
  if (!statuses.includes(status)) return [`the status is ${status}, none of ${statuses.join(', ')}`];
  if (status === 'infeasible') return isObject(answer.conflict) ? [] : ['infeasible without a conflict'];
  const told = isObject(answer.solution) || (status === 'evaluated' && answer.evaluation !== undefined);
  const faults = told ? [] : [`${status} without a solution`];
  if (answer.objective === undefined) return faults;
  const { value, bound, gap } = objectiveOf(answer);
  if (status === 'optimal' && gap === null) faults.push('optimal without a gap');
  if (bound === null) return gap === null ? faults : [...faults, `a gap of ${gap} without a bound`];
  const right = (value - bound) / Math.max(Math.abs(bound), 1e-12);
  if (gap === null || Math.abs(gap - right) > slack * Math.max(1, Math.abs(right))) {
    faults.push(`the gap of ${value} and ${bound} is ${right}, not ${gap}`);
  }
  if (status !== 'evaluated' && bound > value + slack * Math.max(Math.abs(value), Math.abs(bound))) {
    faults.push(`the bound ${bound} is above the value ${value}`);
  }
  return faults;
}
