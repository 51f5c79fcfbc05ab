/** What the objectives of page operations measure: in words, over the whole of the pages, and as targets say it. */
import type { ObjectiveName } from '../../solvers/pages/objectives/index.ts';

export const objectiveMeasures: Readonly<Record<ObjectiveName, { readonly measure: string; readonly unit: string }>> = {
  freshness: { measure: 'staleness', unit: 'weight × share of the time' },
  delay: { measure: 'changes not yet seen', unit: 'weight × changes, in the mean' },
  age: { measure: 'age of what is shown', unit: 'weight × time, in the mean' },
  harmonic: { measure: 'harmonic staleness', unit: 'weight × logarithm, in the mean' },
};

/** What a target may be told in. */
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
