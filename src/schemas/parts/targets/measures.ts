/** What a target may be told in, by the objective it belongs to, and how it compares with Σ weight·cost. */
import type { ObjectiveName } from '../../../solvers/pages/objectives/index.ts';

export const measureNames = ['freshness', 'staleness', 'meanDelay', 'meanAge', 'harmonic'] as const;
export type MeasureName = (typeof measureNames)[number];

/** The objective that a measure belongs to. */
export const objectiveOf: Readonly<Record<MeasureName, ObjectiveName>> = {
  freshness: 'freshness',
  staleness: 'freshness',
  meanDelay: 'delay',
  meanAge: 'age',
  harmonic: 'harmonic',
};

/** The measure that answers use where the request names none. */
export const measureOf: Readonly<Record<ObjectiveName, MeasureName>> = {
  freshness: 'freshness',
  delay: 'meanDelay',
  age: 'meanAge',
  harmonic: 'harmonic',
};

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
