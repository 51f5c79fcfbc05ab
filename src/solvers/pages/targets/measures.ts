/** What the objectives of pages measure, as targets and answers say it. */
import { leftUnder, type ObjectiveName, objectiveNames } from '../objectives/index.ts';

/** What a target may be told in: what is left, or, under freshness, what is not. */
export type MeasureName = 'freshness' | (typeof leftUnder)[ObjectiveName];
export const measureNames: readonly MeasureName[] = ['freshness', ...Object.values(leftUnder)];

/** The objective that a measure belongs to. */
export const objectiveOf = (measure: MeasureName): ObjectiveName =>
  objectiveNames.find((name) => leftUnder[name] === measure) ?? 'freshness';

/** The measure that answers use where the request names none. */
export const measureOf = (objective: ObjectiveName): MeasureName =>
  objective === 'freshness' ? objective : leftUnder[objective];

/** A value of a measure as what is left, in the mean: all but freshness are that themselves. */
export const leftOf = (measure: MeasureName, value: number): number => (measure === 'freshness' ? 1 - value : value);

/** And back. */
export const toldOf = (measure: MeasureName, left: number): number => (measure === 'freshness' ? 1 - left : left);

/**
 * What the pages of a list weigh together: what they would leave of their weight if each left 1 of the measure. Items
 * wait by the rate at which they come.
 */
export function scaleOf(
  measure: MeasureName,
  { weight, rate }: { readonly weight: ArrayLike<number>; readonly rate: ArrayLike<number> },
): (page: number) => number {
  return measure === 'meanDelay' ? (i) => weight[i] * rate[i] : (i) => weight[i];
}
