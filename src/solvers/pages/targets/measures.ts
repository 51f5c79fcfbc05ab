/** What the objectives of pages measure, and targets and curves as requests and answers have them. */
import type { CurvePoint } from '../../market/index.ts';
import { type ObjectiveName, objectiveNames, residualMeasure } from '../objectives/index.ts';

/** What a target may be told in: what is left, or, under freshness, what is not. */
export type MeasureName = 'freshness' | (typeof residualMeasure)[ObjectiveName];
export const measureNames: readonly MeasureName[] = ['freshness', ...Object.values(residualMeasure)];

/** The target of a request. */
export interface MeasureTarget {
  readonly measure: MeasureName;
  readonly value: number;
  /** Σ of the pages' scales: what is left of the weight, over it, is the measure. */
  readonly scale: number;
  /** Most that may be left of the weight. */
  readonly maxResidual: number;
}

/** The objective that a measure belongs to. */
export const objectiveOf = (measure: MeasureName): ObjectiveName =>
  objectiveNames.find((name) => residualMeasure[name] === measure) ?? 'freshness';

/** The measure that answers use where the request names none. */
export const measureOf = (objective: ObjectiveName): MeasureName =>
  objective === 'freshness' ? objective : residualMeasure[objective];

/** A value of a measure as what is left, in the mean, and back: all but freshness are that themselves. */
export const residualOf = (measure: MeasureName, value: number): number =>
  measure === 'freshness' ? 1 - value : value;

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

/** What a number of crawls reaches, by the name of the measure, and the change of the measure by one more crawl. */
type MeasuredPoint = { readonly [Name in MeasureName]?: number } & {
  readonly crawls: number;
  readonly price: number | null;
};

/** A curve in the unit of an answer: `perCrawl` of the answer's crawls are one of the solver's. */
export function measuredCurve(
  curve: readonly CurvePoint[],
  { measure, scale, perCrawl }: { readonly measure: MeasureName; readonly scale: number; readonly perCrawl: number },
): MeasuredPoint[] {
  return curve.map(({ crawls, cost, price }) => ({
    crawls: crawls * perCrawl,
    [measure]: residualOf(measure, scale > 0 ? cost / scale : 0),
    price: Number.isFinite(price) && scale > 0 ? price / perCrawl / scale : null,
  }));
}
